"""
Roles as tables for spreadsheets, data frames and databases: one row per frame or per event, with a
column per role, or one row per span. In CSV, unknown values are empty, lists are JSON, and texts
that a spreadsheet would run have an apostrophe before them.

    >>> import sys
    >>> from lisa_allennlp.sentence.sentence import Frame
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
import re
from typing import (
    Any,
    Callable,
    Collection,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    TextIO,
    Tuple,
    Union,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.columns import frames_in_order
from lisa_allennlp.formats.conll12 import PART
from lisa_allennlp.formats.parquet import EXTRA, arrow_type
from lisa_allennlp.sentence.document import CONLLU, DOCUMENT, ID
from lisa_allennlp.sentence.event import APART, ATTRIBUTES, Event, Filler
from lisa_allennlp.sentence.roles import CONTINUATION, REFERENCE, UNKNOWN, VERB
from lisa_allennlp.sentence.sentence import Frame, RoleSpan, Sentence

FRAMES, SPANS, EVENTS = "frames", "spans", "events"

TABLES = (FRAMES, SPANS, EVENTS)

OFFSETS = "_offsets"

HEADS = "_heads"
"""The ends of names of columns: with a role's offsets, and with the lemmas of its heads."""

FORMULA = re.compile(r"^(?:'*[=@\t\r]|'+[+-]|[+-](?:[0-9.,]*[^0-9.,]|$))")
"""Text that spreadsheets would run as a formula. In CSV, an apostrophe precedes it."""

PLACES = (DOCUMENT, ID, PART, CONLLU)
"""The extra keys with the source of a sentence, which are no columns of the user's."""

INPUT = "input_"
"""The prefix of a user's column whose name a table has already."""


_TYPES: Dict[str, type] = {
    **dict.fromkeys("predicate_index first last start_char end_char text_start".split(), int),
    **dict.fromkeys(["probability", "sense_probability", "happened"], float),
    "negated": bool,
}

COLUMNS: Dict[str, Dict[str, type]] = {
    table: {name: _TYPES.get(name, str) for name in names.split()}
    for table, names in {
        FRAMES: "document sentence text predicate_index predicate lemma sense start_char end_char "
        "gloss verbnet framenet probability sense_probability happened",
        SPANS: "document sentence predicate_index predicate lemma sense role first last start_char "
        "end_char text gloss thematic_role verbnet framenet probability",
        EVENTS: "document sentence text text_start predicate_index predicate event lemma sense "
        "start_char end_char negated modal tense voice factuality happened source source_head "
        "who what to_whom when where how why gloss names",
    }.items()
}
"""
The columns of each table and their types, before the columns of roles (`role_cells` and
`filler_cells`): the ids of a document and a sentence, a predicate with its 0-based position and
word form, and the values of its `Frame`, of one `RoleSpan` or of its `Event`. Places are places of
the predicate or the span. A `V` has the gloss of its roleset, the frames of FrameNet are joined by
blanks, `text_start` is where the sentence starts in the raw text, and `names` has the fillers by
PropBank's names of the roles, as a JSON object.
"""

Place = Tuple[Optional[str], str]


def _places(sentences: Iterable[Sentence]) -> Iterator[Tuple[Place, Sentence]]:
    before, number = None, 0
    for sentence in sentences:
        document, name = (sentence.extra.get(key) for key in (DOCUMENT, ID))
        number = number + 1 if document == before else 1
        before = document
        named = None if document is None else name_of(document)
        yield (named, name_of(number if name is None else name)), sentence.as_typed()


def name_of(id: Any) -> str:
    return id if isinstance(id, str) else json.dumps(id)


def _shared(place: Place, sentence: Sentence, item: Union[Frame, Event]) -> Dict[str, Any]:
    document, name = place
    token = sentence[item.predicate]
    return {
        "document": document,
        "sentence": name,
        "text": sentence.span_text(0, len(sentence) - 1),
        "predicate_index": item.predicate,
        "lemma": _known(item.lemma),
        "sense": _known(item.sense),
        "start_char": token.start_char,
        "end_char": token.end_char,
    }


def _of_frame(place: Place, sentence: Sentence, frame: Frame) -> Dict[str, Any]:
    return {
        **_shared(place, sentence, frame),
        "predicate": frame.verb,
        "gloss": frame.gloss,
        "verbnet": frame.verbnet,
        "framenet": " ".join(frame.framenet or []) or None,
    }


def span_rows(place: Place, sentence: Sentence) -> Iterator[Dict[str, Any]]:
    for frame in frames_in_order(sentence):
        of_frame = _of_frame(place, sentence, frame)
        for span in frame.roles:
            own = {name: getattr(span, name) for name in SPAN_VALUES}
            gloss = frame.gloss if span.role == VERB else span.gloss
            yield {**of_frame, **own, "text": span.text or "", "gloss": gloss}


