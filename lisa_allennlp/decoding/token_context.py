"""
Scores tags, and which tokens are predicates, by the word, the words around it and the tree.

    >>> words, tags = ["She", "likes", "tall", "trees"], ["PRP", "VBZ", "JJ", "NNS"]
    >>> place = Place(words, tags, Parse([1, 1, 3, 1], ["nsubj", "root", "amod", "obj"]), 2)
    >>> [feature for feature in tag_features(place) if "trees" in feature]
    ['+1 trees', 'word +1 tall trees', '-1 +1 likes trees', 'head amod trees']
"""

import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.formats.propbank_frames import class_of, packaged_inventory
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.decoding.log_linear import (
    LEAST,
    LogLinear,
    check_weights_name,
    log_probabilities,
    open_log_linear,
)

_FOLDER = Path(__file__).parents[1] / "pretrained"

TAGS_FILE = _FOLDER / "tag_context.npz"
"""A `LogLinear` model with a column for each tag, which `experiments.token_context` fits."""

PREDICATES_FILE = _FOLDER / "predicate_context.npz"
"""Another one, with the columns `no` and `yes`."""

LARGEST_GAP = 3.0
"""Tags that are more probable than all others by more (in logits) stay, as do predicates."""

EDGE = "|"
"""Stands for what is before the first and after the last word, and for the head of a root."""

_MARKERS = ("nmod", "obl", "obl:agent")
"""The relations of dependents whose prepositions are features of a predicate."""


class Place(NamedTuple):
    """A token of a sentence with tags and a tree."""

    words: Sequence[str]
    tags: Sequence[str]
    parse: Parse
    token: int

    def word(self, offset: int) -> str:
        """The word so many tokens further, in lower case."""
        return _at(self.words, self.token + offset).lower()

    def tag(self, offset: int) -> str:
        """The tag so many tokens further."""
        return _at(self.tags, self.token + offset)

    @property
    def relation(self) -> str:
        return self.parse.head_tags[self.token]

    def head(self, values: Sequence[str]) -> str:
        """The word or tag of the head; that of a root would be its own."""
        head = self.parse.head_indices[self.token]
        return EDGE if head == self.token else values[head]

    def dependents(self, token: Optional[int] = None) -> List[int]:
        """The dependents of this or another token."""
        own = self.token if token is None else token
        return [i for i, head in enumerate(self.parse.head_indices) if head == own != i]


class TokenContext:
    """
    Log-linear models of tags and of predicates. Where the network is not sure, their probabilities
    and those of the network have equal say: the result is proportional to the geometric mean, which
    is less sure than a product would be, since both have learnt from the same sentences. `pos` are
    the model's tags by index.
    """

    def __init__(self, tags: LogLinear, predicates: LogLinear, pos: Sequence[str]) -> None:
        self._tags, self._predicates, self._pos = tags, predicates, pos
        columns: Dict[str, int] = {tag: n for n, tag in enumerate(tags.columns.tolist())}
        self._known = numpy.array([n for n, tag in enumerate(pos) if tag in columns], int)
        self._columns = numpy.array([columns[pos[n]] for n in self._known], int)

    def correct(
        self,
        tags: numpy.ndarray,
        predicates: numpy.ndarray,
        sources: Sequence[Sentence],
        parses: Sequence[Optional[Parse]],
    ) -> None:
        """
        Changes the probabilities of tags, (B, T, num_tags), and of being a predicate, (B, T), in
        sentences with a tree: first those of tags, which count for predicates.
        """
        first, second = -numpy.partition(-tags, 1)[..., :2].transpose(2, 0, 1)
        is_open = second > first * numpy.exp(-LARGEST_GAP)
        places, found = self._places(is_open, tags, sources, parses)
        if places:
            scores = log_probabilities(self._tags.scores(list(map(tag_features, places))))
            others = numpy.full((len(places), len(self._pos)), numpy.exp(LEAST))
            others[:, self._known] = numpy.exp(scores[:, self._columns])
            means = numpy.sqrt(tags[found] * others)
            tags[found] = means / means.sum(1, keepdims=True)

        is_open = abs(predicates - 0.5) < 0.5 - 1 / (1 + numpy.exp(LARGEST_GAP))
        places, found = self._places(is_open, tags, sources, parses)
        if places:
            scores = self._predicates.scores(list(map(predicate_features, places)))
            own = predicates[found]
            odds = numpy.sqrt(own / (1 - own) * numpy.exp(scores[:, 1] - scores[:, 0]))
            predicates[found] = odds / (odds + 1)

    def _places(
        self,
        is_open: numpy.ndarray,
        tags: numpy.ndarray,
        sources: Sequence[Sentence],
        parses: Sequence[Optional[Parse]],
    ) -> Tuple[List[Place], Tuple[numpy.ndarray, ...]]:
        """The open tokens, (B, T), of sentences with a tree, and their indices."""
        lengths = numpy.array([0 if parse is None else len(parse.head_indices) for parse in parses])
        found = (is_open & (numpy.arange(is_open.shape[1]) < lengths[:, None])).nonzero()
        pos = {
            row: [self._pos[number] for number in tags[row, : lengths[row]].argmax(-1).tolist()]
            for row in set(found[0].tolist())
        }
        places = [
            Place(sources[row].words, pos[row], parse, token)
            for row, token in numpy.transpose(found).tolist()
            if (parse := parses[row]) is not None
        ]
        return places, found


