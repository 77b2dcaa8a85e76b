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
from dataclasses import replace
from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, TextIO, Tuple

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
    split_at_blanks,
    tree_from_columns,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import bio_to_brackets
from lisa_allennlp.data.formats.rolesets import join_roleset, split_roleset
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
    predicted_pos: Optional[int] = None
    constituent: Optional[int] = None
    head: Optional[int] = None
    head_tag: Optional[int] = None


_OFFICIAL = _Variant(
    name="the official CoNLL-2005 columns",
    word=0,
    pos=1,
    sense=4,
    lemma=5,
    first_role=6,
    names="word, POS, parse bit, NE, sense, lemma, roles of each predicate",
    constituent=2,
)
_COMBINED_BIO = _Variant(
    name="the .combined.bio columns",
    word=3,
    pos=4,
    sense=9,
    lemma=10,
    first_role=14,
    names="domain, sentence, token, word, gold POS, auto POS, head, label, _, sense, lemma, -, -, "
    "NE, roles of each predicate",
    predicted_pos=5,
    head=6,
    head_tag=7,
)


# The scripts of the shared task unescape these brackets only.
_ESCAPED_BRACKET = re.compile("-(?:LRB|RRB|LCB|RCB)-")


class LocatedFrames(NamedTuple):
    """
    The frames of a sentence, read from a file without words.

    # Parameters

    block : `Block`
        The lines of the sentence, one per word.
    """

    frames: List[Frame]
    block: Block


def parse_conll05(
    lines: Iterable[str], path: PathName, use_predicted_pos: bool = False
) -> Iterator[LocatedSentence]:
    """
    Reads either variant. Lines with a lemma are predicates; the sense column cannot tell, since it
    is empty in the test sets.

    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.
    use_predicted_pos : `bool`, optional (default = `False`)
        Read the automatic parts of speech instead of the gold ones. Only `.combined.bio` has them.

    # Returns

    `Iterator[LocatedSentence]`
        Reads lazily. Each sentence has words, parts of speech and frames; `.combined.bio` adds a
        parse.

    # Raises

    `CorpusFormatError`
        If a line is malformed, the file mixes both variants, or there are no sentences; also if it
        lacks the automatic parts of speech.
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
        _check_variant(path, block, variant)
        bits = None if variant.constituent is None else block.column(variant.constituent)
        yield _read_sentence(path, block, variant, use_predicted_pos), bits


def _variant_of(row: List[str]) -> _Variant:
    # Sentence and token numbers stand where the official columns have tags and brackets.
    is_numbered = len(row) > 2 and row[1].isdigit() and row[2].isdigit()
    return _COMBINED_BIO if is_numbered else _OFFICIAL


def _check_variant(path: PathName, block: Block, variant: _Variant) -> None:
    check_least_width(path, block, variant.first_role, variant.names)
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        found = _variant_of(row)
        if found is not variant:
            expected = f"{variant.name}, as at the start of the file"
            raise CorpusFormatError(path, number, f"a line in {found.name}", expected)


def _read_sentence(
    path: PathName, block: Block, variant: _Variant, use_predicted_pos: bool
) -> LocatedSentence:
    lemmas = block.column(variant.lemma)
    predicates = [position for position, lemma in enumerate(lemmas) if lemma != NO_VALUE]
    check_role_columns(path, block, variant.first_role, predicates)
    frames = frames_from_columns(
        path,
        block,
        predicates,
        variant.first_role,
        lemma_column=variant.lemma,
        sense_column=variant.sense,
        are_bio=variant is _COMBINED_BIO,
    )
    frames = [replace(frame, sense=join_roleset(frame.lemma, frame.sense)) for frame in frames]
    parse = None
    if variant.head is not None and variant.head_tag is not None:
        heads, head_tags = block.column(variant.head), block.column(variant.head_tag)
        parse = tree_from_columns(path, block.line_numbers, heads, head_tags)
    pos = _predicted_pos(path, block, variant) if use_predicted_pos else block.column(variant.pos)
    return LocatedSentence(
        Sentence(block.column(variant.word), pos, frames, parse), block.line_numbers
    )


def _predicted_pos(path: PathName, block: Block, variant: _Variant) -> List[str]:
    if variant.predicted_pos is None:
        expected = f"{_COMBINED_BIO.name}, which have predicted parts of speech"
        raise CorpusFormatError(path, block.line_numbers[0], f"a line in {variant.name}", expected)
    return block.column(variant.predicted_pos)


def parse_props(lines: Iterable[str], path: PathName) -> Iterator[LocatedFrames]:
    """
    Reads "props" files, which `write_props` writes.

    # Parameters

    path : `PathName`
        The name of the file, for errors.

    # Returns

    `Iterator[LocatedFrames]`
        Reads lazily. The frames have no senses.

    # Raises

    `CorpusFormatError`
        If a line is malformed or there are no sentences.
    """
    for block in at_least_one(sentence_blocks(enumerate(lines, start=1), path), path):
        predicates = [i for i, lemma in enumerate(block.column(0)) if lemma != NO_VALUE]
        check_role_columns(path, block, 1, predicates)
        frames = frames_from_columns(
            path, block, predicates, first_role_column=1, lemma_column=0, sense_column=0
        )
        yield LocatedFrames([replace(frame, sense=NO_VALUE) for frame in frames], block)


def official_form(token: str) -> str:
    """
    # Parameters

    token : `str`
        A word or part of speech of the Penn Treebank.

    # Returns

    `str`
        The token as the shared task writes it: round and curly brackets are not escaped, also
        within longer tokens. Other escapes (`1\\/2`) stay.
    """
    return _ESCAPED_BRACKET.sub(lambda match: unescape_token(match.group()), token)


def write_conll05(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes the official columns. Unknown values become `-`. A predicate without a lemma gets its
    word form in lower case, since `-` would mean that the word is not a predicate.

    # Parameters

    sentences : `Iterable[Sentence]`
        With frames.

    # Raises

    `ValueError`
        If a sentence has no frames, or a value contains white space.
    """
    for sentence in sentences:
        unknown = ["*"] * len(sentence.words)
        write_conll05_sentence(sentence, file, constituents=unknown, entities=unknown)


