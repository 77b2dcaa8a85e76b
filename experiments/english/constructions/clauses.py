"""Statements as clauses of others, and in other tenses."""

import random
from collections import Counter, defaultdict
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from experiments.english.constructions.statements import (
    AUXILIARIES,
    HAVE,
    MODIFIERS,
    PERSONS,
    SHORT,
    Noun,
    Piece,
    Statement,
    filling,
    later,
    moved,
    pieces_of,
    sentence_of,
    uncapitalised,
    verb_phrase,
)
from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.events.verbs import NEGATIONS
from lisa_allennlp.data.formats.roles import span_labels
from lisa_allennlp.data.sentence import Frame, Sentence

CONTROL = {
    "agreed": "agree",
    "decided": "decide",
    "planned": "plan",
    "refused": "refuse",
    "tried": "try",
    "wanted": "want",
}
"""Verbs of one who acts, and their lemmas."""

MARKS = {
    "after": "ARGM-TMP",
    "although": "ARGM-ADV",
    "because": "ARGM-CAU",
    "before": "ARGM-TMP",
    "if": "ARGM-ADV",
    "once": "ARGM-TMP",
    "unless": "ARGM-ADV",
    "until": "ARGM-TMP",
    "when": "ARGM-TMP",
    "while": "ARGM-TMP",
}
"""Conjunctions, and what most of their clauses are in the treebank."""


ASKING = set(
    """
    ask check decide describe discover explain figure forget guess hear know learn mean notice read
    realize remember reveal say see show teach tell understand wonder write
    """.split()
)
"""Verbs whose clauses with `what` are often indirect questions."""

JUDGING = (
    ("kept", "keep.02", True),
    ("found", "find.02", False),
    ("considered", "consider.01", False),
    ("made", "make.02", False),
    ("called", "call.01", True),
)
"""Verbs of small clauses, their senses, and whether object and predicate are two arguments."""

APPOINTING = (
    ("named", "name.03", True),
    ("elected", "elect.01", True),
    ("appointed", "appoint.01", True),
)
"""Those that give somebody an office."""

CAUSING = (
    ("let", "let.01", False),
    ("let", "let.01", False),
    ("made", "make.02", False),
    ("helped", "help.01", False),
    ("had", "have.04", False),
    ("saw", "see.01", False),
    ("heard", "hear.01", False),
    ("watched", "watch.01", False),
)
"""Those with a bare infinitive."""

ACCUSATIVES = {"he": "him", "she": "her", "they": "them", "I": "me", "we": "us"}


def verb_forms(sentences: Iterable[Sentence], tag: str) -> Dict[str, str]:
    """Returns the most frequent form with this tag of each verb's lemma in tagged sentences."""
    forms: Dict[str, Counter] = defaultdict(Counter)
    for sentence in sentences:
        for word, own in zip(sentence.words, sentence.pos or (), strict=False):
            if own == tag:
                forms[lemma_of(word, tag)][word.lower()] += 1
    return {lemma: counter.most_common(1)[0][0] for lemma, counter in forms.items()}


def perfect(statement: Statement, forms: Mapping[str, str]) -> Optional[Sentence]:
    """The statement in the perfect: with `had`, `has` or `have` and a participle."""
    verb = statement.pieces[statement.root]
    participle = forms.get(lemma_of(verb.word, verb.pos))
    if verb.pos not in HAVE or participle is None:
        return None
    pieces = list(statement.pieces)
    pieces[verb.source] = verb._replace(word=participle, pos="VBN")
    helper = Piece(-1, HAVE[verb.pos], verb.pos, verb.source, "aux", {-1: "B-V"})
    place = statement.subject[-1] + 1
    own = Frame(-1, [], "have", "have.01")
    return sentence_of([*pieces[:place], helper, *pieces[place:]], [*statement.frames, own])


def present(statement: Statement, forms: Mapping[str, str]) -> Optional[Sentence]:
    """
    The statement in the simple present, whose forms are often those of nouns (`plans`): `forms` has
    those of the third person singular.
    """
    verb = statement.pieces[statement.root]
    has_auxiliary = any(
        statement.parse.head_tags[t] in AUXILIARIES for t in statement.parse.children[verb.source]
    )
    if verb.pos != "VBD" or has_auxiliary:
        return None
    lemma = lemma_of(verb.word, verb.pos)
    if statement.is_plural:
        word, tag = lemma, "VBP"
    elif lemma in forms:
        word, tag = forms[lemma], "VBZ"
    else:
        return None
    pieces = list(statement.pieces)
    pieces[verb.source] = verb._replace(word=word, pos=tag)
    return sentence_of(pieces, statement.frames)


