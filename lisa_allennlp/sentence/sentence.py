"""
`Sentence`: readers create it, models label it, metrics compare it, writers print it.

| counted from | in Python | in JSON and files |
| --- | --- | --- |
| 0 | `sentence[i]`, `frame_at(i)`, `Token.i`, `children`, `subtree` | |
| 0 | `predicates`, `Frame.predicate` | `predicates`, `index` |
| 0 | `RoleSpan.first`, `RoleSpan.last` (inclusive) | `spans` |
| 1 | `Token.head`, `heads`, `Arc` (0 for the head of a root) | `predicted_heads`, CoNLL-U |
| 0, in characters | `offsets`, `start_char`, `end_char` (exclusive) | `offsets` |

Inside the package, heads are 0-based and a root is its own head, as in LISA section 2.2. Only
`self_loop_heads` and `one_based_heads` convert between the two.

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
    >>> sentence.frame_at(1)["ARG0"]
    RoleSpan(role='ARG0', first=0, last=0, text='She')
    >>> [(token.text, token.children) for token in sentence]
    [('She', ()), ('sang', (0, 2)), ('.', ())]
    >>> sentence.to_dict()["predicted_dependencies"]
    ['nsubj', 'root', 'punct']
"""

import importlib
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    overload,
)

import numpy

from lisa_allennlp.sentence.roles import CONTINUATION, UNKNOWN, VERB, LabelledSpan, bio_to_spans
from lisa_allennlp.text.tokens import unescape_brackets

if TYPE_CHECKING:
    from lisa_allennlp.sentence.event import Event
    from lisa_allennlp.text.propbank_frames import RolesetInventory

Offsets = Sequence[Tuple[int, int]]
"""The start and the end (exclusive) of each token in the raw text, in characters."""

Column = Tuple[str, Sequence[Any]]

Matrix = List[List[float]]


class RankedSupertag(NamedTuple):
    """A supertag of a word, with its probability. JSON has a list."""

    supertag: str
    probability: float


class FrameRecord(TypedDict, total=False):
    """A predicate with its roles. `Frame.to_dict` leaves out what is unknown."""

    verb: Annotated[str, "The word form of the predicate."]
    index: Annotated[int, "The position of the predicate, from 0."]
    description: Annotated[str, "The sentence with its spans in brackets."]
    tags: Annotated[List[str], "The roles as BIO tags, one per word."]
    spans: Annotated[List[LabelledSpan], "The roles as lists of role, first and last word, from 0."]
    lemma: Annotated[str, "The lemma of the predicate."]
    sense: Annotated[str, "The roleset of PropBank, such as `sell.01`."]
    gloss: Annotated[Optional[str], "What the roleset means; null if the frame files lack it."]
    role_glosses: Annotated[Dict[str, str], "What the roles of the roleset mean."]
    verbnet: Annotated[str, "The class of VerbNet that names most of the frame's roles."]
    thematic_roles: Annotated[Dict[str, str], "VerbNet's names of the roles in this class."]
    framenet: Annotated[List[str], "The frames of FrameNet that PropBank links the roleset to."]
    offsets: Annotated[List[Tuple[int, int]], "The start and the end of each span in the text."]
    probability: Annotated[float, "The probability that the predicate is one."]
    span_probabilities: Annotated[List[float], "The probability of each span."]
    sense_probability: Annotated[float, "The probability of the sense, given the predicate."]
    happened: Annotated[float, "The probability that the event happened."]


class SentenceRecord(TypedDict, total=False):
    """
    A labelled sentence in JSON. `Sentence.to_dict` leaves out unknown values and adds the input's
    other keys.

    Reading and writing of JSON lines, the service's models and Parquet's columns follow from it.
    All lists but `NOT_PER_WORD` have an item per word.
    """

    words: List[str]
    pos: Annotated[List[str], "The part-of-speech tags."]
    upos: Annotated[List[str], "The universal part-of-speech tags."]
    lemmas: Annotated[List[str], "The lemmas of the words."]
    predicted_heads: Annotated[List[int], "The head of each token, from 1; 0 for the root."]
    predicted_dependencies: Annotated[List[str], "The label of the arc from each token's head."]
    predicates: Annotated[List[int], "Positions, from 0."]
    predicate_probabilities: Annotated[List[float], "For each word, that it is a predicate."]
    verbs: Annotated[List[FrameRecord], "The predicates with their roles."]
    pos_probabilities: Annotated[List[float], "The probability of each tag."]
    head_probabilities: Annotated[List[float], "The probability of each head with its label."]
    supertags: Annotated[List[str], "Lexical categories of CCG."]
    candidates: Annotated[List[List[RankedSupertag]], "The most probable supertags, best first."]
    offsets: Annotated[List[Tuple[int, int]], "The start and the end of each token in the text."]
    arc_scores: Annotated[Matrix, "A row per token, a score per possible head."]
    attention: Annotated[Matrix, "A row per token, a weight per possible head."]


