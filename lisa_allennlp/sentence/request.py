"""What a labeller asks of an engine: a sentence, and what is known of its labels."""

from dataclasses import dataclass
from typing import FrozenSet, List, Optional, Sequence, Union

from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import GivenFrame, Sentence


@dataclass(frozen=True)
class Request:
    sentence: Sentence
    """Has the words, any extra keys and, for raw text, the text and offsets."""
    head_indices: Optional[List[int]] = None
    """A tree to inject, with 0-based heads; a root is its own head, and unknown ones are -1."""
    head_tags: Optional[List[str]] = None
    predicates: Optional[List[int]] = None
    """1 for each predicate, 0 for the other tokens."""
    given_roles: Sequence[GivenFrame] = ()
    """At most one per predicate, with disjoint spans; their words are predicates."""
    annotated: Optional[Sentence] = None
    """The sentence of a file whose tags, lemmas and tree the answer has."""

    @property
    def named_predicates(self) -> FrozenSet[int]:
        marked = (token for token, mark in enumerate(self.predicates or ()) if mark)
        return frozenset([*marked, *(frame["index"] for frame in self.given_roles)])


def marks_of(sentence: Sentence) -> List[int]:
    """1 for each predicate of an annotated sentence, 0 for the other tokens."""
    predicates = frozenset(sentence.predicates or ())
    return [int(token in predicates) for token in range(len(sentence.words))]


def requests_of(asked: Union[Request, Document]) -> List[Request]:
    return list(map(Request, asked.sentences)) if isinstance(asked, Document) else [asked]