def frame_rows(
    place: Place, sentence: Sentence, roles: Collection[str]
) -> Iterator[Dict[str, Any]]:
    for frame in frames_in_order(sentence):
        yield {
            **_of_frame(place, sentence, frame),
            "probability": frame.probability,
            "sense_probability": frame.sense_probability,
            "happened": frame.happened,
            **role_cells(frame, roles),
        }


def event_rows(
    place: Place, sentence: Sentence, roles: Collection[str]
) -> Iterator[Dict[str, Any]]:
    for event in sentence.events:
        yield {
            **_shared(place, sentence, event),
            **{name: getattr(event, name) for name in EVENT_VALUES},
            "text_start": sentence.offsets[0][0] if sentence.offsets else None,
            "predicate": event.text,
            "event": event.name,
            "names": json.dumps(event.names, ensure_ascii=False) if event.names else None,
            **filler_cells(event, roles),
        }


SPAN_VALUES = "role first last start_char end_char thematic_role probability".split()

EVENT_VALUES = (
    "negated modal tense voice factuality happened source source_head "
    "who what to_whom when where how why gloss"
).split()


def filler_cells(event: Event, roles: Collection[str]) -> Dict[str, Any]:
    """
    Returns for each role of the event its fillers' texts (a pronoun has its referent's name), the
    lemmas of all their heads, and the start and end of each piece.
    """
    found: Dict[str, List[Filler]] = {}
    for filler in event.fillers:
        if filler.role in roles:
            found.setdefault(filler.role, []).append(filler)
    cells: Dict[str, Any] = {}
    for role, own in found.items():
        pieces = [piece for filler in own for piece in filler.pieces or ()]
        cells[role] = "; ".join(filler.name for filler in own)
        cells[role + HEADS] = [head for filler in own for head in filler.heads]
        cells[role + OFFSETS] = [c for piece in pieces for c in piece] or None
    return cells


def _known(value: str) -> Optional[str]:
    return None if value == UNKNOWN else value


def base_role(role: str) -> str:
    """Returns the role whose column has a span: X for C-X and R-X."""
    for prefix in (CONTINUATION, REFERENCE):
        role = role.removeprefix(prefix)
    return role


def role_names(labels: Iterable[str]) -> List[str]:
    """Returns the roles that are columns: all but V, sorted."""
    return sorted({base_role(label) for label in labels} - {VERB})