ANSWER_KEYS = frozenset(SentenceRecord.__annotations__)
"""The keys that `Sentence.to_dict` writes. Inputs may not use them for other purposes."""


class GivenFrame(TypedDict, total=False):
    """The given labels of a predicate: its `index`, and any of `sense` and `spans`."""

    index: Annotated[int, "The position of the predicate, from 0."]
    sense: Annotated[str, "The roleset of PropBank, such as `sell.01`."]
    spans: Annotated[
        List[LabelledSpan],
        "Lists of role, first and last word, from 0; the role `O` is for words without a role.",
    ]


class SentenceInput(TypedDict, total=False):
    """
    A sentence to label, as raw text (`sentence`) or as `tokens`. Other keys, such as `id`, are
    copied to the answer.
    """

    sentence: Annotated[str, "Raw text; or `tokens`."]
    tokens: Annotated[List[str], "The words; or `sentence`."]
    split_contractions: Annotated[
        bool, "With `tokens` alone: whether words such as `didn't` become two, as in treebanks."
    ]
    text: Annotated[str, "With `tokens`: the raw text that has them, for offsets."]
    head_indices: Annotated[
        List[int], "A tree to use: the head of each token, from 1; 0 for the root."
    ]
    head_tags: Annotated[List[str], "The relations of `head_indices`."]
    allow_cycles: Annotated[bool, "Whether the heads may have cycles."]
    predicates: Annotated[
        List[int], "The positions of the predicates, from 0, instead of predicted ones."
    ]
    given_roles: Annotated[
        List[GivenFrame], "What is known of predicates; the model labels the rest."
    ]
    pos: Annotated[List[str], "The tags for a parser that reads them."]


EVENTS = "events"

NOT_PER_WORD = frozenset(
    ["words", "predicates", "verbs", "sentence", "tokens", "text", "allow_cycles", "given_roles"]
    + ["split_contractions"]
)


def self_loop_heads(heads: Sequence[int]) -> List[int]:
    """Converts 1-based heads (0 for a root) into 0-based heads (a root is its own head)."""
    return [token if head == 0 else head - 1 for token, head in enumerate(heads)]


def one_based_heads(head_indices: Sequence[int]) -> List[int]:
    """Converts 0-based heads (a root is its own head) into 1-based heads (0 for a root)."""
    return [0 if head == token else head + 1 for token, head in enumerate(head_indices)]


