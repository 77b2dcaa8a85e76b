"""
CoNLL-2012 (OntoNotes 5): `*.gold_conll` files of documents between `#begin document` and
`#end document`. Columns: document, part, token, word, part of speech, constituent bit, lemma,
frameset, sense, speaker, named entity, one column of roles a predicate, coreference.
"""

from typing import Iterable, Iterator, List, Optional, Sequence, TextIO, Tuple

from lisa_allennlp.data.formats.columns import (
    NO_VALUE,
    Block,
    LocatedSentence,
    PathName,
    at_least_one,
    check_least_width,
    check_role_columns,
    check_value,
    format_rows,
    frames_from_columns,
    frames_in_order,
    sentence_blocks,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import bio_to_brackets
from lisa_allennlp.data.sentence import Sentence

_WORD, _POS, _CONSTITUENT, _LEMMA, _FRAMESET, _FIRST_ROLE = 3, 4, 5, 6, 7, 11
# The eleven before the roles, and coreference after them.
_FIXED_COLUMNS = 12
_COLUMN_NAMES = (
    "document, part, token, word, POS, parse bit, lemma, frameset, sense, speaker, NE, "
    "roles of each predicate, coreference"
)
# PropBank's own number for framesets that are not known.
_UNKNOWN_FRAMESET = "XX"
_BEGIN, _END = "#begin document", "#end document"


def parse_conll12(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    Only lines with a frameset are predicates: a lemma can stand where no frameset is.

    # Parameters

    lines : `Iterable[str]`
        An open file, or the lines that `columns.read_lines` reads.
    path : `PathName`
        The name of the file, for errors.

    # Returns

    `Iterator[LocatedSentence]`
        Lazily, each sentence with words, parts of speech and frames. Constituents are not read.

    # Raises

    `CorpusFormatError`
        For malformed lines and for a file without sentences.
    """
    return (located for located, _ in parse_conll12_constituents(lines, path))


def parse_conll12_constituents(
    lines: Iterable[str], path: PathName
) -> Iterator[Tuple[LocatedSentence, List[str]]]:
    """
    Like `parse_conll12`, each sentence with the constituent bits of its words, unchecked.
    """
    blocks = sentence_blocks(_lines_of_documents(lines, path))
    sentences = ((_read_sentence(path, block), block.column(_CONSTITUENT)) for block in blocks)
    return at_least_one(sentences, path)


def _lines_of_documents(lines: Iterable[str], path: PathName) -> Iterator[Tuple[int, str]]:
    """Checks document markers, and puts blank lines in their place."""
    begin, number = 0, 0
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            begin = _check_marker(path, number, line.rstrip(), begin)
            yield number, ""
        elif begin or not line.strip():
            yield number, line
        else:
            raise CorpusFormatError(
                path, number, "a line outside of any document", f"'{_BEGIN} (...)' before it"
            )
    if begin:
        raise CorpusFormatError(
            path, number, f"the end of the file in the document of line {begin}", f"'{_END}'"
        )


def _check_marker(path: PathName, number: int, line: str, begin: int) -> int:
    """
    # Parameters

    begin : `int`
        The line in which the open document begins, 0 if none is open.

    # Returns

    `int`
        The same after this marker.
    """
    if line.startswith(_BEGIN) and not begin:
        return number
    if line.startswith(_END) and begin:
        return 0
    expected = f"'{_END}' of the document of line {begin}" if begin else f"'{_BEGIN} (...)'"
    raise CorpusFormatError(path, number, f"'{line}'", expected)


def _read_sentence(path: PathName, block: Block) -> LocatedSentence:
    check_least_width(path, block, _FIXED_COLUMNS, _COLUMN_NAMES)
    framesets = block.column(_FRAMESET)
    predicates = [i for i, frameset in enumerate(framesets) if frameset != NO_VALUE]
    check_role_columns(path, block, _FIXED_COLUMNS, predicates)
    frames = frames_from_columns(path, block, predicates, _FIRST_ROLE, _LEMMA, _FRAMESET)
    sentence = Sentence(block.column(_WORD), block.column(_POS), frames)
    return LocatedSentence(sentence, block.line_numbers)


def write_conll12(
    sentences: Iterable[Sentence], file: TextIO, document: str = "document", part: int = 0
) -> None:
    """
    Writes one document. What a sentence does not know is written as `-`, a predicate's unknown
    frameset as `XX`, since `-` would mean that the word is no predicate.

    # Parameters

    sentences : `Iterable[Sentence]`
        With frames.
    file : `TextIO`
    document : `str`, optional (default = `"document"`)
        Its name.
    part : `int`, optional (default = `0`)
        Its part number.

    # Raises

    `ValueError`
        If columns cannot hold a sentence: no frames, white space in a word.
    """
    begin, end = document_markers(document, part)
    file.write(begin)
    for sentence in sentences:
        file.write(format_rows(conll12_rows(sentence, document, part)) + "\n")
    file.write(end)


def document_markers(document: str, part: int = 0) -> Tuple[str, str]:
    """
    # Returns

    `Tuple[str, str]`
        The lines before and after a document.

    # Raises

    `ValueError`
        If there is white space in its name.
    """
    return f"{_BEGIN} ({check_value(document)}); part {part:03d}\n", f"{_END}\n"


def conll12_rows(
    sentence: Sentence,
    document: str,
    part: int = 0,
    constituents: Optional[Sequence[str]] = None,
) -> Iterator[List[str]]:
    """
    # Parameters

    sentence : `Sentence`
        With frames.
    document : `str`
    part : `int`, optional (default = `0`)
    constituents : `Sequence[str]`, optional
        The constituent bit of each word; `*` where there is none.

    # Returns

    `Iterator[List[str]]`
        The columns of each word.

    # Raises

    `ValueError`
        As `write_conll12`.
    """
    frames = frames_in_order(sentence)
    frame_at = {frame.predicate: frame for frame in frames}
    roles = [bio_to_brackets(frame.tags) for frame in frames]
    for position, word in enumerate(sentence.words):
        pos = NO_VALUE if sentence.pos is None else sentence.pos[position]
        lemma = frameset = NO_VALUE
        if position in frame_at:
            frame = frame_at[position]
            lemma = frame.lemma
            frameset = _UNKNOWN_FRAMESET if frame.sense == NO_VALUE else frame.sense
        bit = "*" if constituents is None else constituents[position]
        row = [document, str(part), str(position), word, pos, bit, lemma, frameset, "-", "-", "*"]
        row += [column[position] for column in roles]
        yield [check_value(value) for value in row + [NO_VALUE]]
