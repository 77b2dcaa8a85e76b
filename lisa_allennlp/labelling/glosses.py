"""
What the rolesets and roles of a labelled sentence mean, from PropBank's frame files.

    >>> from lisa_allennlp.data.sentence import Frame, Sentence
    >>> frame = Frame(1, ["B-ARG0", "B-V"], "sell", "sell.01")
    >>> glosses = Glosses("fixtures/frames")
    >>> [frame] = glosses.add_to(Sentence(["She", "sold"], ["PRP", "VBD"], [frame])).frames
    >>> frame.gloss, frame.roles[0]
    ('commerce: seller', RoleSpan(role='ARG0', first=0, last=0, text='She', gloss='seller'))
"""

import re
from dataclasses import replace
from os import PathLike
from typing import Union

from lisa_allennlp.data.formats.propbank_frames import PropBankFrames, Roleset
from lisa_allennlp.data.formats.roles import FIRST_SENSE, split_roleset
from lisa_allennlp.data.sentence import Frame, Sentence

# CoNLL-2005 and PropBank have different labels for numbered roles: A0 and ARG0.
_SHORT_ROLE = re.compile("[BI]-(?:[CR]-)?A[0-9]")

_CLASSES = {"NN": "n", "NO": "n", "JJ": "j", "AD": "j"}


class Glosses:
    """
    Adds glosses to sentences.

    # Parameters

    folder : `Union[str, PathLike]`
        As for `PropBankFrames`.

    # Raises

    `CorpusFormatError`
        As `PropBankFrames`.
    """

    def __init__(self, folder: Union[str, PathLike]) -> None:
        self._frames = PropBankFrames(folder)

    def add_to(self, sentence: Sentence) -> Sentence:
        """
        # Returns

        `Sentence`
            With a gloss for each frame. If PropBank lacks the first sense of a word
            (`litigation.01`), the frame gets PropBank's sense of this word (`litigate.01`).
        """
        tags = sentence.pos or [""] * len(sentence.words)
        frames = [self._glossed(frame, tags[frame.predicate]) for frame in sentence.frames or []]
        return replace(sentence, frames=frames)

    def _glossed(self, frame: Frame, tag: str) -> Frame:
        roleset = self._frames.roleset(frame.sense)
        if roleset is None and split_roleset(frame.lemma, frame.sense)[1] == FIRST_SENSE:
            other = self._frames.of_word(frame.lemma, _CLASSES.get(tag[:2], "v"))
            if other is not None:
                frame = replace(frame, lemma=split_roleset("-", other)[0], sense=other)
                roleset = self._frames.roleset(other)
        if roleset is None:
            return replace(frame, gloss=None, role_glosses={})
        return replace(frame, gloss=roleset.gloss, role_glosses=_of_roles(roleset, frame))


def _of_roles(roleset: Roleset, frame: Frame) -> dict:
    if any(map(_SHORT_ROLE.match, frame.tags)):
        return {role.replace("ARG", "A"): gloss for role, gloss in roleset.roles.items()}
    return roleset.roles