class _Described:
    """Leaves fields that are `None` out of `repr` and `to_dict`."""

    def to_dict(self) -> Dict[str, Any]:
        known = (f for f in fields(self) if f.repr)  # type: ignore[arg-type]
        values = ((f.name, getattr(self, f.name)) for f in known)
        return {name: value for name, value in values if value is not None}

    def __repr__(self) -> str:
        known = (f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"{type(self).__name__}({', '.join(known)})"


@dataclass(frozen=True, repr=False)
class Arc(_Described):
    """
    An arc of a dependency tree. Positions are 1-based; `head` is 0 for a root. The probability, on
    request, is of head and label.
    """

    dependent: int
    head: int
    head_tag: str
    probability: Optional[float] = None


@dataclass(frozen=True, repr=False)
class RoleSpan(_Described):
    """
    Tokens that fill a role of a predicate, from `first` to `last` (0-based, inclusive). The role is
    as annotated: `ARG1`, `C-ARG1`, `R-ARG1` ...; the predicate itself has the role `V`.

    `text` is the raw text of the span, or its words joined by spaces. There are on request: `gloss`
    (what the role means in this roleset, such as `thing sold`), `thematic_role` (VerbNet's name of
    it, such as `Theme`), and the probability of the whole span with this role, given the predicate.
    """

    role: str
    first: int
    last: int
    text: Optional[str] = None
    start_char: Optional[int] = None
    end_char: Optional[int] = None
    gloss: Optional[str] = None
    thematic_role: Optional[str] = None
    probability: Optional[float] = None


@dataclass(frozen=True)
class Parse:
    """The 0-based head of each token (a root is its own head), and the label of its arc."""

    head_indices: List[int]
    head_tags: List[str]

    @property
    def heads(self) -> List[int]:
        """The 1-based head of each token, 0 for a root."""
        return one_based_heads(self.head_indices)

    @cached_property
    def children(self) -> List[Tuple[int, ...]]:
        """For each token, the 0-based positions of those whose head it is, in text order."""
        children: List[List[int]] = [[] for _ in self.head_indices]
        for token, head in enumerate(self.head_indices):
            if head != token:
                children[head].append(token)
        return [tuple(tokens) for tokens in children]

    def subtree(self, token: int) -> Tuple[int, ...]:
        """Returns the 0-based positions of a token and of all below it, in text order."""
        found, waiting = {token}, [token]
        while waiting:
            # An injected tree may have cycles.
            new = set(self.children[waiting.pop()]) - found
            found |= new
            waiting += new
        return tuple(sorted(found))

    @property
    def without_cycles(self) -> "Parse":
        """The tree with one token of each cycle as a root."""
        heads, done = list(self.head_indices), set[int]()
        for token in range(len(heads)):
            path = set[int]()
            while token not in done and token not in path:
                path.add(token)
                token = heads[token]
            if token in path:
                heads[token] = token
            done |= path
        return self if heads == self.head_indices else Parse(heads, self.head_tags)

    def span_head(self, first: int, last: int) -> int:
        """Returns the highest 0-based token of a span (`last` inclusive), the first of several."""
        return min(range(first, last + 1), key=self._depths.__getitem__)

    @cached_property
    def _depths(self) -> List[int]:
        """The number of arcs from the root; larger than any other in a cycle without a root."""
        depths = [len(self.head_indices)] * len(self.head_indices)
        reached = [token for token, head in enumerate(self.head_indices) if token == head]
        for token in reached:
            head = self.head_indices[token]
            depths[token] = 0 if head == token else depths[head] + 1
            reached += self.children[token]
        return depths


class Morphology(NamedTuple):
    """The universal part of speech and the lemma of each token, as in CoNLL-U; `_` if unknown."""

    upos: Optional[List[str]] = None
    lemmas: Optional[List[str]] = None


@dataclass(frozen=True, repr=False)
class Token(_Described):
    """
    A token and its labels. `i` is its 0-based position, `head` is 1-based (0 for a root), and
    `text[start_char:end_char]` is its place in the raw text. `parse` is the tree of its sentence.
    """

    text: str
    i: int
    pos: Optional[str] = None
    head: Optional[int] = None
    head_tag: Optional[str] = None
    supertag: Optional[str] = None
    start_char: Optional[int] = None
    end_char: Optional[int] = None
    upos: Optional[str] = None
    lemma: Optional[str] = None
    parse: Optional[Parse] = field(default=None, repr=False, compare=False)

    @property
    def children(self) -> Tuple[int, ...]:
        """The 0-based positions of the tokens whose head this is. Empty without a tree."""
        return () if self.parse is None else self.parse.children[self.i]

    @property
    def subtree(self) -> Tuple[int, ...]:
        """The 0-based positions of this token and of all below it. Empty without a tree."""
        return () if self.parse is None else self.parse.subtree(self.i)


@dataclass(frozen=True, repr=False)
class Frame:
    """
    A predicate, by its 0-based position, and its roles: `frame["ARG0"]` is the first span with this
    role. Labels are as in `FrameRecord`; an unknown lemma or sense is `-`. Glosses, links to
    VerbNet and FrameNet, and probabilities are there on request; `explained` adds the first two.
    `happened` is there if the model learned it.
    The `Sentence` that the frame belongs to sets `words`, `offsets` and `text`.
    """

    predicate: int
    tags: List[str]
    lemma: str = UNKNOWN
    sense: str = UNKNOWN
    gloss: Optional[str] = None
    role_glosses: Optional[Mapping[str, str]] = None
    verbnet: Optional[str] = None
    thematic_roles: Optional[Mapping[str, str]] = None
    framenet: Optional[Sequence[str]] = None
    probability: Optional[float] = None
    span_probabilities: Optional[List[float]] = None
    sense_probability: Optional[float] = None
    happened: Optional[float] = None
    words: Sequence[str] = field(default=(), compare=False)
    offsets: Optional[Offsets] = field(default=None, compare=False)
    text: Optional[str] = field(default=None, compare=False)

    @property
    def verb(self) -> str:
        """The word form of the predicate; empty for a frame without a sentence."""
        return self.words[self.predicate] if self.words else ""

    @property
    def name(self) -> str:
        return self.verb if self.sense == UNKNOWN else self.sense

    @cached_property
    def roles(self) -> Tuple[RoleSpan, ...]:
        """All labelled spans in text order, including the predicate (`V`)."""
        spans = bio_to_spans(self.tags)
        unknown: List[Any] = [None] * len(spans)
        probabilities = self.span_probabilities or unknown
        return tuple(self._span(*s, p) for s, p in zip(spans, probabilities, strict=True))

    @property
    def arguments(self) -> Tuple[RoleSpan, ...]:
        """The spans of `roles` without the predicate (`V` and its continuations, `C-V`)."""
        return tuple(r for r in self.roles if r.role.removeprefix(CONTINUATION) != VERB)

    @cached_property
    def explained(self) -> "Frame":
        """
        The frame with glosses, VerbNet and FrameNet from the package's inventory. Without a sense,
        or with glosses already, the frame is returned as it is.
        """
        # The inventory is read when it is needed.
        from lisa_allennlp.text.propbank_frames import packaged_inventory

        is_explained = self.role_glosses is not None or self.sense == UNKNOWN
        return self if is_explained else self.explained_by(packaged_inventory())

    def explained_by(self, inventory: "RolesetInventory") -> "Frame":
        return replace(self, **inventory.explain(self.sense, {span.role for span in self.roles}))

    def __contains__(self, role: str) -> bool:
        return any(span.role == role for span in self.roles)

    def __getitem__(self, role: str) -> RoleSpan:
        for span in self.roles:
            if span.role == role:
                return span
        raise KeyError(role)

    def _span(self, role: str, first: int, last: int, probability: Optional[float]) -> RoleSpan:
        words = " ".join(self.words[first : last + 1]) or None
        base = role.removeprefix("C-").removeprefix("R-")
        gloss = (self.role_glosses or {}).get(base)
        named = gloss, (self.thematic_roles or {}).get(base), probability
        if self.offsets is None:
            return RoleSpan(role, first, last, words, None, None, *named)
        start, end = self.offsets[first][0], self.offsets[last][1]
        text = words if self.text is None else self.text[start:end]
        return RoleSpan(role, first, last, text, start, end, *named)

    @property
    def description(self) -> str:
        """The sentence with its spans in brackets, in the format of AllenNLP's SRL model."""
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
        spans = [[span.role, span.first, span.last] for span in self.roles]
        offsets = [[span.start_char, span.end_char] for span in self.roles]
        glosses, probabilities = self.role_glosses, self.span_probabilities
        described: Dict[str, Any] = {
            "verb": self.verb,
            "index": self.predicate,
            "description": self.description,
            "tags": list(self.tags),
            "spans": spans,
            "lemma": None if self.lemma == UNKNOWN else self.lemma,
            "sense": None if self.sense == UNKNOWN else self.sense,
            "gloss": self.gloss,
            "role_glosses": None if glosses is None else dict(glosses),
            "verbnet": self.verbnet,
            "thematic_roles": dict(self.thematic_roles) if self.thematic_roles else None,
            "framenet": list(self.framenet) if self.framenet else None,
            "offsets": None if self.offsets is None else offsets,
            "probability": self.probability,
            "span_probabilities": None if probabilities is None else list(probabilities),
            "sense_probability": self.sense_probability,
            "happened": self.happened,
        }
        kept = () if glosses is None else ("gloss",)
        return {key: v for key, v in described.items() if v is not None or key in kept}

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> "Frame":
        kept = {key: described[key] for key in _FRAME_KEYS & described.keys()}
        return cls(described["index"], list(described["tags"]), **kept)

    def __repr__(self) -> str:
        return f"<Frame {self.verb or self.predicate}: {_spans_in_brackets(self)}>"


@dataclass(frozen=True, repr=False)
class Sentence:
    """
    The words of a sentence and their annotation. `None` means "not annotated" or "not predicted";
    an empty list of frames means "annotated, without predicates". As a sequence, a sentence has its
    tokens.

    # Parameters

    parse : `Parse`, optional
        The gold tree (for losses and UAS/LAS) or, in a prediction, the predicted tree.
    injected_parse : `Parse`, optional
        The tree that the syntactically-informed head attends to instead of its own prediction. Its
        heads are negative where they are unknown.
    pos, supertags, candidates, predicate_probabilities, pos_probabilities, head_probabilities :
        As in `SentenceRecord`. The last two are there on request.
    morphology : `Morphology` or `Callable[[Sentence], Morphology]`, optional
        What `upos` and `lemmas` are, or what finds them from the labels when they are asked for.
    offsets, text : optional
        The start and end (exclusive) of each token in the raw text, in characters, and this text.
    extra : `Mapping[str, Any]`, optional
        Other keys of the input, such as `id`; they are copied to the output.
    arc_scores : `numpy.ndarray`, optional
        On request (`details`). Shape `(length, length)`: `[t, q]` scores token `q` as the head of
        token `t`, and `[t, t]` scores `t` as the root. A softmax over a row gives probabilities.
    attention : `numpy.ndarray`, optional
        On request (`details`). Shape `(length, length)`: row `t` has the attention weights of the
        syntactic head for token `t`. Rows sum to 1; with an injected tree they are one-hot.
    """

    words: List[str]
    pos: Optional[List[str]] = None
    frames: Optional[List[Frame]] = None
    parse: Optional[Parse] = None
    injected_parse: Optional[Parse] = None
    supertags: Optional[List[str]] = None
    candidates: Optional[List[List[RankedSupertag]]] = None
    predicate_probabilities: Optional[List[float]] = None
    pos_probabilities: Optional[List[float]] = None
    head_probabilities: Optional[List[float]] = None
    offsets: Optional[Offsets] = None
    text: Optional[str] = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    morphology: Union[Morphology, Callable[["Sentence"], Morphology], None] = field(
        default=None, compare=False
    )
    arc_scores: Optional[numpy.ndarray] = field(default=None, compare=False)
    attention: Optional[numpy.ndarray] = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.frames is not None:
            object.__setattr__(self, "frames", [self._own(frame) for frame in self.frames])

    def _own(self, frame: Frame) -> Frame:
        if frame.words is self.words and frame.offsets is self.offsets:
            return frame
        return replace(frame, words=self.words, offsets=self.offsets, text=self.text)

    @property
    def upos(self) -> Optional[List[str]]:
        return self._morphology.upos

    @property
    def lemmas(self) -> Optional[List[str]]:
        return self._morphology.lemmas

    @cached_property
    def _morphology(self) -> Morphology:
        found = self.morphology(self) if callable(self.morphology) else self.morphology
        return found or Morphology()

    @property
    def heads(self) -> Optional[List[int]]:
        """The 1-based head of each token, 0 for a root."""
        return None if self.parse is None else self.parse.heads

    @property
    def head_tags(self) -> Optional[List[str]]:
        return None if self.parse is None else self.parse.head_tags

    @property
    def predicates(self) -> Optional[List[int]]:
        """The 0-based positions of the predicates."""
        return None if self.frames is None else [frame.predicate for frame in self.frames]

    @cached_property
    def arcs(self) -> Optional[Tuple[Arc, ...]]:
        if self.parse is None:
            return None
        unknown: List[Any] = [None] * len(self.words)
        probabilities = self.head_probabilities or unknown
        arcs = zip(self.parse.heads, self.parse.head_tags, probabilities, strict=True)
        return tuple(Arc(dependent, *arc) for dependent, arc in enumerate(arcs, start=1))

    @cached_property
    def tokens(self) -> Tuple[Token, ...]:
        nothing: List[Any] = [None] * len(self.words)
        starts, ends = zip(*self.offsets, strict=True) if self.offsets else (nothing, nothing)
        columns = (self.pos, self.heads, self.head_tags, self.supertags, starts, ends)
        known = (
            nothing if column is None else column for column in (*columns, self.upos, self.lemmas)
        )
        rows = zip(self.words, range(len(self)), *known, [self.parse] * len(self), strict=True)
        return tuple(Token(*row) for row in rows)

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, i: int) -> Token: ...

    @overload
    def __getitem__(self, i: slice) -> Tuple[Token, ...]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Token, Tuple[Token, ...]]:
        return self.tokens[i]

    def span_text(self, first: int, last: int) -> str:
        """Returns the raw text of tokens (0-based, `last` inclusive), or else their words."""
        if self.text is None or not self.offsets:
            return " ".join(self.words[first : last + 1])
        return self.text[self.offsets[first][0] : self.offsets[last][1]]

    def as_typed(self) -> "Sentence":
        """
        Returns the sentence with `(` for `-LRB-`, and likewise for other escapes of brackets.

        >>> Sentence(["-LRB-", "here", "-RRB-"]).as_typed().words
        ['(', 'here', ')']
        """
        words = list(map(unescape_brackets, self.words))
        return self if words == self.words else replace(self, words=words)

    def frame_at(self, i: int) -> Optional[Frame]:
        """Returns the frame whose predicate is the token at a 0-based position, if there is one."""
        return next((frame for frame in self.frames or [] if frame.predicate == i), None)

    def to_dict(self, events: bool = False) -> Dict[str, Any]:
        """Returns the JSON: `extra`, known keys of `SentenceRecord` and, on request, `events`."""
        described: Dict[str, Any] = dict(self.extra)
        for key in SentenceRecord.__annotations__:
            value = getattr(self, _ATTRIBUTES.get(key, key))
            if value is not None:
                described[key] = _plain(value)
        if events:
            described[EVENTS] = [event.to_dict() for event in self.events]
        return described

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> "Sentence":
        """Reads what `to_dict` returns. The raw text is not restored."""
        known = {key: described[key] for key in ANSWER_KEYS if described.get(key) is not None}
        # The frames have them.
        known.pop("predicates", None)
        if "predicted_heads" in known:
            head_indices = self_loop_heads(known.pop("predicted_heads"))
            known["parse"] = Parse(head_indices, list(known.pop("predicted_dependencies")))
        if "verbs" in known:
            known["frames"] = [Frame.from_dict(verb) for verb in known.pop("verbs")]
        if "upos" in known or "lemmas" in known:
            known["morphology"] = Morphology(known.pop("upos", None), known.pop("lemmas", None))
        if "candidates" in known:
            known["candidates"] = [
                [RankedSupertag(*ranked) for ranked in word] for word in known["candidates"]
            ]
        if "offsets" in known:
            known["offsets"] = [(start, end) for start, end in known["offsets"]]
        for name in ("arc_scores", "attention"):
            if name in known:
                known[name] = numpy.array(known[name])
        extra = {key: value for key, value in described.items() if key not in ANSWER_KEYS}
        return cls(**known, extra=extra)

    def columns(self) -> List[Column]:
        named: List[Tuple[str, Optional[Sequence[Any]]]] = [
            ("", range(1, len(self.words) + 1)),
            ("word", self.words),
            ("POS", self.pos),
            ("head", self.heads),
            ("relation", self.head_tags),
            ("supertag", self.supertags),
        ]
        return [(heading, cells) for heading, cells in named if cells is not None]

    @property
    def events(self) -> List["Event"]:
        return _module("english.events.finding").find_events(self)

    def to_conllu(self) -> str:
        return _module("formats.conllu").to_conllu(self)

    @staticmethod
    def from_conllu(text: str) -> "Sentence":
        return _module("formats.conllu").from_conllu(text)

    def to_json(self) -> Dict[str, Any]:
        """Returns the same as `to_dict`; AllenNLP's `sanitize` calls it for the metadata."""
        return self.to_dict()

    def __repr__(self) -> str:
        text = " ".join(self.words)
        frames = (f"{frame.verb}: {_spans_in_brackets(frame)}" for frame in self.frames or [])
        return f"<Sentence {' | '.join([repr(text), *frames])}>"

    def _repr_html_(self) -> str:
        return _module("apps.show.page").cell(self)


def _module(name: str) -> Any:
    return importlib.import_module(f"lisa_allennlp.{name}")


def to_columns(sentences: Sequence[Sentence]) -> Dict[str, List[Any]]:
    """
    Returns lists of the values of each key of `to_dict` (`None` if a sentence lacks it), as
    `Model.make_output_human_readable` does.
    """
    described = [sentence.to_dict() for sentence in sentences]
    keys = dict.fromkeys(key for item in described for key in item)
    return {key: [item.get(key) for item in described] for key in keys}


_FRAME_KEYS = FrameRecord.__annotations__.keys() & {f.name for f in fields(Frame)} - {
    "tags",
    "offsets",
}

_ATTRIBUTES = {
    "predicted_heads": "heads",
    "predicted_dependencies": "head_tags",
    "verbs": "frames",
}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        is_flat = not value or isinstance(value[0], (str, float, int))
        return list(value) if is_flat else [_plain(item) for item in value]
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    return value.to_dict() if isinstance(value, Frame) else value


def _spans_in_brackets(frame: Frame) -> str:
    return " ".join(f"[{span.role}: {span.text}]" for span in frame.roles)
