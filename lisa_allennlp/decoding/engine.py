"""The seam between labelling and the networks."""

from typing import Collection, List, Optional, Protocol, Sequence

import numpy

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

    needs_predicates: bool = False
    """Whether each request has to mark its one predicate (LISA section 4.1)."""

    evaluation_options: LabelOptions = LabelOptions("argmax")
    """How `lisa evaluate` labels: as validation does in the model's training."""

    @property
    def common_words(self) -> Collection[str]:
        """The most frequent words, or pieces that are words; empty if the model is in PyTorch."""
        return ()

    def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        """
        Returns labelled copies of the sentences, in their order. Each has at least one word;
        annotation other than that of the request is ignored.
        """
        raise NotImplementedError

    def predict_pos(self, requests: Sequence[Request]) -> List[List[str]]:
        """Predicts parts of speech alone, for a parser that reads them."""
        raise NotImplementedError


class EncodedBatch(Protocol):
    """
    A batch of B sentences with at most T tokens that a network has encoded. All padding is on the
    right. Scores are in single precision, indices are 64-bit integers.
    """

    @property
    def lengths(self) -> numpy.ndarray:
        """(B,), the number of tokens of each sentence."""

    @property
    def joint_logits(self) -> numpy.ndarray:
        """(B, T, num_joint_tags)."""

    @property
    def arc_scores(self) -> Optional[numpy.ndarray]:
        """(B, T, T): `[b, t, q]` of head q of token t. Padding is not masked. `None` for SA."""

    @property
    def head_indices(self) -> Optional[numpy.ndarray]:
        """
        (B, T): the heads to which the syntactic head attends (LISA section 2.2). Tokens with a
        negative value, or all, attend by the predicted distribution.
        """

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        """Scores the labels of the arcs from (B, T) heads: (B, T, num_head_tags)."""

    def score_roles(
        self, sentence_indices: numpy.ndarray, predicate_indices: numpy.ndarray
    ) -> numpy.ndarray:
        """
        Scores the roles of F >= 1 predicates: (F,) and (F,) to (F, T, num_roles), which the caller
        may change.
        """

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        """Scores (F, C) candidate rolesets, negative for padding, of F predicates: (F, C)."""

    @property
    def factuality_logits(self) -> Optional[numpy.ndarray]:
        """(B, T): of the event of each token, that it happened. `None` if that is not learned."""
