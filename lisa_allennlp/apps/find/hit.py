"""
`Hit`: an event that was found, with the places of its words in the sentence.

    >>> row = {
    ...     "document": "7", "sentence": "1", "text": "She sold the car.", "predicate": "sold",
    ...     "text_start": 20, "predicate_index": 1, "start_char": 24,
    ...     "event": "sell", "sense": "sell.01",
    ...     "ARG1": "the car", "ARG1_heads": ["car"], "ARG1_offsets": [29, 36],
    ... }
    >>> hit = Hit(row)
    >>> hit.roles, [(place.role, hit.text[place.start : place.end]) for place in hit.places]
    ({'ARG1': 'the car'}, [('V', 'sold'), ('ARG1', 'the car')])
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from lisa_allennlp.formats.role_tables import HEADS, OFFSETS
from lisa_allennlp.sentence.roles import VERB

_PIECES = re.compile(r" \.\.\. |; ")


class Place(NamedTuple):
    role: str
    start: int
    end: int


@dataclass(frozen=True)
class Hit:
    """An event of a corpus: the row of the table of events, and what it says by name."""

    row: Mapping[str, Any]

    @property
    def document(self) -> Optional[str]:
        return self.row["document"]

    @property
    def sentence(self) -> str:
        """The id of the sentence, or its number in the document."""
        return self.row["sentence"]

    @property
    def text(self) -> str:
        return self.row["text"]

    @property
    def event(self) -> str:
        return self.row["event"]

    @property
    def sense(self) -> Optional[str]:
        return self.row["sense"]

    @cached_property
    def roles(self) -> Dict[str, str]:
        # The user may have columns with such names, too.
        filled = (name for name, heads in self.row.items() if isinstance(heads, list))
        names = (name.removesuffix(HEADS) for name in filled if name.endswith(HEADS))
        return {role: self.row[role] for role in names if self.row.get(role) is not None}

    @cached_property
    def places(self) -> List[Place]:
        """
        The places of the predicate and of the pieces of fillers in `text`; the table counts from
        the beginning of the document. Without offsets, words are separated by blanks.
        """
        begin = self.row.get("text_start")
        if begin is None or self.row["start_char"] is None:
            words = self.text.split(" ")[: self.row["predicate_index"]]
            start = sum(len(word) + 1 for word in words)
        else:
            start = self.row["start_char"] - begin
        found = [Place(VERB, start, start + len(self.row["predicate"]))]
        for role, text in self.roles.items():
            offsets = self.row.get(role + OFFSETS)
            if begin is not None and offsets:
                pairs = zip(offsets[::2], offsets[1::2], strict=False)
                found += [Place(role, first - begin, last - begin) for first, last in pairs]
            else:
                for piece in _PIECES.split(text):
                    first = self.text.find(piece)
                    found.append(Place(role, first, first + len(piece)))
        return [place for place in found if 0 <= place.start < place.end <= len(self.text)]