def predicates(first: Statement, second: Statement, generator: random.Random) -> Optional[Sentence]:
    """`The firm closed two plants and sold the land.`"""
    verbs = first.pieces[first.root], second.pieces[second.root]
    simple = all(s.root == s.subject[-1] + 1 and verb_phrase(s) for s in (first, second))
    if not simple or verbs[0].pos != verbs[1].pos:
        return None
    shift = len(first.pieces)
    roles = second.roles_of(second.subject) or {}
    roles = {predicate + shift: role for predicate, role in roles.items()}
    subject = filling([first.pieces[token] for token in first.subject], roles)
    word = generator.choice(["and", "and", "but"])
    pieces = [*subject, *first.pieces[first.root : -1]]
    pieces.append(Piece(-1, word, "CC", second.root + shift, "cc", {}))
    for piece in second.pieces[second.root : -1]:
        pieces.append(moved(piece, shift, second.root, first.root, "conj", {}))
    frames = [*first.frames, *later(second.frames, shift)]
    return sentence_of([*pieces, first.pieces[-1]], frames)


def free_relative(statement: Statement, of_subject: bool) -> Optional[Sentence]:
    """`What the firm closed was two plants.`, or `What closed two plants was the firm.`"""
    answer = statement.subject if of_subject else statement.phrase(("obj",))
    roles = None if answer is None else statement.roles_of(answer)
    if answer is None or roles is None:
        return None
    pieces, root = statement.pieces, statement.root
    head = next(pieces[token] for token in answer if pieces[token].head == root)
    if head.pos not in ("NN", "NNS") or head.word.lower() in PERSONS:
        return None
    finite = pieces[root if statement.auxiliary is None else statement.auxiliary]
    if of_subject and (finite.pos == "VBP" or finite.word == "were"):
        return None
    forms = ("was", "were") if finite.pos == "VBD" else ("is", "are")
    word = forms[head.pos == "NNS"]
    tag = {"is": "VBZ", "are": "VBP"}.get(word, "VBD")
    what = filling([Piece(-2, "what", "WP", head.source, "nsubj", {})], roles)
    rest = [piece for piece in pieces[:-1] if piece.source not in answer]
    if not of_subject:
        rest[0] = uncapitalised(rest[0])
    clause = [p._replace(head=-2, head_tag="acl:relcl") if p.source == root else p for p in rest]
    thing = [
        piece._replace(
            head=head.source if piece.source == head.source else piece.head,
            head_tag="root" if piece.source == head.source else piece.head_tag,
            roles={},
        )
        for piece in (pieces[token] for token in answer)
    ]
    thing[0] = uncapitalised(thing[0])
    copula = Piece(-1, word, tag, head.source, "cop", {-1: "B-V"})
    end = pieces[-1]._replace(head=head.source)
    both = [*filling([*what, *clause], {-1: "ARG1"}), copula, *filling(thing, {-1: "ARG2"}), end]
    return sentence_of(both, [*statement.frames, Frame(-1, [], "be", "be.01")])


def free_object(outer: Noun, clause: Statement) -> Optional[Sentence]:
    """`The firm sold what its workers made.`, with `outer` an object."""
    statement = outer.statement
    thing = clause.phrase(("obj",))
    verb = statement.pieces[statement.root]
    asks = lemma_of(verb.word, verb.pos) in ASKING
    if outer.head.head_tag != "obj" or thing is None or asks:
        return None
    roles = clause.roles_of(thing) or {}
    shift = len(statement.pieces)
    inside = {p: f"I-{label[2:]}" for p, label in outer.head.roles.items() if label != "O"}
    first = {p: f"B-{label[2:]}" for p, label in inside.items()}
    own = {p + shift: f"B-{role}" for p, role in roles.items()}
    what = Piece(-2, "what", "WP", statement.root, "obj", {**first, **own})
    rest = [piece for piece in clause.pieces[:-1] if piece.source not in thing]
    rest[0] = uncapitalised(rest[0])
    added = [moved(piece, shift, clause.root, -2, "acl:relcl", inside) for piece in rest]
    whole = list(statement.pieces)
    whole[outer.tokens[0] : outer.tokens[-1] + 1] = [what, *added]
    return sentence_of(whole, [*statement.frames, *later(clause.frames, shift)])


