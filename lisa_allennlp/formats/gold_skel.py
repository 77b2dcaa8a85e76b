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

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import (
    NO_VALUE,
    Block,
    ColumnFormat,
    LocatedSentence,
    PathName,
    check_verbs,
    read_blocks,
    split_at_blanks,
)
from lisa_allennlp.sentence.document import DOCUMENT
from lisa_allennlp.sentence.roles import is_roleset, split_roleset
from lisa_allennlp.sentence.sentence import Frame, Sentence

GOLD_SKEL = ColumnFormat(
    "the columns of PropBank's release",
    "document, sentence, token, word, POS, parse bit, frame file, frameset",
    predicates="frameset",
)

NO_WORD = "[WORD]"


class SkeletonSentence(NamedTuple):
    path: PathName
    block: Block

    @property
    def pos(self) -> List[str]:
        return GOLD_SKEL.column(self.block, "POS")

    @property
    def constituents(self) -> List[str]:
        return GOLD_SKEL.column(self.block, "parse bit")

    def frames(self) -> List[Frame]:
        """
        Reads the frames, with the lemmas of their rolesets (`run_up` of `run_up.03`). Raises a
        `CorpusFormatError` if BIO labels cannot hold the roles of a predicate, or its `V` is on
        another word, as for some predicates of several words (`flip - flopped`).
        """
        frames = self._frames()
        sentence = Sentence([""] * len(self.block.rows), frames=frames)
        check_verbs(self.path, LocatedSentence(sentence, self.block.line_numbers))
        return frames

    def located(self) -> LocatedSentence:
        """Counts a frame that stands at each word of its predicate (`x - rays`) once."""
        words, numbers = GOLD_SKEL.column(self.block, "word"), self.block.line_numbers
        if NO_WORD in words:
            expected = "words, which PropBank's scripts or `lisa prepare ewt` restore"
            raise CorpusFormatError(self.path, numbers[words.index(NO_WORD)], NO_WORD, expected)
        distinct = {(frame.sense, *frame.tags): frame for frame in reversed(self._frames())}
        frames = sorted(distinct.values(), key=lambda frame: frame.predicate)
        extra = {DOCUMENT: self.block.rows[0][0]}
        return LocatedSentence(Sentence(words, self.pos, frames, extra=extra), numbers)

    def _frames(self) -> List[Frame]:
        senses = GOLD_SKEL.column(self.block, "frameset")
        pairs = zip(GOLD_SKEL.column(self.block, "frame file"), senses, strict=True)
        lemmas = [split_roleset(lemma, sense)[0] for lemma, sense in pairs]
        return GOLD_SKEL.frames(self.path, self.block, lemmas, senses)


def is_release(line: str) -> bool:
    row = split_at_blanks(line.rstrip("\r\n"))
    if len(row) < len(GOLD_SKEL.names):
        return False
    _, sentence, token, _, _, bit, _, frameset, *roles = row
    return (
        sentence.isdigit()
        and token.isdigit()
        and all("*" in cell for cell in (bit, *roles))
        and (frameset == NO_VALUE or is_roleset(frameset))
    )


def parse_release(
    lines: Iterable[str], path: PathName
) -> Iterator[Tuple[LocatedSentence, List[str]]]:
    """Reads a file with words, and the constituent bits of each sentence, unchecked."""
    return ((item.located(), item.constituents) for item in parse_gold_skel(lines, path))


def parse_gold_skel(lines: Iterable[str], path: PathName) -> Iterator[SkeletonSentence]:
    for block in read_blocks(lines, path):
        GOLD_SKEL.check_width(path, block)
        GOLD_SKEL.check_roles(path, block)
        yield SkeletonSentence(path, block)
