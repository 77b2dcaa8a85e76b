"""
Roles as tables for spreadsheets, data frames and databases: one row per frame or per event, with a
column per role, or one row per span. In CSV, unknown values are empty, and lists are JSON.

    >>> import sys
    >>> from lisa_allennlp.data.sentence import Frame
    >>> frame = Frame(1, ["B-ARG0", "B-V"], lemma="sing", sense="sing.01")
    >>> sentence = Sentence(["She", "sang"], frames=[frame], extra={"document": "a", "id": 7})
    >>> table = Table(FRAMES, ["ARG0"], ["document", "sentence", "sense", "ARG0"])
    >>> table.write_csv(table.rows([sentence]), sys.stdout)
    "document","sentence","sense","ARG0"
    "a","7","sing.01","She"

Documents and sentences have their ids, `document` and `id` of the extra keys. A sentence without
one has its number in its document, from 1, or without a document in the file. Positions of tokens
are counted from 0, and `last` is inclusive; offsets are characters of the raw text, their ends
exclusive.
"""

import csv
import json
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    TextIO,
    Tuple,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import DOCUMENT, ID
from lisa_allennlp.data.events import Event, Filler
from lisa_allennlp.data.events.event import APART, ATTRIBUTES
from lisa_allennlp.data.formats.columns import frames_in_order
from lisa_allennlp.data.formats.conll12 import PART
from lisa_allennlp.data.formats.conllu import CONLLU
from lisa_allennlp.data.formats.parquet import arrow_type
from lisa_allennlp.data.formats.roles import CONTINUATION, REFERENCE, UNKNOWN, VERB
from lisa_allennlp.data.json_values import fields_of
from lisa_allennlp.data.sentence import Frame, RoleSpan, Sentence

FRAMES, SPANS, EVENTS = "frames", "spans", "events"

TABLES = (FRAMES, SPANS, EVENTS)
"""The names of the tables."""

OFFSETS = "_offsets"
"""The end of the name of the column with a role's offsets."""

HEADS = "_heads"
"""The end of the name of the column with the lemmas of the heads that fill a role."""


class SpanRow(NamedTuple):
    """
    A row of the table of spans: the ids of a document and a sentence, the 0-based position and the
    word form of a predicate, and the values of its `Frame` and of one `RoleSpan`. The gloss of a
    `V` is that of the roleset; the frames of FrameNet are joined by blanks.
    """

    document: Optional[str]
    sentence: str
    predicate_index: int
    predicate: str
    lemma: Optional[str]
    sense: Optional[str]
    role: str
    first: int
    last: int
    start_char: Optional[int]
    end_char: Optional[int]
    text: str
    gloss: Optional[str]
    thematic_role: Optional[str]
    verbnet: Optional[str]
    framenet: Optional[str]
    probability: Optional[float]


class FrameRow(NamedTuple):
    """
    A row of the table of frames: a sentence, a predicate with its word form and its place, and the
    values of its `Frame`. `extra` has the other keys of the sentence or its document, as a JSON
    object. After these columns, each role has its own, as in `role_cells`.
    """

    document: Optional[str]
    sentence: str
    text: str
    predicate_index: int
    predicate: str
    lemma: Optional[str]
    sense: Optional[str]
    start_char: Optional[int]
    end_char: Optional[int]
    gloss: Optional[str]
    verbnet: Optional[str]
    framenet: Optional[str]
    probability: Optional[float]
    sense_probability: Optional[float]
    extra: Optional[str]


class EventRow(NamedTuple):
    """
    A row of the table of events: a sentence, a predicate with its word form and its place, the
    values of its `Event`, and the answers to its questions. `names` has the fillers by PropBank's
    names of the roles, as a JSON object. After these columns, each role has its own, as in
    `filler_cells`.
    """

    document: Optional[str]
    sentence: str
    text: str
    predicate_index: int
    predicate: str
    event: str
    lemma: Optional[str]
    sense: Optional[str]
    start_char: Optional[int]
    end_char: Optional[int]
    negated: bool
    modal: Optional[str]
    tense: Optional[str]
    voice: Optional[str]
    factuality: str
    source: Optional[str]
    source_head: Optional[str]
    who: Optional[str]
    what: Optional[str]
    to_whom: Optional[str]
    when: Optional[str]
    where: Optional[str]
    how: Optional[str]
    why: Optional[str]
    gloss: Optional[str]
    names: Optional[str]
    extra: Optional[str]


def _places(
    sentences: Iterable[Sentence],
) -> Iterator[Tuple[Tuple[Optional[str], str], Sentence]]:
    """The sentences with the names of their documents and their own."""
    before, number = None, 0
    for sentence in sentences:
        document, name = (sentence.extra.get(key) for key in (DOCUMENT, ID))
        number = number + 1 if document == before else 1
        before = document
        named = None if document is None else name_of(document)
        yield (named, name_of(number if name is None else name)), sentence


