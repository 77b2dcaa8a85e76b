"""
Semantic roles of one predicate in their three written forms: the bracket column of the CoNLL shared
tasks (`(A1*`, `*`, `*)`), BIO labels (`B-A1`, `I-A1`, `O`) and spans; and the arguments that the
official scorer makes of them.
"""

import re
from typing import Dict, List, NamedTuple, Sequence, Tuple

CONTINUATION = "C-"
VERB = "V"

_ROLE_NAME = re.compile(r"[^()*\s]+")
# `(A1*` opens, `*)` closes, `(V*)` does both, `*` neither. `*A1)` is CoNLL-2004's way to close,
# which srl-eval.pl still reads.
_CELL = re.compile(rf"(?:\((?P<opened>{_ROLE_NAME.pattern}))?\*(?P<closed>[^()*\s]*\))?")


class LabelledSpan(NamedTuple):
    """
    A labelled stretch of tokens.

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
        argument, X with its C-X, has several.
    """

    role: str
    pieces: Tuple[Tuple[int, int], ...]


class BracketError(ValueError):
    """
    A bracket column that cannot be read.

    # Parameters

    index : `int`
        The 0-based row of the column that is wrong.
    found : `str`
        What stands there.
    expected : `str`
        What should stand there.
    """

    def __init__(self, index: int, found: str, expected: str) -> None:
        super().__init__(f"row {index}: found {found}; expected {expected}")
        self.index = index
        self.found = found
        self.expected = expected

    def __reduce__(self):
        return (type(self), (self.index, self.found, self.expected))


def brackets_to_bio(column: Sequence[str]) -> List[str]:
    """
    # Parameters

    column : `Sequence[str]`
        The cells of one predicate's column: `(A1*`, `*`, `*)`, `(V*)`.

    # Returns

    `List[str]`
        A BIO label for every cell.

    # Raises

    `BracketError`
        If a cell is malformed, brackets are nested (BIO cannot say that), one is closed that was
        not opened, or one is never closed.
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
        BIO labels, one a token.

    # Returns

    `List[str]`
        The bracket column's cells.

    # Raises

    `ValueError`
        If a label is not BIO, or its role holds a bracket, an asterisk or white space, which a
        bracket column cannot.
    """
    cells = ["*"] * len(tags)
    for role, first, last in bio_to_spans(tags):
        if not _ROLE_NAME.fullmatch(role):
            raise ValueError(
                f"the role {role!r} of token {first} cannot be written in brackets: it must not be "
                "empty nor contain '(', ')', '*' or white space"
            )
        cells[first] = f"({role}" + cells[first]
        cells[last] += ")"
    return cells


def bio_to_spans(tags: Sequence[str]) -> List[LabelledSpan]:
    """
    # Parameters

    tags : `Sequence[str]`
        BIO labels, one a token. An `I-x` that continues nothing opens a span, as in conlleval.

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
        A BIO label for every token.

    # Raises

    `ValueError`
        If spans overlap or reach out of the sentence.
    """
    tags = ["O"] * length
    for span in spans:
        role, first, last = span
        if not 0 <= first <= last < length:
            raise ValueError(f"{span} does not lie in a sentence of {length} tokens")
        if any(tag != "O" for tag in tags[first : last + 1]):
            raise ValueError(f"{span} overlaps another span of the same predicate")
        tags[first : last + 1] = [f"B-{role}"] + [f"I-{role}"] * (last - first)
    return tags


def arguments(tags: Sequence[str]) -> List[Argument]:
    """
    The arguments that srl-eval.pl, the official scorer of CoNLL-2005, makes of a proposition. A
    C-X is a further piece of the nearest X before it; with none before it, it is an X of its own,
    which later C-X can continue. V, and with it its C-V, is no argument. R-X is a role like others.

    # Parameters

    tags : `Sequence[str]`
        BIO labels, one a token.

    # Returns

    `List[Argument]`
        In the order of their first pieces. No two are equal.
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
    return [
        Argument(role, tuple(parts))
        for role, parts in zip(roles, pieces, strict=True)
        if role != VERB
    ]


def allowed_starts(labels: Sequence[str]) -> List[bool]:
    """
    # Parameters

    labels : `Sequence[str]`
        BIO labels, in the order of their numbers.

    # Returns

    `List[bool]`
        Whether a sentence may begin with each label: not with an `I-x`.
    """
    return [label == "O" or _split(label)[0] == "B-" for label in labels]


def allowed_transitions(labels: Sequence[str]) -> List[List[bool]]:
    """
    # Parameters

    labels : `Sequence[str]`
        BIO labels, in the order of their numbers.

    # Returns

    `List[List[bool]]`
        `[before][after]`: whether the one label may stand right before the other. Only `B-x` and
        `I-x` may stand before `I-x`.
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
        raise ValueError(f"{tag!r} is no BIO label: expected 'O', 'B-ROLE' or 'I-ROLE'")
    return prefix, role
