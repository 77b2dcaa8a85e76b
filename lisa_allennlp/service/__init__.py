"""
The HTTP service of `lisa serve` (docs/serving.md). It needs FastAPI, uvicorn and what else
the extra `serve` has. AllenNLP imports no modules whose names begin with `_` with all others,
so that these packages may be missing.

- `_running` opens the socket and runs uvicorn, `_middleware` wraps all paths, `_app` has the paths,
  `schemas` the bodies.
- `labelling` reads and labels inputs, `batching` decides what is labelled next, `workers` label it.
- `pictures` draws and converts answers that come back, and `metrics` counts.
"""
