"""Statements as clauses of others, and in other tenses."""

import random
from collections import Counter, defaultdict
from typing import Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from experiments.english.constructions.statements import (
    HAVE,
    MODIFIERS,
    PERSONS,
    SHORT,
    Noun,
    Piece,
    Statement,
    attached,
    filling,
    inside,
    later,
    moved,
    new_frame,
    new_subject,
    pieces_of,
    sentence_of,
    shifted,
    uncapitalised,
    verb_phrase,
)
from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.events.verbs import NEGATIONS
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.formats.roles import CONTINUATION, span_labels
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


class Verb(NamedTuple):
    """A verb with an object and what that is or does: one argument together, or two."""

    form: str
    sense: str
    has_two: bool = False


JUDGING = (
    Verb("kept", "keep.02", True),
    Verb("found", "find.02"),
    Verb("considered", "consider.01"),
    Verb("made", "make.02"),
    Verb("called", "call.01", True),
)
"""Verbs of small clauses. The first is for adjectives alone."""

APPOINTING = (
    Verb("named", "name.03", True),
    Verb("elected", "elect.01", True),
    Verb("appointed", "appoint.01", True),
)
"""Verbs that give somebody an office."""

WITH_INFINITIVE = (
    Verb("let", "let.01"),
    Verb("let", "let.01"),
    Verb("made", "make.02"),
    Verb("helped", "help.01"),
    Verb("had", "have.04"),
    Verb("saw", "see.01"),
    Verb("heard", "hear.01"),
    Verb("watched", "watch.01"),
)
"""Verbs with an object and a bare infinitive; `let` counts twice."""

ALTERNATING = ("26.5", "45.1", "45.2", "45.3", "45.4", "45.6", "51.3.1", "55.1-1", "55.4-1")
"""Classes of VerbNet whose verbs say what becomes of a thing, by itself or by somebody."""

BE = {"VBD": ("was", "were"), "VBZ": ("is", "is"), "VBP": ("are", "are")}
"""The forms of `be` for a verb with this tag, by whether the subject takes a plain verb."""

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
    """Returns the statement with `had`, `has` or `have` and its participle, one of `forms`."""
    verb = statement.pieces[statement.root]
    participle = forms.get(lemma_of(verb.word, verb.pos))
    if verb.pos not in HAVE or statement.has_auxiliary or participle is None:
        return None
    return _with_auxiliary(statement, participle, "VBN", HAVE[verb.pos], "have.01")


def present(statement: Statement, forms: Mapping[str, str]) -> Optional[Sentence]:
    """
    Returns a statement of the past in the present, whose verbs are often written like nouns
    (`plans`): `forms` has those of the third person singular.
    """
    verb, is_plain = statement.pieces[statement.root], statement.takes_plain_verb
    lemma = lemma_of(verb.word, verb.pos)
    if verb.pos != "VBD" or statement.has_auxiliary or is_plain is None or lemma == "use":
        return None
    word = lemma if is_plain else forms.get(lemma)
    if word is None:
        return None
    return sentence_of(_with_verb(statement, word, "VBP" if is_plain else "VBZ"), statement.frames)


def progressive(statement: Statement, forms: Mapping[str, str]) -> Optional[Sentence]:
    """Returns `The firm was closing two plants.`, with one of `forms`."""
    verb, is_plain = statement.pieces[statement.root], statement.takes_plain_verb
    form = forms.get(lemma_of(verb.word, verb.pos))
    if verb.pos not in BE or statement.has_auxiliary or is_plain is None or form is None:
        return None
    is_i = statement.subject_head.word == "I"
    word = "am" if is_i and verb.pos == "VBP" else BE[verb.pos][is_plain and not is_i]
    return _with_auxiliary(statement, form, "VBG", word, "be.03")


