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

and, with other statements,

- Two plants that the firm closed in May made tyres.
- The firm whose workers left closed two plants in May.
- The firm planned to close two plants in May and sell the land.
- The firm closed two plants until its workers left.
- Had the firm closed two plants, its workers left.

Tokens keep their arcs and roles, and an interrogative word has those of the phrase that it asks
for.
"""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from typing import (
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.events.verbs import NEGATIONS
from lisa_allennlp.data.formats.roles import CONTINUATION, bio_to_spans, span_labels
from lisa_allennlp.data.sentence import Frame, Parse, Sentence

LONGEST = 25
"""The number of tokens of the longest statement that is asked about."""

DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}
"""The forms of `do` for a verb with this tag."""

HAVE = {"VBD": "had", "VBZ": "has", "VBP": "have"}
"""The same for `have`."""

SUBJECTS = ("nsubj", "nsubj:pass")
AUXILIARIES = ("aux", "aux:pass")
NOT_ASKED = {
    *("cc", "conj", "cop", "csubj", "csubj:pass", "discourse", "dislocated", "expl", "parataxis"),
    "vocative",
}
"""Arcs from the verb of a statement that nothing is asked about."""

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

SHORT = 14
"""The number of tokens of the longest statement that is joined with another."""

MODIFIERS = ("det", "amod", "compound", "nummod", "nmod:poss")
"""Arcs within the simple phrases of nouns that get relative clauses."""

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

PERSONS = set(
    """
    actor actors artist artists author authors boy boys brother brothers child children citizens
    coach customers daughter doctor doctors employee employees engineers farmer farmers father
    fans friend friends girl girls guy guys kid kids king lady leader leaders man members men
    minister mother neighbors officer officers owner parents patient patients people person
    player players president residents sister soldiers son staff student students teacher teachers
    users visitors voters wife woman women workers
    i me you he him she her we us they them
    """.split()
)
"""Nouns and pronouns for which `who` stands rather than `that` or `what`."""


class Piece(NamedTuple):
    """
    A token of a question. `source` is its position in the statement, or below 0 for a new word;
    `head` names a token by its `source`. `roles` has its labels in frames, by their predicates.
    """

    source: int
    word: str
    pos: str
    head: int
    head_tag: str
    roles: Dict[int, str]


class Statement:
    """A sentence with a tree and frames whose main clause can be asked about."""

    def __init__(
        self, sentence: Sentence, root: int, subject: Sequence[int], is_made: bool
    ) -> None:
        parse = sentence.parse
        assert parse is not None and sentence.pos is not None and sentence.frames is not None
        self.root, self.subject, self.parse, self.frames = root, subject, parse, sentence.frames
        self.sentence, self.pos, self.is_made = sentence, sentence.pos, is_made
        roles = {frame.predicate: frame.tags for frame in sentence.frames}
        self.pieces = [
            Piece(
                t,
                sentence.words[t],
                sentence.pos[t],
                parse.head_indices[t],
                parse.head_tags[t],
                {predicate: tags[t] for predicate, tags in roles.items()},
            )
            for t in range(len(sentence.words))
        ]

    @classmethod
    def find(cls, sentence: Sentence, is_made: bool = False) -> Optional["Statement"]:
        """Returns what can be asked about of a sentence, or `None`."""
        parse, pos, words = sentence.parse, sentence.pos, sentence.words
        if parse is None or pos is None or not 4 <= len(words) <= LONGEST or words[-1] != ".":
            return None
        root = parse.head_tags.index("root")
        tags = {parse.head_tags[t] for t in parse.children[root]}
        subjects = [t for t in parse.children[root] if parse.head_tags[t] in SUBJECTS]
        if tags & NOT_ASKED or len(subjects) != 1 or not pos[root].startswith("VB"):
            return None
        if lemma_of(words[root], pos[root]) == "be" or parse.head_indices[-1] != root:
            return None
        if any(tag in (",", ":", "``", "''", "-LRB-", "-RRB-", "NFP") for tag in pos):
            return None
        if any(words[t].lower() in NEGATIONS for t in parse.children[root]):
            return None
        subject = parse.subtree(subjects[0])
        if subject != tuple(range(len(subject))) or subject[-1] >= root:
            return None
        if any(tag.startswith("W") for tag in pos[: root + 1]) or pos[subjects[0]] in ("EX", "DT"):
            return None
        statement = cls(sentence, root, subject, is_made)
        has_auxiliary = any(parse.head_tags[t] in AUXILIARIES for t in parse.children[root])
        is_possible = statement.auxiliary is not None or (pos[root] in DO and not has_auxiliary)
        return statement if is_possible else None

    @property
    def auxiliary(self) -> Optional[int]:
        """The first auxiliary, if it follows the subject."""
        token = self.subject[-1] + 1
        is_one = (
            self.parse.head_tags[token] in AUXILIARIES
            and self.parse.head_indices[token] == self.root
        )
        # Not those that are written with the subject, such as `'ll`.
        return token if is_one and self.pieces[token].word.isalpha() else None

    def roles_of(self, tokens: Sequence[int]) -> Optional[Dict[int, str]]:
        """
        The roles that a phrase fills, by the predicates, if it could be one word: it is contiguous,
        has no predicate, no argument begins or ends within it, and none is continued or refers to
        another.
        """
        first, last = tokens[0], tokens[-1]
        if last - first + 1 != len(tokens):
            return None
        roles = {}
        for frame in self.frames:
            if frame.predicate in tokens:
                return None
            for role, start, end in bio_to_spans(frame.tags):
                if (start, end) == (first, last):
                    if "-" in role.removeprefix("ARGM-") or f"{CONTINUATION}{role}" in frame:
                        return None
                    roles[frame.predicate] = role
                elif start <= last and end >= first:
                    return None
        return roles

    def phrase(self, labels: Sequence[str], role: Optional[str] = None) -> Optional[Sequence[int]]:
        """The last phrase of the verb after it with one of these labels of arcs, and this role."""
        for token in reversed(self.parse.children[self.root]):
            if token > self.root and self.parse.head_tags[token] in labels:
                tokens = self.parse.subtree(token)
                roles = self.roles_of(tokens)
                if roles is not None and (role is None or roles.get(self.root) == role):
                    return tokens
        return None


def questions(statement: Statement, generator: random.Random) -> Iterator[Sentence]:
    """Yields the questions about a statement, of each kind at most one."""
    dropped: Set[Optional[int]] = set()
    adjunct = statement.phrase(ADJUNCTS)
    if adjunct is not None and generator.random() < 0.5:
        dropped.update(adjunct)
    yield _inverted(statement, [], dropped)
    adverb = generator.choice(list(ADVERBS))
    role = ADVERBS[adverb]
    answer = statement.phrase(ADJUNCTS, role)
    thing = statement.phrase(("obj",))
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
        yield _inverted(statement, _object(statement, thing, generator), dropped.union(thing))
    roles = statement.roles_of(statement.subject)
    finite = statement.root if statement.auxiliary is None else statement.auxiliary
    is_plural = statement.pos[finite] == "VBP" or statement.pieces[finite].word == "were"
    if roles is not None and not is_plural:
        yield _of_subject(statement, roles, dropped)


def _filling(pieces: Sequence[Piece], roles: Mapping[int, str]) -> List[Piece]:
    """The pieces of a phrase that also fills these roles, by their predicates."""
    labels = {p: span_labels((role, 0, len(pieces) - 1)) for p, role in roles.items()}
    return [
        piece._replace(roles={**piece.roles, **{p: own[place] for p, own in labels.items()}})
        for place, piece in enumerate(pieces)
    ]


def _adverb(words: Sequence[str], role: str, root: int) -> List[Piece]:
    first, *rest = words
    adverbs = [Piece(-2, word, "RB", root, "advmod", {}) for word in rest]
    adverb = Piece(-3, first, "WRB", -2 if rest else root, "advmod", {})
    return _filling([adverb, *adverbs], {root: role})


def _object(statement: Statement, thing: Sequence[int], generator: random.Random) -> List[Piece]:
    """The interrogative phrase for an object: `what`, `which plant` or `how many plants`."""
    pieces = [statement.pieces[token] for token in thing]
    noun = pieces[-1]
    is_plain = all(p.pos[:2] in ("JJ", "NN") and p.head == noun.source for p in pieces[1:-1])
    roles = statement.roles_of(thing) or {}
    is_asked = (
        len(pieces) > 1 and is_plain and noun.head == statement.root and generator.random() < 0.5
    )
    if is_asked and pieces[0].head_tag == "det" and noun.pos in ("NN", "NNS"):
        word = generator.choice(["Which", "What"])
        return [pieces[0]._replace(word=word, pos="WDT"), *pieces[1:]]
    if is_asked and pieces[0].head_tag == "nummod" and pieces[0].pos == "CD" and noun.pos == "NNS":
        many = pieces[0]._replace(
            word="many", pos="JJ", head_tag="amod", roles=_inside(pieces[0].roles)
        )
        how = Piece(-3, "How", "WRB", many.source, "advmod", pieces[0].roles)
        return [how, many, *pieces[1:]]
    word = _interrogative(next(piece for piece in pieces if piece.head == statement.root))
    return _filling([Piece(-2, word, "WP", statement.root, "obj", {})], roles)


def _interrogative(head: Piece) -> str:
    is_person = head.word.lower() in PERSONS or head.pos == "NNP"
    return "Who" if is_person else "What"


def _inside(roles: Dict[int, str]) -> Dict[int, str]:
    return {predicate: label.replace("B-", "I-", 1) for predicate, label in roles.items()}


def _inverted(statement: Statement, asked: List[Piece], dropped: Set[Optional[int]]) -> Sentence:
    """The interrogative phrase, the auxiliary, the subject and the rest."""
    pieces, root, auxiliary = list(statement.pieces), statement.root, statement.auxiliary
    frames = statement.frames
    if auxiliary is None:
        verb = pieces[root]
        helper = Piece(-1, DO[verb.pos], verb.pos, root, "aux", {-1: "B-V"})
        frames = [*frames, Frame(-1, [], "do", "do.01")]
        pieces[root] = _base(verb)
    else:
        helper = pieces[auxiliary]
    subject = [pieces[token] for token in statement.subject]
    subject[0] = _uncapitalised(subject[0])
    dropped = dropped | {auxiliary}
    rest = [p for p in pieces[len(subject) : -1] if p.source not in dropped]
    return _sentence([*asked, helper, *subject, *rest, pieces[-1]._replace(word="?")], frames)


def _base(verb: Piece) -> Piece:
    is_base = verb.pos == "VB"
    return verb if is_base else verb._replace(word=lemma_of(verb.word, verb.pos), pos="VB")


def _uncapitalised(piece: Piece) -> Piece:
    is_name = piece.pos in ("NNP", "NNPS") or piece.word == "I"
    is_name |= len(piece.word) > 1 and not piece.word[1:].islower()
    return piece if is_name else piece._replace(word=piece.word.lower())


def _of_subject(
    statement: Statement, roles: Dict[int, str], dropped: Set[Optional[int]]
) -> Sentence:
    head = next(
        p for p in (statement.pieces[t] for t in statement.subject) if p.head == statement.root
    )
    word = _interrogative(head)
    asked = _filling([Piece(-2, word, "WP", statement.root, head.head_tag, {})], roles)
    rest = [p for p in statement.pieces[len(statement.subject) : -1] if p.source not in dropped]
    return _sentence([*asked, *rest, statement.pieces[-1]._replace(word="?")], statement.frames)


def _sentence(pieces: List[Piece], frames: Sequence[Frame]) -> Sentence:
    """The sentence of these pieces, with those of the frames whose predicate is among them."""
    pieces[0] = pieces[0]._replace(word=pieces[0].word[:1].upper() + pieces[0].word[1:])
    places = {piece.source: place for place, piece in enumerate(pieces)}
    own = [
        replace(
            frame,
            predicate=places[frame.predicate],
            tags=[piece.roles.get(frame.predicate, "O") for piece in pieces],
            words=(),
        )
        for frame in frames
        if frame.predicate in places
    ]
    return Sentence(
        [piece.word for piece in pieces],
        [piece.pos for piece in pieces],
        sorted(own, key=lambda frame: frame.predicate),
        Parse([places[piece.head] for piece in pieces], [piece.head_tag for piece in pieces]),
    )


def imperative(statement: Statement, generator: random.Random) -> Optional[Sentence]:
    """The statement as a request, without its subject."""
    phrase = _verb_phrase(statement)
    if phrase is None:
        return None
    end = statement.pieces[-1]._replace(word=generator.choice([".", ".", "!"]))
    return _sentence([*phrase, end], statement.frames)


def _verb_phrase(statement: Statement) -> Optional[List[Piece]]:
    """The verb in its base form, and what follows it except the full stop."""
    pieces, root, subject = statement.pieces, statement.root, statement.subject
    verb, after = pieces[root], subject[-1] + 1
    is_first = root == after or (root == after + 1 and pieces[after].pos == "MD")
    if not is_first or any(statement.parse.head_tags[t] == "nsubj:pass" for t in subject):
        return None
    if statement.roles_of(subject) is None or len(pieces) < root + 3:
        return None
    return [_base(verb), *pieces[root + 1 : -1]]


def participles(sentences: Iterable[Sentence]) -> Dict[str, str]:
    """Returns the most frequent past participle of each lemma in tagged sentences."""
    forms: Dict[str, Counter] = defaultdict(Counter)
    for sentence in sentences:
        for word, tag in zip(sentence.words, sentence.pos or (), strict=False):
            if tag == "VBN":
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
    return _sentence([*pieces[:place], helper, *pieces[place:]], [*statement.frames, own])


class Noun(NamedTuple):
    """A noun of a statement whose phrase begins with it or what modifies it, and ends with it."""

    statement: Statement
    tokens: Sequence[int]

    @property
    def head(self) -> Piece:
        return self.statement.pieces[self.tokens[-1]]


def nouns(statement: Statement) -> Iterator[Noun]:
    """Yields the subject and the object if they are simple."""
    parse = statement.parse
    for token in parse.children[statement.root]:
        tokens = parse.subtree(token)
        is_noun = statement.pos[token] in ("NN", "NNS") and tokens[-1] == token
        is_argument = parse.head_tags[token] in ("nsubj", "obj")
        if is_noun and is_argument and statement.roles_of(tokens) is not None:
            if all(parse.head_tags[t] in MODIFIERS for t in tokens[:-1]):
                yield Noun(statement, tokens)


def relative(outer: Noun, inner: Noun, generator: random.Random) -> Sentence:
    """The sentence of `outer`, with that of `inner` as a relative clause after its noun."""
    clause = inner.statement
    roles = clause.roles_of(inner.tokens) or {}
    is_subject = inner.tokens == clause.subject
    rest = [p for p in clause.pieces[:-1] if p.source not in inner.tokens]
    if not is_subject:
        rest[0] = _uncapitalised(rest[0])
    pronoun = _relative_pronoun(inner.head, generator)
    asked = _filling(
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


def _moved(
    piece: Piece, shift: int, root: int, head: int, tag: str, roles: Mapping[int, str]
) -> Piece:
    """
    A piece of a clause within another sentence, of whose frames it has `roles`. The clause's verb,
    its `root`, depends on `head` there, and its own positions grow by `shift`.
    """
    is_root = piece.source == root
    return Piece(
        piece.source + shift if piece.source >= 0 else piece.source,
        piece.word,
        piece.pos,
        head if is_root else piece.head + shift,
        tag if is_root else piece.head_tag,
        {**roles, **{predicate + shift: label for predicate, label in piece.roles.items()}},
    )


def _later(frames: Sequence[Frame], shift: int) -> List[Frame]:
    """The frames of a clause whose positions grow by `shift`."""
    return [replace(frame, predicate=frame.predicate + shift) for frame in frames]


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
    added = [
        _moved(piece, shift, clause.root, noun.source, "acl:relcl", inside) for piece in pieces
    ]
    whole = list(statement.pieces)
    phrase = whole[outer.tokens[0] : last + 1]
    roles = {predicate + shift: role for predicate, role in roles.items()}
    whole[outer.tokens[0] : last + 1] = _filling(phrase, roles)
    frames = _later(clause.frames, shift)
    return _sentence([*whole[: last + 1], *added, *whole[last + 1 :]], [*statement.frames, *frames])


def coordinated(
    first: Statement, second: Statement, generator: random.Random
) -> Optional[Sentence]:
    """`The firm planned to close two plants and sell the land.`"""
    phrases = _verb_phrase(first), _verb_phrase(second)
    if phrases[0] is None or phrases[1] is None:
        return None
    form, lemma = generator.choice(list(CONTROL.items()))
    shift = len(first.pieces)
    roles = second.roles_of(second.subject) or {}
    pieces = (first.pieces[token] for token in first.subject)
    subject = [p._replace(head=-1) if p.head == first.root else p for p in pieces]
    roles = {predicate + shift: role for predicate, role in roles.items()}
    subject = _filling(subject, {-1: "ARG0", **roles})
    verb = Piece(-1, form, "VBD", -1, "root", {-1: "B-V"})
    to = Piece(-2, "to", "TO", first.root, "mark", {-1: "B-ARG1"})
    both = []
    for piece in phrases[0]:
        if piece.source == first.root:
            piece = piece._replace(head=-1, head_tag="xcomp")
        both.append(piece._replace(roles={**piece.roles, -1: "I-ARG1"}))
    both.append(Piece(-3, "and", "CC", second.root + shift, "cc", {-1: "I-ARG1"}))
    both += [
        _moved(piece, shift, second.root, first.root, "conj", {-1: "I-ARG1"})
        for piece in phrases[1]
    ]
    end = first.pieces[-1]._replace(head=-1)
    frames = _later(second.frames, shift)
    own = Frame(-1, [], lemma, f"{lemma}.01")
    return _sentence([*subject, verb, to, *both, end], [*first.frames, *frames, own])


def subordinated(main: Statement, clause: Statement, mark: Optional[str], first: bool) -> Sentence:
    """
    The sentence of `main` with a clause, before it or after it; without a conjunction, `Had the
    firm known` before it.
    """
    shift, role = len(main.pieces), "ARGM-ADV" if mark is None else MARKS[mark]
    pieces = list(clause.pieces[:-1])
    pieces[0] = _uncapitalised(pieces[0])
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
        _moved(piece, shift, clause.root, main.root, "advcl", {main.root: label})
        for piece, label in zip(pieces, labels, strict=True)
    ]
    whole = list(main.pieces[:-1])
    if first:
        whole[0] = _uncapitalised(whole[0])
        comma = Piece(-1, ",", ",", clause.root + shift, "punct", {})
        whole = [*added, comma, *whole]
    else:
        whole += added
    frames = _later(clause.frames, shift)
    return _sentence([*whole, main.pieces[-1]], [*main.frames, *frames])


def find_statements(sentences: Iterable[Sentence], are_made: bool = False) -> List[Statement]:
    """Returns those of sentences that can be asked about."""
    found = (Statement.find(sentence, are_made) for sentence in sentences)
    return [statement for statement in found if statement is not None]


def constructions(sentences: Sequence[Sentence], number: int, seed: int = 1) -> List[Sentence]:
    """
    Returns about this many different sentences that are made from the statements among labelled
    sentences: of each of the `KINDS` its share, or all that can be made.
    """
    generator = random.Random(seed)
    statements = find_statements(sentences)
    forms = participles(sentences)
    changed = (perfect(statement, forms) for statement in statements)
    perfects = [sentence for sentence in changed if sentence is not None]
    generator.shuffle(perfects)
    statements += find_statements(perfects[: len(statements) // 4], are_made=True)
    made: List[Sentence] = []
    for kind, share in KINDS.items():
        different: Dict[str, Sentence] = {}
        for sentence in kind(statements, generator):
            different.setdefault(" ".join(sentence.words).lower(), sentence)
        chosen = list(different.values())
        generator.shuffle(chosen)
        made += chosen[: round(share * number)]
    return made


def _questions(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    for statement in statements:
        yield from questions(statement, generator)


def _imperatives(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    for statement in statements:
        made = imperative(statement, generator)
        if made is not None:
            yield made


def _perfects(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    for statement in statements:
        if statement.is_made:
            yield statement.sentence


def _short(statements: Sequence[Statement]) -> List[Statement]:
    return [statement for statement in statements if len(statement.pieces) <= SHORT]


def _relatives(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    by_noun: Dict[Tuple[str, str], List[Noun]] = defaultdict(list)
    for statement in _short(statements):
        for noun in nouns(statement):
            by_noun[noun.head.word.lower(), noun.head.pos].append(noun)
    for same in by_noun.values():
        generator.shuffle(same)
        for outer, inner in zip(same, [*same[1:], same[0]], strict=True):
            if outer.statement is not inner.statement:
                yield relative(outer, inner, generator)


def _possessives(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    short = _short(statements)
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


def _infinitives(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    short = _short(statements)
    for first in short:
        second = generator.choice(short)
        made = None if first is second else coordinated(first, second, generator)
        if made is not None:
            yield made


def _clauses(statements: Sequence[Statement], generator: random.Random) -> Iterator[Sentence]:
    short = _short(statements)
    for clause in short:
        main = generator.choice(short)
        auxiliary = clause.auxiliary
        is_had = auxiliary is not None and clause.pieces[auxiliary].word == "had"
        mark = None if is_had else generator.choice(list(MARKS))
        if main is not clause:
            yield subordinated(main, clause, mark, is_had or generator.random() < 0.4)


KINDS: Mapping[Callable[[Sequence[Statement], random.Random], Iterator[Sentence]], float] = {
    _questions: 0.31,
    _imperatives: 0.13,
    _perfects: 0.08,
    _relatives: 0.2,
    _possessives: 0.05,
    _infinitives: 0.08,
    _clauses: 0.15,
}
"""What makes sentences from statements, and its share of them."""
