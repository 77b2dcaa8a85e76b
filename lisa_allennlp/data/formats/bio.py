"""
One proposition per line, as the deep SRL system of He et al. (2017) reads it: the 0-based position
of the predicate, the words, `|||`, and a BIO label per word.

    >>> lines = ["1 She sang ||| B-A0 B-V", "0 Sing ! ||| B-V O"]
    >>> first, second = parse_bio(lines, "dev.bio")
    >>> first.sentence
    <Sentence 'She sang' | sang: [A0: She] [V: sang]>
    >>> import sys
    >>> write_bio([first.sentence, second.sentence], sys.stdout)
    1 She sang ||| B-A0 B-V
    0 Sing ! ||| B-V O

The format has no sentences without predicates. Consecutive lines with the same words belong to one
sentence as long as their predicates increase.
"""

from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, TextIO

from lisa_allennlp.data.formats.columns import (
    LocatedSentence,
    PathName,
    at_least_one,
    check_is_one_line,
    check_value,
    frames_in_order,
    read_number,
    split_at_blanks,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.frames import check_frame
from lisa_allennlp.data.sentence import Frame, Sentence

_SEPARATOR = "|||"


class _Proposition(NamedTuple):
    words: List[str]
    frame: Frame
    line: int

    def continues(self, before: "_Proposition") -> bool:
        """Whether both belong to one sentence."""
        return self.words == before.words and self.frame.predicate > before.frame.predicate


def parse_bio(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.

    # Returns

    `Iterator[LocatedSentence]`
        Reads lazily. Each sentence has words and frames. All its tokens are in the line of its
        first proposition.

    # Raises

    `CorpusFormatError`
        If a line is malformed or there are no sentences.
    """
    return at_least_one(_sentences(lines, path), path)


def _sentences(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    group: List[_Proposition] = []
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        if not line.strip(" \t"):
            continue
        proposition = _read_proposition(path, number, line)
        if group and not proposition.continues(group[-1]):
            yield _join(group)
            group = []
        group.append(proposition)
    if group:
        yield _join(group)


def _read_proposition(path: PathName, number: int, line: str) -> _Proposition:
    check_is_one_line(path, number, line)
    parts = [split_at_blanks(part) for part in line.split(_SEPARATOR)]
    if len(parts) != 2 or len(parts[0]) < 2:
        expected = f"a predicate's position, words, '{_SEPARATOR}' and BIO labels"
        raise CorpusFormatError(path, number, f"'{line[:80]}'", expected)
    (position, *words), tags = parts
    predicate = read_number(position)
    check_frame(path, number, position if predicate is None else predicate, tags, len(words))
    assert predicate is not None
    return _Proposition(words, Frame(predicate, tags), number)


def _join(group: List[_Proposition]) -> LocatedSentence:
    first = group[0]
    sentence = Sentence(first.words, frames=[proposition.frame for proposition in group])
    return LocatedSentence(sentence, [first.line] * len(first.words))


def not_read_back(sentences: Iterable[Sentence]) -> Dict[str, int]:
    """
    # Parameters

    sentences : `Iterable[Sentence]`
        With frames.

    # Returns

    `Dict[str, int]`
        How many sentences have no predicate, and how many will be read as a part of the sentence
        before them, because they have its words and only later predicates.
    """
    counts = {"without a predicate": 0, "joined with an equal sentence before": 0}
    before: Optional[Sentence] = None
    for sentence in sentences:
        if not sentence.predicates:
            counts["without a predicate"] += 1
            continue
        if before is not None and before.predicates and before.words == sentence.words:
            if min(sentence.predicates) > max(before.predicates):
                counts["joined with an equal sentence before"] += 1
        before = sentence
    return counts


def write_bio(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Leaves out sentences without predicates.

    # Raises

    `ValueError`
        If a sentence has no frames, a value contains white space, or a word contains `|||`.
    """
    for sentence in sentences:
        for frame in frames_in_order(sentence):
            words, tags = (
                [check_value(value) for value in values] for values in (sentence.words, frame.tags)
            )
            if any(_SEPARATOR in word for word in words):
                raise ValueError(f"found a word with '{_SEPARATOR}'; expected words without it")
            file.write(f"{frame.predicate} {' '.join(words)} {_SEPARATOR} {' '.join(tags)}\n")
