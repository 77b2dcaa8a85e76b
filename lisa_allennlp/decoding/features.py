"""
The features from which log-linear models score arcs, tags, predicates, rolesets and roles: the
words and the tags around a token, and the tree.

    >>> words, tags = ["She", "likes", "tall", "trees"], ["PRP", "VBZ", "JJ", "NNS"]
    >>> tree = Parse([1, 1, 3, 1], ["nsubj", "root", "amod", "obj"])
    >>> [feature for feature in tag_features(Place(words, tags, tree, 2)) if "trees" in feature]
    ['+1 trees', 'word +1 tall trees', '-1 +1 likes trees', 'head amod trees']
    >>> arc_features(Place(words, tags, tree, 3), [(1, "obj")])[0][:3]
    ['obj > NNS VBZ', 'lemma obj tree VBZ', 'head obj like NNS']
    >>> sense_features(Place(words, tags, tree, 1), ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"])[-3:]
    ['ARG0 she', 'ARG1', 'ARG1 trees']
    >>> role_features(Place(words, tags, tree, 1), "like.01", 2, 3)[1:5]
    ['path >obj', 'voice >obj', 'marker  >obj', 'head trees']
"""

import re
from typing import List, NamedTuple, Sequence, Tuple

import numpy

from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.formats.propbank_frames import class_of, packaged_inventory
from lisa_allennlp.data.formats.roles import UNKNOWN, VERB, bio_to_spans, split_roleset
from lisa_allennlp.data.sentence import Parse

EDGE = "|"
"""Stands for what is before the first and after the last word, and for the head of a root."""

MAX_PATH = 4
"""Longer paths between predicate and argument are all alike."""

OF_ROLESET = 11
"""The number of features, the last ones of `role_features`, that begin with a roleset or lemma."""

_PREPOSITIONAL = ("nmod", "obl", "obl:agent")
"""The relations of dependents whose prepositions are features of a predicate."""

_MARKERS = ("case", "mark")

_TELLING = ("CC", "IN", "WDT", "TO", "MD")
"""Tags of words between a token and its head that tell of the arc."""

_PATTERN = frozenset(
    "nsubj nsubj:pass csubj obj iobj ccomp xcomp obl obl:agent compound:prt nmod nmod:poss "
    "compound amod".split()
)
"""The relations of a predicate's dependents that say which of its roles are taken."""


_KINDS = {
    **dict.fromkeys("i me you he him she her we us who whom people man woman".split(), "person"),
    **dict.fromkeys("everyone everybody someone somebody anyone nobody".split(), "person"),
    **dict.fromkeys("it this that these those which what something anything".split(), "thing"),
    **dict.fromkeys("% percent $".split(), "amount"),
}
"""Of the heads of arguments that are no names, by word."""

_WITH_KIND = ("obj", "nsubj", "obl", "obl:npmod", "obl:unmarked")

_OBJECTS = ("obj", "nsubj:pass", "compound")

_MODIFIERS = ("acl:relcl", "acl", "amod")
"""The relations of predicates whose heads are their arguments."""

_ARGUMENTS = (
    *_OBJECTS,
    *"nsubj csubj obl:agent nmod:poss iobj obl obl:npmod obl:unmarked obl:tmod nmod nmod:unmarked "
    "xcomp ccomp advmod compound:prt advcl amod".split(),
)

PATTERNS = {
    name: number
    for number, name in enumerate(
        [
            "",
            *(
                f"relation {relation}"
                for relation in "root amod acl acl:relcl advcl ccomp xcomp conj compound nmod obj "
                "nsubj obl parataxis aux aux:pass cop".split()
            ),
            *"nsubj nsubj:pass csubj obj iobj ccomp xcomp obl obl:agent obl:npmod obl:unmarked "
            "obl:tmod advcl nmod nmod:poss compound amod compound:prt aux:pass advmod expl det acl "
            "acl:relcl mark cop case nummod".split(),
            *(
                f"{relation} {kind}"
                for relation in _WITH_KIND
                for kind in ("person", "thing", "amount", "name", "other")
            ),
            *(
                f"with {word}"
                for word in "about across after against ahead along apart around as aside at away "
                "back behind between by down for forward from in into of off on onto out over per "
                "through to together toward towards under until up upon with within "
                "without".split()
            ),
            *(f"ARG{number}" for number in range(6)),
            *(
                f"ARGM-{name}"
                for name in "ADJ ADV CAU COM DIR DIS EXT GOL LOC LVB MNR MOD NEG PRD PRP "
                "TMP".split()
            ),
        ]
    )
}
"""Which patterns a predicate may have, numbered. The first one is that of all."""

GROUPS = numpy.array(
    [
        [True, name in ("obj", "iobj", "ccomp", "xcomp"), name.startswith("with ")]
        for name in PATTERNS
    ]
).T
"""(3, P) bool: all patterns, those of objects and clauses, and those of words."""


