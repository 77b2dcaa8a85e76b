"""
The semantic roles of a predicate in three notations: the bracket column of the CoNLL shared tasks
(`(A1*`, `*`, `*)`), BIO labels (`B-A1`, `I-A1`, `O`) and spans. Also the arguments that
srl-eval.pl, the official scorer of CoNLL-2005, counts.

    >>> tags = brackets_to_bio(["(A1*", "*)", "(V*)", "(C-A1*)"])
    >>> tags
    ['B-A1', 'I-A1', 'B-V', 'B-C-A1']
    >>> bio_to_brackets(tags)
    ['(A1*', '*)', '(V*)', '(C-A1*)']
    >>> bio_to_spans(tags)[0]
    LabelledSpan(role='A1', first=0, last=1)
    >>> arguments(tags)
    [Argument(role='A1', pieces=((0, 1), (3, 3)))]
"""

import re
from typing import Dict, List, NamedTuple, Sequence, Tuple

CONTINUATION = "C-"
REFERENCE = "R-"
VERB = "V"
BIO_LABEL = "a BIO label: O, B-x or I-x"
"""What a BIO label is, for errors."""

_BIO_LABEL = re.compile(r"O|[BI]-.+")
_ROLE_NAME = re.compile(r"[^()*\s]+")
# `(A1*` opens, `*)` closes, `(V*)` does both, `*` neither. CoNLL-2004 closes with `*A1)`, which
# srl-eval.pl still reads.
_CELL = re.compile(rf"(?:\((?P<opened>{_ROLE_NAME.pattern}))?\*(?P<closed>[^()*\s]*\))?")


class LabelledSpan(NamedTuple):
    """
    A span of tokens with a role.

    # Parameters

    role : `str`
        As annotated: `ARG1`, `C-ARG1`, `R-ARG1`, `V` ...
    first : `int`
        The 0-based position of the first token.
    last : `int`
        The 0-based position of the last token (inclusive).
    """

    role: str
    first: int
    last: int


class Argument(NamedTuple):
    """
    An argument as srl-eval.pl counts it.

    # Parameters

    role : `str`
        The role, without the `C-` of continuations.
    pieces : `Tuple[Tuple[int, int], ...]`
        The first and last (inclusive) position of each piece, in text order. A discontinuous
        argument (X and its C-X) has several pieces.
    """

    role: str
    pieces: Tuple[Tuple[int, int], ...]


class BracketError(ValueError):
    """
    Raised for a malformed bracket column.

    # Parameters

    index : `int`
        The 0-based row of the malformed cell.
    """

    def __init__(self, index: int, found: str, expected: str) -> None:
        super().__init__(f"row {index}: found {found}; expected {expected}")
        self.index = index
        self.found = found
        self.expected = expected

    def __reduce__(self):
        return (type(self), (self.index, self.found, self.expected))


def is_bio_label(label: str) -> bool:
    """Whether a label is `O`, or `B-` or `I-` and a role."""
    return _BIO_LABEL.fullmatch(label) is not None


def brackets_to_bio(column: Sequence[str]) -> List[str]:
    """
    # Parameters

    column : `Sequence[str]`
        The cells of one predicate's column: `(A1*`, `*`, `*)`, `(V*)`.

    # Returns

    `List[str]`
        A BIO label per cell.

    # Raises

    `BracketError`
        If a cell is malformed, brackets are nested (BIO cannot express this), or a bracket is
        closed without being opened or never closed.
    """
    spans: List[LabelledSpan] = []
    role, first = "", -1  # The open bracket, if `role` is not empty.
    for index, cell in enumerate(column):
        match = _CELL.fullmatch(cell)
        if match is None:
            raise BracketError(index, repr(cell), "one of '*', '(ROLE*', '*)' and '(ROLE*)'")
        opened, closed = match.group("opened", "closed")
        if opened:
            if role:
                found = f"{cell!r} inside the bracket of {role}"
                raise BracketError(index, found, "'*)' before another role")
            role, first = opened, index
        if closed:
            if closed[:-1] not in ("", role) or not role:
                expected = f"'*)' or '*{role})'" if role else "an opening '(ROLE*' before it"
                raise BracketError(index, repr(cell), expected)
            spans.append(LabelledSpan(role, first, index))
            role = ""
    if role:
        raise BracketError(first, f"'({role}*' that is never closed", "a '*)' after it")
    return spans_to_bio(spans, len(column))


def bio_to_brackets(tags: Sequence[str]) -> List[str]:
    """
    # Parameters

    tags : `Sequence[str]`
        A BIO label per token.

    # Returns

    `List[str]`
        The cells of the bracket column.

    # Raises

    `ValueError`
        If a label is not BIO, or a role is empty or contains a parenthesis, an asterisk or white
        space.
    """
    cells = ["*"] * len(tags)
    for role, first, last in bio_to_spans(tags):
        if not _ROLE_NAME.fullmatch(role):
            raise ValueError(
                f"role of token {first}: found {role!r}; expected a role that is not empty and has "
                "no '(', ')', '*' or white space"
            )
        cells[first] = f"({role}" + cells[first]
        cells[last] += ")"
    return cells


