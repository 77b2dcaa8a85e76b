"""
The roles of Universal PropBank, in three columns of CoNLL-U Plus: `UP:PRED` has the roleset of a
predicate, `UP:ARGHEADS` its arguments with the token ids of their heads, and `UP:ARGSPANS` the same
arguments with the ids of their first and last tokens. `|` separates arguments.

`ARG0` is `A0` there, and some releases add a function to numbered roles (`A0-PAG`), which is no
part of the role here.

    >>> read_role("A0-PAG"), read_role("R-AM-TMP"), write_role("C-ARG1")
    (('ARG0', '-PAG'), ('R-ARGM-TMP', ''), 'C-A1')

A span is the subtree of its head, without the branch that holds the predicate and without
punctuation at its edges:

    >>> from lisa_allennlp.sentence.sentence import Parse
    >>> words = "the man who sang , smiled".split()
    >>> sentence = Sentence(words, parse=Parse([1, 5, 3, 1, 3, 5], ["dep"] * 6))
    >>> subtree_span(sentence, head=1, predicate=3), subtree_span(sentence, head=1, predicate=5)
    ((0, 1), (0, 3))
"""

import re
from typing import (
    Counter,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)
from urllib.parse import unquote

from lisa_allennlp.formats.columns import read_number
from lisa_allennlp.sentence.roles import VERB, LabelledSpan, bio_to_spans
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.text.tokens import is_punctuation

PREDICATE, HEADS, SPANS = "UP:PRED", "UP:ARGHEADS", "UP:ARGSPANS"
COLUMNS = (PREDICATE, HEADS, SPANS)

FLAG, FRAME = "UP:FLAG", "UP:FRAME"
"""
Columns of the first release: the mark of a predicate, and the last name, for a column per predicate
that has the roles of its arguments at their heads.
"""

REPEATED, SHORTENED, LEFT_OUT = "repeated", "overlapping, shortened", "overlapping, left out"
HEAD_OUTSIDE = "with a head outside of the span"

_NO_VALUE = "_"
_ROLE = re.compile(
    r"(?P<prefix>(?:[CR]-)*)A(?:(?P<modifier>M-.+)|(?P<number>[0-5A])(?P<rest>-.+)?)"
)
_LONG_ROLE = re.compile(r"((?:[CR]-)*A)RG(M-.+|[0-5A](?:-.+)?)")
_HEAD, _SPAN = re.compile(r"(.+):([0-9]+)"), re.compile(r"(.+):([0-9]+)-([0-9]+)")


class UpArgument(NamedTuple):
    """An argument of a predicate: its label in the file, and 0-based tokens, as far as known."""

    label: str
    head: Optional[int]
    first: int
    last: int

    @property
    def role(self) -> str:
        return read_role(self.label)[0]

    def named(self) -> str:
        """The label and the head, as in `UP:ARGHEADS`; the label alone without a head."""
        return self.label if self.head is None else f"{self.label}:{self.head + 1}"


class ArgumentError(ValueError):
    """Malformed arguments of a predicate: the text found and the text expected."""


def read_role(label: str) -> Tuple[str, str]:
    """Returns a label's role, and the function after it, with its hyphen."""
    match = _ROLE.fullmatch(unquote(label))
    if match is None:
        return unquote(label), ""
    prefix, modifier, number, rest = match.groups("")
    return f"{prefix}ARG{modifier or number}", rest


def write_role(role: str) -> str:
    return _LONG_ROLE.sub(r"\1\2", encode(role))


def encode(value: str, separators: str = "%|,") -> str:
    """The value with `%XX` for blanks, `%` and what separates values, and for a value `_`."""
    if value == _NO_VALUE:
        return "%5F"
    pattern = f"[{re.escape(separators)} \t\r\n]"
    return re.sub(pattern, lambda match: f"%{ord(match.group()):02X}", value)


