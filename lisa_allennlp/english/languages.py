"""
The universal parts of speech of all languages, and the morphology that follows from labels.

    >>> find_morphology(["NOUN", "VERB"])(Sentence(["Plūst"], ["VERB"])).upos
    ['VERB']
    >>> find_morphology(["NN", "VBZ"], language="lv") is None
    True
"""

from typing import Callable, Collection, Optional

from lisa_allennlp.english.morphology import are_english_tags, english_morphology
from lisa_allennlp.sentence.sentence import Morphology, Sentence

ENGLISH = "en"

UNIVERSAL_TAGS = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
)


def are_universal_tags(tags: Collection[str]) -> bool:
    return bool(tags) and UNIVERSAL_TAGS.issuperset(tags)


def find_morphology(
    tags: Collection[str], language: str = ENGLISH
) -> Optional[Callable[[Sentence], Morphology]]:
    """
    Returns the function that finds universal parts of speech and lemmas by a model's tags, if there
    is one. Only English has lemmas.
    """
    if are_universal_tags(tags):
        return _universal_morphology
    return english_morphology if language == ENGLISH and are_english_tags(tags) else None


def _universal_morphology(sentence: Sentence) -> Morphology:
    return Morphology(upos=sentence.pos)
