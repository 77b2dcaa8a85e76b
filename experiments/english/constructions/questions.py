"""Questions about statements, and requests."""

import random
from typing import Iterator, List, Optional, Sequence, Set

from experiments.english.constructions.statements import (
    DO,
    PERSONS,
    Asked,
    Piece,
    Statement,
    base_form,
    filling,
    inside,
    new_frame,
    sentence_of,
    verb_phrase,
)
from lisa_allennlp.data.sentence import Sentence

ADJUNCTS = ("obl", "obl:unmarked", "advmod", "advcl")

ADVERBS = {
    ("When",): "ARGM-TMP",
    ("Where",): "ARGM-LOC",
    ("Why",): "ARGM-CAU",
    ("How",): "ARGM-MNR",
    ("How", "long"): "ARGM-TMP",
    ("How", "often"): "ARGM-TMP",
}
"""Interrogative adverbs and their roles."""

PLACES = ("ARG2", "ARG3", "ARG4", "ARGM-DIR", "ARGM-GOL")
"""Roles that `where` may ask for instead."""


def questions(statement: Statement, generator: random.Random) -> Iterator[Sentence]:
    """Yields the questions about a statement, of each kind at most one."""
    dropped: Set[int] = set()
    adjunct = statement.phrase(ADJUNCTS)
    if adjunct is not None and generator.random() < 0.5:
        dropped.update(adjunct)
    yield _inverted(statement, [], dropped)
    adverb = generator.choice(list(ADVERBS))
    role = ADVERBS[adverb]
    answer = statement.phrase(ADJUNCTS, role)
    thing = statement.asked(of_subject=False)
    others = {role, *(PLACES if role == "ARGM-LOC" else ())}
    has_other = any(
        span.role in others
        for frame in statement.frames
        if frame.predicate == statement.root
        for span in frame.arguments
    )
    if answer is not None or not (has_other or (role == "ARGM-LOC" and thing is None)):
        gone = dropped.union(answer or ())
        yield _inverted(statement, _adverb(adverb, role, statement.root), gone)
    if thing is not None:
        phrase = _object(statement, thing, generator)
        yield _inverted(statement, phrase, dropped.union(thing.tokens))
    asked = statement.asked(of_subject=True)
    if asked is not None:
        what = interrogative(statement, asked)
        rest = statement.without({*asked.tokens, *dropped})
        end = statement.pieces[-1]._replace(word="?")
        yield sentence_of([*what, *rest, end], statement.frames)


def _adverb(words: Sequence[str], role: str, root: int) -> List[Piece]:
    first, *rest = words
    adverbs = [Piece(-2, word, "RB", root, "advmod", {}) for word in rest]
    adverb = Piece(-3, first, "WRB", -2 if rest else root, "advmod", {})
    return filling([adverb, *adverbs], {root: role})


def _object(statement: Statement, thing: Asked, generator: random.Random) -> List[Piece]:
    """The interrogative phrase for an object: `what`, `which plant` or `how many plants`."""
    pieces = statement.phrase_of(thing.tokens)
    noun = pieces[-1]
    is_plain = all(p.pos[:2] in ("JJ", "NN") and p.head == noun.source for p in pieces[1:-1])
    is_asked = (
        len(pieces) > 1 and is_plain and noun.head == statement.root and generator.random() < 0.5
    )
    if is_asked and pieces[0].head_tag == "det" and noun.pos in ("NN", "NNS"):
        word = generator.choice(["Which", "What"])
        return [pieces[0]._replace(word=word, pos="WDT"), *pieces[1:]]
    if is_asked and pieces[0].head_tag == "nummod" and pieces[0].pos == "CD" and noun.pos == "NNS":
        many = pieces[0]._replace(
            word="many", pos="JJ", head_tag="amod", roles=inside(pieces[0].roles)
        )
        how = Piece(-3, "How", "WRB", many.source, "advmod", pieces[0].roles)
        return [how, many, *pieces[1:]]
    return interrogative(statement, thing)


def interrogative(statement: Statement, asked: Asked) -> List[Piece]:
    """`Who` or `what`, with the arc and the roles of what is asked for."""
    head = asked.head
    word = "Who" if head.word.lower() in PERSONS or head.pos == "NNP" else "What"
    return filling([Piece(-2, word, "WP", statement.root, head.head_tag, {})], asked.roles)


def _inverted(statement: Statement, asked: List[Piece], dropped: Set[int]) -> Sentence:
    """The interrogative phrase, the auxiliary, the subject and the rest."""
    pieces, root, auxiliary = statement.pieces, statement.root, statement.auxiliary
    end, frames = pieces[-1]._replace(word="?"), statement.frames
    if auxiliary is not None:
        rest = statement.without({*dropped, auxiliary})
        return sentence_of([*asked, pieces[auxiliary], *rest, end], frames)
    helper = Piece(-1, DO[pieces[root].pos], pieces[root].pos, root, "aux", {-1: "B-V"})
    rest = [base_form(p) if p.source == root else p for p in statement.without(dropped)]
    return sentence_of([*asked, helper, *rest, end], [*frames, new_frame("do.01")])


def imperative(statement: Statement, generator: random.Random) -> Optional[Sentence]:
    """The statement as a request, without its subject."""
    phrase = verb_phrase(statement)
    if phrase is None:
        return None
    end = statement.pieces[-1]._replace(word=generator.choice([".", ".", "!"]))
    return sentence_of([*phrase, end], statement.frames)
