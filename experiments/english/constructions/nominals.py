"""Events as nouns, such as `the firm's acquisition of two plants`, in other sentences."""

import random
from dataclasses import replace
from functools import cache
from typing import List, NamedTuple, Optional, Sequence

from experiments.english.constructions.clauses import MARKS, accusative
from experiments.english.constructions.statements import (
    MODIFIERS,
    Piece,
    Statement,
    attached,
    filling,
    later,
    moved,
    new_frame,
    new_subject,
    sentence_of,
    uncapitalised,
)
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.sentence import Frame, Sentence

POSSESSIVES = {
    **{"he": "his", "i": "my", "it": "its", "she": "her", "they": "their", "we": "our"},
    "you": "your",
}

ENDINGS = ("al", "ance", "ence", "ery", "ion", "ment", "sis", "ure")
"""Endings of nouns that are made from verbs, which mean what the verb does."""

SHORT_NOUNS = set(
    """
    advice analysis arrest arrival assault attack attempt ban birth call capture care change charge
    choice claim collapse contact control crash death debate defeat delay demand departure design
    discovery dismissal display dispute drop election escape exit fall fight flight growth help
    increase injury loss march move murder offer order plan praise promise protest purchase quarrel
    raid rejection release removal repair reply report request rescue response return review rise
    sale search shipment shutdown strike study supply support talk theft threat trade travel
    trial use victory visit vote withdrawal work
    """.split()
)
"""Other such nouns."""

CAUSING = ("surprised", "surprise.01"), ("shocked", "shock.01"), ("pleased", "please.01")
"""What an event does to somebody."""

HAPPENING = ("began", "begin.01"), ("ended", "end.01"), ("failed", "fail.01")
"""What becomes of an event: it is `ARG1`."""

TREATING = (
    *(("announced", "announce.01"), ("discussed", "discuss.01"), ("expected", "expect.01")),
    *(("opposed", "oppose.01"), ("praised", "praise.01"), ("supported", "support.01")),
    *(("welcomed", "welcome.01"), ("delayed", "delay.01"), ("criticized", "criticize.01")),
)
"""What somebody does about an event."""

PREPOSITIONS = {
    **{word: MARKS[word] for word in ("after", "before")},
    **{"during": "ARGM-TMP", "despite": "ARGM-ADV", "since": "ARGM-TMP"},
}
"""Prepositions, and what most of their phrases with an event are."""


NUMBERED = ("ARG1", "ARG2", "ARG3", "ARG4")
"""The roles of the obliques that stay with an event."""


class Nominal(NamedTuple):
    """The phrase of an event: its pieces, the position of its noun and the frames."""

    pieces: List[Piece]
    head: int
    frames: List[Frame]


@cache
def event_noun(sense: str) -> Optional[str]:
    """Returns a noun for what the verb of a roleset does, `None` if PropBank has none."""
    roleset = packaged_inventory().roleset(sense)
    words: Sequence[str] = () if roleset is None else roleset.words.get("n", ())
    found = [word for word in words if word in SHORT_NOUNS or word.endswith(ENDINGS)]
    return min(found, key=len, default=None)


