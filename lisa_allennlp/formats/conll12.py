"""
CoNLL-2012 (OntoNotes 5): `*.gold_conll` files. Each document stands between `#begin document` and
`#end document`. Columns: document, part, token, word, part of speech, constituent bit, lemma,
frameset, sense, speaker, named entity, one column of roles per predicate, coreference.

    >>> import sys
    >>> from lisa_allennlp.sentence.sentence import Frame
    >>> frame = Frame(1, ["B-ARG0", "B-V"], lemma="sing", sense="sing.01")
    >>> write_conll12([Sentence(["She", "sang"], ["PRP", "VBD"], [frame])], sys.stdout, "bc/00")
    #begin document (bc/00); part 000
    bc/00 0 0 She  PRP * -    -  - - * (ARG0*) -
    bc/00 0 1 sang VBD * sing 01 - - * (V*)    -
    <BLANKLINE>
    #end document
"""

from itertools import groupby
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, TextIO, Tuple

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import (
    NO_VALUE,
    Block,
    ColumnFormat,
    LocatedSentence,
    PathName,
    aligned_lines,
    at_least_one,
    check_value,
    first_token_line,
    frames_in_order,
    read_number,
    sentence_blocks,
)
from lisa_allennlp.formats.gold_skel import is_release, parse_release
from lisa_allennlp.sentence.document import DOCUMENT
from lisa_allennlp.sentence.roles import join_roleset, split_roleset
from lisa_allennlp.sentence.sentence import Frame, Sentence

PATTERN = "*gold_conll"
"""The names of such files in a folder."""

SUFFIXES = (".gold_conll", ".v4_gold_conll", ".auto_conll", ".conll", ".gz")

CONLL12 = ColumnFormat(
    "the columns of CoNLL-2012",
    "document, part, token, word, POS, parse bit, lemma, frameset, sense, speaker, NE",
    predicates="frameset",
    after="coreference",
)
# PropBank's number for unknown framesets.
_UNKNOWN_FRAMESET = "XX"
# The value of all columns but the words, where only coreference is annotated.
_UNKNOWN = "_"
_BEGIN, _END = "#begin document", "#end document"

PART = "part"
"""The extra key of a sentence for the part of its document, unless it is the first, part 0."""

UNNAMED = "document"
"""The name of a document that has none."""


