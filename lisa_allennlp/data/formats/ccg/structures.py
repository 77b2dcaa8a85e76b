"""The supertagged sentence, and the symbol for rare categories."""

from dataclasses import asdict, dataclass
from typing import Any, Dict, List, NamedTuple, Optional

RARE_CATEGORY = "@@RARE@@"
"""The symbol for all categories that are not in the category set of a model."""


@dataclass(frozen=True)
class SupertaggedSentence:
    """
    A sentence and the lexical category of each word. `None` stands for "not annotated".

    # Parameters

    words : `List[str]`
    pos : `List[str]`, optional
        Part-of-speech tags, one a word.
    supertags : `List[str]`, optional
        Lexical categories such as `(S[dcl]\\NP)/NP`, one a word.
    """

    words: List[str]
    pos: Optional[List[str]] = None
    supertags: Optional[List[str]] = None

    def to_json(self) -> Dict[str, Any]:
        """All of it as JSON, for AllenNLP, which writes instances beside their predictions."""
        return asdict(self)


class RankedSupertag(NamedTuple):
    """
    One of the categories that a word may have.

    # Parameters

    supertag : `str`
    probability : `float`
    """

    supertag: str
    probability: float
