"""
The sentence that readers make, models label, metrics compare, writers print and users get.

Heads are counted in two ways. Inside the package the root of a sentence is its own head, as in
LISA section 2.2; for people and in files heads are 1-based and 0 stands above the root.
`self_loop_heads` and `one_based_heads` are the only places where the one is turned into the other.

    >>> sentence = Sentence(
    ...     ["She", "sang", "."],
    ...     pos=["PRP", "VBD", "."],
    ...     frames=[Frame(1, ["B-ARG0", "B-V", "O"])],
    ...     parse=Parse([1, 1, 1], ["nsubj", "root", "punct"]),
    ... )
    >>> sentence
    <Sentence 'She sang .' | sang: [ARG0: She] [V: sang]>
    >>> sentence.heads
    [2, 0, 2]
    >>> sentence.frames[0].roles[0]
    RoleSpan(role='ARG0', first=0, last=0, text='She')
    >>> sentence.to_dict()["predicted_dependencies"]
    ['nsubj', 'root', 'punct']
"""

import html
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.data.formats.roles import bio_to_spans

Offsets = Sequence[Tuple[int, int]]
"""Of each token, where it starts in the raw text and where it ends (exclusive)."""


def self_loop_heads(heads: Sequence[int]) -> List[int]:
    """1-based heads, 0 for a root, as 0-based ones in which a root is its own head."""
    return [token if head == 0 else head - 1 for token, head in enumerate(heads)]


def one_based_heads(head_indices: Sequence[int]) -> List[int]:
    """The reverse of `self_loop_heads`."""
    return [0 if head == token else head + 1 for token, head in enumerate(head_indices)]


