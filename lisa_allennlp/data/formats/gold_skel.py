"""
PropBank's `.gold_skel` files: its annotation without the words, which are the Linguistic Data
Consortium's. Columns: document, sentence, token, `[WORD]`, part of speech, constituent bit, frame
file, frameset (`run_up.03`), one column of roles a predicate. They are not CoNLL-2012's columns.
"""

from typing import Iterable, Iterator, List, NamedTuple

from lisa_allennlp.data.formats.columns import (
    NO_VALUE,
    Block,
    PathName,
    at_least_one,
    check_least_width,
    check_role_columns,
    frames_from_columns,
    sentence_blocks,
)
from lisa_allennlp.data.sentence import Frame

_POS, _CONSTITUENT, _LEMMA, _FRAMESET = 4, 5, 6, 7
_FIXED_COLUMNS = 8
_COLUMN_NAMES = (
    "document, sentence, token, [WORD], POS, parse bit, frame file, frameset, roles of each "
    "predicate"
)


class SkeletonSentence(NamedTuple):
    """
    The annotation of a sentence whose words are elsewhere.

    # Parameters

    path : `PathName`
        Its file.
    block : `Block`
        Its lines.
    """

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
        # Returns

        `List[Frame]`
            With CoNLL-2012's senses: `03` of `run_up.03`.

        # Raises

        `CorpusFormatError`
            If the roles of a predicate cannot be said in BIO labels around it: PropBank puts the
            `V` of some predicates of several words (`flip - flopped`) on another word than theirs.
        """
        frames = frames_from_columns(
            self.path, self.block, _predicates(self.block), _FIXED_COLUMNS, _LEMMA, _FRAMESET
        )
        return [Frame(f.predicate, f.tags, f.lemma, f.sense.rsplit(".", 1)[-1]) for f in frames]


def parse_gold_skel(lines: Iterable[str], path: PathName) -> Iterator[SkeletonSentence]:
    """
    # Parameters

    lines : `Iterable[str]`
    path : `PathName`
        The name of the file, for errors.

    # Returns

    `Iterator[SkeletonSentence]`
        Lazily; a sentence's roles are read only when it is asked for them.

    # Raises

    `CorpusFormatError`
        For malformed lines and for a file without sentences.
    """
    for block in at_least_one(sentence_blocks(enumerate(lines, start=1)), path):
        check_least_width(path, block, _FIXED_COLUMNS, _COLUMN_NAMES)
        check_role_columns(path, block, _FIXED_COLUMNS, _predicates(block))
        yield SkeletonSentence(path, block)


def _predicates(block: Block) -> List[int]:
    framesets = block.column(_FRAMESET)
    return [position for position, frameset in enumerate(framesets) if frameset != NO_VALUE]
