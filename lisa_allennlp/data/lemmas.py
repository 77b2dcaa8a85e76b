"""
The lemma of an English word, from LemmInflect, which is imported for the first word only.

    >>> lemma_of("Litigating", "VBG"), lemma_of("litigations", "NNS")
    ('litigate', 'litigation')
"""

import bisect
import gzip
import sys
from functools import cache, lru_cache
from typing import Any, Callable, Dict, Tuple

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
    # By its rules, the lemma of the noun `s` would be empty.
    return (lemmas[0].lower() if lemmas else "") or form


class _NoSpacy:
    """Hides spaCy, which LemmInflect imports to extend it, and which takes seconds."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name == "spacy":
            raise ImportError(name)


class _Dictionary:
    """
    LemmInflect's dictionary as the lines of its file, such as `left,verb,leave`. They take 6 MB
    where LemmInflect's own dictionaries take 31 MB.
    """

    def __init__(self, path: str) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            self._lines = sorted(file)

    def get(self, word: str, default: Dict[str, Tuple[str, ...]]) -> Dict[str, Tuple[str, ...]]:
        """The lemmas of a word by its parts of speech."""
        from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec, categoryToUPos

        found = {}
        for place in range(bisect.bisect_left(self._lines, f"{word},"), len(self._lines)):
            form, category, lemmas = LemmaLUCodec.fromString(self._lines[place])
            if form != word:
                break
            found[categoryToUPos(category)] = lemmas
        return found or default


@cache
def _lemmatizer() -> Callable:
    finder: Any = _NoSpacy()
    sys.meta_path.insert(0, finder)
    try:
        from lemminflect import Lemmatizer, config
    finally:
        sys.meta_path.remove(finder)
    lemmatizer = Lemmatizer()
    lemmatizer.lemma_dict = _Dictionary(config.lemma_lu_fn)
    return lemmatizer.getLemma
