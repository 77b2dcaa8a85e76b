"""
The lemma of an English word, from LemmInflect, which is imported for the first word only.

    >>> lemma_of("Litigating", "VBG"), lemma_of("litigations", "NNS")
    ('litigate', 'litigation')
"""

import sys
from functools import cache, lru_cache
from typing import Any, Callable

# By the first two letters of a tag of the Penn Treebank, or by a universal tag.
_CLASSES = {
    "NN": "NOUN",
    "NOUN": "NOUN",
    "PROPN": "NOUN",
    "JJ": "ADJ",
    "ADJ": "ADJ",
    "RB": "ADV",
    "ADV": "ADV",
}


@lru_cache(maxsize=65536)
def lemma_of(form: str, tag: str = "VB") -> str:
    """
    Returns the lemma of a form, in lower case. Words that LemmInflect does not know get one by its
    rules. `tag` is a part of speech of the Penn Treebank or of Universal Dependencies. Tags other
    than those of nouns, adjectives and adverbs count as verbs, as most predicates are.
    """
    form = form.lower()
    word_class = _CLASSES.get(tag) or _CLASSES.get(tag[:2], "VERB")
    lemmas = _lemmatizer()(form, upos=word_class)
    return lemmas[0].lower() if lemmas else form


class _NoSpacy:
    """Hides spaCy, which LemmInflect imports to extend it, and which takes seconds."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name == "spacy":
            raise ImportError(name)


@cache
def _lemmatizer() -> Callable:
    finder: Any = _NoSpacy()
    sys.meta_path.insert(0, finder)
    try:
        from lemminflect import getLemma
    finally:
        sys.meta_path.remove(finder)
    return getLemma
