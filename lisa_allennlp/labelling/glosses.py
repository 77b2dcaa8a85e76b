"""
What the rolesets and roles of a labelled sentence mean, from PropBank's frame files, and what
VerbNet and FrameNet call them.

    >>> from lisa_allennlp.sentence.sentence import Frame, Sentence
    >>> frame = Frame(1, ["B-ARG0", "B-V"], "sell", "sell.01")
    >>> glosses = Glosses("fixtures/frames")
    >>> [frame] = glosses.add_to(Sentence(["She", "sold"], ["PRP", "VBD"], [frame])).frames
    >>> frame.gloss, frame.roles[0]
    ('commerce: seller', RoleSpan(role='ARG0', first=0, last=0, text='She', gloss='seller'))
"""

from dataclasses import replace
from os import PathLike
from typing import List, Union

from lisa_allennlp.english.morphology import lemma_of
from lisa_allennlp.sentence.roles import FIRST_SENSE, split_roleset
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.text.propbank_frames import (
    PROPBANK,
    Roleset,
    class_of,
    open_inventory,
    packaged_inventory,
)


def rolesets_of(word: str, tag: str, sense: str = "") -> List[Roleset]:
    """
    Returns the rolesets in the package that a word may have: `sense` first, then those of its lemma
    in the part of speech of the tag, then those of the lemma with a particle.

    >>> [roleset.sense for roleset in rolesets_of("sold", "VBD")]
    ['sell.01', 'sell_out.02', 'sell_out.03', 'sell_off.04']
    """
    inventory = packaged_inventory()
    lemma = lemma_of(word, tag)
    names = [sense, *inventory.of_word(lemma, class_of(tag)), *inventory.with_particles(lemma)]
    found = map(inventory.roleset, dict.fromkeys(names))
    return [roleset for roleset in found if roleset is not None]


class Glosses:
    """Adds glosses from a folder for `read_frames` or, by default, the package's inventory."""

    def __init__(self, folder: Union[str, PathLike] = PROPBANK) -> None:
        self._inventory = open_inventory(folder)

    def add_to(self, sentence: Sentence) -> Sentence:
        """
        Returns the sentence with a gloss for each frame. If PropBank lacks the first sense of a
        word (`litigation.01`), the frame gets PropBank's sense of this word (`litigate.01`).
        """
        tags = sentence.pos or [""] * len(sentence.words)
        frames = [self._glossed(frame, tags[frame.predicate]) for frame in sentence.frames or []]
        return replace(sentence, frames=frames)

    def _glossed(self, frame: Frame, tag: str) -> Frame:
        is_first = split_roleset(frame.lemma, frame.sense)[1] == FIRST_SENSE
        if is_first and self._inventory.roleset(frame.sense) is None:
            other = self._inventory.of_word(frame.lemma, class_of(tag))
            if other:
                frame = replace(frame, lemma=split_roleset("-", other[0])[0], sense=other[0])
        return frame.explained_by(self._inventory)