def tag_features(place: Place) -> List[str]:
    """
    Returns the features of a token's tag: its form, the words and tags around it, and its head and
    dependents in the tree.
    """
    form, word = place.words[place.token], place.word(0)
    before, after, relation = place.word(-1), place.word(1), place.relation
    left, right = place.tag(-1), place.tag(1)
    found = [
        "",
        f"form {form}",
        f"shape {_shape(form)} {place.token == 0}",
        *(f"end {word[-length:]}" for length in (1, 2, 3, 4)),
        *(f"beginning {word[:length]}" for length in (2, 3)),
        f"word {word}",
        f"-1 {before}",
        f"+1 {after}",
        f"-2 {place.word(-2)}",
        f"+2 {place.word(2)}",
        f"-1 word {before} {word}",
        f"word +1 {word} {after}",
        f"-1 +1 {before} {after}",
        f"tag -1 {left}",
        f"tag +1 {right}",
        f"tags -1 +1 {left} {right}",
        f"tags -2 -1 {place.tag(-2)} {left}",
        f"tags +1 +2 {right} {place.tag(2)}",
        f"tag -1 word {left} {word}",
        f"tag +1 word {right} {word}",
        f"tags word {left} {right} {word}",
        f"relation {relation}",
        f"relation word {relation} {word}",
        f"relation end {relation} {word[-3:]}",
        f"head {relation} {place.head(place.words).lower()}",
        f"head tag {relation} {place.head(place.tags)}",
    ]
    for dependent in place.dependents():
        own = place.parse.head_tags[dependent]
        found.append(f"dependent {own} {dependent < place.token}")
        found.append(f"dependent word {own} {place.words[dependent].lower()}")
    return found


def predicate_features(place: Place) -> List[str]:
    """
    Returns the features of a possible predicate: its form and lemma, whether PropBank has rolesets
    of the lemma in this part of speech, the words around it, and its head and dependents.
    """
    tag, word = place.tag(0), place.word(0)
    lemma, relation, kind = lemma_of(word, tag), place.relation, tag[:2]
    classes = packaged_inventory().classes_of(lemma)
    own = f"{kind} {class_of(tag) in classes}"
    head_word, head_tag = place.head(place.words).lower(), place.head(place.tags)
    dependents = place.dependents()
    found = [
        f"tag {tag}",
        f"lemma {lemma} {kind}",
        f"word {word} {tag}",
        f"classes {classes} {kind}",
        f"classes word {packaged_inventory().classes_of(word)} {kind}",
        f"own {own}",
        f"relation {relation} {kind}",
        f"relation own {relation} {own}",
        f"relation head {relation} {head_word} {kind}",
        f"relation lemma {relation} {lemma} {kind}",
        f"relation head tag {relation} {head_tag} {own}",
        f"end {word[-3:]} {kind}",
        f"end own {word[-4:]} {own}",
        *(f"{offset} {place.word(offset)} {kind}" for offset in (-1, 1)),
        *(f"tag {offset} {place.tag(offset)} {kind}" for offset in (-1, 1)),
        *(f"lemma {offset} {place.word(offset)} {lemma} {kind}" for offset in (-1, 1)),
    ]
    if not dependents:
        found.append(f"no dependents {own}")
    for dependent in dependents:
        label = place.parse.head_tags[dependent]
        found += [f"dependent {label} {kind}", f"dependent own {label} {own}"]
        found.append(f"dependent lemma {label} {lemma} {kind}")
        if label in _MARKERS:
            for marker in place.dependents(dependent):
                if place.parse.head_tags[marker] == "case":
                    preposition = place.words[marker].lower()
                    found += [f"case {preposition} {kind}", f"case {preposition} {lemma} {kind}"]
    return found


def _at(values: Sequence[str], place: int) -> str:
    return values[place] if 0 <= place < len(values) else EDGE


def _shape(form: str) -> str:
    """`Xx` for `Amazon`, `9.9x` for `12.5m`."""
    letters = re.sub("[a-z]", "x", re.sub("[A-Z]", "X", re.sub("[0-9]", "9", form)))
    return re.sub(r"(.)\1+", r"\1", letters)


def make_token_context(name: Optional[str], pos: Sequence[str]) -> Optional[TokenContext]:
    """Returns the context of a config's `token_context`, if it has one."""
    check_weights_name("token_context", name)
    # A single tag needs none.
    if name is None or len(pos) < 2:
        return None
    return TokenContext(open_log_linear(TAGS_FILE), open_log_linear(PREDICATES_FILE), pos)
