"""Statements of a labelled corpus, in pieces from which other sentences are put together."""

from dataclasses import replace
from typing import (
    Collection,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
)

from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.events.verbs import NEGATIONS
from lisa_allennlp.data.formats.roles import CONTINUATION, bio_to_spans, span_labels
from lisa_allennlp.data.sentence import Frame, Parse, Sentence

LONGEST = 25
"""The number of tokens of the longest statement that is asked about."""

SHORT = 14
"""The number of tokens of the longest statement that is joined with another."""

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

PLAIN = {"i", "you", "we", "they"}
"""Pronouns that take a verb without `-s`."""

CLAUSES = {"ccomp", "xcomp", "advcl", "acl", "acl:relcl"}
"""Arcs to verbs of clauses, with which a later verb could be coordinated."""


class Piece(NamedTuple):
    """
    A token of a sentence that is being made. `source` is its position in the statement that it is
    from, which grows where statements are joined, or below 0 for a new word; `head` names a token
    by its `source`. `roles` has its labels in frames, by their predicates.
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


class Asked(NamedTuple):
    """A phrase that `who` or `what` can stand for: its tokens, its head and its roles."""

    tokens: Sequence[int]
    head: Piece
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
        self.pieces = pieces_of(sentence)

    @classmethod
    def find(cls, sentence: Sentence, is_made: bool = False) -> Optional["Statement"]:
        """Returns what can be asked about of a sentence, or `None`."""
        parse, pos, words = sentence.parse, sentence.pos, sentence.words
        if parse is None or pos is None or sentence.frames is None:
            return None
        if not 4 <= len(words) <= LONGEST or words[-1] != ".":
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
        # The subject may have a relative clause.
        asks = any(tag.startswith("W") for tag in [pos[0], *pos[len(subject) : root + 1]])
        if asks or pos[subjects[0]] in ("EX", "DT"):
            return None
        statement = cls(sentence, root, subject, is_made)
        is_simple = pos[root] in DO and not statement.has_auxiliary
        return statement if statement.auxiliary is not None or is_simple else None

    @property
    def subject_head(self) -> Piece:
        """The head of the subject."""
        return next(p for p in (self.pieces[t] for t in self.subject) if p.head == self.root)

    @property
    def takes_plain_verb(self) -> Optional[bool]:
        """Whether the subject takes a verb without `-s` (`they close`), if its head tells."""
        head = self.subject_head
        parts = {self.parse.head_tags[t]: self.pos[t] for t in self.parse.children[head.source]}
        if head.pos == "NN" and parts.get("nmod") in ("NNS", "NNPS", "PRP"):
            # `a lot of people`
            return None
        if head.pos not in ("NN", "NNS", "NNP", "NNPS", "PRP"):
            return None
        return head.pos in ("NNS", "NNPS") or head.word.lower() in PLAIN or "conj" in parts

    @property
    def has_auxiliary(self) -> bool:
        """Whether the verb has an auxiliary, also one that is written with the subject."""
        return any(self.parse.head_tags[t] in AUXILIARIES for t in self.parse.children[self.root])

    @property
    def has_clause(self) -> bool:
        """Whether a clause depends on what follows the verb, or on the verb."""
        return any(piece.head_tag in CLAUSES for piece in self.pieces[self.root + 1 :])

    @property
    def finite(self) -> Piece:
        """The verb that agrees with the subject."""
        return self.pieces[self.root if self.auxiliary is None else self.auxiliary]

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

    def asked(self, of_subject: bool) -> Optional[Asked]:
        """
        The subject or the object, if it could be one word. `What` takes a verb in the singular, so
        a subject with another one is none.
        """
        tokens = self.subject if of_subject else self.phrase(("obj",))
        roles = None if tokens is None else self.roles_of(tokens)
        agrees = not of_subject or (self.finite.pos != "VBP" and self.finite.word != "were")
        if tokens is None or roles is None or not agrees:
            return None
        return Asked(tokens, next(p for p in self.phrase_of(tokens) if p.head == self.root), roles)

    def phrase_of(self, tokens: Sequence[int]) -> List[Piece]:
        """The pieces at these positions."""
        return [self.pieces[token] for token in tokens]

    def without(self, tokens: Collection[int]) -> List[Piece]:
        """The pieces before the full stop, as they stand within a sentence, except some."""
        first, *rest = (piece for piece in self.pieces[:-1] if piece.source not in tokens)
        return [uncapitalised(first), *rest]


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


def inside(roles: Mapping[int, str]) -> Dict[int, str]:
    """The labels of what follows within the spans of a piece with these."""
    return {p: f"I-{label[2:]}" for p, label in roles.items() if label != "O"}


def attached(pieces: Iterable[Piece], root: int, head: int, tag: str) -> List[Piece]:
    """The pieces of a phrase, whose `root` gets another head."""
    return [p._replace(head=head, head_tag=tag) if p.source == root else p for p in pieces]


def new_frame(sense: str, source: int = -1) -> Frame:
    """The frame of a new word."""
    return Frame(source, [], sense.split(".")[0], sense)


def base_form(verb: Piece) -> Piece:
    """The verb in its base form."""
    is_base = verb.pos == "VB"
    return verb if is_base else verb._replace(word=lemma_of(verb.word, verb.pos), pos="VB")


def uncapitalised(piece: Piece) -> Piece:
    """The piece as it is written within a sentence."""
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

    @property
    def phrase(self) -> List[Piece]:
        return self.statement.phrase_of(self.tokens)


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


def shifted(roles: Mapping[int, str], shift: int) -> Dict[int, str]:
    """The roles in a clause's frames, whose positions grow by `shift`."""
    return {predicate + shift: role for predicate, role in roles.items()}


def new_subject(statement: Statement, shift: int) -> List[Piece]:
    """The subject of a statement, as `ARG0` of a new verb (-1) and without its own frames."""
    head = statement.subject_head.source
    bare = [piece._replace(roles={}) for piece in statement.phrase_of(statement.subject)]
    subject = [moved(piece, shift, head, -1, "nsubj", {}) for piece in bare]
    subject[0] = uncapitalised(subject[0])
    return filling(subject, {-1: "ARG0"})
