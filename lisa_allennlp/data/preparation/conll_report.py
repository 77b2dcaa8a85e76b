"""What preparing a split of CoNLL-2005 or CoNLL-2012 has come to."""

from dataclasses import asdict, dataclass, field
from typing import Any, Dict, List, Optional

from lisa_allennlp.data.sentence import Sentence


@dataclass
class ConllReport:
    """
    What became of a split.

    # Parameters

    split : `str`
    published : `int`
        How many sentences it has by the literature.
    sentences : `int`
    tokens : `int`
    predicates : `int`
    skipped : `str`, optional
        Why the split was not made; `None` if it was.
    missing_documents : `List[str]`
        Documents that the list of the split names, but that are not there.
    flat_trees : `List[str]`
        Where sentences are whose constituents are no tree; they were given to the converter as one
        constituent of all words.
    hint_for_more : `str`
        What may be the reason of more sentences than published.
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
        """Adds a sentence with frames to the numbers."""
        self.sentences += 1
        self.tokens += len(sentence.words)
        self.predicates += len(sentence.frames or [])

    def warnings(self) -> List[str]:
        """
        # Returns

        `List[str]`
            What the user should know: another number of sentences than published, documents that
            are missing, constituents that are no trees.
        """
        warnings = []
        if self.sentences != self.published:
            differ = f"{self.sentences:,} sentences where {self.published:,} were published"
            if self.sentences > self.published and self.hint_for_more:
                differ += f"; {self.hint_for_more}"
            warnings.append(differ)
        if self.missing_documents:
            number, first = len(self.missing_documents), self.missing_documents[0]
            warnings.append(f"of the listed documents, {number} missing: {first} ...")
        if self.flat_trees:
            number, first = len(self.flat_trees), self.flat_trees[0]
            warnings.append(
                f"of the sentences, {number} converted as a single constituent, since their "
                f"brackets do not match: {first} ..."
            )
        return warnings

    def to_json(self) -> Dict[str, Any]:
        """The report's JSON form."""
        warnings = [] if self.skipped else self.warnings()
        return {**asdict(self), "warnings": warnings}

    @classmethod
    def from_json(cls, values: Dict[str, Any]) -> "ConllReport":
        """The report that `to_json` wrote."""
        return cls(**{key: value for key, value in values.items() if key != "warnings"})
