"""The report on a prepared split of CoNLL-2005 or CoNLL-2012."""

from dataclasses import asdict, dataclass, field
from typing import Any, Dict, List, Optional

from lisa_allennlp.data.sentence import Sentence


@dataclass
class ConllReport:
    """
    The contents of a prepared split.

        >>> report = ConllReport("dev", published=3)
        >>> for words in (["She", "sang"], ["Hush"]):
        ...     report.count(Sentence(words, frames=[]))
        >>> report.tokens
        3
        >>> report.warnings()
        ['found 2 sentences; expected 3, as published']

    # Parameters

    published : `int`
        The number of sentences in the literature.
    skipped : `str`, optional
        Why the split was not prepared; `None` if it was.
    missing_documents : `List[str]`
        Listed documents that do not exist.
    flat_trees : `List[str]`
        The places of sentences with mismatched brackets. They are converted as one constituent.
    hint_for_more : `str`
        A hint for users who find more sentences than published.
    """

    split: str
    published: int
    sentences: int = 0
    tokens: int = 0
    predicates: int = 0
    skipped: Optional[str] = None
    missing_documents: List[str] = field(default_factory=list)
    flat_trees: List[str] = field(default_factory=list)
    hint_for_more: str = ""

    def count(self, sentence: Sentence) -> None:
        """Counts a sentence with frames."""
        self.sentences += 1
        self.tokens += len(sentence.words)
        self.predicates += len(sentence.frames or [])

    def warnings(self) -> List[str]:
        """
        # Returns

        `List[str]`
            Deviations from the published number of sentences, missing documents, and constituents
            that do not form trees.
        """
        warnings = []
        if self.sentences != self.published:
            differ = (
                f"found {self.sentences:,} sentences; expected {self.published:,}, as published"
            )
            if self.sentences > self.published and self.hint_for_more:
                differ += f"; {self.hint_for_more}"
            warnings.append(differ)
        if self.missing_documents:
            number, first = len(self.missing_documents), self.missing_documents[0]
            warnings.append(f"{number} of the listed documents missing: {first} ...")
        if self.flat_trees:
            number, first = len(self.flat_trees), self.flat_trees[0]
            warnings.append(
                f"{number} of the sentences converted as a single constituent, since their "
                f"brackets do not match: {first} ..."
            )
        return warnings

    def to_json(self) -> Dict[str, Any]:
        """The report as JSON, with its warnings."""
        warnings = [] if self.skipped else self.warnings()
        return {**asdict(self), "warnings": warnings}

    @classmethod
    def from_json(cls, values: Dict[str, Any]) -> "ConllReport":
        """The reverse of `to_json`."""
        return cls(**{key: value for key, value in values.items() if key != "warnings"})