class Place(NamedTuple):
    """A token of a sentence with tags and a tree."""

    words: Sequence[str]
    tags: Sequence[str]
    parse: Parse
    token: int

    def word(self, offset: int = 0) -> str:
        """The word so many tokens further, in lower case."""
        return self._at(self.words, offset).lower()

    def tag(self, offset: int = 0) -> str:
        """The tag so many tokens further."""
        return self._at(self.tags, offset)

    @property
    def relation(self) -> str:
        return self.parse.head_tags[self.token]

    def head(self, values: Sequence[str]) -> str:
        """The word or tag of the head; that of a root would be its own."""
        head = self.parse.head_indices[self.token]
        return EDGE if head == self.token else values[head]

    @property
    def dependents(self) -> List[Tuple[str, int]]:
        """The relations of the dependents, and their positions."""
        relations = self.parse.head_tags
        return [(relations[token], token) for token in self.parse.children[self.token]]

    def _at(self, values: Sequence[str], offset: int) -> str:
        token = self.token + offset
        return values[token] if 0 <= token < len(values) else EDGE


def arc_features(place: Place, arcs: Sequence[Tuple[int, str]]) -> List[List[str]]:
    """
    Returns the features of possible arcs of a token, each from a head, which for a root is the
    token itself, with a label: the lemmas and tags of both, their distance and what is between
    them, the words beside them, the token's preposition or conjunction, and the other arcs of both
    in the tree as it is.
    """
    tree, token = place.parse, place.token
    relations, tags = tree.head_tags, place.tags
    word, tag, left, right = place.word(), place.tag(), place.tag(-1), place.tag(1)
    lemma = lemma_of(word, tag)
    own = tree.children[token]
    marker = ""
    if own and own[0] < token:
        markers = (i for i in own if i < token and relations[i] in _MARKERS)
        marker = next((place.words[i].lower() for i in markers), "")
    found = []
    for head, label in arcs:
        if head == token:
            features = [f"root {tag}", f"root {lemma}", f"root {left} {tag} {right}"]
            features.append(f"root {token == 0}")
            for i in own:
                features += [f"root with {relations[i]}", f"root {tag} with {relations[i]}"]
            found.append(features)
            continue
        first, last = (token, head) if token < head else (head, token)
        of_head, head_word = tags[head], place.words[head].lower()
        of_root = tree.head_indices[head] == head
        head_lemma, above = lemma_of(head_word, of_head), "root" if of_root else relations[head]
        arc = f"{label} <" if token < head else f"{label} >"
        distance, both = _rounded(last - first), f"{tag} {of_head}"
        between = " ".join(sorted(set(map(_kind_between, tags[first + 1 : last]))))
        features = [
            f"{arc} {both}",
            f"lemma {label} {lemma} {of_head}",
            f"head {label} {head_lemma} {tag}",
            f"lemmas {label} {lemma} {head_lemma}",
            f"{distance} {arc} {both}",
            f"{distance} {arc} {of_head} {marker}",
            f"between {arc} {between} {tag}",
            f"marker {label} {marker} {head_lemma}",
            f"marker {label} {marker} {head_lemma} {lemma}",
            f"above {label} {above} {both}",
            f"-1 {arc} {left} {both}",
            f"+1 {arc} {right} {both}",
        ]
        for i in tree.children[head]:
            if i != token:
                relation = relations[i]
                features.append(f"beside {arc} {relation} {i < head}")
                features.append(f"beside {label} {relation} {both}")
                features.append(f"beside {label} {relation} {head_lemma}")
        for i in own:
            relation = relations[i]
            features.append(f"below {label} {relation} {i < token}")
            features.append(f"below {label} {relation} {place.words[i].lower()}")
        found.append(features)
    return found


def _rounded(distance: int) -> int:
    return next((limit for limit in (12, 7, 4) if distance >= limit), distance)


def _kind_between(tag: str) -> str:
    """What a tag between a token and its head tells: verbs, nouns, commas, conjunctions."""
    return tag[0] if tag[0] in "VN,." else tag if tag in _TELLING else ""


def tag_features(place: Place) -> List[str]:
    """
    Returns the features of a token's tag: its form, the words and tags around it, and its head and
    dependents in the tree.
    """
    form, word = place.words[place.token], place.word()
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
    for label, dependent in place.dependents:
        found.append(f"dependent {label} {dependent < place.token}")
        found.append(f"dependent word {label} {place.words[dependent].lower()}")
    return found


def predicate_features(place: Place) -> List[str]:
    """
    Returns the features of a possible predicate: its form and lemma, whether PropBank has rolesets
    of the lemma in this part of speech, the words around it, and its head and dependents.
    """
    tag, word = place.tag(), place.word()
    lemma, relation, kind = lemma_of(word, tag), place.relation, tag[:2]
    classes = packaged_inventory().classes_of(lemma)
    own = f"{kind} {class_of(tag) in classes}"
    head_word, head_tag = place.head(place.words).lower(), place.head(place.tags)
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
    if not place.dependents:
        found.append(f"no dependents {own}")
    for label, dependent in place.dependents:
        found += [f"dependent {label} {kind}", f"dependent own {label} {own}"]
        found.append(f"dependent lemma {label} {lemma} {kind}")
        if label in _PREPOSITIONAL:
            for of_marker, marker in place._replace(token=dependent).dependents:
                if of_marker == "case":
                    preposition = place.words[marker].lower()
                    found += [f"case {preposition} {kind}", f"case {preposition} {lemma} {kind}"]
    return found


