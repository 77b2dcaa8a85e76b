"""The scores of a batch, and its tokens with tags, trees and probabilities of predicates."""

from dataclasses import dataclass
from functools import cached_property
from typing import List, Optional, Protocol, Sequence

import numpy

from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.sentence.sentence import Parse, Sentence
from lisa_allennlp.text.tokens import typed_marks


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


@dataclass(frozen=True)
class Tokens:
    """
    The tokens of B sentences, at most T in each, with their tags and trees, and the probabilities,
    (B, T), of these tags, of being a predicate, and, on request, of the arcs.
    """

    names: LabelNames
    encoded: EncodedBatch
    sources: Sequence[Sentence]
    options: LabelOptions
    pos: Sequence[List[str]]
    parses: Sequence[Optional[Parse]]
    tags: numpy.ndarray
    predicates: numpy.ndarray
    arcs: Optional[numpy.ndarray] = None

    @cached_property
    def words(self) -> List[List[str]]:
        """The words of each sentence, as `features` read them."""
        return [typed_marks(source.words) for source in self.sources]

    def place(self, row: int, token: int) -> Place:
        """A token for `features`. Without a tree, each token is a root that has no relation."""
        words, parse = self.words[row], self.parses[row]
        parse = parse or Parse(list(range(len(words))), [""] * len(words))
        return Place(words, self.pos[row], parse, token)