def parse_conll12(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    Reads words, parts of speech and frames, also from the columns of PropBank's release, which the
    first token tells. Only lines with a frameset are predicates; `XX` is an unknown one. The extra
    keys have the id of the document, and its part unless this is 0. The marks of documents and the
    last column may be missing. A sentence with `_` for all framesets has no roles.
    """
    return (located for located, _ in parse_conll12_constituents(lines, path))


def parse_conll12_constituents(
    lines: Iterable[str], path: PathName
) -> Iterator[Tuple[LocatedSentence, List[str]]]:
    """As `parse_conll12`, with the unchecked constituent bits of each sentence."""
    start, lines = first_token_line(lines)
    if start and is_release(start[-1]):
        return parse_release(("" if line.startswith("#") else line for line in lines), path)
    blocks = sentence_blocks(_lines_of_documents(lines, path), path)
    sentences = (
        (_read_sentence(path, block), CONLL12.column(block, "parse bit")) for block in blocks
    )
    return at_least_one(sentences, path)


def _lines_of_documents(lines: Iterable[str], path: PathName) -> Iterator[Tuple[int, str]]:
    """Checks the document markers, if the file begins with one, and makes them blank lines."""
    begin, number = 0, 0  # The line in which the open document begins.
    bare = 0  # The first line of a file without markers.
    has_markers = False
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            marker = _END if begin else _BEGIN
            if bare or not line.startswith(marker):
                expected = f"'{marker} (...)'"
                if bare:
                    expected = f"no mark of a document, as line {bare} has none before it"
                elif begin:
                    expected = f"'{marker}' for the document that begins in line {begin}"
                raise CorpusFormatError(path, number, f"'{line.rstrip()}'", expected)
            begin, has_markers = 0 if begin else number, True
            yield number, ""
        elif begin or not line.strip():
            yield number, line
        elif has_markers:
            raise CorpusFormatError(
                path, number, "a line outside any document", f"'{_BEGIN} (...)' before it"
            )
        else:
            bare = bare or number
            yield number, line
    if begin:
        found = f"the end of the file inside the document that begins in line {begin}"
        raise CorpusFormatError(path, number, found, f"'{_END}'")


def _read_sentence(path: PathName, block: Block) -> LocatedSentence:
    CONLL12.check_width(path, block)
    framesets = CONLL12.column(block, "frameset")
    # Without roles, the last column may be empty at some words.
    has_roles = {*framesets} != {_UNKNOWN}
    frames = _read_frames(path, block, framesets) if has_roles else None
    extra: Dict[str, Any] = {}
    document, part, *_ = block.rows[0]
    if document != UNNAMED:
        extra[DOCUMENT] = document
    if number := read_number(part):
        extra[PART] = number
    words, pos = CONLL12.column(block, "word"), CONLL12.column(block, "POS")
    return LocatedSentence(Sentence(words, pos, frames, extra=extra), block.line_numbers)


def _read_frames(path: PathName, block: Block, framesets: List[str]) -> List[Frame]:
    format, lemmas = CONLL12, CONLL12.column(block, "lemma")
    number = len(format.predicates_of(block))
    if len(block.rows[0]) == len(format.names) + number:
        # The last column has roles if there is none of coreference.
        if number == 0 or all("*" in row[-1] for row in block.rows):
            format = format._replace(after="")
    senses = [
        join_roleset(lemma, NO_VALUE if frameset == _UNKNOWN_FRAMESET else frameset)
        for lemma, frameset in zip(lemmas, framesets, strict=True)
    ]
    return format.frames(path, block, lemmas, senses)


def write_conll12(sentences: Iterable[Sentence], file: TextIO, document: str = UNNAMED) -> None:
    """
    Writes sentences with frames as the documents and parts that their extra keys name. Other
    sentences belong to `document`. Unknown values become `-`. A predicate's unknown frameset
    becomes `XX`, since `-` would mean that the word is not a predicate.
    """

    def place(sentence: Sentence) -> Tuple[str, Any]:
        return str(sentence.extra.get(DOCUMENT, document)), sentence.extra.get(PART, 0)

    for (name, number), group in groupby(sentences, place):
        begin, end = document_markers(name, number)
        file.write(begin)
        for sentence in group:
            file.write(aligned_lines(conll12_rows(sentence, name, number)))
        file.write(end)


def document_markers(document: str, part: int = 0) -> Tuple[str, str]:
    """Returns the first and last line. Raises a `ValueError` if the name begins with `#`."""
    if document.startswith("#"):
        raise ValueError(f"found the document {document!r}; expected a name that begins otherwise")
    return f"{_BEGIN} ({check_value(document)}); part {part:03d}\n", f"{_END}\n"


def conll12_rows(
    sentence: Sentence,
    document: str,
    part: int = 0,
    constituents: Optional[Sequence[str]] = None,
) -> List[List[str]]:
    """Returns the columns of each word. Without `constituents`, all constituent bits are `*`."""
    lemmas, framesets = ([NO_VALUE] * len(sentence.words) for _ in range(2))
    for frame in frames_in_order(sentence):
        lemmas[frame.predicate], number = split_roleset(frame.lemma, frame.sense)
        framesets[frame.predicate] = _UNKNOWN_FRAMESET if number == NO_VALUE else number
    values = {
        "document": document,
        "part": str(part),
        "parse bit": constituents or "*",
        "lemma": lemmas,
        "frameset": framesets,
    }
    return CONLL12.rows(sentence, values)
