"""
Annotated sentences from files of any format: what the commands that compare or convert files read.

    >>> gold = read_annotated("fixtures/sample/dev.gold_conll", parses=True)
    >>> gold.format, gold.has_senses, gold.place(1)
    ('gold_conll', True, 'fixtures/sample/dev.gold_conll:20')
"""

import itertools
import os
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
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
    Union,
    cast,
)

from lisa_allennlp.common.compression import bare_name
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import READABLE_FORMATS, conll05, conll09, conll12
from lisa_allennlp.formats.columns import NO_VALUE, LocatedSentence, read_lines
from lisa_allennlp.formats.conllu import parse_conllu_roles
from lisa_allennlp.formats.corpus_files import (
    ParsesFile,
    check_same_words,
    corpus_files,
    file_beside,
    local_path,
)
from lisa_allennlp.formats.json_lines import parse_json_lines
from lisa_allennlp.formats.parquet import parse_parquet
from lisa_allennlp.formats.recognition import MOST_LINES, recognised
from lisa_allennlp.formats.vertical import VERTICAL, parse_vertical
from lisa_allennlp.sentence.sentence import UNKNOWN, Frame, Sentence

WORDS, ROLES, TREES = "words", "roles", "trees"


PARSERS: Dict[str, Callable[[Iterable[str], str], Iterator[LocatedSentence]]] = {
    "props": conll05.parse_props,
    "gold_conll": conll12.parse_conll12,
    "conll05": conll05.parse_conll05,
    "conll09": conll09.parse_conll09,
    "conllu": parse_conllu_roles,
    # The first line tells it from CoNLL-U.
    "conllup": parse_conllu_roles,
    "json": parse_json_lines,
    "parquet": lambda _, path: parse_parquet(local_path(path, "an annotated file")),
    VERTICAL: parse_vertical,
}

_CONSTITUENT_PARSERS: Dict[str, Callable[..., Any]] = {
    "conll05": conll05.parse_conll05_constituents,
    "gold_conll": conll12.parse_conll12_constituents,
}

ENDINGS: Dict[str, str] = {
    "gold_conll": "gold_conll",
    ".auto_conll": "gold_conll",
    ".combined.bio": "conll05",
    ".combined": "conll05",
    ".conll": "conll05",
    ".conll09": "conll09",
    ".conll2009": "conll09",
    ".conllu": "conllu",
    ".conllup": "conllu",
    ".jsonl": "json",
    ".json": "json",
    ".props": "props",
    ".parquet": "parquet",
}

_SUFFIXES = {"gold_conll": conll12.SUFFIXES, "conll05": conll05.SUFFIXES}
"""The usual suffixes of files with roles, beside which there may be a file with trees."""


@dataclass(frozen=True)
class AnnotatedFile:
    """
    The sentences of an annotated file, or of a folder of `gold_conll` files. `files` has the file
    of each sentence. Without words, as in props, each word is `_`. A file has lemmas or senses if
    any predicate has one.
    """

    path: str
    format: str
    sentences: List[LocatedSentence]
    has_words: bool
    has_lemmas: bool
    has_senses: bool
    files: List[str] = field(repr=False)

    @property
    def bare_sentences(self) -> List[Sentence]:
        return [located.sentence for located in self.sentences]

    @property
    def frames(self) -> List[Frame]:
        return [frame for sentence, _ in self.sentences for frame in sentence.frames or []]

    def place(self, index: int, token: int = 0) -> str:
        """Returns the file and line of a token (0-based) of a sentence (0-based), for errors."""
        return f"{self.files[index]}:{self.sentences[index].line_numbers[token]}"


def read_annotated(
    path: Union[str, PathLike],
    format: Optional[str] = None,
    parses: bool = False,
    spans_from_heads: bool = False,
) -> AnnotatedFile:
    """
    Reads a file, plain or compressed, or a folder of `gold_conll` files. It is in one of
    `READABLE_FORMATS`, which by default its content or else its name tells. In a CoNLL-U file with
    roles, a sentence without predicates has no frames. With `parses`, the sentences of `gold_conll`
    and `conll05` files get the trees of the `.conllu` file beside them, if there is one. With
    `spans_from_heads`, arguments in CoNLL-U Plus are the subtrees of their heads. Raises a
    `ConfigurationError` if the format is unknown or cannot be told, or a file is missing or
    malformed.
    """
    path = os.fspath(path)
    if format is None:
        format = _format_of(path)
    elif format not in PARSERS:
        raise ConfigurationError(
            f"format '{format}': expected one of {', '.join(READABLE_FORMATS)}"
        )
    parse, is_conllu = PARSERS[format], format in ("conllu", "conllup")
    if is_conllu:
        parse = partial(parse_conllu_roles, spans_from_heads=spans_from_heads)
    located: List[LocatedSentence] = []
    files: List[str] = []
    for file in corpus_files(path, conll12.PATTERN) if format == "gold_conll" else [path]:
        local = local_path(file, "an annotated file")
        # The lines are read when a parser asks for them.
        sentences = parse(read_lines(local), file)
        if format in _SUFFIXES:
            sentences = map(with_known_pos, sentences)
            if parses:
                sentences = _with_parses(sentences, file)
        located += sentences
        files += [file] * (len(located) - len(files))
    if is_conllu and any(sentence.frames is not None for sentence, _ in located):
        # Sentences without a marked predicate have none.
        located = [
            LocatedSentence(replace(sentence, frames=sentence.frames or []), line_numbers)
            for sentence, line_numbers in located
        ]
    frames = [frame for sentence, _ in located for frame in sentence.frames or []]
    return AnnotatedFile(
        path,
        format,
        located,
        has_words=format != "props",
        has_lemmas=any(frame.lemma != UNKNOWN for frame in frames),
        has_senses=any(frame.sense != UNKNOWN for frame in frames),
        files=files,
    )


