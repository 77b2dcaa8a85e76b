"""
The formats of the C&C tools: `word|POS|category word|POS|category ...`, one sentence per line, and
the output of their multi-tagger, with several categories per word.

    >>> [sentence] = parse_pipes(["She|PRP|NP sang|VBD|S[dcl]\\\\NP"], "train.pipe")
    >>> sentence.words, sentence.pos
    (['She', 'sang'], ['PRP', 'VBD'])
    >>> print(format_pipes(sentence))
    She|PRP|NP sang|VBD|S[dcl]\\NP
"""

from typing import Iterable, Iterator, List, Sequence

from lisa_allennlp.data.formats.ccg.categories import check_category
from lisa_allennlp.data.formats.columns import (
    NO_VALUE,
    PathName,
    at_least_one,
    check_is_one_line,
    check_value,
    split_at_blanks,
    tab_line,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import RankedSupertag, Sentence

_SEPARATOR = "|"


def parse_pipes(lines: Iterable[str], path: PathName) -> Iterator[Sentence]:
    """
    Reads sentences, lazily. Empty lines and the comments of the C&C tools (`# ...`) are skipped.
    `pos` is `None` if every part of speech of a sentence is `-`. Raises a `CorpusFormatError` if a
    token or category is malformed or there are no sentences.
    """
    sentences = (
        _read_sentence(path, number, tokens)
        for number, line in enumerate(lines, start=1)
        if (tokens := split_at_blanks(line.rstrip("\r\n"))) and tokens[0] != "#"
    )
    return at_least_one(sentences, path)


def _read_sentence(path: PathName, number: int, tokens: List[str]) -> Sentence:
    rows = []
    for token in tokens:
        check_is_one_line(path, number, token)
        # From the right: words may contain the separator, tags and categories do not.
        row = token.rsplit(_SEPARATOR, 2)
        if len(row) != 3 or not all(row):
            raise CorpusFormatError(path, number, f"'{token}'", "word|POS|category")
        check_category(path, number, row[2])
        rows.append(row)
    words, pos, supertags = map(list, zip(*rows, strict=True))
    return Sentence(words, None if set(pos) == {NO_VALUE} else pos, supertags=supertags)


def format_pipes(sentence: Sentence) -> str:
    """
    Writes a sentence with supertags as `word|POS|category ...`, without a line break, and with `-`
    for unknown parts of speech. Raises a `ValueError` if a value is empty or contains white space,
    or a part of speech contains `|`.
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
    Formats the output of a multi-tagger as the C&C parser reads it: one line per word, with the
    word, part of speech, number of categories, then each category and its probability, separated by
    tabs. `candidates` has the categories of each word, best first.
    """
    text = ""
    for word, tag, ranked in zip(sentence.words, _pos(sentence), candidates, strict=True):
        row = [word, tag, str(len(ranked))]
        for supertag, probability in ranked:
            row += [supertag, f"{probability:.6g}"]
        text += tab_line(row)
    return text


def _pos(sentence: Sentence) -> Sequence[str]:
    return sentence.pos if sentence.pos is not None else [NO_VALUE] * len(sentence.words)
