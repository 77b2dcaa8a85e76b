"""
The features by which corrected sentences teach rolesets and roles: the words and the tags around a
token, and the tree.

    >>> words, tags = ["She", "likes", "tall", "trees"], ["PRP", "VBZ", "JJ", "NNS"]
    >>> tree = Parse([1, 1, 3, 1], ["nsubj", "root", "amod", "obj"])
    >>> sense_features(Place(words, tags, tree, 1), ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"])[-3:]
    ['ARG0 she', 'ARG1', 'ARG1 trees']
    >>> role_features(Place(words, tags, tree, 1), "like.01", 2, 3)[1:4]
    ['like.01 path >obj', 'like.01 voice >obj', 'like.01 marker  >obj']
"""

from typing import List, NamedTuple, Sequence, Tuple

from lisa_allennlp.sentence.roles import VERB, bio_to_spans, lemma_of_roleset
from lisa_allennlp.sentence.sentence import Parse

EDGE = "|"
"""Stands for the places before the first and after the last word."""

MAX_PATH = 4

OF_ROLESET = 7
"""The number of features of a span that are weighed with the roleset, too."""

_MARKERS = ("case", "mark")

_PATTERN = frozenset(
    "nsubj nsubj:pass csubj obj iobj ccomp xcomp obl obl:agent compound:prt nmod nmod:poss "
    "compound amod".split()
)
"""The relations of dependents that show which roles of a predicate are taken."""


class Place(NamedTuple):
    """A token of a sentence with tags and a tree."""

    words: Sequence[str]
    tags: Sequence[str]
    parse: Parse
    token: int

    def word(self, offset: int = 0) -> str:
        token = self.token + offset
        return self.words[token].lower() if 0 <= token < len(self.words) else EDGE

    @property
    def tag(self) -> str:
        return self.tags[self.token]

    @property
    def dependents(self) -> List[Tuple[str, int]]:
        relations = self.parse.head_tags
        return [(relations[token], token) for token in self.parse.children[self.token]]


def sense_features(place: Place, roles: Sequence[str]) -> List[str]:
    """
    Returns the features of a predicate with BIO roles, each once: its tag, its relation, the words
    beside it, its dependents by relation, and its roles, alone and with the heads of their spans.
    """
    found = ["", f"tag {place.tag}", f"-1 {place.word(-1)}", f"+1 {place.word(1)}"]
    found.append(f"relation {place.parse.head_tags[place.token]}")
    for relation, dependent in place.dependents:
        if relation != "punct":
            found.append(f"{relation} {place.words[dependent].lower()}")
    for role, first, last in bio_to_spans(roles):
        if role != VERB:
            head = place.parse.span_head(first, last)
            found += [role, f"{role} {place.words[head].lower()}"]
    return list(dict.fromkeys(found))


def role_features(place: Place, sense: str, first: int, last: int) -> List[str]:
    """
    Returns the features of the span from `first` to `last`: the path from the predicate to the head
    of the span, the word that marks it, and the other dependents of the predicate; each with the
    roleset, the first ones also with its lemma.
    """
    return with_roleset(span_features(place, first, last), sense)


def with_roleset(features: Sequence[str], sense: str) -> List[str]:
    """Joins the roleset, or its lemma, and each of the `span_features`."""
    lemma = lemma_of_roleset(sense)
    return [
        *(f"{sense} {feature}" for feature in features[:OF_ROLESET]),
        *(f"{lemma} {feature}" for feature in features[:4]),
    ]


def span_features(place: Place, first: int, last: int) -> List[str]:
    """Returns a span's features. The first `OF_ROLESET` also have weights by roleset."""
    words, relations = place.words, place.parse.head_tags
    head = place.parse.span_head(first, last)
    side = "<" if first < place.token else ">"
    path = side + _path(place.parse, place.token, head)
    own = {relation for relation, _ in place.dependents}
    voice = "passive" * any(relation.endswith(":pass") for relation in own)
    marks = (i for i in place.parse.children[head] if first <= i <= last)
    marker = next((words[i].lower() for i in marks if relations[i] in _MARKERS), "")
    word, tag, first_word = words[head].lower(), place.tags[head], words[first].lower()
    return [
        "",
        f"path {path}",
        f"voice {path}{voice}",
        f"marker {marker} {path}",
        f"head {word}",
        f"pattern {' '.join(sorted(own & _PATTERN))}{path}{voice}",
        f"tag {tag}{side}",
        f"form {path}{place.tag}",
        f"head path {word} {path}",
        f"tag path {tag} {path}",
        f"first {first_word} {side}",
        f"first tag {first_word} {tag}",
        f"last {words[last].lower()}",
        f"marker head {marker} {word}",
    ]


def _path(parse: Parse, start: int, end: int) -> str:
    """The relations up from a token to the lowest common ancestor, and down to the other token."""
    up, down = _ancestors(parse.head_indices, start), _ancestors(parse.head_indices, end)
    common = next((token for token in down if token in up), None)
    if common is None:
        return "apart"
    above, below = up[: up.index(common)], down[: down.index(common)]
    if len(above) + len(below) > MAX_PATH:
        return "long"
    steps = ["^" + parse.head_tags[token] for token in above]
    return " ".join([*steps, *(parse.head_tags[token] for token in reversed(below))])


def _ancestors(heads: Sequence[int], token: int) -> List[int]:
    found = [token]
    while heads[found[-1]] not in found:
        found.append(heads[found[-1]])
    return found