class _Described:
    """Writes the fields that are known, in the object's `repr` and in `to_dict`."""

    def to_dict(self) -> Dict[str, Any]:
        """The fields that are known."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))  # type: ignore[arg-type]
        return {name: value for name, value in values if value is not None}

    def __repr__(self) -> str:
        known = (f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"{type(self).__name__}({', '.join(known)})"


@dataclass(frozen=True, repr=False)
class Token(_Described):
    """
    A token with what is known of it.

    # Parameters

    text : `str`
    pos : `str`, optional
    head : `int`, optional
        1-based, 0 for a root.
    head_tag : `str`, optional
    supertag : `str`, optional
    start_char, end_char : `int`, optional
        Where it stands in the raw text, if there is one: `text[start_char:end_char]` is the token.
    """

    text: str
    pos: Optional[str] = None
    head: Optional[int] = None
    head_tag: Optional[str] = None
    supertag: Optional[str] = None
    start_char: Optional[int] = None
    end_char: Optional[int] = None


@dataclass(frozen=True, repr=False)
class Arc(_Described):
    """
    An arc of a dependency tree.

    # Parameters

    dependent : `int`
        1-based.
    head : `int`
        1-based, 0 for the root's arc.
    head_tag : `str`
    """

    dependent: int
    head: int
    head_tag: str


@dataclass(frozen=True, repr=False)
class RoleSpan(_Described):
    """
    Tokens that play a role for a predicate; the predicate itself has the role `V`.

    # Parameters

    role : `str`
        As annotated: `ARG1`, `C-ARG1`, `R-ARG1`, `V` ...
    first : `int`
        The 0-based position of the first token.
    last : `int`
        The 0-based position of the last token (inclusive).
    text : `str`, optional
        The raw text of the span, or its words with blanks between them.
    start_char, end_char : `int`, optional
        As for `Token`.
    """

    role: str
    first: int
    last: int
    text: Optional[str] = None
    start_char: Optional[int] = None
    end_char: Optional[int] = None


@dataclass(frozen=True)
class Parse:
    """
    A dependency analysis of one sentence.

    # Parameters

    head_indices : `List[int]`
        The position of each token's head, 0-based. A root is its own head.
    head_tags : `List[str]`
        The label of the arc between each token and its head.
    """

    head_indices: List[int]
    head_tags: List[str]

    @property
    def heads(self) -> List[int]:
        """1-based, 0 for a root."""
        return one_based_heads(self.head_indices)


@dataclass(frozen=True, repr=False)
class Frame:
    """
    A predicate and the roles that tokens play for it.

    # Parameters

    predicate : `int`
        The 0-based position of the predicate.
    tags : `List[str]`
        A BIO label for every token of the sentence: `O`, `B-ARG1`, `I-ARG1`, `B-V` ...
    lemma : `str`, optional (default = `"-"`)
        The predicate's lemma.
    sense : `str`, optional (default = `"-"`)
        The frameset or verb sense.
    words, offsets, text :
        Those of the sentence, which gives them to its frames.
    """

    predicate: int
    tags: List[str]
    lemma: str = "-"
    sense: str = "-"
    words: Sequence[str] = field(default=(), compare=False)
    offsets: Optional[Offsets] = field(default=None, compare=False)
    text: Optional[str] = field(default=None, compare=False)

    @property
    def verb(self) -> str:
        """The predicate's form; empty for a frame without a sentence."""
        return self.words[self.predicate] if self.words else ""

    @cached_property
    def roles(self) -> Tuple[RoleSpan, ...]:
        """All labelled spans in text order, the predicate's own (`V`) among them."""
        return tuple(self._span(*span) for span in bio_to_spans(self.tags))

    def _span(self, role: str, first: int, last: int) -> RoleSpan:
        words = " ".join(self.words[first : last + 1]) or None
        if self.offsets is None:
            return RoleSpan(role, first, last, words)
        start, end = self.offsets[first][0], self.offsets[last][1]
        text = words if self.text is None else self.text[start:end]
        return RoleSpan(role, first, last, text, start, end)

    @property
    def description(self) -> str:
        """The sentence with its spans in brackets, as AllenNLP's SRL model writes it."""
        chunks: List[str] = []
        position = 0
        for span in self.roles:
            chunks.extend(self.words[position : span.first])
            words = " ".join(self.words[span.first : span.last + 1])
            chunks.append(f"[{span.role}: {words}]")
            position = span.last + 1
        chunks.extend(self.words[position:])
        return " ".join(chunks)

    def to_dict(self) -> Dict[str, Any]:
        """
        # Returns

        `Dict[str, Any]`
            `verb` (the predicate's form), `index` (its position), `description`, `tags` (BIO) and
            `spans` (`[role, first, last]`, inclusive); where there is raw text, also `offsets`,
            the `[start, end]` of each span.
        """
        described: Dict[str, Any] = {
            "verb": self.verb,
            "index": self.predicate,
            "description": self.description,
            "tags": list(self.tags),
            "spans": [[span.role, span.first, span.last] for span in self.roles],
        }
        if self.offsets is not None:
            described["offsets"] = [[span.start_char, span.end_char] for span in self.roles]
        return described

    def __repr__(self) -> str:
        return f"<Frame {self.verb or self.predicate}: {_spans_in_brackets(self)}>"


class RankedSupertag(NamedTuple):
    """
    One of the categories that a word may have.

    # Parameters

    supertag : `str`
    probability : `float`
    """

    supertag: str
    probability: float