def inchoative(sentence: Sentence, forms: Mapping[str, str]) -> Optional[Sentence]:
    """
    Returns `Two plants closed in May.` for `Two plants were closed in May.`, if the verb says what
    becomes of a thing, also by itself. `forms` has the past of each verb's lemma.
    """
    for frame, own, pieces in _verbs(sentence):
        verb, roleset = frame.predicate, packaged_inventory().roleset(frame.sense)
        past = forms.get(lemma_of(pieces[verb].word, pieces[verb].pos))
        if roleset is None or past is None or not {"nsubj:pass", "aux:pass"} <= own.keys():
            continue
        subject, auxiliary = own["nsubj:pass"], own["aux:pass"]
        changes = any(name.startswith(ALTERNATING) for name in roleset.verbnet)
        is_past = sentence.words[auxiliary] in BE["VBD"] and subject < auxiliary < verb
        if not changes or not is_past or own.keys() & {"aux", "conj", "obl:agent"}:
            continue
        pieces[verb] = pieces[verb]._replace(word=past, pos="VBD")
        pieces[subject] = pieces[subject]._replace(head_tag="nsubj")
        del pieces[auxiliary]
        return sentence_of(pieces, sentence.frames or [])
    return None


def moved_particle(sentence: Sentence) -> Optional[Sentence]:
    """Returns `The firm closed two plants down.` for `The firm closed down two plants.` or back."""
    frames, parse = sentence.frames or [], sentence.parse
    for frame, own, pieces in _verbs(sentence):
        verb = frame.predicate
        if not {"compound:prt", "obj"} <= own.keys() or pieces[own["obj"]].pos[:2] != "NN":
            continue
        assert parse is not None
        particle, thing = own["compound:prt"], parse.subtree(own["obj"])
        start, end = verb + 1, verb + len(thing) + 1
        others = [other.tags for other in frames if other is not frame]
        is_torn = any(len({tag[2:] for tag in tags[start : end + 1]}) > 1 for tags in others)
        places, label = [particle, *thing], frame.tags[particle]
        if is_torn or len(thing) > 4 or sorted(places) != list(range(start, end + 1)):
            continue
        if particle == start and label == "I-V":
            places, label = [*thing, particle], f"B-{CONTINUATION}V"
        elif particle == end and label == f"B-{CONTINUATION}V":
            label = "I-V"
        else:
            continue
        roles = {**pieces[particle].roles, verb: label}
        pieces[particle] = pieces[particle]._replace(roles=roles)
        pieces[start : end + 1] = [pieces[place] for place in places]
        return sentence_of(pieces, frames)
    return None


def _verbs(sentence: Sentence) -> Iterator[Tuple[Frame, Dict[str, int], List[Piece]]]:
    """
    Yields the frames of a sentence with tags and a tree, each with the dependents of its predicate,
    by their arcs, and with the sentence's tokens.
    """
    parse, frames = sentence.parse, sentence.frames
    if parse is not None and sentence.pos is not None and frames is not None:
        pieces = pieces_of(sentence)
        for frame in frames:
            own = {parse.head_tags[token]: token for token in parse.children[frame.predicate]}
            yield frame, own, pieces


def participial(
    main: Statement, clause: Statement, forms: Mapping[str, str], generator: random.Random
) -> Optional[Sentence]:
    """Returns `Closing two plants, the firm sold the land.`, or with the clause at the end."""
    phrase, subject = verb_phrase(clause), main.subject
    if phrase is None or main.roles_of(subject) is None or len(main.pieces) > SHORT:
        return None
    form = forms.get(phrase[0].word)
    if form is None:
        return None
    shift = len(main.pieces)
    phrase[0] = phrase[0]._replace(word=form, pos="VBG")
    added = [moved(piece, shift, clause.root, main.root, "advcl", {}) for piece in phrase]
    added = filling(added, {main.root: "ARGM-ADV"})
    own = shifted(clause.roles_of(clause.subject) or {}, shift)
    comma = Piece(-1, ",", ",", clause.root + shift, "punct", {})
    frames = [*main.frames, *later(clause.frames, shift)]
    pieces = [*filling(main.phrase_of(subject), own), *main.pieces[len(subject) : -1]]
    if generator.random() < 0.4:
        pieces[0] = uncapitalised(pieces[0])
        whole = [*added, comma, *pieces]
    else:
        whole = [*pieces, comma, *added]
    return sentence_of([*whole, main.pieces[-1]], frames)


