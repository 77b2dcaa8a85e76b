"""
The columns of PropBank's release: document, sentence, token, word, part of speech, constituent bit,
frame file, frameset (`run_up.03`), one column of roles per predicate. Its `.gold_skel` files have
`[WORD]` in place of words, which belong to the Linguistic Data Consortium; its scripts make
`.gold_conll` files from them. CoNLL-2012 has other columns.

    >>> lines = [
    ...     "weblog/1 0 0 [WORD] PRP (TOP(S* -     -       (ARG0*)",
    ...     "weblog/1 0 1 [WORD] VBD *))     sing  sing.01 (V*)",
    ... ]
    >>> [skeleton] = parse_gold_skel(lines, "1.gold_skel")
    >>> [(frame.lemma, frame.sense, frame.tags) for frame in skeleton.frames()]
    [('sing', 'sing.01', ['B-ARG0', 'B-V'])]
"""

from typing import Iterable, Iterator, List, NamedTuple, Tuple

from lisa_allennlp.data.document import DOCUMENT
from lisa_allennlp.data.formats.columns import (
    NO_VALUE,
    Block,
    LocatedSentence,
    PathName,
    at_least_one,
    check_least_width,
    check_role_columns,
    check_verbs,
    frames_from_columns,
    sentence_blocks,
    split_at_blanks,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import is_roleset, split_roleset
from lisa_allennlp.data.sentence import Frame, Sentence

_DOCUMENT, _WORD, _POS, _CONSTITUENT, _LEMMA, _FRAMESET = 0, 3, 4, 5, 6, 7
_FIXED_COLUMNS = 8
_COLUMN_NAMES = (
    "document, sentence, token, word, POS, parse bit, frame file, frameset, roles of each predicate"
)

NO_WORD = "[WORD]"


class SkeletonSentence(NamedTuple):
    """The annotation of a sentence, without words: the lines of the sentence in a file."""

    path: PathName
    block: Block

    @property
    def pos(self) -> List[str]:
        """The part of speech of each token."""
        return self.block.column(_POS)

    @property
    def constituents(self) -> List[str]:
        """The constituent bit of each token."""
        return self.block.column(_CONSTITUENT)

    def frames(self) -> List[Frame]:
        """
        Reads the frames, with the lemmas of their rolesets (`run_up` for `run_up.03`), which are
        not always those of the frame files. Raises a `CorpusFormatError` if BIO labels cannot hold
        the roles of a predicate, or its `V` is on another word, as PropBank has it for some
        predicates of several words (`flip - flopped`).
        """
        frames = self._frames()
        sentence = Sentence([""] * len(self.block.rows), frames=frames)
        check_verbs(self.path, LocatedSentence(sentence, self.block.line_numbers))
        return frames

    def located(self) -> LocatedSentence:
        """
        Reads the sentence of a file with words. The frame of a predicate of several words that
        stands at each of them (`x - rays`) counts once.
        """
        words, numbers = self.block.column(_WORD), self.block.line_numbers
        if NO_WORD in words:
            expected = "words, which PropBank's scripts or `lisa prepare ewt` restore"
            raise CorpusFormatError(self.path, numbers[words.index(NO_WORD)], NO_WORD, expected)
        distinct = {(frame.sense, *frame.tags): frame for frame in reversed(self._frames())}
        frames = sorted(distinct.values(), key=lambda frame: frame.predicate)
        extra = {DOCUMENT: self.block.rows[0][_DOCUMENT]}
        return LocatedSentence(Sentence(words, self.pos, frames, extra=extra), numbers)

    def _frames(self) -> List[Frame]:
        senses = self.block.column(_FRAMESET)
        pairs = zip(self.block.column(_LEMMA), senses, strict=True)
        lemmas = [split_roleset(lemma, sense)[0] for lemma, sense in pairs]
        return frames_from_columns(
            self.path, self.block, _predicates(self.block), _FIXED_COLUMNS, lemmas, senses
        )


def is_release(line: str) -> bool:
    """Whether a line has the columns of PropBank's release."""
    row = split_at_blanks(line.rstrip("\r\n"))
    return (
        len(row) >= _FIXED_COLUMNS
        and row[1].isdigit()
        and row[2].isdigit()
        and all("*" in bit for bit in (row[_CONSTITUENT], *row[_FIXED_COLUMNS:]))
        and (row[_FRAMESET] == NO_VALUE or is_roleset(row[_FRAMESET]))
    )


def parse_release(
    lines: Iterable[str], path: PathName
) -> Iterator[Tuple[LocatedSentence, List[str]]]:
    """Reads a file with words, and the constituent bits of each sentence, unchecked."""
    return ((item.located(), item.constituents) for item in parse_gold_skel(lines, path))


def parse_gold_skel(lines: Iterable[str], path: PathName) -> Iterator[SkeletonSentence]:
    """Reads all but the roles, which `SkeletonSentence.frames` reads."""
    for block in at_least_one(sentence_blocks(enumerate(lines, start=1), path), path):
        check_least_width(path, block, _FIXED_COLUMNS, _COLUMN_NAMES)
        check_role_columns(path, block, _FIXED_COLUMNS, _predicates(block))
        yield SkeletonSentence(path, block)


def _predicates(block: Block) -> List[int]:
    framesets = block.column(_FRAMESET)
    return [position for position, frameset in enumerate(framesets) if frameset != NO_VALUE]