def read_arguments(
    sentence: Sentence,
    predicate: int,
    heads: str,
    spans: str,
    mended: Counter[str],
    spans_from_heads: bool = False,
) -> List[UpArgument]:
    """
    Reads the arguments of the predicate at a 0-based position from its two columns, one of which
    may be `_`. Without spans, or with `spans_from_heads` where there are heads, each is the
    `subtree_span` of its head. Repeated arguments count once, and overlapping ones are shortened;
    `mended` counts them. Raises an `ArgumentError` if a value is malformed.
    """
    length = len(sentence.words)
    at_heads, in_spans = read_items(heads, HEADS, length), read_items(spans, SPANS, length)
    if at_heads and in_spans and [i[0] for i in at_heads] != [i[0] for i in in_spans]:
        raise ArgumentError(f"'{heads}' in {HEADS}", f"the labels of {SPANS}, '{spans}'")
    if at_heads and (spans_from_heads or not in_spans):
        if sentence.parse is None:
            raise ArgumentError(f"{HEADS} without a tree", f"one, or {SPANS}")
        in_spans = [
            (label, *subtree_span(sentence, head, predicate)) for label, head, _ in at_heads
        ]
    known: List[Optional[int]] = [head for _, head, _ in at_heads] or [None] * len(in_spans)
    arguments: Dict[Tuple[str, int, int], UpArgument] = {}
    for head, (label, first, last) in zip(known, in_spans, strict=True):
        argument = UpArgument(label, head, first, last)
        if head is not None and not first <= head <= last:
            mended[HEAD_OUTSIDE] += 1
            argument = argument._replace(head=_head_of_span(sentence, first, last))
        arguments.setdefault((argument.role, first, last), argument)
    mended[REPEATED] += len(in_spans) - len(arguments)
    return _disjoint(sentence, list(arguments.values()), mended)


def shown_counts(mended: Mapping[str, int]) -> str:
    """Returns how many arguments were mended, and how: `2 repeated; 1 overlapping, shortened`."""
    return "; ".join(f"{number:,} {what}" for what, number in mended.items() if number)


def read_items(value: str, column: str, length: int) -> List[Tuple[str, int, int]]:
    """
    Reads labels with their first and last 0-based tokens, which are the same for a head. Raises an
    `ArgumentError` if an item is malformed.
    """
    items = []
    for item in value.split("|") if value != _NO_VALUE else []:
        match = _SPAN.fullmatch(item) if column == SPANS else _HEAD.fullmatch(item)
        label, *ends = match.groups() if match else ("", "0")
        first, last = (read_number(end) or 0 for end in (ends[0], ends[-1]))
        if not 1 <= first <= last <= length:
            form = "ROLE:FIRST-LAST" if column == SPANS else "ROLE:HEAD"
            expected = f"{form} with token ids from 1 to {length}"
            raise ArgumentError(f"'{item}' in {column}", expected)
        items.append((label, first - 1, last - 1))
    return items


def _disjoint(
    sentence: Sentence, arguments: List[UpArgument], mended: Counter[str]
) -> List[UpArgument]:
    """Gives each token to the shortest argument that has it; others keep one piece."""
    taken: Set[int] = set()
    kept: Dict[UpArgument, UpArgument] = {}
    for argument in sorted(arguments, key=lambda a: a.last - a.first):
        pieces: List[List[int]] = []
        for token in range(argument.first, argument.last + 1):
            if token in taken:
                continue
            if not pieces or pieces[-1][-1] != token - 1:
                pieces.append([])
            pieces[-1].append(token)
        if not pieces:
            mended[LEFT_OUT] += 1
            continue
        piece = max(pieces, key=lambda tokens: (argument.head in tokens, len(tokens)))
        taken.update(piece)
        kept[argument] = argument
        if len(piece) <= argument.last - argument.first:
            mended[SHORTENED] += 1
            head = argument.head
            if head is not None and head not in piece:
                head = _head_of_span(sentence, piece[0], piece[-1])
            kept[argument] = argument._replace(first=piece[0], last=piece[-1], head=head)
    return sorted(kept.values(), key=lambda a: a.first)