def _with_auxiliary(
    statement: Statement, participle: str, tag: str, auxiliary: str, sense: str
) -> Optional[Sentence]:
    """The statement with a participle of its verb, and an auxiliary after the subject."""
    verb = statement.pieces[statement.root]
    pieces, place = _with_verb(statement, participle, tag), statement.subject[-1] + 1
    if any(label.startswith("I-") for label in pieces[place].roles.values()):
        # `They both left.`
        return None
    pieces.insert(place, Piece(-1, auxiliary, verb.pos, verb.source, "aux", {-1: "B-V"}))
    return sentence_of(pieces, [*statement.frames, new_frame(sense)])


def _with_verb(statement: Statement, word: str, tag: str) -> List[Piece]:
    pieces = list(statement.pieces)
    pieces[statement.root] = pieces[statement.root]._replace(word=word, pos=tag)
    return pieces


def predicates(first: Statement, second: Statement, generator: random.Random) -> Optional[Sentence]:
    """Returns `The firm closed two plants and sold the land.`"""
    verbs = first.pieces[first.root], second.pieces[second.root]
    are_next = all(s.root == s.subject[-1] + 1 and verb_phrase(s) for s in (first, second))
    # After a clause, its own verb could be the first one.
    if not are_next or first.has_clause or verbs[0].pos != verbs[1].pos:
        return None
    shift = len(first.pieces)
    roles = shifted(second.roles_of(second.subject) or {}, shift)
    word = generator.choice(["and", "and", "but"])
    pieces = [
        *filling(first.phrase_of(first.subject), roles),
        *first.pieces[first.root : -1],
        Piece(-1, word, "CC", second.root + shift, "cc", {}),
    ]
    for piece in second.pieces[second.root : -1]:
        pieces.append(moved(piece, shift, second.root, first.root, "conj", {}))
    return sentence_of([*pieces, first.pieces[-1]], [*first.frames, *later(second.frames, shift)])


def free_relative(statement: Statement, of_subject: bool) -> Optional[Sentence]:
    """Returns `What the firm closed were two plants.` or `What closed two plants was the firm.`"""
    answer = statement.asked(of_subject)
    if answer is None or answer.head.pos not in ("NN", "NNS"):
        return None
    head, pieces = answer.head, statement.pieces
    if head.word.lower() in PERSONS:
        return None
    forms = ("was", "were") if statement.finite.pos == "VBD" else ("is", "are")
    word = forms[head.pos == "NNS"]
    tag = {"is": "VBZ", "are": "VBP"}.get(word, "VBD")
    what = filling([Piece(-2, "what", "WP", head.source, "nsubj", {})], answer.roles)
    clause = attached(statement.without(answer.tokens), statement.root, -2, "acl:relcl")
    bare = [piece._replace(roles={}) for piece in statement.phrase_of(answer.tokens)]
    predicate = attached(bare, head.source, head.source, "root")
    predicate[0] = uncapitalised(predicate[0])
    return sentence_of(
        [
            *filling([*what, *clause], {-1: "ARG1"}),
            Piece(-1, word, tag, head.source, "cop", {-1: "B-V"}),
            *filling(predicate, {-1: "ARG2"}),
            pieces[-1]._replace(head=head.source),
        ],
        [*statement.frames, new_frame("be.01")],
    )


def free_object(outer: Noun, clause: Statement) -> Optional[Sentence]:
    """Returns `The firm sold what its workers made.`, with `outer` an object."""
    verb = outer.statement.pieces[outer.statement.root]
    answer = clause.asked(of_subject=False)
    if answer is None or lemma_of(verb.word, verb.pos) in ASKING:
        return None
    begun = {p: f"B-{label[2:]}" for p, label in inside(outer.head.roles).items()}
    what = Piece(-2, "what", "WP", verb.source, "obj", begun)
    return _joined(outer, [what], clause, clause.without(answer.tokens), answer.roles)


