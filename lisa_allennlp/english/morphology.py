"""
The universal parts of speech and the lemmas of English sentences, from Penn Treebank tags and
trees, as in the English Web Treebank of Universal Dependencies. LemmInflect, which has the regular
lemmas, is imported for the first word.
"""

import bisect
import gzip
import json
import re
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Callable, Collection, Dict, Tuple

from lisa_allennlp.sentence.sentence import Morphology, Sentence
from lisa_allennlp.text.tokens import unescape_token

LEMMAS_FILE = Path(__file__).with_name("english_lemmas.json")
"""The lemmas that `regular_lemma` gets wrong, by `lemma_key` (`experiments/english/lemmas.py`)."""

_UPOS = {
    tag: upos
    for upos, tags in {
        "ADJ": "JJ JJR JJS",
        "ADP": "IN RP",
        "ADV": "RB RBR RBS WRB",
        "AUX": "MD",
        "CCONJ": "CC",
        "DET": "DT PDT",
        "INTJ": "UH",
        "NOUN": "NN NNS FW",
        "NUM": "CD LS",
        "PART": "POS TO",
        "PRON": "EX PRP PRP$ WDT WP WP$",
        "PROPN": "ADD NNP NNPS",
        "PUNCT": ". , : `` '' ( ) -LRB- -RRB- HYPH NFP",
        "SYM": "$ # SYM",
        "VERB": "VB VBD VBG VBN VBP VBZ",
        "X": "AFX GW XX",
    }.items()
    for tag in tags.split()
}

_UPOS_OF_LABELS = {
    (",", "case"): "SYM",
    (",", "cc"): "SYM",
    ("AFX", "advmod"): "ADV",
    ("FW", "advmod"): "ADV",
    ("GW", "root"): "PROPN",
    ("HYPH", "cc"): "SYM",
    ("IN", "mark"): "SCONJ",
    ("NFP", "discourse"): "SYM",
    ("NNP", "advmod"): "ADV",
    ("NNP", "amod"): "ADJ",
    ("NNP", "nummod"): "NUM",
    ("WDT", "det"): "DET",
}

_UPOS_OF_FORMS = {
    **dict.fromkeys([("RB", "not"), ("RB", "n't"), ("RB", "nt")], "PART"),
    **dict.fromkeys([("NN", "%"), ("NN", "#")], "SYM"),
    **{
        ("NN", first + second): "PRON"
        for first in ("any", "every", "no", "some")
        for second in ("body", "one", "thing")
    },
    ("NN", "none"): "PRON",
    ("IN", "that"): "SCONJ",
}

_AUXILIARIES = ("aux", "auxpass", "cop")

_QUANTIFIERS = ("all", "another", "any", "both", "each", "either", "some")
"""Determiners that stay so without a noun, unlike `this`."""

_NOT_NOMINAL = ("advmod", "cc", "det", "fixed", "mark")
"""Labels of determiners with a noun, and in other uses."""

_INFLECTED = ("NNS", "VBZ", "VBD", "VBN", "VBG", "JJR", "JJS", "RBR", "RBS")

_AS_WRITTEN = ("NNP", "ADD", "SYM", "LS")

_NATIONALITY = re.compile(r"[A-Z][a-z]+(?:[ei]an|ish|ese)|Czech|Dutch|Greek|Swiss|Welsh")

_THOUSANDS = re.compile(r"(?<=\d),(?=\d)")


def are_english_tags(tags: Collection[str]) -> bool:
    return all(tag in _UPOS for tag in tags)


def english_morphology(sentence: Sentence) -> Morphology:
    words, pos, parse = sentence.words, sentence.pos, sentence.parse
    assert pos is not None and parse is not None
    upos = [_upos_of(*token) for token in zip(words, pos, parse.head_tags, strict=True)]
    lemmas = [_lemma_of(*token) for token in zip(words, pos, strict=True)]
    for i, (label, head) in enumerate(zip(parse.head_tags, parse.head_indices, strict=True)):
        # "It's gone." In "It's done.", the label is `aux:pass`.
        if label == "aux" and pos[head] == "VBN" and _plain(words[i]) in ("'s", "s"):
            lemmas[i] = "have"
    return Morphology(upos, lemmas)


@lru_cache(maxsize=65536)
def _upos_of(form: str, tag: str, label: str) -> str:
    form, label = _plain(form), label.partition(":")[0]
    if label == "goeswith":
        return "X"
    if label in _AUXILIARIES and tag.startswith("VB"):
        return "AUX"
    if tag == "DT" and label not in _NOT_NOMINAL and form not in _QUANTIFIERS:
        return "PRON"
    found = _UPOS_OF_LABELS.get((tag, label)) or _UPOS_OF_FORMS.get((tag, form))
    return found or _UPOS.get(tag, "X")


@lru_cache(maxsize=65536)
def _lemma_of(form: str, tag: str) -> str:
    return _irregular_lemmas().get(lemma_key(form, tag)) or regular_lemma(form, tag)


@cache
def _irregular_lemmas() -> Dict[str, str]:
    return json.loads(LEMMAS_FILE.read_text(encoding="utf-8"))


def lemma_key(form: str, tag: str) -> str:
    return f"{tag} {_plain(form)}"


def _plain(form: str) -> str:
    return form.lower().replace("’", "'")


def regular_lemma(form: str, tag: str) -> str:
    """
    Returns a lemma that the table lacks. Names keep their capitals, as in Universal Dependencies,
    but words of five or more capitals only the first.
    """
    form = unescape_token(form)
    if tag in _AS_WRITTEN:
        return form.title() if tag == "NNP" and form.isupper() and len(form) > 4 else form
    if tag == "NNPS":
        lemma = lemma_of(form, tag)
        return lemma[:1].upper() + lemma[1:]
    if tag == "NNS" and form[:-1].isupper() and form.endswith("s"):
        # LemmInflect knows no acronyms, such as APIs.
        return form[:-1].lower()
    if tag in _INFLECTED:
        return lemma_of(form, tag)
    if tag == "CD":
        return _THOUSANDS.sub("", form.lower())
    is_initial = tag == "NN" and len(form) == 1
    is_nationality = tag == "JJ" and _NATIONALITY.fullmatch(form)
    return form if is_initial or is_nationality else form.lower()


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
    Returns a lemma in lower case, by LemmInflect's dictionary or else its rules. `tag` is a Penn or
    universal tag. Words other than nouns, adjectives and adverbs count as verbs, as most predicates
    are.
    """
    form = form.lower()
    word_class = _CLASSES.get(tag) or _CLASSES.get(tag[:2], "VERB")
    lemmas = _lemmatizer()(form, upos=word_class)
    # By its rules, the lemma of the noun `s` would be empty.
    return (lemmas[0].lower() if lemmas else "") or form


class _NoSpacy:
    """Hides spaCy from LemmInflect, which only extends it. The import would take seconds."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name == "spacy":
            raise ImportError(name)


class _Dictionary:
    """
    The lines of LemmInflect's dictionary, such as `left,verb,leave`. They take 6 MB, LemmInflect's
    own dictionaries 31 MB.
    """

    def __init__(self, path: str) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            self._lines = sorted(file)

    def get(self, word: str, default: Dict[str, Tuple[str, ...]]) -> Dict[str, Tuple[str, ...]]:
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
