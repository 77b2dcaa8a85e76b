"""The seam between labelling and the networks."""

from typing import Collection, List, Optional, Protocol, Sequence

import numpy

from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence


class Engine:
    """
    Runs a network for a `Labeller`, in ONNX Runtime (`inference.model.InferenceModel`) or in
    PyTorch (`models.engines`). Subclasses implement `label`, and set the attributes that differ.
    """

    description: str = ""

    weights: str = ""
    """The SHA-256 of exported weights, for adaptations; empty for others."""

    device: str = "cpu"
    """As PyTorch names it. Only a model on a CPU can be shared by forked processes."""

    pos_tags: Optional[Collection[str]] = None
    """The tags that the model predicts, or that a parser reads; `None` without any."""

    head_tags: Sequence[str] = ()

    role_labels: Sequence[str] = ()

    predicts_parse: bool = False
    predicts_senses: bool = False

    language: str = ENGLISH
    """The language of raw text, as spaCy's code."""

    multiword_tokens: Sequence[str] = ()
    """For `MultiwordTokens`, unless the language is English."""

    splitter: Sequence[str] = ()
    """The sentence splitter's network in JSON; empty for the English one."""

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
        annotation outside the request is ignored.
        """
        raise NotImplementedError

    def predict_pos(self, requests: Sequence[Request]) -> List[List[str]]:
        """Predicts parts of speech alone, for a parser that reads them."""
        raise NotImplementedError


class EncodedBatch(Protocol):
    """
    B sentences of at most T tokens that a network has encoded. All padding is on the right. Scores
    are in single precision, indices are 64-bit integers.
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
        """Scores the roles of F >= 1 predicates, (F,), as a new (F, T, num_roles) array."""

    def score_senses(
        self,
        sentence_indices: numpy.ndarray,
        predicate_indices: numpy.ndarray,
        candidates: numpy.ndarray,
    ) -> numpy.ndarray:
        """Scores (F, C) candidate rolesets, negative for padding, of F predicates: (F, C)."""

    @property
    def factuality_logits(self) -> Optional[numpy.ndarray]:
        """(B, T): that the event of a token happened. `None` if that is not learned."""
