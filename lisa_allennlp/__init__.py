"""
LISA: part-of-speech tags, dependency parses and semantic roles by one model, with
linguistically-informed self-attention.

    import lisa_allennlp

    lisa = lisa_allennlp.load()  # or load("OUT/model.tar.gz")
    sentence = lisa("She sold him the car.")

Neither this package nor a model in it imports PyTorch or AllenNLP. `import lisa_allennlp.plugin`
registers the classes that train models with AllenNLP.
"""

import importlib
import os
from typing import TYPE_CHECKING, Any, List, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.version import VERSION

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from lisa_allennlp.labelling.groups import InputError
    from lisa_allennlp.labelling.labeller import Labeller
    from lisa_allennlp.labelling.options import LoadOptions
    from lisa_allennlp.scoring import score
    from lisa_allennlp.sentence.document import Document
    from lisa_allennlp.sentence.sentence import Arc, Frame, Parse, RoleSpan, Sentence, Token

__all__ = [
    "Arc",
    "ConfigurationError",
    "Document",
    "Frame",
    "InputError",
    "Labeller",
    "Parse",
    "RoleSpan",
    "Sentence",
    "Token",
    "__version__",
    "load",
    "model_names",
    "read",
    "score",
]

__version__ = VERSION

_MODULES = {
    "Arc": "lisa_allennlp.sentence.sentence",
    "Document": "lisa_allennlp.sentence.document",
    "Frame": "lisa_allennlp.sentence.sentence",
    "InputError": "lisa_allennlp.labelling.groups",
    "Labeller": "lisa_allennlp.labelling.labeller",
    "Parse": "lisa_allennlp.sentence.sentence",
    "RoleSpan": "lisa_allennlp.sentence.sentence",
    "Sentence": "lisa_allennlp.sentence.sentence",
    "Token": "lisa_allennlp.sentence.sentence",
    "score": "lisa_allennlp.scoring",
}
"""Where the names are that need NumPy, so that `lisa --help` does not wait for it."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name]), name)


def load(
    model: Union[str, "os.PathLike[str]"] = "english",
    **options: "Unpack[LoadOptions]",
) -> "Labeller":
    """
    Loads a trained model: LISA, SA, the D&M parser or the supertagger. The `Labeller` returns a
    labelled sentence when it is called with a sentence.

    # Parameters

    model : `Union[str, PathLike]`, optional (default = `"english"`)
        A `model.tar.gz`, a training folder, a folder that `lisa export` wrote, or the name of a
        model in the package (`lisa models` lists them).
    engine : `str`, optional
        `onnx` (ONNX Runtime) or `torch` (PyTorch, with the packages that training needs). By
        default, a model with graphs runs in ONNX Runtime on a CPU, and all others in PyTorch.
    device : `Union[str, int]`, optional (default = `"cpu"`)
        `cpu`, `cuda`, `cuda:1`, or the number of a GPU.
    precision : `str`, optional (default = `int8` if the model was exported so, else the config's)
        `float32`; `bfloat16`, which needs PyTorch; or `int8`, for ONNX Runtime and models that
        `lisa export --precision int8` wrote.
    processes : `int`, optional (default = `1`)
        The number of processes that `pipe` uses.
    max_tokens : `int`, optional (default = `2000`)
        The largest number of tokens of a batch.
    language : `str`, optional (default = the model's, which is English unless its config says so)
        The language of raw text, for tokenisation (spaCy's code).
    parser, parse_decoder, frames, probabilities, min_probability, adaptation, auxiliaries,
    ignore_trees :
        Options of LISA: see `LisaLabeller`.
    beta : `float`, optional
        Option of the supertagger: see `SupertagLabeller`.
    allow_types : `Iterable[str]`, optional
        The dotted names of classes that are not registered but that the model's config may name,
        because you trust it.

    # Raises

    `ConfigurationError`
        If there is no model of this package, an option is invalid, or the model needs packages that
        are not installed.
    """
    from lisa_allennlp.labelling.loading import load_labeller

    return load_labeller(model, **options)


def model_names() -> List[str]:
    """Returns the names of the models in the package, the default one first."""
    from lisa_allennlp.models_on_disk import pretrained

    return pretrained.names()


def read(path: Union[str, "os.PathLike[str]"]) -> List["Sentence"]:
    """
    Reads the sentences of a file that the commands read: text, CSV, JSON lines, Parquet, CoNLL-U,
    `gold_conll`, CoNLL-2005, CoNLL-2009 or props. Its name or its content tells the format.
    Sentences have the labels that are there; trees may be in a `.conllu` file beside the file.

    # Raises

    `ConfigurationError`
        With the line, what is there, and what was expected.
    """
    from lisa_allennlp.labelling.sources import read_sentences

    return read_sentences(os.fspath(path))