def small_clause(
    copular: Sentence, actor: Statement, generator: random.Random
) -> Optional[Sentence]:
    """`The soup was cold.` as `The guests found the soup cold.`, with the subject of `actor`."""
    parse, pos = copular.parse, copular.pos
    if parse is None or pos is None or copular.words[-1] != "." or len(copular.words) > SHORT:
        return None
    root = parse.head_tags.index("root")
    subjects = [t for t in parse.children[root] if parse.head_tags[t] == "nsubj"]
    copulas = [t for t in parse.children[root] if parse.head_tags[t] == "cop"]
    is_simple = set(parse.head_tags) <= {*MODIFIERS, "nsubj", "cop", "advmod", "root", "punct"}
    is_simple = is_simple and len(subjects) == len(copulas) == 1 and subjects[0] < copulas[0] < root
    if not is_simple or pos[root] not in ("JJ", "NN") or root != len(pos) - 2:
        return None
    subject, copula = subjects[0], copulas[0]
    is_whole = parse.subtree(subject) == tuple(range(copula))
    is_whole = is_whole and not {copula, len(pos) - 1} & set(parse.head_indices)
    words = {word.lower() for word in copular.words}
    if not is_whole or words & NEGATIONS or any(tag[0] == "W" or tag == "EX" for tag in pos):
        return None
    choices: Sequence[Tuple[str, str, bool]] = JUDGING if pos[root] == "JJ" else JUDGING[1:]
    first = copula + 1
    is_office = pos[root] == "NN" and pos[subject] in ("NNP", "PRP") and pos[first] == "DT"
    if is_office and not parse.children[first] and generator.random() < 0.5:
        choices, first = APPOINTING, copula + 2
    pieces, shift = pieces_of(copular), len(actor.pieces)
    thing = [moved(p, shift, subject, -1, "obj", {}) for p in pieces[:copula]]
    judged = [moved(p, shift, root, -1, "xcomp", {}) for p in pieces[first:-1]]
    frames = later(copular.frames or [], shift)
    return _controlled(actor, generator.choice(choices), thing, judged, frames)


def bare_infinitive(
    clause: Statement, actor: Statement, generator: random.Random
) -> Optional[Sentence]:
    """`She let the firm close two plants.`, with the subject of `actor`."""
    phrase = verb_phrase(clause)
    if phrase is None:
        return None
    shift, head = len(actor.pieces), clause.subject_head.source
    subject = [clause.pieces[token] for token in clause.subject]
    thing = [moved(p, shift, head, -1, "obj", {}) for p in subject]
    action = [moved(p, shift, clause.root, -1, "xcomp", {}) for p in phrase]
    verb = generator.choice(CAUSING)
    return _controlled(actor, verb, thing, action, later(clause.frames, shift))


def _controlled(
    actor: Statement,
    verb: Tuple[str, str, bool],
    thing: List[Piece],
    rest: List[Piece],
    frames: List[Frame],
) -> Sentence:
    """What somebody does to a thing or finds it to be; the `rest` says what that does or is."""
    form, sense, has_two = verb
    first = uncapitalised(thing[0])
    thing[0] = first._replace(word=ACCUSATIVES.get(first.word, first.word))
    if has_two:
        both = [*filling(thing, {-1: "ARG1"}), *filling(rest, {-1: "ARG2"})]
    else:
        both = filling([*thing, *rest], {-1: "ARG1"})
    subject = [actor.pieces[token] for token in actor.subject]
    subject = [p._replace(head=-1) if p.head == actor.root else p for p in subject]
    return sentence_of(
        [
            *filling(subject, {-1: "ARG0"}),
            Piece(-1, form, "VBD", -1, "root", {-1: "B-V"}),
            *both,
            actor.pieces[-1]._replace(head=-1),
        ],
        [*frames, Frame(-1, [], sense.split(".")[0], sense)],
    )


def relative(outer: Noun, inner: Noun, generator: random.Random) -> Sentence:
    """The sentence of `outer`, with that of `inner` as a relative clause after its noun."""
    clause = inner.statement
    roles = clause.roles_of(inner.tokens) or {}
    is_subject = inner.tokens == clause.subject
    rest = [p for p in clause.pieces[:-1] if p.source not in inner.tokens]
    if not is_subject:
        rest[0] = uncapitalised(rest[0])
    pronoun = _relative_pronoun(inner.head, generator)
    asked = filling(
        [Piece(-2, *pronoun, clause.root, inner.head.head_tag, {})],
        {predicate: f"R-{role}" for predicate, role in roles.items()},
    )
    if not is_subject and generator.random() < 0.4:
        asked = []
    return _joined(outer, clause, [*asked, *rest], roles)