def bio_to_spans(tags: Sequence[str]) -> List[LabelledSpan]:
    """
    # Parameters

    tags : `Sequence[str]`
        A BIO label per token. An `I-x` without a span to continue begins one, as in conlleval.

    # Returns

    `List[LabelledSpan]`
        In text order.

    # Raises

    `ValueError`
        If a label is neither `O` nor starts with `B-` or `I-`.
    """
    spans: List[LabelledSpan] = []
    role, first = None, 0  # The open span, if `role` is not None.
    for index, tag in enumerate(tags):
        if tag == "O":
            if role is not None:
                spans.append(LabelledSpan(role, first, index - 1))
                role = None
            continue
        prefix, tag_role = _split(tag)
        if prefix == "I-" and tag_role == role:
            continue
        if role is not None:
            spans.append(LabelledSpan(role, first, index - 1))
        role, first = tag_role, index
    if role is not None:
        spans.append(LabelledSpan(role, first, len(tags) - 1))
    return spans


def spans_to_bio(spans: Sequence[LabelledSpan], length: int) -> List[str]:
    """
    # Parameters

    spans : `Sequence[LabelledSpan]`
        In any order.
    length : `int`
        The number of tokens.

    # Returns

    `List[str]`
        A BIO label per token.

    # Raises

    `ValueError`
        If spans overlap or exceed the sentence.
    """
    tags = ["O"] * length
    for span in spans:
        role, first, last = span
        if not 0 <= first <= last < length:
            raise ValueError(f"found {span}; expected a span within a sentence of {length} tokens")
        if any(tag != "O" for tag in tags[first : last + 1]):
            raise ValueError(f"found {span}, which overlaps another span; expected disjoint spans")
        tags[first : last + 1] = [f"B-{role}"] + [f"I-{role}"] * (last - first)
    return tags


def joined_spans(tags: Sequence[str]) -> List[Argument]:
    """
    The spans of a proposition with their continuations, as srl-eval.pl reads them. A C-X adds a
    piece to the nearest X before it. Without an X before it, a C-X counts as X, and later C-X
    continue it. R-X is a role like others.

    # Parameters

    tags : `Sequence[str]`
        A BIO label per token.

    # Returns

    `List[Argument]`
        All arguments and V, in the order of their first pieces.
    """
    roles: List[str] = []
    pieces: List[List[Tuple[int, int]]] = []
    latest: Dict[str, int] = {}
    for role, first, last in bio_to_spans(tags):
        if role.startswith(CONTINUATION):
            role = role[len(CONTINUATION) :]
            if role in latest:
                pieces[latest[role]].append((first, last))
                continue
        latest[role] = len(roles)
        roles.append(role)
        pieces.append([(first, last)])
    return [Argument(role, tuple(parts)) for role, parts in zip(roles, pieces, strict=True)]


def arguments(tags: Sequence[str]) -> List[Argument]:
    """The `joined_spans` without V, which is not an argument."""
    return [argument for argument in joined_spans(tags) if argument.role != VERB]


def without_arguments(tags: Sequence[str], is_out: Sequence[bool]) -> List[str]:
    """
    # Parameters

    tags : `Sequence[str]`
        A BIO label per token.
    is_out : `Sequence[bool]`
        For each token, whether to leave out the span that begins there.

    # Returns

    `List[str]`
        The labels without these spans, the other pieces of their arguments, and the relative
        pronouns (R-X) whose argument is gone. V stays.
    """
    kept = list(tags)
    for argument in arguments(tags):
        if any(is_out[first] for first, _ in argument.pieces):
            for first, last in argument.pieces:
                kept[first : last + 1] = ["O"] * (last + 1 - first)
    if kept != tags:
        spans = bio_to_spans(kept)
        roles = {span.role for span in spans}
        for role, first, last in spans:
            if role.startswith(REFERENCE) and role[len(REFERENCE) :] not in roles:
                kept[first : last + 1] = ["O"] * (last + 1 - first)
    return kept


def allowed_starts(labels: Sequence[str]) -> List[bool]:
    """
    # Parameters

    labels : `Sequence[str]`
        BIO labels, in the order of their indices.

    # Returns

    `List[bool]`
        For each label, whether a sentence may begin with it. `I-x` is not allowed.
    """
    return [label == "O" or _split(label)[0] == "B-" for label in labels]


def allowed_transitions(labels: Sequence[str]) -> List[List[bool]]:
    """
    # Parameters

    labels : `Sequence[str]`
        BIO labels, in the order of their indices.

    # Returns

    `List[List[bool]]`
        At `[before][after]`, whether label `after` may follow label `before`. Only `B-x` and `I-x`
        may precede `I-x`.
    """
    starts = allowed_starts(labels)
    continued = [label[2:] if label != "O" else None for label in labels]
    return [
        [starts[after] or continued[before] == continued[after] for after in range(len(labels))]
        for before in range(len(labels))
    ]


def _split(tag: str) -> Tuple[str, str]:
    prefix, role = tag[:2], tag[2:]
    if prefix not in ("B-", "I-"):
        raise ValueError(f"found {tag!r}; expected a BIO label: 'O', 'B-ROLE' or 'I-ROLE'")
    return prefix, role