def name_of(id: Any) -> str:
    """Returns an id as a string; one that is no string as JSON."""
    return id if isinstance(id, str) else json.dumps(id)


def span_rows(sentences: Iterable[Sentence]) -> Iterator[SpanRow]:
    """Yields the spans in the order of sentences, predicates and positions."""
    for place, sentence in _places(sentences):
        for frame in frames_in_order(sentence):
            names = frame.verb, *map(_known, (frame.lemma, frame.sense))
            for span in frame.roles:
                tokens = span.first, span.last, span.start_char, span.end_char
                gloss = frame.gloss if span.role == VERB else span.gloss
                links = frame.verbnet, " ".join(frame.framenet or []) or None
                texts = span.text or "", gloss, span.thematic_role, *links
                values: Any = *place, frame.predicate, *names, span.role, *tokens, *texts
                yield SpanRow._make((*values, span.probability))


def frame_rows(sentences: Iterable[Sentence], roles: Sequence[str]) -> Iterator[Dict[str, Any]]:
    """
    Yields the values of a `FrameRow` and the `role_cells` of each frame, in the order of sentences
    and predicates.
    """
    for place, sentence in _places(sentences):
        extra = _extra_of(sentence)
        for frame in frames_in_order(sentence):
            token = sentence[frame.predicate]
            row = FrameRow(
                *place,
                _text_of(sentence),
                frame.predicate,
                frame.verb,
                _known(frame.lemma),
                _known(frame.sense),
                token.start_char,
                token.end_char,
                frame.gloss,
                frame.verbnet,
                " ".join(frame.framenet or []) or None,
                frame.probability,
                frame.sense_probability,
                extra,
            )
            yield {**row._asdict(), **role_cells(frame, roles)}


def event_rows(sentences: Iterable[Sentence], roles: Sequence[str]) -> Iterator[Dict[str, Any]]:
    """
    Yields the values of an `EventRow` and the `filler_cells` of each event, in the order of
    sentences and predicates.
    """
    for place, sentence in _places(sentences):
        text, extra = _text_of(sentence), _extra_of(sentence)
        for event in sentence.events:
            token = sentence[event.predicate]
            described = {name: getattr(event, name) for name in EVENT_VALUES}
            row = EventRow(
                *place,
                text,
                event.predicate,
                event.text,
                event.name,
                _known(event.lemma),
                _known(event.sense),
                token.start_char,
                token.end_char,
                **described,
                names=json.dumps(event.names, ensure_ascii=False) if event.names else None,
                extra=extra,
            )
            yield {**row._asdict(), **filler_cells(event, roles)}


EVENT_VALUES = (
    "negated modal tense voice factuality source source_head "
    "who what to_whom when where how why gloss"
).split()
"""The columns of an `EventRow` that are attributes of an `Event`."""


def filler_cells(event: Event, roles: Sequence[str]) -> Dict[str, Any]:
    """
    Returns three values for each role, or `None` if the event lacks it: the texts of its fillers,
    the lemmas of all their heads, and the start and the end of each piece. A pronoun with a
    referent has its name.
    """
    found: Dict[str, List[Filler]] = {}
    for filler in event.fillers:
        found.setdefault(filler.role, []).append(filler)
    cells: Dict[str, Any] = {}
    for role in roles:
        own = found.get(role)
        pieces = [piece for filler in own or () for piece in filler.pieces or ()]
        cells[role] = own and "; ".join(filler.name for filler in own)
        cells[role + HEADS] = own and [head for filler in own for head in filler.heads]
        cells[role + OFFSETS] = [c for piece in pieces for c in piece] or None
    return cells


def _extra_of(sentence: Sentence) -> Optional[str]:
    """The other keys of the input, as a JSON object."""
    others = {k: v for k, v in sentence.extra.items() if k not in (DOCUMENT, ID, PART, CONLLU)}
    return json.dumps(others, ensure_ascii=False, default=str) if others else None


def _known(value: str) -> Optional[str]:
    return None if value == UNKNOWN else value


def _text_of(sentence: Sentence) -> str:
    """The raw text of a sentence or, if that is unknown, its words."""
    if sentence.text is None or not sentence.offsets:
        return " ".join(sentence.words)
    return sentence.text[sentence.offsets[0][0] : sentence.offsets[-1][1]]


def base_role(role: str) -> str:
    """Returns the role whose column has a span: that of a C-X or R-X is X."""
    for prefix in (CONTINUATION, REFERENCE):
        role = role.removeprefix(prefix)
    return role


def role_names(labels: Iterable[str]) -> List[str]:
    """Returns the roles that are columns, sorted: those of all labels but the predicate's own."""
    return sorted({base_role(label) for label in labels} - {VERB})


