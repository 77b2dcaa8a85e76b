"""
ONNX Runtime, and where the graphs of a model are: beside it, among the user's cached files, or only
in memory.
"""

import os
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, NamedTuple, Union

import numpy

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.model_files.model_folder import read_json
from lisa_allennlp.version import VERSION

DECODING_NAME = "decoding.json"

PRECISIONS = ("int8", "float32")

FOLDER_NAME = "onnx"
"""The name of an export in the folder of its model."""

NAMES = ("encode", "attend", "score")

Graphs = Mapping[str, Union[str, bytes]]
"""The graphs by these names, or the names of their files."""

Values = Dict[str, numpy.ndarray]


class GraphFiles(NamedTuple):
    """
    The files of a model's graphs: the model, the SHA-256 of its weights, and the precision, one of
    `PRECISIONS`.
    """

    model: Path
    sha256: str
    precision: str

    @property
    def key(self) -> str:
        """Names what the graphs depend on: the weights, the precision, and the code."""
        import hashlib

        code = hashlib.sha256(VERSION.encode())
        for file in sorted(Path(__file__).parent.glob("_onnx_*.py")):
            code.update(file.read_bytes())
        return f"{self.sha256}-{self.precision}-{code.hexdigest()[:16]}"

    def find(self, build: Callable[[], Dict[str, bytes]]) -> Graphs:
        """Returns the graphs, which it builds, and writes for the next time, if there are none."""
        key = self.key
        described = self.model / FOLDER_NAME / DECODING_NAME
        if described.is_file() and read_json(described).get("graphs") == key:
            return {name: str(described.with_name(f"{name}.onnx")) for name in NAMES}
        cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
        if not cache.is_absolute():
            return build()  # the user has no home
        paths = {name: cache / "lisa-allennlp" / f"{key}-{name}.onnx" for name in NAMES}
        if not all(path.is_file() for path in paths.values()):
            graphs = build()
            try:
                for name, path in paths.items():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with complete_file(path) as partial:
                        partial.write_bytes(graphs[name])
            except OSError:
                return graphs  # the user cannot write there
        return {name: str(path) for name, path in paths.items()}


def open_session(graph: Union[str, bytes]) -> Any:
    """Opens a graph for one thread."""
    # By default, ONNX Runtime writes an identifier into the user's cache and reports to Microsoft.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def run(session: Any, inputs: Mapping[str, numpy.ndarray]) -> Values:
    """Returns the outputs of a graph by their names. Inputs that are not given are empty."""
    given = {}
    for wanted in session.get_inputs():
        kind = numpy.float32 if wanted.type == "tensor(float)" else numpy.int32
        values = inputs.get(wanted.name)
        if values is None:
            sizes = [size if isinstance(size, int) else 1 for size in wanted.shape[1:]]
            values = numpy.empty([0, *sizes])
        given[wanted.name] = values.astype(kind, copy=False)
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, given), strict=True))