def possessive_relative(outer: Noun, clause: Statement) -> Sentence:
    """The sentence of `outer`, with a clause about `its thing` as one about `whose thing`."""
    roles = clause.roles_of(clause.subject) or {}
    pieces = list(clause.pieces[:-1])
    pieces[0] = pieces[0]._replace(word="whose", pos="WP$")
    for token in clause.subject:
        labels = {
            predicate: label[:2] + "R-" + label[2:] if label != "O" else label
            for predicate, label in pieces[token].roles.items()
        }
        pieces[token] = pieces[token]._replace(roles=labels)
    return _joined(outer, clause, pieces, roles)


def _relative_pronoun(noun: Piece, generator: random.Random) -> Tuple[str, str]:
    if noun.word.lower() in PERSONS:
        return "who", "WP"
    return generator.choice(["that", "that", "which"]), "WDT"


def _joined(
    outer: Noun, clause: Statement, pieces: Sequence[Piece], roles: Dict[int, str]
) -> Sentence:
    """
    The sentence of `outer` with a relative clause after its noun, which has the `roles` of the
    clause's frames.
    """
    statement, last = outer.statement, outer.tokens[-1]
    shift = len(statement.pieces)
    noun = statement.pieces[last]
    inside = {p: f"I-{label[2:]}" for p, label in noun.roles.items() if label != "O"}
    added = [moved(piece, shift, clause.root, noun.source, "acl:relcl", inside) for piece in pieces]
    whole = list(statement.pieces)
    phrase = whole[outer.tokens[0] : last + 1]
    roles = {predicate + shift: role for predicate, role in roles.items()}
    whole[outer.tokens[0] : last + 1] = filling(phrase, roles)
    frames = later(clause.frames, shift)
    return sentence_of(
        [*whole[: last + 1], *added, *whole[last + 1 :]], [*statement.frames, *frames]
    )


def coordinated(
    first: Statement, second: Statement, generator: random.Random
) -> Optional[Sentence]:
    """`The firm planned to close two plants and sell the land.`"""
    phrases = verb_phrase(first), verb_phrase(second)
    if phrases[0] is None or phrases[1] is None:
        return None
    form, lemma = generator.choice(list(CONTROL.items()))
    shift = len(first.pieces)
    roles = second.roles_of(second.subject) or {}
    pieces = (first.pieces[token] for token in first.subject)
    subject = [p._replace(head=-1) if p.head == first.root else p for p in pieces]
    roles = {predicate + shift: role for predicate, role in roles.items()}
    subject = filling(subject, {-1: "ARG0", **roles})
    verb = Piece(-1, form, "VBD", -1, "root", {-1: "B-V"})
    to = Piece(-2, "to", "TO", first.root, "mark", {-1: "B-ARG1"})
    both = []
    for piece in phrases[0]:
        if piece.source == first.root:
            piece = piece._replace(head=-1, head_tag="xcomp")
        both.append(piece._replace(roles={**piece.roles, -1: "I-ARG1"}))
    both.append(Piece(-3, "and", "CC", second.root + shift, "cc", {-1: "I-ARG1"}))
    both += [
        moved(piece, shift, second.root, first.root, "conj", {-1: "I-ARG1"}) for piece in phrases[1]
    ]
    end = first.pieces[-1]._replace(head=-1)
    frames = later(second.frames, shift)
    own = Frame(-1, [], lemma, f"{lemma}.01")
    return sentence_of([*subject, verb, to, *both, end], [*first.frames, *frames, own])


def subordinated(main: Statement, clause: Statement, mark: Optional[str], first: bool) -> Sentence:
    """
    The sentence of `main` with a clause, before it or after it; without a conjunction, `Had the
    firm known` before it.
    """
    shift, role = len(main.pieces), "ARGM-ADV" if mark is None else MARKS[mark]
    pieces = list(clause.pieces[:-1])
    pieces[0] = uncapitalised(pieces[0])
    if mark is None:
        assert clause.auxiliary is not None
        pieces.insert(0, pieces.pop(clause.auxiliary))
    elif mark == "when":
        own = {clause.root: "B-ARGM-TMP"}
        pieces.insert(0, Piece(-2, mark, "WRB", clause.root, "advmod", own))
    else:
        pieces.insert(0, Piece(-2, mark, "IN", clause.root, "mark", {}))
    labels = span_labels((role, 0, len(pieces) - 1))
    added = [
        moved(piece, shift, clause.root, main.root, "advcl", {main.root: label})
        for piece, label in zip(pieces, labels, strict=True)
    ]
    whole = list(main.pieces[:-1])
    if first:
        whole[0] = uncapitalised(whole[0])
        comma = Piece(-1, ",", ",", clause.root + shift, "punct", {})
        whole = [*added, comma, *whole]
    else:
        whole += added
    frames = later(clause.frames, shift)
    return sentence_of([*whole, main.pieces[-1]], [*main.frames, *frames])
