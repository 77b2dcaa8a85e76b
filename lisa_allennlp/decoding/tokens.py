"""The tokens of a batch, from the network's scores to tags, trees and predicates."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import List, Optional, Protocol, Sequence, Tuple

import numpy

from lisa_allennlp.data.formats.tokens import typed_marks
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.trees import argmax_heads, is_token


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

    def attending(self, head_indices: numpy.ndarray) -> "EncodedBatch":
        """The same batch, in which the syntactic head attends to these heads."""

    def score_head_tags(self, head_indices: numpy.ndarray) -> numpy.ndarray:
        """
        Scores the labels of the arcs from (B, T) heads: (B, T, num_head_tags). A token with a
        negative head has any scores.
        """

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


@dataclass(frozen=True)
class Tokens:
    """
    The tokens of B sentences, at most T in each, with their trees, the probabilities of their tags,
    (B, T, num_tags), and of being a predicate, (B, T). With trees that a network has decoded, there
    are the scores of the labels of their arcs, (B, T, num_head_tags), the label that only roots
    have, and, on request, the probabilities of arcs, (B, T). A stage is a function from tokens to
    tokens. It may write into the probabilities.
    """

    names: LabelNames
    encoded: EncodedBatch
    sources: Sequence[Sentence]
    options: LabelOptions
    parses: Sequence[Optional[Parse]]
    tags: numpy.ndarray
    predicates: numpy.ndarray
    head_tag_logits: Optional[numpy.ndarray] = None
    root_label: Optional[int] = None
    arcs: Optional[numpy.ndarray] = None

    @property
    def heads(self) -> numpy.ndarray:
        """(B, T), the heads of the tokens, 0 where there is no tree."""
        heads = numpy.zeros(self.predicates.shape, int)
        for own, parse in zip(heads, self.parses, strict=True):
            if parse is not None:
                own[: len(parse.head_indices)] = parse.head_indices
        return heads

    @cached_property
    def pos(self) -> List[List[str]]:
        return best_tags(self.names, self.tags, self.encoded.lengths)

    @cached_property
    def words(self) -> List[List[str]]:
        """The words of each sentence, as `features` read them."""
        return [typed_marks(source.words) for source in self.sources]

    def place(self, row: int, token: int) -> Place:
        """
        A token for `features`. Without a tree, each token is a root that has no relation.
        """
        words, parse = self.words[row], self.parses[row]
        parse = parse or Parse(list(range(len(words))), [""] * len(words))
        return Place(words, self.pos[row], parse, token)

    def in_trees(self, is_open: numpy.ndarray) -> Tuple[List[Place], Tuple[numpy.ndarray, ...]]:
        """Those of the open tokens, (B, T) bool, that are in sentences with a tree, and where."""
        has_tree = numpy.array([parse is not None for parse in self.parses], bool)
        within = is_token(is_open.shape[1], self.encoded.lengths * has_tree)
        found = (is_open & within).nonzero()
        return [self.place(*place) for place in numpy.transpose(found).tolist()], found


def attend_to_trees(tokens: Tokens) -> Tokens:
    """
    Lets the syntactic head attend to the whole tree of a sentence, as to an injected one (LISA
    section 2.2), where the tree differs from the most probable heads of the network.
    """
    encoded, heads = tokens.encoded, tokens.heads
    if encoded.arc_scores is None:
        return tokens
    differs = (argmax_heads(encoded.arc_scores, encoded.lengths) != heads).any(1)
    if not differs.any():
        return tokens
    injected = -1 if encoded.head_indices is None else encoded.head_indices
    attended = numpy.where(differs[:, None], heads, injected)
    return replace(tokens, encoded=encoded.attending(attended))


def best_tags(
    names: LabelNames, probabilities: numpy.ndarray, lengths: numpy.ndarray
) -> List[List[str]]:
    """The most probable tags, without padding, from (B, T, num_tags) and (B,)."""
    return [
        [names.pos[tag] for tag in tags[:length]]
        for tags, length in zip(probabilities.argmax(-1).tolist(), lengths.tolist(), strict=True)
    ]
