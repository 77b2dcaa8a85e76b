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
from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, TextIO, Tuple

from lisa_allennlp.data.formats.columns import (
    NO_VALUE,
    Block,
    LocatedSentence,
    PathName,
    aligned_lines,
    at_least_one,
    check_least_width,
    check_role_columns,
    check_value,
    frames_from_columns,
    frames_in_order,
    sentence_blocks,
    split_at_blanks,
    tree_from_columns,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import bio_to_brackets, join_roleset, split_roleset
from lisa_allennlp.data.formats.tokens import unescape_token
from lisa_allennlp.data.sentence import Frame, Sentence

SUFFIXES = (".conll", ".combined.bio", ".combined", ".bio", ".gz")
"""The usual suffixes of such files."""


class _Variant(NamedTuple):
    """The 0-based columns of one variant."""

    name: str
    word: int
    pos: int
    sense: int
    lemma: int
    first_role: int
    names: str


_OFFICIAL = _Variant(
    name="the official CoNLL-2005 columns",
    word=0,
    pos=1,
    sense=4,
    lemma=5,
    first_role=6,
    names="word, POS, parse bit, NE, sense, lemma, roles of each predicate",
)
_CONSTITUENT = 2
_COMBINED_BIO = _Variant(
    name="the .combined.bio columns",
    word=3,
    pos=4,
    sense=9,
    lemma=10,
    first_role=14,
    names="domain, sentence, token, word, gold POS, auto POS, head, label, _, sense, lemma, -, -, "
    "NE, roles of each predicate",
)
_PREDICTED_POS, _HEAD, _HEAD_TAG = 5, 6, 7


# The scripts of the shared task unescape these brackets only.
_ESCAPED_BRACKET = re.compile("-(?:LRB|RRB|LCB|RCB)-")


class LocatedFrames(NamedTuple):
    """The frames of a sentence in a file without words, and its lines, one per word."""

    frames: List[Frame]
    block: Block


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
    """
    Reads as `parse_conll05` does. Adds the constituent bits of each sentence, unchecked;
    `.combined.bio` has none.
    """
    return at_least_one(_read_sentences(lines, path, use_predicted_pos), path)


def is_combined_bio(line: str) -> bool:
    """Whether a line with a token has the `.combined.bio` columns."""
    row = split_at_blanks(line)
    return _variant_of(row) is _COMBINED_BIO and not row[0].isdigit()


def _read_sentences(
    lines: Iterable[str], path: PathName, use_predicted_pos: bool
) -> Iterator[Tuple[LocatedSentence, Optional[List[str]]]]:
    variant: Optional[_Variant] = None
    for block in sentence_blocks(enumerate(lines, start=1), path):
        if variant is None:
            variant = _variant_of(block.rows[0])
        check_least_width(path, block, variant.first_role, variant.names)
        for number, row in zip(block.line_numbers, block.rows, strict=True):
            found = _variant_of(row)
            if found is not variant:
                expected = f"{variant.name}, as at the start of the file"
                raise CorpusFormatError(path, number, f"a line in {found.name}", expected)
        bits = block.column(_CONSTITUENT) if variant is _OFFICIAL else None
        yield _read_sentence(path, block, variant, use_predicted_pos), bits


def _variant_of(row: List[str]) -> _Variant:
    # Sentence and token numbers stand where the official columns have tags and brackets.
    is_numbered = len(row) > 2 and row[1].isdigit() and row[2].isdigit()
    return _COMBINED_BIO if is_numbered else _OFFICIAL


def _read_sentence(
    path: PathName, block: Block, variant: _Variant, use_predicted_pos: bool
) -> LocatedSentence:
    is_combined_bio = variant is _COMBINED_BIO
    lemmas = block.column(variant.lemma)
    predicates = _predicates(lemmas)
    check_role_columns(path, block, variant.first_role, predicates)
    senses = list(map(join_roleset, lemmas, block.column(variant.sense)))
    frames = frames_from_columns(
        path, block, predicates, variant.first_role, lemmas, senses, is_combined_bio
    )
    parse = None
    if is_combined_bio:
        heads, head_tags = block.column(_HEAD), block.column(_HEAD_TAG)
        parse = tree_from_columns(path, block.line_numbers, heads, head_tags)
    elif use_predicted_pos:
        expected = f"{_COMBINED_BIO.name}, which have predicted parts of speech"
        found = f"a line in {variant.name}"
        raise CorpusFormatError(path, block.line_numbers[0], found, expected)
    pos = block.column(_PREDICTED_POS if use_predicted_pos else variant.pos)
    sentence = Sentence(block.column(variant.word), pos, frames, parse)
    return LocatedSentence(sentence, block.line_numbers)


def _predicates(lemmas: Sequence[str]) -> List[int]:
    return [position for position, lemma in enumerate(lemmas) if lemma != NO_VALUE]


def parse_props(lines: Iterable[str], path: PathName) -> Iterator[LocatedFrames]:
    """Reads "props" files, which `write_props` writes, lazily. The frames have no senses."""
    for block in at_least_one(sentence_blocks(enumerate(lines, start=1), path), path):
        lemmas = block.column(0)
        predicates = _predicates(lemmas)
        check_role_columns(path, block, 1, predicates)
        unknown = [NO_VALUE] * len(lemmas)
        yield LocatedFrames(frames_from_columns(path, block, predicates, 1, lemmas, unknown), block)


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
        unknown = ["*"] * len(sentence.words)
        write_conll05_sentence(sentence, file, constituents=unknown, entities=unknown)


def write_conll05_sentence(
    sentence: Sentence, file: TextIO, constituents: Sequence[str], entities: Sequence[str]
) -> None:
    """
    Writes one sentence as `write_conll05` does, with the constituent bit and the named-entity bit
    of each word.
    """
    senses, lemmas = _predicate_columns(sentence)
    columns = [sentence.words, _pos(sentence), constituents, entities, senses, lemmas]
    columns += [bio_to_brackets(frame.tags) for frame in frames_in_order(sentence)]
    file.write(aligned_lines(zip(*columns, strict=True)))


def write_props(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes the input of srl-eval.pl: the lemma of each predicate and the role columns. Lemmas are
    written as in `write_conll05`.
    """
    for sentence in sentences:
        _, lemmas = _predicate_columns(sentence)
        columns = [bio_to_brackets(frame.tags) for frame in frames_in_order(sentence)]
        file.write(aligned_lines(zip(lemmas, *columns, strict=True)))


def write_combined_bio(sentences: Iterable[Sentence], file: TextIO) -> None:
    """Writes the `.combined.bio` columns of sentences with frames and a parse."""
    for number, sentence in enumerate(sentences):
        assert sentence.parse is not None
        frames = frames_in_order(sentence)
        pos, heads = _pos(sentence), sentence.parse.heads
        senses, lemmas = _predicate_columns(sentence)
        for position, word in enumerate(sentence.words):
            row = ["conll05", str(number), str(position), word, pos[position], pos[position]]
            row += [str(heads[position]), sentence.parse.head_tags[position], "_"]
            row += [senses[position], lemmas[position], "-", "-", "O"]
            row += [frame.tags[position] for frame in frames]
            file.write("\t".join(map(check_value, row)) + "\n")
        file.write("\n")


def _predicate_columns(sentence: Sentence) -> Tuple[List[str], List[str]]:
    """The numbers of the senses, and the lemmas, each `-` for a word that is no predicate."""
    senses, lemmas = ([NO_VALUE] * len(sentence.words) for _ in range(2))
    for frame in frames_in_order(sentence):
        lemma, senses[frame.predicate] = split_roleset(frame.lemma, frame.sense)
        if lemma == NO_VALUE:
            lemma = sentence.words[frame.predicate].lower()
        lemmas[frame.predicate] = lemma if lemma != NO_VALUE else "_"
    return senses, lemmas


def _pos(sentence: Sentence) -> List[str]:
    return sentence.pos if sentence.pos is not None else [NO_VALUE] * len(sentence.words)