@dataclass(frozen=True, repr=False)
class Sentence:
    """
    The words of a sentence with whatever annotation is known of them. `None` stands for "not
    annotated" or "not predicted", which is different from "annotated as having none".

    # Parameters

    words : `List[str]`
    pos : `List[str]`, optional
        Part-of-speech tags, one per word.
    frames : `List[Frame]`, optional
        In the order of their predicates.
    parse : `Parse`, optional
        The gold tree (for losses and UAS/LAS), or in a prediction the predicted one.
    injected_parse : `Parse`, optional
        A tree for the syntactically-informed head to attend to instead of its own.
    supertags : `List[str]`, optional
        Lexical categories such as `(S[dcl]\\NP)/NP`, one per word.
    candidates : `List[List[RankedSupertag]]`, optional
        For each word several categories, the best one first.
    predicate_probabilities : `List[float]`, optional
        For each word, the probability of being a predicate.
    offsets : `List[Tuple[int, int]]`, optional
        Where each token stands in `text`.
    text : `str`, optional
        The raw text, where there is one.
    extra : `Mapping[str, Any]`, optional
        What the input said beside what is labelled, such as its `id`.
    arc_scores : `numpy.ndarray`, optional
        On request (`details`): shape `(length, length)`, the score of token `q` as the head of
        token `t` at `[t, q]`, the root's at `[t, t]`. A softmax over a row gives probabilities.
    attention : `numpy.ndarray`, optional
        On request: shape `(length, length)`, how much of each token the syntactic head mixes into
        token `t`. Rows sum to one; with an injected tree they are one-hot.
    """

    words: List[str]
    pos: Optional[List[str]] = None
    frames: Optional[List[Frame]] = None
    parse: Optional[Parse] = None
    injected_parse: Optional[Parse] = None
    supertags: Optional[List[str]] = None
    candidates: Optional[List[List[RankedSupertag]]] = None
    predicate_probabilities: Optional[List[float]] = None
    offsets: Optional[Offsets] = None
    text: Optional[str] = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    arc_scores: Optional[numpy.ndarray] = field(default=None, compare=False)
    attention: Optional[numpy.ndarray] = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.frames is not None:
            object.__setattr__(self, "frames", [self._own(frame) for frame in self.frames])

    def _own(self, frame: Frame) -> Frame:
        """The frame with this sentence's words."""
        if frame.words is self.words and frame.offsets is self.offsets:
            return frame
        return Frame(
            frame.predicate,
            frame.tags,
            frame.lemma,
            frame.sense,
            self.words,
            self.offsets,
            self.text,
        )

    @property
    def heads(self) -> Optional[List[int]]:
        """The position of each token's head, 1-based, 0 for a root."""
        return None if self.parse is None else self.parse.heads

    @property
    def head_tags(self) -> Optional[List[str]]:
        """The label of each token's arc."""
        return None if self.parse is None else self.parse.head_tags

    @property
    def predicates(self) -> Optional[List[int]]:
        """The 0-based positions of the predicates."""
        return None if self.frames is None else [frame.predicate for frame in self.frames]

    @property
    def arcs(self) -> Optional[Tuple[Arc, ...]]:
        """The tree, an arc per token."""
        if self.parse is None:
            return None
        return tuple(
            Arc(dependent, head, tag)
            for dependent, (head, tag) in enumerate(
                zip(self.parse.heads, self.parse.head_tags, strict=True), start=1
            )
        )

    @property
    def tokens(self) -> Tuple[Token, ...]:
        """The tokens one by one."""
        nothing: List[Any] = [None] * len(self.words)
        starts, ends = zip(*self.offsets, strict=True) if self.offsets else (nothing, nothing)
        columns = (self.pos, self.heads, self.head_tags, self.supertags, starts, ends)
        known = (nothing if column is None else column for column in columns)
        return tuple(Token(*values) for values in zip(self.words, *known, strict=True))

    def to_dict(self) -> Dict[str, Any]:
        """
        # Returns

        `Dict[str, Any]`
            The JSON form: what `extra` holds, `words`, and of what is known `pos`;
            `predicted_heads` (1-based, 0 for the root) and `predicted_dependencies`; `predicates`
            (0-based positions), `predicate_probabilities` and `verbs`, one per predicate, as
            `Frame.to_dict` makes them; `supertags` and `candidates` (`[supertag, probability]`);
            `offsets`, the `[start, end]` of each token in the raw text; `arc_scores` and
            `attention`.
        """
        described: Dict[str, Any] = {**self.extra, "words": list(self.words)}
        if self.pos is not None:
            described["pos"] = list(self.pos)
        if self.parse is not None:
            described["predicted_heads"] = self.parse.heads
            described["predicted_dependencies"] = list(self.parse.head_tags)
        if self.frames is not None:
            described["predicates"] = self.predicates
            if self.predicate_probabilities is not None:
                described["predicate_probabilities"] = list(self.predicate_probabilities)
            described["verbs"] = [frame.to_dict() for frame in self.frames]
        if self.supertags is not None:
            described["supertags"] = list(self.supertags)
        if self.candidates is not None:
            described["candidates"] = [[list(r) for r in ranked] for ranked in self.candidates]
        if self.offsets is not None:
            described["offsets"] = [list(offsets) for offsets in self.offsets]
        for name in ("arc_scores", "attention"):
            matrix = getattr(self, name)
            if matrix is not None:
                described[name] = matrix.tolist()
        return described

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> "Sentence":
        """The sentence that `to_dict` describes, without its raw text."""
        heads, verbs = described.get("predicted_heads"), described.get("verbs")
        candidates, offsets = described.get("candidates"), described.get("offsets")
        matrices = (described.get(name) for name in ("arc_scores", "attention"))
        arc_scores, attention = (None if m is None else numpy.array(m) for m in matrices)
        return cls(
            list(described["words"]),
            pos=described.get("pos"),
            frames=None if verbs is None else [Frame(v["index"], v["tags"]) for v in verbs],
            parse=None
            if heads is None
            else Parse(self_loop_heads(heads), list(described["predicted_dependencies"])),
            supertags=described.get("supertags"),
            candidates=None
            if candidates is None
            else [[RankedSupertag(*ranked) for ranked in word] for word in candidates],
            predicate_probabilities=described.get("predicate_probabilities"),
            offsets=None if offsets is None else [(start, end) for start, end in offsets],
            extra={key: value for key, value in described.items() if key not in ANSWER_KEYS},
            arc_scores=arc_scores,
            attention=attention,
        )

    def to_json(self) -> Dict[str, Any]:
        """The same as `to_dict`, under the name by which AllenNLP asks for it."""
        return self.to_dict()

    def __repr__(self) -> str:
        text = " ".join(self.words)
        frames = (f"{frame.verb}: {_spans_in_brackets(frame)}" for frame in self.frames or [])
        return f"<Sentence {' | '.join([repr(text), *frames])}>"

    def _repr_html_(self) -> str:
        """A table for notebooks: a row per token, a column for the roles of each predicate."""
        columns: Dict[str, Sequence[Any]] = {"": range(1, len(self.words) + 1), "word": self.words}
        named = (
            ("POS", self.pos),
            ("head", self.heads),
            ("relation", self.head_tags),
            ("supertag", self.supertags),
        )
        columns.update({name: column for name, column in named if column is not None})
        headings = list(columns) + [frame.verb for frame in self.frames or []]
        cells = list(columns.values()) + [frame.tags for frame in self.frames or []]
        rows = "".join(
            f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in row)}</tr>"
            for row in zip(*cells, strict=True)
        )
        head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


ANSWER_KEYS = frozenset(
    [
        "words",
        "pos",
        "predicted_heads",
        "predicted_dependencies",
        "predicates",
        "predicate_probabilities",
        "verbs",
        "supertags",
        "candidates",
        "offsets",
        "arc_scores",
        "attention",
    ]
)
"""The keys that `Sentence.to_dict` writes, which the input may not use for anything else."""


def to_columns(sentences: Sequence[Sentence]) -> Dict[str, List[Any]]:
    """
    # Returns

    `Dict[str, List[Any]]`
        A list per key of `Sentence.to_dict`, with an item per sentence, `None` where a sentence
        lacks what others have: the form in which AllenNLP wants a model's readable output.
    """
    described = [sentence.to_dict() for sentence in sentences]
    keys = dict.fromkeys(key for item in described for key in item)
    return {key: [item.get(key) for item in described] for key in keys}


def _spans_in_brackets(frame: Frame) -> str:
    return " ".join(f"[{span.role}: {span.text}]" for span in frame.roles)
