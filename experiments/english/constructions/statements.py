"""Statements of a labelled corpus, in pieces from which other sentences are put together."""

from dataclasses import replace
from typing import Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence

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


SHORT = 14
"""The number of tokens of the longest statement that is joined with another."""

MODIFIERS = ("det", "amod", "compound", "nummod", "nmod:poss")
"""Arcs within the simple phrases of nouns that get relative clauses."""


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


PLURAL = {"i", "you", "we", "they"}
"""Pronouns whose verbs have no ending in the present."""


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


def pieces_of(sentence: Sentence) -> List[Piece]:
    """The tokens of a sentence that has tags, a tree and frames."""
    parse, pos, frames = sentence.parse, sentence.pos, sentence.frames
    assert parse is not None and pos is not None and frames is not None
    roles = {frame.predicate: frame.tags for frame in frames}
    return [
        Piece(
            t,
            word,
            pos[t],
            parse.head_indices[t],
            parse.head_tags[t],
            {predicate: tags[t] for predicate, tags in roles.items()},
        )
        for t, word in enumerate(sentence.words)
    ]


class Statement:
    """A sentence with a tree and frames whose main clause can be asked about."""

    def __init__(
        self, sentence: Sentence, root: int, subject: Sequence[int], is_made: bool
    ) -> None:
        parse = sentence.parse
        assert parse is not None and sentence.pos is not None and sentence.frames is not None
        self.root, self.subject, self.parse, self.frames = root, subject, parse, sentence.frames
        self.sentence, self.pos, self.is_made = sentence, sentence.pos, is_made
        self.pieces = pieces_of(sentence)

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
        if lemma_of(words[root], pos[root]) == "be":
            return None
        if parse.head_indices[-1] != root or parse.children[len(words) - 1]:
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
    def subject_head(self) -> Piece:
        """The head of the subject."""
        return next(p for p in (self.pieces[t] for t in self.subject) if p.head == self.root)

    @property
    def is_plural(self) -> bool:
        """Whether the verb of such a subject has no ending in the present."""
        head = self.subject_head
        parts = (self.parse.head_tags[t] for t in self.parse.children[head.source])
        return head.pos in ("NNS", "NNPS") or head.word.lower() in PLURAL or "conj" in parts

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


def find_statements(sentences: Iterable[Sentence], are_made: bool = False) -> List[Statement]:
    """Returns those of sentences that can be asked about."""
    found = (Statement.find(sentence, are_made) for sentence in sentences)
    return [statement for statement in found if statement is not None]


def filling(pieces: Sequence[Piece], roles: Mapping[int, str]) -> List[Piece]:
    """The pieces of a phrase that also fills these roles, by their predicates."""
    labels = {p: span_labels((role, 0, len(pieces) - 1)) for p, role in roles.items()}
    return [
        piece._replace(roles={**piece.roles, **{p: own[place] for p, own in labels.items()}})
        for place, piece in enumerate(pieces)
    ]


def base_form(verb: Piece) -> Piece:
    is_base = verb.pos == "VB"
    return verb if is_base else verb._replace(word=lemma_of(verb.word, verb.pos), pos="VB")


def uncapitalised(piece: Piece) -> Piece:
    is_name = piece.pos in ("NNP", "NNPS") or piece.word == "I"
    is_name |= len(piece.word) > 1 and not piece.word[1:].islower()
    return piece if is_name else piece._replace(word=piece.word.lower())


def sentence_of(pieces: List[Piece], frames: Sequence[Frame]) -> Sentence:
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


def verb_phrase(statement: Statement) -> Optional[List[Piece]]:
    """The verb in its base form, and what follows it except the full stop."""
    pieces, root, subject = statement.pieces, statement.root, statement.subject
    verb, after = pieces[root], subject[-1] + 1
    is_first = root == after or (root == after + 1 and pieces[after].pos == "MD")
    if not is_first or any(statement.parse.head_tags[t] == "nsubj:pass" for t in subject):
        return None
    if statement.roles_of(subject) is None or len(pieces) < root + 3:
        return None
    return [base_form(verb), *pieces[root + 1 : -1]]


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


def moved(
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


def later(frames: Sequence[Frame], shift: int) -> List[Frame]:
    """The frames of a clause whose positions grow by `shift`."""
    return [replace(frame, predicate=frame.predicate + shift) for frame in frames]
