"""The annotated sentence that readers make, models predict, metrics compare and writers print."""

from dataclasses import asdict, dataclass
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Parse:
    """
    A dependency analysis of one sentence.

    # Parameters

    head_indices : `List[int]`
        The position of each token's head, 0-based. The root of the sentence is its own head
        (a self-loop), as in LISA section 2.2; files write it as head 0 of 1-based positions.
    head_tags : `List[str]`
        The label of the arc between each token and its head.
    """

    head_indices: List[int]
    head_tags: List[str]


@dataclass(frozen=True)
class Frame:
    """
    One predicate and the roles that tokens play for it.

    # Parameters

    predicate : `int`
        The 0-based position of the predicate.
    roles : `List[str]`
        A BIO label for every token of the sentence: `O`, `B-ARG1`, `I-ARG1`, `B-V` ...
    lemma : `str`, optional (default = `"-"`)
        The predicate's lemma.
    sense : `str`, optional (default = `"-"`)
        The frameset or verb sense.
    """

    predicate: int
    roles: List[str]
    lemma: str = "-"
    sense: str = "-"


@dataclass(frozen=True)
class Sentence:
    """
    The words of a sentence with whatever annotation is known of them. `None` stands for "not
    annotated", which is different from "annotated as having none".

    # Parameters

    words : `List[str]`
    pos : `List[str]`, optional
        Part-of-speech tags, one a word.
    frames : `List[Frame]`, optional
        In the order of their predicates.
    parse : `Parse`, optional
        The gold tree (for losses and UAS/LAS), or in a prediction the predicted one.
    injected_parse : `Parse`, optional
        A tree for the syntactically-informed head to attend to instead of its own.
    """

    words: List[str]
    pos: Optional[List[str]] = None
    frames: Optional[List[Frame]] = None
    parse: Optional[Parse] = None
    injected_parse: Optional[Parse] = None

    def to_json(self) -> Dict[str, Any]:
        """All of it as JSON, for AllenNLP, which writes instances beside their predictions."""
        return asdict(self)
