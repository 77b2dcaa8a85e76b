"""
Makes sentences with constructions that are rare in the treebank and in most raw text from labelled
statements, for a model to learn from. A model that has read few questions takes the verb of "When
did the firm close plants?" for an adjective. "The firm closed two plants in May." becomes

- Did the firm close two plants in May?
- When did the firm close two plants? (so with where, why, how, how long and how often)
- What did the firm close in May? (or who)
- Which plants, or how many plants, did the firm close in May?
- What closed two plants in May? (or who)
- Close two plants in May.
- The firm had closed two plants in May.
- The firm closes two plants in May. (or was closing them)
- What the firm closed in May were two plants.

and, with other statements,

- Two plants that the firm closed in May made tyres.
- The firm whose workers left closed two plants in May.
- The firm planned to close two plants in May and sell the land.
- The firm closed two plants until its workers left.
- Had the firm closed two plants, its workers left.
- The firm closed two plants in May and sold the land.
- The firm sold what its workers made.
- The workers found the soup cold.
- The workers saw the firm close two plants.
- "Did the firm close two plants?" Smith asked.
- The firm, Smith said, closed two plants in May.
- What did Smith say the firm closed in May?
- Two plants closed in May.
- The firm closed two plants down. (for "closed down two plants")
- Closing two plants in May, the firm sold the land.
- The firm's acquisition of two plants surprised Smith.

Tokens keep their arcs and roles, and an interrogative word has those of the phrase that it asks
for.
"""

import random
from collections import defaultdict
from itertools import chain
from typing import Callable, Dict, Iterator, List, Mapping, NamedTuple, Sequence, Tuple

from experiments.english.constructions.clauses import (
    MARKS,
    bare_infinitive,
    coordinated,
    free_object,
    free_relative,
    inchoative,
    moved_particle,
    participial,
    perfect,
    possessive_relative,
    predicates,
    present,
    progressive,
    relative,
    small_clause,
    subordinated,
    verb_forms,
)
from experiments.english.constructions.nominals import nominal, of_event, with_event
from experiments.english.constructions.questions import imperative, questions
from experiments.english.constructions.speech import (
    inserted,
    is_long_speaker,
    is_speaker,
    question_about,
    reported,
)
from experiments.english.constructions.statements import (
    PERSONS,
    SHORT,
    Noun,
    Statement,
    find_statements,
    nouns,
)
from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.sentence import Sentence


class Material(NamedTuple):
    """
    Sentences, the statements among them, the short ones, those of them with speakers, statements
    whose subject describes a person at length, and by tag, the form of each verb's lemma.
    """

    sentences: Sequence[Sentence]
    statements: Sequence[Statement]
    short: Sequence[Statement]
    speakers: Sequence[Statement]
    described: Sequence[Statement]
    forms: Mapping[str, Mapping[str, str]]


