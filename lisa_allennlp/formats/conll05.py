"""
CoNLL-2005, in two variants. The reader recognises the variant by the content of the first line.

- The official columns: word, gold part of speech, gold constituent bit, named entity, sense and
  lemma of the predicate, then one column of bracketed roles per predicate.
- `.combined.bio`, the format of LISA's authors: domain, sentence, token (0-based), word, gold part
  of speech, automatic part of speech, head (1-based, 0 for a root), arc label, `_`, sense, lemma,
  `-`, `-`, named entity, then one column of BIO labels per predicate.

There are no comments: in the Wall Street Journal, `#` is a word (a pound sign).

    >>> lines = ["She   PRP  *  *  -   -     (A0*)", "sang  VBD  *  *  01  sing  (V*)"]
    >>> [(sentence, line_numbers)] = parse_conll05(lines, "train.conll")
    >>> sentence
    <Sentence 'She sang' | sang: [A0: She] [V: sang]>
    >>> sentence.frames[0].lemma, sentence.frames[0].sense
    ('sing', 'sing.01')
    >>> import sys
    >>> write_props([sentence], sys.stdout)
    -    (A0*)
    sing (V*)
    <BLANKLINE>
"""

import re
from typing import (
    Dict,
    Iterable,
    Iterator,
    List,
    Optional,
    Sequence,
    TextIO,
    Tuple,
    Union,
)

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import (
    NO_VALUE,
    Block,
    ColumnFormat,
    LocatedSentence,
    PathName,
    aligned_lines,
    check_value,
    frames_in_order,
    read_blocks,
    split_at_blanks,
    tree_from_columns,
)
from lisa_allennlp.sentence.roles import join_roleset, split_roleset
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.text.tokens import unescape_token

SUFFIXES = (".conll", ".combined.bio", ".combined", ".bio", ".gz")


OFFICIAL = ColumnFormat(
    "the official CoNLL-2005 columns",
    "word, POS, parse bit, NE, sense, lemma",
    predicates="lemma",
)
COMBINED_BIO = ColumnFormat(
    "the .combined.bio columns",
    "domain, sentence, token, word, gold POS, auto POS, head, label, _, sense, lemma, -, -, NE",
    predicates="lemma",
    are_bio=True,
)
PROPS = ColumnFormat("props", "lemma", predicates="lemma")

PLACEHOLDER = "_"
"""The word of every token of a file without words."""

# The scripts of the shared task unescape these brackets only.
_ESCAPED_BRACKET = re.compile("-(?:LRB|RRB|LCB|RCB)-")


def parse_conll05(
    lines: Iterable[str], path: PathName, use_predicted_pos: bool = False
) -> Iterator[LocatedSentence]:
    """
    Reads words, parts of speech, frames and, in `.combined.bio`, trees. Lines with a lemma are
    predicates; the sense column cannot tell, since it is empty in the test sets. With
    `use_predicted_pos`, parts of speech are the automatic ones, which only `.combined.bio` has.
    """
    sentences = parse_conll05_constituents(lines, path, use_predicted_pos)
    return (located for located, _ in sentences)


def parse_conll05_constituents(
    lines: Iterable[str], path: PathName, use_predicted_pos: bool = False
) -> Iterator[Tuple[LocatedSentence, Optional[List[str]]]]:
    """As `parse_conll05`, with unchecked constituent bits, which `.combined.bio` lacks."""
    format: Optional[ColumnFormat] = None
    for block in read_blocks(lines, path):
        format = format or _format_of(block.rows[0])
        format.check_width(path, block)
        for number, row in block.numbered_rows():
            found = _format_of(row)
            if found is not format:
                expected = f"{format.name}, as at the start of the file"
                raise CorpusFormatError(path, number, f"a line in {found.name}", expected)
        bits = format.column(block, "parse bit") if format is OFFICIAL else None
        yield _read_sentence(path, block, format, use_predicted_pos), bits


def is_combined_bio(line: str) -> bool:
    row = split_at_blanks(line)
    return _format_of(row) is COMBINED_BIO and not row[0].isdigit()


def _format_of(row: List[str]) -> ColumnFormat:
    # Sentence and token numbers stand where the official columns have tags and brackets.
    is_numbered = len(row) > 2 and row[1].isdigit() and row[2].isdigit()
    return COMBINED_BIO if is_numbered else OFFICIAL