def small_clause(
    copular: Sentence, actor: Statement, generator: random.Random
) -> Optional[Sentence]:
    """Returns `The guests found the soup cold.`, if the guests are the subject of `actor`."""
    parse, pos = copular.parse, copular.pos
    if parse is None or pos is None or copular.frames is None or len(pos) > SHORT:
        return None
    root = parse.head_tags.index("root")
    subjects = [t for t in parse.children[root] if parse.head_tags[t] == "nsubj"]
    copulas = [t for t in parse.children[root] if parse.head_tags[t] == "cop"]
    relations = {*MODIFIERS, "nsubj", "cop", "advmod", "root", "punct"}
    is_simple = set(parse.head_tags) <= relations and parse.head_tags.count("punct") == 1
    is_simple = is_simple and len(subjects) == len(copulas) == 1 and subjects[0] < copulas[0] < root
    if not is_simple or pos[root] not in ("JJ", "NN") or root != len(pos) - 2:
        return None
    subject, copula = subjects[0], copulas[0]
    is_whole = parse.subtree(subject) == tuple(range(copula)) and copular.words[-1] == "."
    is_whole = is_whole and not {copula, len(pos) - 1} & set(parse.head_indices)
    words = {word.lower() for word in copular.words}
    if not is_whole or words & NEGATIONS or any(tag[0] == "W" or tag == "EX" for tag in pos):
        return None
    verbs: Sequence[Verb] = JUDGING if pos[root] == "JJ" else JUDGING[1:]
    start = copula + 1
    is_person = pos[subject] == "NNP" or copular.words[subject].lower() in PERSONS
    is_office = is_person and (pos[root], pos[start]) == ("NN", "DT") and not parse.children[start]
    if is_office and generator.random() < 0.5:
        verbs, start = APPOINTING, copula + 2
    pieces, shift = pieces_of(copular), len(actor.pieces)
    thing = [moved(p, shift, subject, -1, "obj", {}) for p in pieces[:copula]]
    judged = [moved(p, shift, root, -1, "xcomp", {}) for p in pieces[start:-1]]
    return _with_object(actor, generator.choice(verbs), thing, judged, later(copular.frames, shift))


def bare_infinitive(
    clause: Statement, actor: Statement, generator: random.Random
) -> Optional[Sentence]:
    """Returns `She let the firm close two plants.`, if she is the subject of `actor`."""
    phrase = verb_phrase(clause)
    if phrase is None:
        return None
    shift, head = len(actor.pieces), clause.subject_head.source
    subject = clause.phrase_of(clause.subject)
    if clause.subject_head.word.lower() in PERSONS and generator.random() < 0.3:
        her = clause.subject_head._replace(word=generator.choice(["she", "she", "he"]), pos="PRP")
        subject = filling([her], clause.roles_of(clause.subject) or {})
    thing = [moved(p, shift, head, -1, "obj", {}) for p in subject]
    action = [moved(p, shift, clause.root, -1, "xcomp", {}) for p in phrase]
    verb = generator.choice(WITH_INFINITIVE)
    return _with_object(actor, verb, thing, action, later(clause.frames, shift))


def _with_object(
    actor: Statement, verb: Verb, thing: List[Piece], rest: List[Piece], frames: List[Frame]
) -> Optional[Sentence]:
    """The sentence of an actor, a verb, its object, and what the object is or does (`rest`)."""
    (head,) = (piece for piece in thing if piece.head == -1)
    if head.word.lower() == actor.subject_head.word.lower():
        return None
    thing[0] = uncapitalised(thing[0])
    thing = accusative(thing)
    if verb.has_two:
        complement = [*filling(thing, {-1: "ARG1"}), *filling(rest, {-1: "ARG2"})]
    else:
        complement = filling([*thing, *rest], {-1: "ARG1"})
    return sentence_of(
        [
            *new_subject(actor, 0),
            Piece(-1, verb.form, "VBD", -1, "root", {-1: "B-V"}),
            *complement,
            actor.pieces[-1]._replace(head=-1),
        ],
        [*frames, new_frame(verb.sense)],
    )


def accusative(phrase: List[Piece]) -> List[Piece]:
    """The phrase of an object that was a subject."""
    return [
        p._replace(word=ACCUSATIVES.get(p.word, p.word)) if p.head_tag in ("obj", "conj") else p
        for p in phrase
    ]


