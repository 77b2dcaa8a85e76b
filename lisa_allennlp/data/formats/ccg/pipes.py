"""
The formats of the C&C tools: `word|POS|category word|POS|category ...`, one sentence per line, and
the output of their multi-tagger, with several categories per word.

    >>> [sentence] = parse_pipes(["She|PRP|NP sang|VBD|S[dcl]\\\\NP"], "train.pipe")
    >>> sentence.words, sentence.pos
    (['She', 'sang'], ['PRP', 'VBD'])
    >>> print(format_pipes(sentence))
    She|PRP|NP sang|VBD|S[dcl]\\NP
"""

from typing import Iterable, Iterator, List, Optional, Sequence

from lisa_allennlp.data.formats.ccg.categories import CategoryError, parse_category
from lisa_allennlp.data.formats.columns import (
    NO_VALUE,
    PathName,
    at_least_one,
    check_is_one_line,
    check_value,
    split_at_blanks,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import RankedSupertag, Sentence

_SEPARATOR = "|"


def parse_pipes(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `columns.read_lines`. Empty lines and the comments of the
        C&C tools (`# ...`) are skipped.
    path : `PathName`
        The name of the file, for errors.

    # Returns

    `Iterator[Sentence]`
        Reads lazily. `pos` is `None` if every part of speech of a sentence is `-`.

    # Raises

    `CorpusFormatError`
        If a token or category is malformed or there are no sentences.
    """
    sentences = (
        _read_sentence(path, number, line, tokens)
        for number, line in enumerate(lines, start=1)
        if (tokens := split_at_blanks(line.rstrip("\r\n"))) and tokens[0] != "#"
    )
    return at_least_one(sentences, path)


def _read_sentence(path: PathName, number: int, line: str, tokens: List[str]) -> Sentence:
    check_is_one_line(path, number, line.rstrip("\r\n"))
    rows = []
    for token in tokens:
        # From the right: words may contain the separator, tags and categories do not.
        row = token.rsplit(_SEPARATOR, 2)
        if len(row) != 3 or not all(row):
            raise CorpusFormatError(path, number, f"'{token}'", "word|POS|category")
        check_category(path, number, row[2])
        rows.append(row)
    words, pos, supertags = map(list, zip(*rows, strict=True))
    return Sentence(words, None if set(pos) == {NO_VALUE} else pos, supertags=supertags)


def check_category(path: PathName, number: int, category: str) -> None:
    """
    # Raises

    `CorpusFormatError`
        If the text in this line of the file is not a category.
    """
    try:
        parse_category(category)
    except CategoryError as error:
        raise CorpusFormatError(path, number, error.found, error.expected) from error


def format_pipes(sentence: Sentence) -> str:
    """
    # Parameters

    sentence : `Sentence`
        With supertags.

    # Returns

    `str`
        `word|POS|category ...`, without a line break; `-` for unknown parts of speech.

    # Raises

    `ValueError`
        If a value is empty or contains white space, or a part of speech contains `|`.
    """
    assert sentence.supertags is not None
    rows = zip(sentence.words, _pos(sentence), sentence.supertags, strict=True)
    return " ".join(
        _SEPARATOR.join(
            [check_value(word), check_value(tag, _SEPARATOR + " \t\r\n"), check_value(supertag)]
        )
        for word, tag, supertag in rows
    )


def format_multitags(sentence: Sentence, candidates: Sequence[Sequence[RankedSupertag]]) -> str:
    """
    Formats the output of a multi-tagger as the C&C parser reads it.

    # Parameters

    candidates : `Sequence[Sequence[RankedSupertag]]`
        The categories of each word, best first.

    # Returns

    `str`
        One line per word, followed by an empty line. Columns are separated by tabs: word, part of
        speech, number of categories, then each category and its probability.

    # Raises

    `ValueError`
        If a value is empty or contains a tab or line break.
    """
    lines = []
    for word, tag, ranked in zip(sentence.words, _pos(sentence), candidates, strict=True):
        row = [word, tag, str(len(ranked))]
        for supertag, probability in ranked:
            row += [supertag, f"{probability:.6g}"]
        lines.append("\t".join(check_value(value, "\t\r\n") for value in row))
    return "".join(f"{line}\n" for line in lines)


def _pos(sentence: Sentence) -> Sequence[str]:
    pos: Optional[List[str]] = sentence.pos
    return pos if pos is not None else [NO_VALUE] * len(sentence.words)
