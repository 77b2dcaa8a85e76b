"""
The HTTP service of `lisa serve` (docs/serving.md). It needs the packages of requirements/serve.txt.

- `_http` has what needs FastAPI and uvicorn: `running` opens the socket and runs the server,
  `protocol` cuts off slow clients, `app` has the paths, `schemas` their descriptions.
- `door` admits requests: `origins` checks where they come from, `limits` has the limits, and
  `errors` what refused requests get.
- `labelling` labels bodies: `reading` reads them, `batching` decides what is labelled next,
  `processes` label it, and `answers` puts answers together.
- `drawing` and `conversion` read answers again, with `returned`.
- `files` has the files of the page, and `metrics` counts.
"""
