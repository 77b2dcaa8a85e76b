"""
The model of a run, and the options that change its answers.

    >>> options = ModelOptions("english-fast", precision="float32")
    >>> options.describe()["precision"]
    'float32'
    >>> len(options.digest())
    64
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Dict, Optional

from allennlp.common.file_utils import cached_path

from lisa_allennlp import pretrained
from lisa_allennlp.common.digests import digest_of_path
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller


@dataclass(frozen=True)
class ModelOptions:
    """
    # Parameters

    model : `str`
        As for `lisa_allennlp.pretrained.resolve`.
    precision, overrides, weights_file : optional
        As for `load_labeller`.
    predictor_args : `Dict[str, Any]`, optional
        Options of the labeller.
    """

    model: str
    precision: Optional[str] = None
    overrides: str = ""
    weights_file: Optional[str] = None
    predictor_args: Dict[str, Any] = field(default_factory=dict)

    def open(self, device: int = -1) -> Labeller:
        """Opens the model on a GPU or, with -1, on the CPU."""
        return load_labeller(
            self.model,
            precision=self.precision,
            device=device,
            overrides=self.overrides,
            weights_file=self.weights_file,
            **self.predictor_args,
        )

    def digest(self) -> str:
        """The SHA-256 of the model's files."""
        digest = digest_of_path(cached_path(pretrained.resolve(self.model)))
        if self.weights_file:
            digest += "+" + digest_of_path(cached_path(self.weights_file))
        return digest

    def describe(self) -> Dict[str, Any]:
        """All options except the names of the files, whose digests count."""
        described = asdict(self)
        del described["model"], described["weights_file"]
        return described