def with_known_pos(item: LocatedSentence) -> LocatedSentence:
    """Returns the sentence without parts of speech if all of them are `-` or `_`."""
    if {*(item.sentence.pos or ())} - {NO_VALUE, "_"}:
        return item
    return LocatedSentence(replace(item.sentence, pos=None), item.line_numbers)


def _with_parses(located: Iterator[LocatedSentence], path: str) -> Iterator[LocatedSentence]:
    suffixes = [suffix for names in _SUFFIXES.values() for suffix in names]
    parses_path = file_beside(path, suffixes, ".conllu")
    first = next(located)
    located = itertools.chain([first], located)
    if first.sentence.parse is not None or not os.path.isfile(parses_path):
        yield from located
        return
    yield from ParsesFile(parses_path, f"the trees of {path}").add_all(located, path)


def _format_of(path: str) -> str:
    local = local_path(path, "an annotated file, or a folder of gold_conll files")
    if os.path.isdir(local):
        return "gold_conll"
    format = format_of_name(path, ENDINGS)
    if format != "parquet":
        lines = itertools.islice(read_lines(local), MOST_LINES)
        format = recognised(path, lines, format, prose=format is None)
    if format is None:
        raise ConfigurationError(
            f"{path}: found none of the endings {', '.join(ENDINGS)}; expected one, or the format: "
            f"{', '.join(READABLE_FORMATS)}"
        )
    return format


def format_of_name(path: str, endings: Mapping[str, str]) -> Optional[str]:
    """Returns the format of the first of `endings` that a file's name has, before any `.gz`."""
    name = bare_name(path)
    return next((format for ending, format in endings.items() if name.endswith(ending)), None)


def check_complete(annotated: AnnotatedFile, parts: Collection[str], user: str) -> None:
    """Raises a `CorpusFormatError` if a sentence lacks any of `parts`, which `user` needs."""
    for index, (sentence, line_numbers) in enumerate(annotated.sentences):
        known = {
            WORDS: annotated.has_words,
            ROLES: sentence.frames is not None,
            TREES: sentence.parse is not None,
        }
        for part, is_known in known.items():
            if part in parts and not is_known:
                found, expected = f"a sentence without {part}", f"{part}, which {user} needs"
                raise CorpusFormatError(annotated.files[index], line_numbers[0], found, expected)


def check_same_sentences(gold: AnnotatedFile, predicted: AnnotatedFile) -> None:
    """Raises a `CorpusFormatError` if sentences differ in number, length or, where known, words."""
    for index, (item, other) in enumerate(zip(gold.sentences, predicted.sentences, strict=False)):
        path, other_path = gold.files[index], predicted.files[index]
        if gold.has_words and predicted.has_words:
            check_same_words(path, item, other_path, other)
        elif len(item.line_numbers) != len(other.line_numbers):
            found = f"a sentence of {len(other.line_numbers)} tokens"
            expected = f"{len(item.line_numbers)}, as at {gold.place(index)}"
            raise CorpusFormatError(other_path, other.line_numbers[0], found, expected)
    shared = min(len(gold.sentences), len(predicted.sentences))
    if len(predicted.sentences) > shared:
        found = f"sentence {shared + 1}"
        expected = f"the end after {shared} sentences, as in {gold.path}"
        place = predicted.files[shared], predicted.sentences[shared].line_numbers[0]
        raise CorpusFormatError(*place, found, expected)
    if len(gold.sentences) > shared:
        expected = f"also the sentence at {gold.place(shared)}"
        raise CorpusFormatError(predicted.path, None, f"only {shared} sentences", expected)


def read_constituent_bits(annotated: AnnotatedFile) -> Optional[List[List[str]]]:
    """
    Reads the bits of each sentence, such as `(NP*`, from a column with constituents. Returns `None`
    if the format has none, or if a sentence lacks them.
    """
    if annotated.format not in _CONSTITUENT_PARSERS:
        return None
    bits: List[Optional[List[str]]] = []
    for file in dict.fromkeys(annotated.files):
        lines = read_lines(local_path(file, "an annotated file"))
        bits.extend(column for _, column in _CONSTITUENT_PARSERS[annotated.format](lines, file))
    if any(column is None or not any("(" in bit for bit in column) for column in bits):
        return None
    return cast(List[List[str]], bits)
