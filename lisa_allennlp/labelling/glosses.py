"""
What the rolesets and roles of a labelled sentence mean, from PropBank's frame files, and what
VerbNet and FrameNet call them.

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
from typing import Dict, Union

from lisa_allennlp.data.formats.propbank_frames import (
    PROPBANK,
    class_of,
    packaged_inventory,
    read_frames,
)
from lisa_allennlp.data.formats.roles import FIRST_SENSE, split_roleset
from lisa_allennlp.data.sentence import Frame, Sentence

# CoNLL-2005 and PropBank have different labels for numbered roles: A0 and ARG0.
_SHORT_ROLE = re.compile("[BI]-(?:[CR]-)?A[0-9]")


class Glosses:
    """Adds glosses from a folder for `read_frames` or, by default, the package's inventory."""

    def __init__(self, folder: Union[str, PathLike] = PROPBANK) -> None:
        self._inventory = packaged_inventory() if folder == PROPBANK else read_frames(folder)

    def add_to(self, sentence: Sentence) -> Sentence:
        """
        Returns the sentence with a gloss for each frame. If PropBank lacks the first sense of a
        word (`litigation.01`), the frame gets PropBank's sense of this word (`litigate.01`).
        """
        tags = sentence.pos or [""] * len(sentence.words)
        frames = [self._glossed(frame, tags[frame.predicate]) for frame in sentence.frames or []]
        return replace(sentence, frames=frames)

    def _glossed(self, frame: Frame, tag: str) -> Frame:
        roleset = self._inventory.roleset(frame.sense)
        if roleset is None and split_roleset(frame.lemma, frame.sense)[1] == FIRST_SENSE:
            other = self._inventory.of_word(frame.lemma, class_of(tag))
            if other:
                frame = replace(frame, lemma=split_roleset("-", other[0])[0], sense=other[0])
                roleset = self._inventory.roleset(other[0])
        if roleset is None:
            return replace(frame, gloss=None, role_glosses={})
        is_short = any(map(_SHORT_ROLE.match, frame.tags))

        def by_label(values: Dict[str, str]) -> Dict[str, str]:
            return {role.replace("ARG", "A") if is_short else role: values[role] for role in values}

        classes = {name: by_label(roles) for name, roles in roleset.verbnet.items()}
        # The class that names most roles of the frame; the first one between equals.
        found = {name: sum(role in frame for role in classes[name]) for name in classes}
        verbnet = max(found, key=found.__getitem__, default=None)
        return replace(
            frame,
            gloss=roleset.gloss,
            role_glosses=by_label(roleset.roles),
            verbnet=verbnet,
            thematic_roles=classes.get(verbnet) if verbnet else None,
            framenet=roleset.framenet or None,
        )