def sense_features(place: Place, roles: Sequence[str]) -> List[str]:
    """
    Returns the features of a predicate with BIO roles, each once: its tag, its relation, the words
    beside it, its dependents by their relations, and its roles, alone and with the heads of their
    spans.
    """
    found = ["", f"tag {place.tag()}", f"-1 {place.word(-1)}", f"+1 {place.word(1)}"]
    found.append(f"relation {place.relation}")
    for relation, dependent in place.dependents:
        if relation != "punct":
            found.append(f"{relation} {place.words[dependent].lower()}")
    for role, first, last in bio_to_spans(roles):
        if role != VERB:
            head = place.parse.span_head(first, last)
            found += [role, f"{role} {place.words[head].lower()}"]
    return list(dict.fromkeys(found))


def pattern_features(place: Place, roles: Sequence[str]) -> List[int]:
    """
    Returns the numbers of the `PATTERNS` that a predicate with BIO roles has: its relation, those
    of its dependents, the prepositions and adverbs beside it, the kinds of its subject, object and
    obliques, and its roles.
    """
    found = {"", f"relation {place.relation}", *(span.role for span in bio_to_spans(roles))}
    for relation, dependent in place.dependents:
        own = place._replace(token=dependent)
        found.add(relation)
        if relation in _WITH_KIND:
            found.add(f"{relation} {_kind(own)}")
        if relation in _WITH_KIND or relation == "nmod":
            found.update(f"with {place.words[i].lower()}" for r, i in own.dependents if r == "case")
        elif relation in ("advmod", "compound:prt", "case"):
            found.add(f"with {own.word()}")
    return sorted(PATTERNS[name] for name in found if name in PATTERNS)


def _kind(place: Place) -> str:
    """What an argument with this head is: an amount (`12 %`), a person, a thing, a name."""
    if place.tag() == "CD" or any(
        relation in ("nummod", "nmod:unmarked") and place.tags[i] in ("CD", "$")
        for relation, i in place.dependents
    ):
        return "amount"
    return _KINDS.get(place.word()) or ("name" if place.tag().startswith("NNP") else "other")


def argument_heads(place: Place) -> Tuple[List[str], List[str]]:
    """The words that head a predicate's object in the tree, and its arguments and modifiers."""
    objects = [i for relation, i in place.dependents if relation in _OBJECTS]
    others = [i for relation, i in place.dependents if relation in _ARGUMENTS]
    if place.relation in _MODIFIERS:
        head = place.parse.head_indices[place.token]
        objects, others = [*objects, head], [*others, head]
    return [place.words[i].lower() for i in objects], [place.words[i].lower() for i in others]


def role_features(place: Place, sense: str, first: int, last: int) -> List[str]:
    """
    Returns the features of the span from `first` to `last` of a predicate with a roleset: the path
    of relations from the predicate to the head of the span, the words of the span, the words that
    mark it, and the other dependents of the predicate; some of them also with the roleset and with
    its lemma.
    """
    words, relations = place.words, place.parse.head_tags
    head = place.parse.span_head(first, last)
    side = "<" if first < place.token else ">"
    path = side + _path(place.parse, place.token, head)
    own = {relation for relation, _ in place.dependents}
    voice = "passive" * any(relation.endswith(":pass") for relation in own)
    marks = (i for i in place.parse.children[head] if first <= i <= last)
    marker = next((words[i].lower() for i in marks if relations[i] in _MARKERS), "")
    head_word, head_tag = words[head].lower(), place.tags[head]
    with_path = [
        "",
        f"path {path}",
        f"voice {path}{voice}",
        f"marker {marker} {path}",
        f"head {head_word}",
        f"pattern {' '.join(sorted(own & _PATTERN))}{path}{voice}",
        f"tag {head_tag}{side}",
    ]
    lemma, _ = split_roleset(UNKNOWN, sense)
    return [
        *with_path,
        f"form {path}{place.tag()}",
        f"head path {head_word} {path}",
        f"tag path {head_tag} {path}",
        f"first {words[first].lower()} {side}",
        f"first tag {words[first].lower()} {head_tag}",
        f"last {words[last].lower()}",
        f"marker head {marker} {head_word}",
        *(f"{sense} {feature}" for feature in with_path),
        *(f"{lemma} {feature}" for feature in with_path[:4]),
    ]


def _shape(form: str) -> str:
    """`Xx` for `Amazon`, `9.9x` for `12.5m`."""
    letters = re.sub("[a-z]", "x", re.sub("[A-Z]", "X", re.sub("[0-9]", "9", form)))
    return re.sub(r"(.)\1+", r"\1", letters)


def _path(parse: Parse, start: int, end: int) -> str:
    """
    The relations from a token up to the first ancestor that both have, and down to the other
    token.
    """
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