def role_cells(frame: Frame, roles: Collection[str]) -> Dict[str, Any]:
    """
    Returns two lists for each of the roles that the frame has: the texts of its arguments in text
    order, and for each of them the start and the end of its pieces. A C-X continues the argument
    before it, and its text follows after ` ... `; an R-X is an item of its own. Offsets are `None`
    if the sentence has none.

    >>> sentence = Sentence(
    ...     ["Gifts", "he", "said", "fell"],
    ...     frames=[Frame(2, ["B-ARG1", "B-ARG0", "B-V", "B-C-ARG1"])],
    ...     offsets=[(0, 5), (6, 8), (9, 13), (14, 18)],
    ... )
    >>> role_cells(sentence.frames[0], ["ARG1", "ARG2"])
    {'ARG1': ['Gifts ... fell'], 'ARG1_offsets': [[0, 5, 14, 18]]}
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
    for role, pieces in found.items():
        if role in roles:
            cells[role] = [APART.join(s.text or "" for s in group) for group in pieces]
            is_known = frame.offsets is not None
            cells[role + OFFSETS] = (
                [[c for s in group for c in (s.start_char, s.end_char)] for group in pieces]
                if is_known
                else None
            )
    return cells


def _columns_of_roles(table: str, roles: Iterable[str]) -> Dict[str, Any]:
    known: Dict[str, Any] = {}
    for role in roles:
        if table == FRAMES:
            known.update({role: List[str], role + OFFSETS: List[List[int]]})
        elif table == EVENTS and role not in ATTRIBUTES:
            known.update({role: str, role + HEADS: List[str], role + OFFSETS: List[int]})
    return known


def own_columns(keys: Iterable[str], roles: Sequence[str]) -> Dict[str, str]:
    """
    Returns the names of the columns of the user's keys, which are the same in all tables. Engines
    of SQL do not tell `Source` from `source`.

    >>> own_columns(["stars", "Source", "ARG0"], ["ARG0"])
    {'stars': 'stars', 'Source': 'input_Source', 'ARG0': 'input_ARG0'}
    """
    tables = ((*COLUMNS[name], *_columns_of_roles(name, roles)) for name in TABLES)
    taken = {column.casefold() for columns in tables for column in columns}
    found: Dict[str, str] = {}
    for key in keys:
        found[key] = key
        while found[key].casefold() in taken:
            found[key] = INPUT + found[key]
        taken.add(found[key].casefold())
    return found


class Table:
    """
    A table of `FRAMES`, `SPANS` or `EVENTS`. The tables of frames and events have columns for
    `roles`. The `columns` are written in this order, by default all. Offsets and heads have
    separate columns. Raises a `ConfigurationError` for a column that the table does not have.

    The user's own columns are `kept`: the extra keys of sentences, each with the type `str`, for
    which other values are written as JSON, or a type of Arrow. `EXTRA` has the extra keys that are
    no columns, as a JSON object. `own_columns` gives the names of these columns.
    """

    def __init__(
        self,
        name: str,
        roles: Sequence[str] = (),
        columns: Optional[Sequence[str]] = None,
        kept: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._name = name
        self._roles = frozenset(roles)
        self._kept = kept or {}
        self._names = own_columns(self._kept, roles)
        known: Dict[str, Any] = {
            **COLUMNS[name],
            **{self._names[key]: kind for key, kind in self._kept.items()},
            **_columns_of_roles(name, roles),
        }
        _check_columns(columns or (), known, f"table of {name}")
        self.columns = {column: known[column] for column in columns or known}

    @property
    def notes(self) -> List[str]:
        return [
            f"your column {key} is {name} in the tables, which have another {key.casefold()}"
            for key, name in self._names.items()
            if key != name and name in self.columns
        ]

    def rows(
        self, sentences: Iterable[Sentence], extra: Optional[Mapping[str, Any]] = None
    ) -> Iterator[Dict[str, Any]]:
        """Yields rows; columns that a row lacks are null. `extra` replaces the sentences' own."""
        for place, sentence in _places(sentences):
            own = self._own(sentence.extra if extra is None else extra)
            for row in self._rows_of(place, sentence):
                found = {**row, **own}
                yield {name: value for name, value in found.items() if name in self.columns}

    def _rows_of(self, place: Place, sentence: Sentence) -> Iterator[Dict[str, Any]]:
        if self._name == SPANS:
            return span_rows(place, sentence)
        make = frame_rows if self._name == FRAMES else event_rows
        return make(place, sentence, self._roles)

    def _own(self, extra: Mapping[str, Any]) -> Dict[str, Any]:
        own: Dict[str, Any] = {}
        for key, name in self._names.items():
            value = extra.get(key)
            if self._kept[key] is str and isinstance(value, (bool, int, float, list, dict)):
                value = json.dumps(value, ensure_ascii=False)
            own[name] = value
        if EXTRA in self._kept:
            others = {*self._kept, *PLACES} - {EXTRA}
            rest = {key: value for key, value in extra.items() if key not in others}
            own[EXTRA] = json.dumps(rest, ensure_ascii=False, default=str) if rest else None
        return own

    def schema(self) -> Any:
        import pyarrow

        return pyarrow.schema([(name, arrow_type(hint)) for name, hint in self.columns.items()])

    def write_csv(self, rows: Iterable[Dict[str, Any]], file: TextIO) -> None:
        write = self.csv_writer(file)
        for row in rows:
            write(row)

    def csv_writer(self, file: TextIO) -> Callable[[Dict[str, Any]], None]:
        """Writes a line with the names of the columns, and returns what writes a row."""
        # With quotes around all text, any character is safe.
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        writer.writerow(self.columns)
        return lambda row: writer.writerow(_cell(row.get(name)) for name in self.columns)


def make_tables(
    roles: Sequence[str],
    columns: Optional[Sequence[str]] = None,
    kept: Optional[Mapping[str, Any]] = None,
) -> Dict[str, Table]:
    """
    Makes all tables by their names, each with the user's `kept` columns. Each has the `columns`
    that it knows, and is left out without any. Raises a `ConfigurationError` if none knows a
    column.
    """
    tables = {name: Table(name, roles, None, kept) for name in TABLES}
    if columns is None:
        return tables
    known = [column for table in tables.values() for column in table.columns]
    _check_columns(columns, known, "tables")
    chosen = {name: [c for c in columns if c in table.columns] for name, table in tables.items()}
    return {name: Table(name, roles, cs, kept) for name, cs in chosen.items() if cs}


def _check_columns(columns: Iterable[str], known: Iterable[str], tables: str) -> None:
    for column in columns:
        if column not in known:
            raise ConfigurationError(
                f"columns: found '{column}'; expected columns of the {tables}: "
                f"{', '.join(dict.fromkeys(known))}"
            )


def _cell(value: Any) -> Any:
    """A cell of CSV: the item of a list of one text, other lists and objects as JSON."""
    if isinstance(value, (list, dict)):
        is_text = len(value) == 1 and isinstance(value, list) and isinstance(value[0], str)
        value = value[0] if is_text else json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and FORMULA.match(value):
        return f"'{value}"
    return "" if value is None else value