def _read_sentence(
    path: PathName, block: Block, format: ColumnFormat, use_predicted_pos: bool
) -> LocatedSentence:
    lemmas = format.column(block, "lemma")
    senses = list(map(join_roleset, lemmas, format.column(block, "sense")))
    frames = format.frames(path, block, lemmas, senses)
    parse, pos = None, "POS"
    if format is COMBINED_BIO:
        heads, head_tags = format.column(block, "head"), format.column(block, "label")
        parse = tree_from_columns(path, block.line_numbers, heads, head_tags)
        pos = "auto POS" if use_predicted_pos else "gold POS"
    elif use_predicted_pos:
        expected = f"{COMBINED_BIO.name}, which have predicted parts of speech"
        found = f"a line in {format.name}"
        raise CorpusFormatError(path, block.line_numbers[0], found, expected)
    words, tags = format.column(block, "word"), format.column(block, pos)
    return LocatedSentence(Sentence(words, tags, frames, parse), block.line_numbers)


def parse_props(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """Reads what `write_props` writes. Each word is `PLACEHOLDER`; frames have no senses."""
    for block in read_blocks(lines, path):
        frames = frames_of_props(path, block, [NO_VALUE] * len(block.rows))
        sentence = Sentence([PLACEHOLDER] * len(block.rows), frames=frames)
        yield LocatedSentence(sentence, block.line_numbers)


def frames_of_props(path: PathName, block: Block, numbers: Sequence[str]) -> List[Frame]:
    """Reads the frames of a sentence in props, with the number of the sense of each word."""
    lemmas = block.column(0)
    return PROPS.frames(path, block, lemmas, list(map(join_roleset, lemmas, numbers)))


def official_form(token: str) -> str:
    """
    Writes a word or part of speech of the Penn Treebank as the shared task does: round and curly
    brackets are not escaped, also within longer tokens. Other escapes (`1\\/2`) stay.
    """
    return _ESCAPED_BRACKET.sub(lambda match: unescape_token(match.group()), token)


def write_conll05(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes the official columns of sentences with frames. Unknown values become `-`. A predicate
    without a lemma gets its word form in lower case, since `-` would mean that the word is not a
    predicate.
    """
    for sentence in sentences:
        write_conll05_sentence(sentence, file)


def write_conll05_sentence(
    sentence: Sentence,
    file: TextIO,
    constituents: Union[str, Sequence[str]] = "*",
    entities: Union[str, Sequence[str]] = "*",
) -> None:
    """As `write_conll05`, with the constituent bit and the named-entity bit of each word."""
    values = {"parse bit": constituents, "NE": entities, **_of_predicates(sentence)}
    file.write(aligned_lines(OFFICIAL.rows(sentence, values)))


def write_props(sentences: Iterable[Sentence], file: TextIO) -> None:
    """Writes the input of srl-eval.pl, with the lemmas of `write_conll05`."""
    for sentence in sentences:
        file.write(aligned_lines(PROPS.rows(sentence, _of_predicates(sentence))))


def write_combined_bio(sentences: Iterable[Sentence], file: TextIO) -> None:
    for number, sentence in enumerate(sentences):
        assert sentence.parse is not None
        values = {
            **_of_predicates(sentence),
            "domain": "conll05",
            "sentence": str(number),
            "head": list(map(str, sentence.parse.heads)),
            "label": sentence.parse.head_tags,
            "_": "_",
            "NE": "O",
        }
        for row in COMBINED_BIO.rows(sentence, values):
            file.write("\t".join(map(check_value, row)) + "\n")
        file.write("\n")


def _of_predicates(sentence: Sentence) -> Dict[str, List[str]]:
    senses, lemmas = ([NO_VALUE] * len(sentence.words) for _ in range(2))
    for frame in frames_in_order(sentence):
        lemma, senses[frame.predicate] = split_roleset(frame.lemma, frame.sense)
        if lemma == NO_VALUE:
            lemma = sentence.words[frame.predicate].lower()
        lemmas[frame.predicate] = lemma if lemma != NO_VALUE else "_"
    return {"sense": senses, "lemma": lemmas}