def relative(outer: Noun, inner: Noun, generator: random.Random) -> Sentence:
    """Returns the sentence of `outer`, with that of `inner` as a relative clause after its noun."""
    clause = inner.statement
    roles = clause.roles_of(inner.tokens) or {}
    is_subject = inner.tokens == clause.subject
    pronoun = _relative_pronoun(inner.head, generator)
    asked = filling(
        [Piece(-2, *pronoun, clause.root, inner.head.head_tag, {})],
        {predicate: f"R-{role}" for predicate, role in roles.items()},
    )
    if not is_subject and generator.random() < 0.4:
        asked = []
    rest = clause.without(inner.tokens)
    return _joined(outer, outer.phrase, clause, [*asked, *rest], roles)


def possessive_relative(outer: Noun, clause: Statement) -> Sentence:
    """Returns the sentence of `outer` with `whose thing`, for a clause about `its thing`."""
    roles = clause.roles_of(clause.subject) or {}
    pieces = list(clause.pieces[:-1])
    pieces[0] = pieces[0]._replace(word="whose", pos="WP$")
    for token in clause.subject:
        labels = {
            predicate: label[:2] + "R-" + label[2:] if label != "O" else label
            for predicate, label in pieces[token].roles.items()
        }
        pieces[token] = pieces[token]._replace(roles=labels)
    return _joined(outer, outer.phrase, clause, pieces, roles)


def _relative_pronoun(noun: Piece, generator: random.Random) -> Tuple[str, str]:
    if noun.word.lower() in PERSONS:
        return "who", "WP"
    return generator.choice(["that", "that", "which"]), "WDT"


def _joined(
    outer: Noun,
    phrase: Sequence[Piece],
    clause: Statement,
    pieces: Sequence[Piece],
    roles: Mapping[int, str],
) -> Sentence:
    """
    The sentence of `outer` with a phrase in its place, and the pieces of a relative clause after
    it. In the clause's frames, the phrase has these roles.
    """
    statement, shift = outer.statement, len(outer.statement.pieces)
    around, head = inside(outer.head.roles), phrase[-1].source
    added = [moved(piece, shift, clause.root, head, "acl:relcl", around) for piece in pieces]
    whole = list(statement.pieces)
    start, end = outer.tokens[0], outer.tokens[-1] + 1
    whole[start:end] = [*filling(phrase, shifted(roles, shift)), *added]
    return sentence_of(whole, [*statement.frames, *later(clause.frames, shift)])


def coordinated(
    first: Statement, second: Statement, generator: random.Random
) -> Optional[Sentence]:
    """Returns `The firm planned to close two plants and sell the land.`"""
    phrases = verb_phrase(first), verb_phrase(second)
    if phrases[0] is None or phrases[1] is None or first.has_clause:
        return None
    form, lemma = generator.choice(list(CONTROL.items()))
    shift = len(first.pieces)
    roles = shifted(second.roles_of(second.subject) or {}, shift)
    head = first.subject_head
    subject = attached(first.phrase_of(first.subject), head.source, -1, head.head_tag)
    infinitives = [
        Piece(-2, "to", "TO", first.root, "mark", {}),
        *attached(phrases[0], first.root, -1, "xcomp"),
        Piece(-3, "and", "CC", second.root + shift, "cc", {}),
        *(moved(piece, shift, second.root, first.root, "conj", {}) for piece in phrases[1]),
    ]
    return sentence_of(
        [
            *filling(subject, {-1: "ARG0", **roles}),
            Piece(-1, form, "VBD", -1, "root", {-1: "B-V"}),
            *filling(infinitives, {-1: "ARG1"}),
            first.pieces[-1]._replace(head=-1),
        ],
        [*first.frames, *later(second.frames, shift), new_frame(f"{lemma}.01")],
    )


def subordinated(main: Statement, clause: Statement, mark: Optional[str], first: bool) -> Sentence:
    """
    Returns the sentence of `main` with a clause, before it or after it; without a conjunction,
    `Had the firm known` before it.
    """
    shift, role = len(main.pieces), "ARGM-ADV" if mark is None else MARKS[mark]
    pieces = clause.without(())
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
    if first:
        comma = Piece(-1, ",", ",", clause.root + shift, "punct", {})
        whole = [*added, comma, *main.without(())]
    else:
        whole = [*main.pieces[:-1], *added]
    frames = later(clause.frames, shift)
    return sentence_of([*whole, main.pieces[-1]], [*main.frames, *frames])