def write_conll05_sentence(
    sentence: Sentence, file: TextIO, constituents: Sequence[str], entities: Sequence[str]
) -> None:
    """
    Writes one sentence in the official columns, with constituents and named entities.

    # Parameters

    sentence : `Sentence`
        With frames.
    constituents : `Sequence[str]`
        The constituent bit of each word.
    entities : `Sequence[str]`
        The named-entity bit of each word.

    # Raises

    `ValueError`
        As in `write_conll05`.
    """
    pos = _pos(sentence)
    senses = _at_predicates(sentence, _numbers(frames_in_order(sentence)))
    columns = (sentence.words, pos, constituents, entities, senses, _props(sentence))
    _write(([*fixed, *props] for *fixed, props in zip(*columns, strict=True)), file)


def write_props(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes the "props" format of srl-eval.pl: the lemma of each predicate and its roles. The script
    compares lemmas too, so predictions need the lemmas of the gold frames.

    # Parameters

    sentences : `Iterable[Sentence]`
        With frames. A predicate without a lemma gets its word form in lower case.

    # Raises

    `ValueError`
        If a sentence has no frames, or a lemma contains white space.
    """
    for sentence in sentences:
        _write(_props(sentence), file)


def write_combined_bio(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes the `.combined.bio` columns, with the placeholders of `write_conll05`.

    # Parameters

    sentences : `Iterable[Sentence]`
        With frames and a parse.

    # Raises

    `ValueError`
        If a sentence has no frames or no parse, or a value contains white space.
    """
    for number, sentence in enumerate(sentences):
        for row in _combined_bio_rows(sentence, number):
            file.write("\t".join(map(check_value, row)) + "\n")
        file.write("\n")


def _combined_bio_rows(sentence: Sentence, number: int) -> Iterator[List[str]]:
    if sentence.parse is None:
        raise ValueError(f"parse of '{' '.join(sentence.words)}': found None; expected a tree")
    frames = frames_in_order(sentence)
    pos, heads = _pos(sentence), sentence.parse.heads
    lemmas = _at_predicates(sentence, [_lemma(sentence, frame) for frame in frames])
    senses = _at_predicates(sentence, _numbers(frames))
    for position, word in enumerate(sentence.words):
        row = ["conll05", str(number), str(position), word, pos[position], pos[position]]
        row += [str(heads[position]), sentence.parse.head_tags[position], "_"]
        row += [senses[position], lemmas[position], "-", "-", "O"]
        yield row + [frame.tags[position] for frame in frames]


def _props(sentence: Sentence) -> List[List[str]]:
    frames = frames_in_order(sentence)
    lemmas = _at_predicates(sentence, [_lemma(sentence, frame) for frame in frames])
    columns = [bio_to_brackets(frame.tags) for frame in frames]
    return [list(row) for row in zip(lemmas, *columns, strict=True)]


def _numbers(frames: Sequence[Frame]) -> List[str]:
    return [split_roleset(frame.lemma, frame.sense)[1] for frame in frames]


def _lemma(sentence: Sentence, frame: Frame) -> str:
    lemma, _ = split_roleset(frame.lemma, frame.sense)
    if lemma != NO_VALUE:
        return lemma
    form = sentence.words[frame.predicate].lower()
    return form if form != NO_VALUE else "_"


def _at_predicates(sentence: Sentence, values: List[str]) -> List[str]:
    column = [NO_VALUE] * len(sentence.words)
    for frame, value in zip(frames_in_order(sentence), values, strict=True):
        column[frame.predicate] = value
    return column


def _pos(sentence: Sentence) -> List[str]:
    return sentence.pos if sentence.pos is not None else [NO_VALUE] * len(sentence.words)


def _write(rows: Iterable[List[str]], file: TextIO) -> None:
    checked = [[check_value(value) for value in row] for row in rows]
    file.write(format_rows(checked) + "\n")
