"""
`Document`: a raw text with its sentences.

All offsets, those of the sentences too, refer to the text of the document.

    >>> text = "Rain. It poured."
    >>> sentences = [
    ...     Sentence(["Rain", "."], offsets=[(0, 4), (4, 5)], text=text),
    ...     Sentence(["It", "poured", "."], offsets=[(6, 8), (9, 15), (15, 16)], text=text),
    ... ]
    >>> document = Document(text, sentences)
    >>> [document.text[token.start_char : token.end_char] for token in document[1]]
    ['It', 'poured', '.']
    >>> document.text_of(sentences[1])
    'It poured.'
    >>> document
    <Document of 2 sentences 'Rain. It poured.'>
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Union, overload

from lisa_allennlp.sentence.sentence import EVENTS, Sentence
from lisa_allennlp.text.sentence_splitter import paragraph_ends

if TYPE_CHECKING:
    from lisa_allennlp.sentence.event import Event

SENTENCES = "sentences"

ID, DOCUMENT = "id", "document"
"""The extra keys of a sentence for its id, and its document's."""

CONLLU = "conllu"
"""The key of a sentence's `ConlluRecord`."""


@dataclass(frozen=True, repr=False)
class Document:
    """
    A raw text and, as a sequence, its sentences in text order. Their `offsets` refer to `text`,
    which is also their `text`. `extra` has other keys of the input, such as `id`, for the output.
    """

    text: str
    sentences: List[Sentence]
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @overload
    def __getitem__(self, i: int) -> Sentence: ...

    @overload
    def __getitem__(self, i: slice) -> List[Sentence]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Sentence, List[Sentence]]:
        return self.sentences[i]

    @property
    def events(self) -> List["Event"]:
        """The events of all sentences, with the `clusters` in `extra` as in `find_events`."""
        return [event for sentence in self.with_ids() for event in sentence.events]

    def text_of(self, sentence: Sentence) -> str:
        offsets = sentence.offsets or [(0, 0)]
        return self.text[offsets[0][0] : offsets[-1][1]]

    def paragraph_starts(self) -> List[int]:
        ends = iter(paragraph_ends(self.text))
        starts, end = [], 0
        for position, sentence in enumerate(self.sentences):
            start = (sentence.offsets or [(0, 0)])[0][0]
            if end <= start:
                starts.append(position)
            while end <= start:
                end = next(ends, len(self.text) + 1)
        return starts

    def with_ids(self, id_key: str = ID) -> List[Sentence]:
        """Returns the sentences with the document's extra keys, its id as `document`."""
        others = {key: value for key, value in self.extra.items() if key != id_key}
        named = {DOCUMENT: self.extra[id_key]} if id_key in self.extra else {}
        return [
            replace(sentence, extra={**named, **others, **sentence.extra})
            for sentence in self.sentences
        ]

    def to_dict(self, events: bool = False) -> Dict[str, Any]:
        """Returns the JSON form: `extra`, `text`, and `Sentence.to_dict` of each sentence."""
        described = [sentence.to_dict() for sentence in self.sentences]
        if events:
            # The sentences with the keys of the document have its clusters of coreference.
            for record, sentence in zip(described, self.with_ids(), strict=True):
                record[EVENTS] = [event.to_dict() for event in sentence.events]
        return {**self.extra, "text": self.text, SENTENCES: described}

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> "Document":
        text = described["text"]
        sentences = [Sentence.from_dict(item) for item in described[SENTENCES]]
        return cls(
            text,
            [replace(sentence, text=text) for sentence in sentences],
            {key: value for key, value in described.items() if key not in ("text", SENTENCES)},
        )

    def _repr_html_(self) -> str:
        return "".join(sentence._repr_html_() for sentence in self)

    def __repr__(self) -> str:
        number = len(self.sentences)
        start = self.text if len(self.text) <= 60 else f"{self.text[:57]}..."
        return f"<Document of {number} sentence{'s' * (number != 1)} {start!r}>"