def nominal(statement: Statement, generator: random.Random) -> Optional[Nominal]:
    """
    Returns `the firm's acquisition of two plants`, `the acquisition of two plants by the firm` or
    `the acquisition of two plants`.
    """
    root, frames = statement.root, list(statement.frames)
    place = next((i for i, frame in enumerate(frames) if frame.predicate == root), None)
    if place is None or frames[place].sense is None or root != statement.subject[-1] + 1:
        return None
    noun, agent = event_noun(frames[place].sense), statement.roles_of(statement.subject)
    after = [t for t in statement.parse.children[root] if root < t < len(statement.pieces) - 1]
    tags = [statement.parse.head_tags[t] for t in after]
    is_simple = set(tags) <= {"obj", "obl", "obl:unmarked"} and tags.count("obj") < 2
    if noun is None or agent is None or not is_simple or statement.has_clause:
        return None
    frames[place] = replace(frames[place], lemma=noun)
    head = statement.pieces[root]._replace(word=noun, pos="NN")
    subject, rest = statement.phrase_of(statement.subject), list[Piece]()
    for token, tag in zip(after, tags, strict=True):
        tokens = statement.parse.subtree(token)
        roles = statement.roles_of(tokens)
        role = None if roles is None else roles.get(root)
        phrase = attached(statement.phrase_of(tokens), token, root, "nmod")
        if tag == "obj":
            if roles is None or role is None or statement.pos[token][:2] != "NN":
                return None
            phrase = filling([Piece(-12, "of", "IN", token, "case", {}), *phrase], roles)
        elif role is None or role not in NUMBERED:
            # Many adjuncts after a noun belong to the verb.
            continue
        rest += phrase
    form = generator.random()
    if form < 0.6 or "obj" not in tags:
        before = _possessor(subject, statement.subject_head, root)
        if before is None:
            return None
        pieces = [*filling(before, agent), head, *rest]
    else:
        pieces = [Piece(-11, "the", "DT", root, "det", {}), head, *rest]
        if form < 0.8 and statement.subject_head.pos[:2] == "NN":
            subject[0] = uncapitalised(subject[0])
            source = statement.subject_head.source
            by = Piece(-13, "by", "IN", source, "case", {})
            pieces += filling([by, *attached(subject, source, root, "nmod")], agent)
    return Nominal(pieces, root, frames)


def _possessor(subject: List[Piece], head: Piece, noun: int) -> Optional[List[Piece]]:
    """The subject as a possessor, if it ends with its head and is a pronoun or simple."""
    own = attached([uncapitalised(subject[0]), *subject[1:]], head.source, noun, "nmod:poss")
    if len(subject) == 1 and head.word.lower() in POSSESSIVES:
        return [own[0]._replace(word=POSSESSIVES[head.word.lower()], pos="PRP$")]
    is_simple = all(piece.head_tag in MODIFIERS for piece in own[:-1])
    if not is_simple or own[-1].source != head.source or head.pos[:2] != "NN":
        return None
    mark = "'" if head.pos[-1] == "S" and head.word.endswith("s") else "'s"
    return [*own, Piece(-10, mark, "POS", head.source, "case", {})]


def of_event(event: Nominal, actor: Statement, generator: random.Random) -> Sentence:
    """
    Returns `The firm's acquisition of two plants surprised Smith.`, `It ended.` or `Smith opposed
    it.`, where Smith is the subject of `actor`.
    """
    kind = generator.choice([CAUSING, HAPPENING, TREATING, TREATING])
    form, sense = generator.choice(kind)
    shift = len(actor.pieces)
    somebody, verb = new_subject(actor, 0), Piece(-1, form, "VBD", -1, "root", {-1: "B-V"})
    if kind is TREATING:
        pieces = [*somebody, verb, *_within(event, shift, -1, "obj", "ARG1")]
    elif kind is HAPPENING:
        pieces = [*_within(event, shift, -1, "nsubj", "ARG1"), verb]
    else:
        thing = accusative(attached(somebody, actor.subject_head.source, -1, "obj"))
        pieces = [
            *_within(event, shift, -1, "nsubj", "ARG0"),
            verb,
            *filling(thing, {-1: "ARG1"}),
        ]
    frames = [*later(event.frames, shift), new_frame(sense)]
    return sentence_of([*pieces, actor.pieces[-1]._replace(head=-1)], frames)


def with_event(main: Statement, event: Nominal, generator: random.Random) -> Sentence:
    """Returns `Workers left after the firm's acquisition of two plants.`"""
    word, role = generator.choice(list(PREPOSITIONS.items()))
    preposition, shift = Piece(-14, word, "IN", event.head, "case", {}), len(main.pieces)
    own = event._replace(pieces=[preposition, *event.pieces])
    added, end = _within(own, shift, main.root, "obl", role), main.pieces[-1]
    frames = [*main.frames, *later(event.frames, shift)]
    if generator.random() < 0.4:
        comma = Piece(-15, ",", ",", main.root, "punct", {})
        return sentence_of([*added, comma, *main.without(()), end], frames)
    return sentence_of([*main.pieces[:-1], *added, end], frames)


def _within(event: Nominal, shift: int, head: int, tag: str, role: str) -> List[Piece]:
    """The pieces of an event, which fill a role of `head` in another sentence."""
    pieces = [moved(piece, shift, event.head, head, tag, {}) for piece in event.pieces]
    return filling(pieces, {head: role})
