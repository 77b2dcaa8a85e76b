"""Annotated sentences written in any format, and what gets lost."""

from dataclasses import replace
from functools import partial
from typing import (
    Any,
    BinaryIO,
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

from lisa_allennlp.common.corpus_errors import shortened
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import (
    ENDINGS,
    ROLES,
    TREES,
    WORDS,
    AnnotatedFile,
    check_complete,
    check_same_sentences,
)
from lisa_allennlp.formats.columns import LocatedSentence
from lisa_allennlp.formats.conll05 import write_combined_bio, write_conll05, write_props
from lisa_allennlp.formats.conll09 import PREDICTED_COLUMNS, write_conll09
from lisa_allennlp.formats.conll12 import PART, write_conll12
from lisa_allennlp.formats.conllu import (
    CONLLU,
    columns_of,
    has_columns,
    has_more_than_ids,
    has_offsets,
    write_conllu_roles,
    write_conllup,
)
from lisa_allennlp.formats.json_lines import write_json_lines
from lisa_allennlp.formats.parquet import writer
from lisa_allennlp.formats.role_tables import EVENTS, FRAMES, PLACES, SPANS, Table, role_names
from lisa_allennlp.formats.standoff import write_brat, write_cas
from lisa_allennlp.sentence.document import DOCUMENT, ID
from lisa_allennlp.sentence.roles import UNKNOWN, join_roleset, split_roleset
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.text.propbank_frames import RolesetInventory

POS, LEMMAS, SENSES, OFFSETS = "parts of speech", "lemmas", "senses", "character offsets"
GLOSSES, UPOS, WORD_LEMMAS = "glosses", "universal parts of speech", "lemmas of all words"
DOCUMENTS, IDS, OTHER_KEYS = "ids of documents", "ids of sentences", "other keys"
COMMENTS = "comments, features and multiword tokens"
OTHER_COLUMNS = "heads of arguments and other columns"
PROBABILITIES = "probabilities"
PARTS = "incomplete trees"

_NEED_LEMMAS = ("conll05", "combined_bio", "props")


class _Target(NamedTuple):
    """
    The annotation that a format needs, and other annotation that it can hold. `write` raises a
    `ValueError` for a sentence that does not fit.
    """

    write: Callable[..., None]
    needs: Tuple[str, ...]
    holds: Tuple[str, ...]


_COLUMNS = (POS, LEMMAS, SENSES)
_CONLLU = (*_COLUMNS, UPOS, WORD_LEMMAS, ROLES, TREES, DOCUMENTS, IDS, COMMENTS)
_ANY = (*_CONLLU, OTHER_COLUMNS, OFFSETS, "supertags", PROBABILITIES, GLOSSES, OTHER_KEYS)
_TABLE = (LEMMAS, SENSES, OFFSETS, GLOSSES, DOCUMENTS, IDS, PROBABILITIES)


def _write_csv(sentences: Iterable[Sentence], file: TextIO, table: Table) -> None:
    table.write_csv(table.rows(sentences), file)


def _write_parquet(sentences: Iterable[Sentence], file: BinaryIO, table: Table) -> None:
    with writer(file, table.schema()) as write:
        for row in table.rows(sentences):
            write(row)


_TARGETS: Dict[str, _Target] = {
    "json": _Target(write_json_lines, (WORDS,), _ANY),
    "conllu": _Target(write_conllu_roles, (WORDS,), (*_CONLLU, PARTS)),
    "conllup": _Target(write_conllup, (WORDS,), (*_CONLLU, PARTS, OTHER_COLUMNS)),
    "gold_conll": _Target(write_conll12, (WORDS, ROLES), (*_COLUMNS, DOCUMENTS)),
    "conll05": _Target(write_conll05, (WORDS, ROLES), _COLUMNS),
    "conll09": _Target(
        write_conll09, (WORDS, ROLES, TREES), (*_COLUMNS, WORD_LEMMAS, OTHER_COLUMNS)
    ),
    "combined_bio": _Target(write_combined_bio, (WORDS, ROLES, TREES), _COLUMNS),
    "props": _Target(write_props, (ROLES,), (LEMMAS,)),
    "csv": _Target(_write_csv, (WORDS, ROLES), _TABLE),
    "parquet": _Target(_write_parquet, (WORDS, ROLES), _TABLE),
    "brat": _Target(write_brat, (WORDS, ROLES), (LEMMAS, SENSES)),
    "cas": _Target(write_cas, (WORDS,), (*_COLUMNS, UPOS, WORD_LEMMAS, ROLES, TREES)),
}

WRITABLE_ENDINGS = {
    ".cas.json": "cas",
    **ENDINGS,
    ".combined.bio": "combined_bio",
    ".combined": "combined_bio",
    ".conllup": "conllup",
    ".csv": "csv",
    ".ann": "brat",
}

TABLE_FORMATS = ("csv", "parquet")

STANDOFF_FORMATS = ("brat", "cas")
"""Formats beside a text, which are not read."""

BINARY_FORMATS = ("parquet",)


def make_table(
    annotated: AnnotatedFile, name: str, columns: Optional[Sequence[str]] = None
) -> Table:
    """Makes a table with columns for the sentences' roles and other keys."""
    roles = role_names(tag[2:] for frame in annotated.frames for tag in frame.tags if tag != "O")
    keys = dict.fromkeys(key for s in annotated.bare_sentences for key in s.extra)
    return Table(name, roles, columns, {key: str for key in keys if key not in PLACES})


def write_annotated(
    annotated: AnnotatedFile, format: str, file: Any, table: Optional[Table] = None
) -> None:
    """
    Writes sentences in one of `WRITABLE_FORMATS` to a stream of text or, for `BINARY_FORMATS`, of
    bytes. `TABLE_FORMATS` have the table of frames, unless another `table` is given. Raises a
    `ConfigurationError`, with the line of the sentence, if it lacks annotation that the format
    needs, or the format cannot hold a value, such as a word with a blank in columns.
    """
    check_complete(annotated, _TARGETS[format].needs, format)
    write = _TARGETS[format].write
    if format in TABLE_FORMATS:
        write = partial(_TARGETS[format].write, table=table or make_table(annotated, FRAMES))
    if format == "conllup":
        write = partial(write, other_columns=columns_of(annotated.bare_sentences))
    index = 0

    def sentences() -> Iterator[Sentence]:
        nonlocal index
        for index, (sentence, _) in enumerate(annotated.sentences):  # noqa: B007
            yield sentence

    try:
        write(sentences(), file)
    except (ValueError, RecursionError) as error:
        place, reason = annotated.place(index), shortened(str(error))
        raise ConfigurationError(
            f"{place}: {format} cannot hold this sentence: {reason}"
        ) from error


def can_hold(format: str, part: str) -> bool:
    target = _TARGETS[format]
    return part in target.needs or part in target.holds


def lemmas_to_invent(annotated: AnnotatedFile, format: str) -> int:
    """Counts the predicates that get their word form for the lemma that the format needs."""
    if format not in _NEED_LEMMAS:
        return 0
    return sum(split_roleset(frame.lemma, frame.sense)[0] == UNKNOWN for frame in annotated.frames)


def left_out(annotated: AnnotatedFile, format: str, table: str = FRAMES) -> List[str]:
    """Names what the sentences have and the format, or the table in it, cannot hold."""
    parts: Dict[str, None] = {}
    for sentence in annotated.bare_sentences:
        parts.update(dict.fromkeys(_parts(sentence, annotated.has_words)))
    if annotated.has_lemmas:
        parts[LEMMAS] = None
    if annotated.has_senses:
        parts[SENSES] = None
    lost = [part for part in parts if not can_hold(format, part)]
    if format in TABLE_FORMATS:
        lost = _left_out_of_table(annotated, table, lost)
    if format == "conll09":
        names = {*columns_of(annotated.bare_sentences)} - {*PREDICTED_COLUMNS}
        lost += [f"the columns {', '.join(sorted(names))}"] * bool(names)
    return lost


def _left_out_of_table(annotated: AnnotatedFile, table: str, lost: List[str]) -> List[str]:
    lost = [part for part in lost if part != OTHER_KEYS]
    if table == SPANS:
        return ["the words outside the spans", *lost]
    if table == EVENTS:
        return ["auxiliaries", "the positions of tokens", *lost]
    number = sum(not sentence.frames for sentence in annotated.bare_sentences)
    frames = annotated.frames
    also = {
        f"{number} sentence{'s' * (number > 1)} without a predicate": number,
        "glosses of roles": any(frame.role_glosses is not None for frame in frames),
        "probabilities of spans": any(frame.span_probabilities is not None for frame in frames),
    }
    return ["the positions of tokens", *(part for part, is_lost in also.items() if is_lost), *lost]


def _parts(sentence: Sentence, has_words: bool) -> List[str]:
    known = {
        WORDS: has_words,
        POS: sentence.pos is not None,
        UPOS: sentence.upos is not None,
        WORD_LEMMAS: sentence.lemmas is not None,
        TREES: sentence.parse is not None,
        ROLES: sentence.frames is not None,
        PARTS: sentence.injected_parse is not None,
        OFFSETS: sentence.offsets is not None and not has_offsets(sentence),
        "supertags": sentence.supertags is not None,
        GLOSSES: any(frame.role_glosses is not None for frame in sentence.frames or []),
        PROBABILITIES: sentence.predicate_probabilities is not None,
        DOCUMENTS: DOCUMENT in sentence.extra,
        IDS: ID in sentence.extra,
        COMMENTS: has_more_than_ids(sentence),
        OTHER_COLUMNS: has_columns(sentence),
        OTHER_KEYS: bool({*sentence.extra} - {DOCUMENT, PART, ID, CONLLU}),
    }
    return [part for part, is_known in known.items() if is_known]


def with_lemmas(annotated: AnnotatedFile, gold: AnnotatedFile) -> AnnotatedFile:
    """
    Gives gold's lemmas to the predicates at the same positions, also in their rolesets. Raises a
    `ConfigurationError` if gold has no lemmas, or if the sentences differ.
    """
    check_same_sentences(gold, annotated)
    if not gold.has_lemmas:
        raise ConfigurationError(f"{gold.path}: found no lemmas; expected lemmas of its predicates")
    pairs = zip(annotated.sentences, gold.sentences, strict=True)
    located = [
        LocatedSentence(_with_lemmas(item.sentence, other.sentence), item.line_numbers)
        for item, other in pairs
    ]
    return replace(annotated, sentences=located, has_lemmas=True)


def with_glosses(annotated: AnnotatedFile, inventory: RolesetInventory) -> AnnotatedFile:
    located = []
    for sentence, line_numbers in annotated.sentences:
        frames = sentence.frames and [frame.explained_by(inventory) for frame in sentence.frames]
        located.append(LocatedSentence(replace(sentence, frames=frames), line_numbers))
    return replace(annotated, sentences=located)


def _with_lemmas(sentence: Sentence, gold: Sentence) -> Sentence:
    if sentence.frames is None:
        return sentence
    lemmas = {frame.predicate: frame.lemma for frame in gold.frames or []}
    frames: List[Frame] = []
    for frame in sentence.frames:
        lemma = lemmas.get(frame.predicate, frame.lemma)
        _, number = split_roleset(frame.lemma, frame.sense)
        frames.append(replace(frame, lemma=lemma, sense=join_roleset(lemma, number)))
    return replace(sentence, frames=frames)