def constructions(sentences: Sequence[Sentence], number: int, seed: int = 1) -> List[Sentence]:
    """
    Returns about this many different sentences that are made from the statements among labelled
    sentences: of each of the `KINDS` its share, or all that can be made.
    """
    generator = random.Random(seed)
    statements = find_statements(sentences)
    forms = {tag: verb_forms(sentences, tag) for tag in ("VBD", "VBG", "VBN", "VBZ")}
    found = statements
    for change, tag in ((perfect, "VBN"), (present, "VBZ"), (progressive, "VBG")):
        changed = (change(statement, forms[tag]) for statement in found)
        others = [sentence for sentence in changed if sentence is not None]
        generator.shuffle(others)
        if change is perfect:
            # `has cost` and `has set` are rare, and their participles look like other forms.
            others.sort(key=_has_plain_participle, reverse=True)
        statements = statements + find_statements(others[: len(found) // 4], are_made=True)
    short = [statement for statement in statements if len(statement.pieces) <= SHORT]
    if not short:
        return []
    speakers = [statement for statement in short if is_speaker(statement)]
    described = [statement for statement in statements if is_long_speaker(statement)]
    material = Material(sentences, statements, short, speakers or short, described, forms)
    made: List[Sentence] = []
    for kind, share in KINDS.items():
        different: Dict[str, Sentence] = {}
        for sentence in kind(material, generator):
            different.setdefault(" ".join(sentence.words).lower(), sentence)
        chosen = list(different.values())
        generator.shuffle(chosen)
        made += chosen[: round(share * number)]
    return made


def _has_plain_participle(sentence: Sentence) -> bool:
    """Whether the root, a participle, is written like its base form."""
    parse, pos = sentence.parse, sentence.pos
    assert parse is not None and pos is not None
    root = parse.head_tags.index("root")
    return sentence.words[root] == lemma_of(sentence.words[root], pos[root])


def _questions(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for statement in material.statements:
        yield from questions(statement, generator)


def _imperatives(material: Material, generator: random.Random) -> Iterator[Sentence]:
    made = (imperative(statement, generator) for statement in material.statements)
    yield from filter(None, made)


def _changed(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for statement in material.statements:
        if statement.is_made:
            yield statement.sentence


def _relatives(material: Material, generator: random.Random) -> Iterator[Sentence]:
    by_noun: Dict[Tuple[str, str], List[Noun]] = defaultdict(list)
    for statement in material.short:
        for noun in nouns(statement):
            by_noun[noun.head.word.lower(), noun.head.pos].append(noun)
    for same in by_noun.values():
        generator.shuffle(same)
        for outer, inner in zip(same, [*same[1:], same[0]], strict=True):
            if outer.statement is not inner.statement:
                yield relative(outer, inner, generator)


def _possessives(material: Material, generator: random.Random) -> Iterator[Sentence]:
    short = material.short
    every = [noun for statement in short for noun in nouns(statement)]
    people = [noun for noun in every if noun.head.word.lower() in PERSONS]
    for clause in short:
        owner = clause.pieces[0].word.lower()
        has_owner = clause.pieces[0].pos == "PRP$" and clause.pieces[0].head == clause.subject[-1]
        if has_owner and clause.roles_of(clause.subject) is not None:
            among = every if owner == "its" else people
            outer = generator.choice(among) if among else None
            if outer is not None and outer.statement is not clause:
                yield possessive_relative(outer, clause)


def _coordinations(material: Material, generator: random.Random) -> Iterator[Sentence]:
    short = material.short
    for first in short:
        second = generator.choice(short)
        if first is not second:
            made = coordinated(first, second, generator), predicates(first, second, generator)
            yield from filter(None, made)


def _clauses(material: Material, generator: random.Random) -> Iterator[Sentence]:
    short = material.short
    for clause in short:
        main = generator.choice(short)
        auxiliary = clause.auxiliary
        is_had = auxiliary is not None and clause.pieces[auxiliary].word == "had"
        mark = None if is_had else generator.choice(list(MARKS))
        if main is not clause:
            yield subordinated(main, clause, mark, is_had or generator.random() < 0.4)


def _free_relatives(material: Material, generator: random.Random) -> Iterator[Sentence]:
    short = material.short
    for statement in short:
        made = [free_relative(statement, of_subject) for of_subject in (False, True)]
        clause = generator.choice(short)
        objects = [noun for noun in nouns(statement) if noun.head.head_tag == "obj"]
        if clause is not statement:
            made += [free_object(noun, clause) for noun in objects]
        yield from filter(None, made)


def _small_clauses(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for sentence in material.sentences:
        made = small_clause(sentence, generator.choice(material.speakers), generator)
        if made is not None:
            yield made


def _bare_infinitives(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for statement in material.short:
        actor = generator.choice(material.speakers)
        made = None if actor is statement else bare_infinitive(statement, actor, generator)
        if made is not None:
            yield made


def _reports(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for statement in material.short:
        contents = [statement.sentence, *questions(statement, generator)]
        request = imperative(statement, generator)
        content = generator.choice(contents if request is None else [*contents, request])
        is_long = bool(material.described) and generator.random() < 0.15
        speakers = material.described if is_long else material.speakers
        yield reported(content, generator.choice(speakers), generator)


def _insertions(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for statement in material.statements:
        if statement.subject_head.pos != "PRP":
            yield inserted(statement, generator.choice(material.speakers), generator)


def _questions_about(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for statement in material.short:
        speaker, of_subject = generator.choice(material.speakers), generator.random() < 0.5
        made = question_about(statement, speaker, of_subject, generator)
        if made is not None:
            yield made


def _inchoatives(material: Material, _: random.Random) -> Iterator[Sentence]:
    past = material.forms["VBD"]
    yield from filter(None, (inchoative(sentence, past) for sentence in material.sentences))


def _particles(material: Material, _: random.Random) -> Iterator[Sentence]:
    yield from filter(None, map(moved_particle, material.sentences))


def _participials(material: Material, generator: random.Random) -> Iterator[Sentence]:
    for main in material.short:
        clause = generator.choice(material.short)
        made = participial(main, clause, material.forms["VBG"], generator)
        if made is not None and main is not clause:
            yield made


def _events(material: Material, generator: random.Random) -> Iterator[Sentence]:
    # Few verbs have such nouns.
    for statement in chain.from_iterable([material.statements] * 3):
        event = nominal(statement, generator)
        if event is not None:
            actor, main = generator.choice(material.speakers), generator.choice(material.short)
            if main is not statement and generator.random() < 0.4:
                yield with_event(main, event, generator)
            elif actor is not statement:
                yield of_event(event, actor, generator)


KINDS: Mapping[Callable[[Material, random.Random], Iterator[Sentence]], float] = {
    _questions: 0.22,
    _imperatives: 0.08,
    _changed: 0.1,
    _relatives: 0.14,
    _possessives: 0.03,
    _coordinations: 0.08,
    _clauses: 0.08,
    _free_relatives: 0.03,
    _bare_infinitives: 0.03,
    _small_clauses: 0.01,
    _reports: 0.05,
    _insertions: 0.02,
    _questions_about: 0.02,
    _inchoatives: 0.03,
    _particles: 0.01,
    _participials: 0.04,
    _events: 0.03,
}
"""What makes sentences from statements, and its share of them."""
