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

from typing import Dict, Iterable, Iterator, List, Optional, TextIO, Tuple

from lisa_allennlp.data.formats.columns import (
    LocatedSentence,
    PathName,
    at_least_one,
    check_frame,
    check_is_one_line,
    check_value,
    frames_in_order,
    read_number,
    split_at_blanks,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Frame, Sentence

_SEPARATOR = "|||"


def parse_bio(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """Reads words and frames. All tokens of a sentence are in the line of its first proposition."""
    return at_least_one(_sentences(lines, path), path)


def _sentences(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    words: List[str] = []
    frames: List[Frame] = []
    first = 0  # The line in which the sentence begins.
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        if not line.strip(" \t"):
            continue
        next_words, frame = _read_proposition(path, number, line)
        if frames and (next_words != words or frame.predicate <= frames[-1].predicate):
            yield LocatedSentence(Sentence(words, frames=frames), [first] * len(words))
            frames = []
        if not frames:
            words, first = next_words, number
        frames.append(frame)
    if frames:
        yield LocatedSentence(Sentence(words, frames=frames), [first] * len(words))


def _read_proposition(path: PathName, number: int, line: str) -> Tuple[List[str], Frame]:
    check_is_one_line(path, number, line)
    parts = [split_at_blanks(part) for part in line.split(_SEPARATOR)]
    if len(parts) != 2 or len(parts[0]) < 2:
        expected = f"a predicate's position, words, '{_SEPARATOR}' and BIO labels"
        raise CorpusFormatError(path, number, f"'{line[:80]}'", expected)
    (position, *words), tags = parts
    predicate = read_number(position)
    check_frame(path, number, position if predicate is None else predicate, tags, len(words))
    assert predicate is not None
    return words, Frame(predicate, tags)


def not_read_back(sentences: Iterable[Sentence]) -> Dict[str, int]:
    """
    Counts the sentences without predicates, and those that will be read as a part of the sentence
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
    """Writes sentences with frames, apart from those without predicates."""
    for sentence in sentences:
        for frame in frames_in_order(sentence):
            words, tags = (
                [check_value(value) for value in values] for values in (sentence.words, frame.tags)
            )
            if any(_SEPARATOR in word for word in words):
                raise ValueError(f"found a word with '{_SEPARATOR}'; expected words without it")
            file.write(f"{frame.predicate} {' '.join(words)} {_SEPARATOR} {' '.join(tags)}\n")