def subtree_span(sentence: Sentence, head: int, predicate: int) -> Tuple[int, int]:
    """
    Returns the first and last token of a 0-based head's argument: of its subtree as far as it
    adjoins the head, without the predicate's branch and punctuation at the edges.
    """
    if head == predicate:
        return head, head
    branches = _branches(sentence, head)
    outside = {None, branches[predicate]}
    first = last = head
    while first > 0 and branches[first - 1] not in outside:
        first -= 1
    while last + 1 < len(branches) and branches[last + 1] not in outside:
        last += 1
    while first < head and _is_punctuation(sentence, first):
        first += 1
    while last > head and _is_punctuation(sentence, last):
        last -= 1
    return first, last


def _branches(sentence: Sentence, head: int) -> List[Optional[int]]:
    """For each token, the child of the head in whose branch it is, the head itself, or `None`."""
    heads = [] if sentence.parse is None else sentence.parse.head_indices
    branches: List[Optional[int]] = []
    for token in range(len(heads)):
        child, steps = token, 0
        # A root is its own head, and from a cycle no way leads up to one.
        while token != head and steps < len(heads):
            child, token, steps = token, heads[token], steps + 1
        branches.append(child if token == head else None)
    return branches


def _is_punctuation(sentence: Sentence, token: int) -> bool:
    if sentence.upos is not None:
        return sentence.upos[token] == "PUNCT"
    return is_punctuation(sentence.words[token])


def _head_of_span(sentence: Sentence, first: int, last: int) -> Optional[int]:
    """The first token of a span with its head outside, or a root; `None` without a tree."""
    if sentence.parse is None:
        return None
    heads = sentence.parse.head_indices
    inside = range(first, last + 1)
    return next((t for t in inside if heads[t] == t or heads[t] not in inside), first)


def arguments_to_write(
    sentence: Sentence, frame: Frame, known: str = _NO_VALUE
) -> List[UpArgument]:
    """
    Returns the arguments of a frame. Labels with functions, and heads, come from `known` arguments
    of the same roles, as `shown_heads` writes them; other heads come from the tree.
    """
    names = known.split("|") if known != _NO_VALUE else []
    items = []
    for role, first, last in arguments_of(frame):
        label, head = write_role(role), _head_of_span(sentence, first, last)
        own = []
        for name in names:
            known_label, _, number = name.rpartition(":") if ":" in name else (name, "", "")
            at = (read_number(number) or 0) - 1
            if read_role(known_label)[0] == role:
                own.append((not first <= at <= last, name, known_label, at))
        if own:
            is_outside, name, label, at = min(own, key=lambda item: item[0])
            names.remove(name)
            head = head if is_outside else at
        items.append(UpArgument(label, head, first, last))
    return items


def shown_heads(arguments: Iterable[UpArgument]) -> str:
    return "|".join(map(UpArgument.named, arguments)) or _NO_VALUE


def write_arguments(arguments: Sequence[UpArgument]) -> Tuple[str, str]:
    """Returns the values of `UP:ARGHEADS`, which is `_` if a head is unknown, and `UP:ARGSPANS`."""
    spans = "|".join(f"{item.label}:{item.first + 1}-{item.last + 1}" for item in arguments)
    has_heads = all(argument.head is not None for argument in arguments)
    return shown_heads(arguments) if has_heads else _NO_VALUE, spans or _NO_VALUE


def arguments_of(frame: Frame) -> List[LabelledSpan]:
    """Returns the spans to write: `V` only if it has more or other tokens than the predicate."""
    spans = bio_to_spans(frame.tags)
    verbs = [span for span in spans if span.role == VERB]
    if verbs == [LabelledSpan(VERB, frame.predicate, frame.predicate)]:
        spans.remove(verbs[0])
    return spans
