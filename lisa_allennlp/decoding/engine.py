"""The seam between labelling and the networks."""

from typing import Collection, List, Optional, Sequence

from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence


class Engine:
    """
    Runs a network for a `Labeller`, which reads and checks the inputs. The engines are
    `inference.model.InferenceModel`, in ONNX Runtime, and those of `models.engines`, in PyTorch.
    Subclasses implement `label`, and set the attributes that differ.
    """

    description: str = ""
    """Says in a few words what the model is."""

    weights: str = ""
    """The SHA-256 of exported weights, which an adaptation to them names; empty for others."""

    device: str = "cpu"
    """As PyTorch names it. Only a model on a CPU can be shared by forked processes."""

    pos_tags: Optional[Collection[str]] = None
    """The tags that the model predicts, or that a parser reads; `None` without any."""

    head_tags: Sequence[str] = ()
    """The labels of arcs."""

    role_labels: Sequence[str] = ()

    predicts_parse: bool = False
    predicts_senses: bool = False

    language: str = ENGLISH
    """The language of raw text, as spaCy's code."""

    multiword_tokens: Sequence[str] = ()
    """What `MultiwordTokens` reads, of a model for another language than English."""

    splitter: Sequence[str] = ()
    """The network in JSON that splits its raw text into sentences; empty for the English one."""

    common_words: Collection[str] = ()
    """The most frequent words, or word pieces that are words; empty if the model is in PyTorch."""

    needs_predicates: bool = False
    """Whether each request has to mark its one predicate (LISA section 4.1)."""

    evaluation_options: LabelOptions = LabelOptions("argmax")
    """How `lisa evaluate` labels: as validation does in the model's training."""

    def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        """
        Returns labelled copies of the sentences, in their order. Each has at least one word;
        annotation other than that of the request is ignored.
        """
        raise NotImplementedError

    def predict_pos(self, requests: Sequence[Request]) -> List[List[str]]:
        """Predicts parts of speech alone, for a parser that reads them."""
        raise NotImplementedError