def role_cells(frame: Frame, roles: Sequence[str]) -> Dict[str, Any]:
    """
    Returns two lists for each role, or `None` if the frame lacks it: the texts of its arguments in
    text order, and for each of them the start and the end of its pieces. A C-X continues the
    argument before it, and its text follows after ` ... `; an R-X is an item of its own. Offsets
    are `None` without those of the sentence.

    >>> sentence = Sentence(
    ...     ["Gifts", "he", "said", "fell"],
    ...     frames=[Frame(2, ["B-ARG1", "B-ARG0", "B-V", "B-C-ARG1"])],
    ...     offsets=[(0, 5), (6, 8), (9, 13), (14, 18)],
    ... )
    >>> role_cells(sentence.frames[0], ["ARG1", "ARG2"])
    {'ARG1': ['Gifts ... fell'], 'ARG1_offsets': [[0, 5, 14, 18]], 'ARG2': None, ...}
    """
    found: Dict[str, List[List[RoleSpan]]] = {}
    continued: Dict[str, List[RoleSpan]] = {}
    for span in frame.roles:
        label = span.role.removeprefix(CONTINUATION)
        if label != span.role and label in continued:
            continued[label].append(span)
        else:
            continued[label] = [span]
            found.setdefault(base_role(label), []).append(continued[label])
    cells: Dict[str, Any] = {}
    for role in roles:
        pieces = found.get(role)
        cells[role] = pieces and [APART.join(s.text or "" for s in group) for group in pieces]
        known = frame.offsets is not None and pieces
        cells[role + OFFSETS] = (
            [[c for s in group for c in (s.start_char, s.end_char)] for group in known]
            if known
            else None
        )
    return cells


class Table:
    """
    A table of `FRAMES`, `SPANS` or `EVENTS`. Those of frames and events have the columns of
    `roles`. The `columns` are written in this order, by default all. A column of offsets or heads
    is one of its own. One that the table does not have is a `ConfigurationError`.
    """

    def __init__(
        self, name: str, roles: Sequence[str] = (), columns: Optional[Sequence[str]] = None
    ) -> None:
        self._name = name
        self._roles = roles
        kinds = {FRAMES: FrameRow, SPANS: SpanRow, EVENTS: EventRow}
        known: Dict[str, Any] = dict(fields_of(kinds[name]))
        for role in roles:
            if name == FRAMES:
                known.update({role: List[str], role + OFFSETS: List[List[int]]})
            elif name == EVENTS and role not in ATTRIBUTES:
                known.update({role: str, role + HEADS: List[str], role + OFFSETS: List[int]})
        _check_columns(columns or (), known, f"table of {name}")
        self.columns = {column: known[column] for column in columns or known}

    def rows(self, sentences: Iterable[Sentence]) -> Iterator[Dict[str, Any]]:
        """Yields the rows of sentences."""
        rows: Iterable[Dict[str, Any]]
        if self._name == SPANS:
            rows = (row._asdict() for row in span_rows(sentences))
        else:
            make = frame_rows if self._name == FRAMES else event_rows
            rows = make(sentences, self._roles)
        for row in rows:
            yield {column: row[column] for column in self.columns}

    def schema(self) -> Any:
        """Makes the `pyarrow.Schema` of the table."""
        import pyarrow

        return pyarrow.schema([(name, arrow_type(hint)) for name, hint in self.columns.items()])

    def write_csv(self, rows: Iterable[Dict[str, Any]], file: TextIO) -> None:
        """Writes a line with the names of the columns, and the rows."""
        write = self.csv_writer(file)
        for row in rows:
            write(row)

    def csv_writer(self, file: TextIO) -> Callable[[Dict[str, Any]], None]:
        """Writes a line with the names of the columns, and returns what writes a row."""
        # With quotes around all text, any character is safe.
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow(self.columns)
        return lambda row: writer.writerow(_cell(value) for value in row.values())


def make_tables(roles: Sequence[str], columns: Optional[Sequence[str]] = None) -> Dict[str, Table]:
    """
    Makes the tables by their names. Each has those of the columns that it knows, and is left out
    without any. Raises a `ConfigurationError` if none knows a column.
    """
    tables = {name: Table(name, roles) for name in TABLES}
    if columns is None:
        return tables
    known = [column for table in tables.values() for column in table.columns]
    _check_columns(columns, known, "tables")
    chosen = {name: [c for c in columns if c in table.columns] for name, table in tables.items()}
    return {name: Table(name, roles, own) for name, own in chosen.items() if own}


def _check_columns(columns: Iterable[str], known: Iterable[str], tables: str) -> None:
    for column in columns:
        if column not in known:
            raise ConfigurationError(
                f"--columns: found '{column}'; expected columns of the {tables}: "
                f"{', '.join(dict.fromkeys(known))}"
            )


def _cell(value: Any) -> Any:
    """A cell of CSV: the item of a list of one text, other lists as JSON."""
    if isinstance(value, list):
        is_text = len(value) == 1 and isinstance(value[0], str)
        return value[0] if is_text else json.dumps(value, ensure_ascii=False)
    return "" if value is None else value
