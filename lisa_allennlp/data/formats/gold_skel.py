"""
PropBank's `.gold_skel` files: annotation without words, which belong to the Linguistic Data
Consortium. Columns: document, sentence, token, `[WORD]`, part of speech, constituent bit, frame
file, frameset (`run_up.03`), one column of roles per predicate. CoNLL-2012 has other columns.

    >>> lines = [
    ...     "weblog/1 0 0 [WORD] PRP (TOP(S* -     -       (ARG0*)",
    ...     "weblog/1 0 1 [WORD] VBD *))     sing  sing.01 (V*)",
    ... ]
    >>> [skeleton] = parse_gold_skel(lines, "1.gold_skel")
    >>> [(frame.lemma, frame.sense, frame.tags) for frame in skeleton.frames()]
    [('sing', 'sing.01', ['B-ARG0', 'B-V'])]
"""

from typing import Iterable, Iterator, List, NamedTuple

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
)
from lisa_allennlp.data.formats.roles import split_roleset
from lisa_allennlp.data.sentence import Frame, Sentence

_POS, _CONSTITUENT, _LEMMA, _FRAMESET = 4, 5, 6, 7
_FIXED_COLUMNS = 8
_COLUMN_NAMES = (
    "document, sentence, token, [WORD], POS, parse bit, frame file, frameset, roles of each "
    "predicate"
)


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
        senses = self.block.column(_FRAMESET)
        pairs = zip(self.block.column(_LEMMA), senses, strict=True)
        lemmas = [split_roleset(lemma, sense)[0] for lemma, sense in pairs]
        frames = frames_from_columns(
            self.path, self.block, _predicates(self.block), _FIXED_COLUMNS, lemmas, senses
        )
        sentence = Sentence([""] * len(senses), frames=frames)
        check_verbs(self.path, LocatedSentence(sentence, self.block.line_numbers))
        return frames


def parse_gold_skel(lines: Iterable[str], path: PathName) -> Iterator[SkeletonSentence]:
    """Reads all but the roles, which `SkeletonSentence.frames` reads."""
    for block in at_least_one(sentence_blocks(enumerate(lines, start=1), path), path):
        check_least_width(path, block, _FIXED_COLUMNS, _COLUMN_NAMES)
        check_role_columns(path, block, _FIXED_COLUMNS, _predicates(block))
        yield SkeletonSentence(path, block)


def _predicates(block: Block) -> List[int]:
    framesets = block.column(_FRAMESET)
    return [position for position, frameset in enumerate(framesets) if frameset != NO_VALUE]
