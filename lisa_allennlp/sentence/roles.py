"""
The notations of labels. The roles of a predicate have three: the bracket column of the CoNLL shared
tasks (`(A1*`, `*`, `*)`), BIO labels (`B-A1`, `I-A1`, `O`) and spans. Arguments are what
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

A roleset such as `sell.01` is the lemma of a predicate and the number of its sense. A `Frame` has
the whole roleset; the CoNLL formats and Universal PropBank separate the two parts.

    >>> join_roleset("sell", "01"), join_roleset("sell", "-")
    ('sell.01', '-')
    >>> split_roleset("sell", "sell.01"), split_roleset("sell", "-")
    (('sell', '01'), ('sell', '-'))

Joint tags are parts of speech and predicates in one (LISA section 2.3).

    >>> join_tag("PRP", False), join_tag("VBD", True), split_tag("VBD:predicate")
    ('PRP', 'VBD:predicate', ('VBD', True))
"""

import re
from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

CONTINUATION = "C-"
REFERENCE = "R-"
VERB = "V"

UNKNOWN = "-"

FIRST_SENSE = "01"

BIO_LABEL = "a BIO label: O, B-x or I-x"

_BIO_LABEL = re.compile(r"O|[BI]-.+")
_CORE_ROLE = re.compile("(?:ARG|A)[0-5A]")
# The sense of a light verb has letters: `take.LV`.
_ROLESET = re.compile(r"\S+\.(?:[0-9]+|[A-Z]+)")
_ROLE_NAME = re.compile(r"[^()*\s]+")
# `(A1*` opens, `*)` closes, `(V*)` does both, `*` neither. CoNLL-2004 closes with `*A1)`, which
# srl-eval.pl still reads.
_CELL = re.compile(rf"(?:\((?P<opened>{_ROLE_NAME.pattern}))?\*(?P<closed>[^()*\s]*\))?")
# No tag set ends a tag like this. A colon alone would not do: UD's language-specific tags have it.
_PREDICATE_MARK = ":predicate"


class LabelledSpan(NamedTuple):
    """A role (`ARG1`, `C-ARG1`, `R-ARG1`, `V`) and its 0-based tokens; `last` is inclusive."""

    role: str
    first: int
    last: int


class Argument(NamedTuple):
    """
    An argument as srl-eval.pl counts it, without the `C-` of continuations. Its pieces (X and C-X)
    have first and last (inclusive) positions, in text order.
    """

    role: str
    pieces: Tuple[Tuple[int, int], ...]


class BracketError(ValueError):
    """A malformed cell of a bracket column: its 0-based row, what was found and what expected."""


def is_bio_label(label: str) -> bool:
    return _BIO_LABEL.fullmatch(label) is not None


def brackets_to_bio(column: Sequence[str]) -> List[str]:
    """
    Converts one predicate's cells (`(A1*`, `*`, `*)`, `(V*)`) into BIO labels. Raises a
    `BracketError` if a cell is malformed, brackets are nested (BIO cannot express this), or a
    bracket is closed without being opened or never closed.
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
    Converts BIO labels to the cells of a bracket column. Raises a `ValueError` if a role is empty
    or contains a parenthesis, an asterisk or white space.
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
    Finds the spans of BIO labels, in text order. An `I-x` without a span to continue begins one, as
    in conlleval. Raises a `ValueError` if a label is neither `O` nor starts with `B-` or `I-`.
    """
    spans: List[LabelledSpan] = []
    role: Optional[str] = None  # The role of the open span.
    first = 0
    for index, tag in enumerate((*tags, "O")):
        if tag == "O" and role is None:
            continue
        prefix, tag_role = ("", None) if tag == "O" else _split(tag)
        if prefix == "I-" and tag_role == role:
            continue
        if role is not None:
            spans.append(LabelledSpan(role, first, index - 1))
        role, first = tag_role, index
    return spans


def spans_to_bio(spans: Sequence[LabelledSpan], length: int) -> List[str]:
    """Writes spans as BIO labels. Raises a `ValueError` if they overlap or exceed `length`."""
    tags = ["O"] * length
    for span in spans:
        role, first, last = span
        if not 0 <= first <= last < length:
            raise ValueError(f"found {span}; expected a span within a sentence of {length} tokens")
        if any(tag != "O" for tag in tags[first : last + 1]):
            raise ValueError(f"found {span}, which overlaps another span; expected disjoint spans")
        tags[first : last + 1] = span_labels(span)
    return tags


def span_labels(span: Tuple[str, int, int]) -> List[str]:
    """Returns a span's BIO labels; the role `O` stands for no role."""
    role, first, last = span
    if role == "O":
        return ["O"] * (last + 1 - first)
    return [f"B-{role}"] + [f"I-{role}"] * (last - first)


def joined_spans(tags: Sequence[str]) -> List[Argument]:
    """
    Joins the spans of BIO labels with their continuations, as srl-eval.pl does. A C-X adds a piece
    to the nearest X before it. Without an X before it, a C-X counts as X, and later C-X continue
    it. R-X is a role like others. Returns all arguments and V, in the order of their first pieces.
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
    """Returns the `joined_spans` without V, which is not an argument."""
    return [argument for argument in joined_spans(tags) if argument.role != VERB]


def is_core(role: str) -> bool:
    """Whether a role is one of a verb's own (`ARG0` to `ARG5`, `ARGA`)."""
    return _CORE_ROLE.fullmatch(role) is not None


def without_arguments(tags: Sequence[str], is_out: Sequence[bool]) -> List[str]:
    """
    Removes the spans of arguments from BIO labels, with the continuations and relative pronouns
    (R-X) of their first pieces. V stays. `is_out` marks the first tokens of spans to remove.
    """
    kept = list(tags)
    for argument in arguments(tags):
        is_first_out = is_out[argument.pieces[0][0]]
        for first, last in argument.pieces:
            if is_first_out or is_out[first]:
                kept[first : last + 1] = ["O"] * (last + 1 - first)
    if kept != tags:
        spans = bio_to_spans(kept)
        roles = {span.role for span in spans}
        for role, first, last in spans:
            if role.startswith(REFERENCE) and role[len(REFERENCE) :] not in roles:
                kept[first : last + 1] = ["O"] * (last + 1 - first)
    return kept


def allowed_starts(labels: Sequence[str]) -> List[bool]:
    return [label == "O" or _split(label)[0] == "B-" for label in labels]


def allowed_transitions(labels: Sequence[str]) -> List[List[bool]]:
    """Marks at `[before][after]` whether one label may follow another, as BIO allows."""
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


def join_roleset(lemma: str, number: str) -> str:
    """Returns the roleset: `-` without a number, and the number alone without a lemma."""
    return number if UNKNOWN in (lemma, number) else f"{lemma}.{number}"


def split_roleset(lemma: str, sense: str) -> Tuple[str, str]:
    """Splits a roleset into the lemma, its own if it differs, and the number; `-` if unknown."""
    if sense.startswith(f"{lemma}."):
        return lemma, sense[len(lemma) + 1 :]
    own_lemma, _, number = sense.rpartition(".")
    return (own_lemma, number) if own_lemma else (lemma, sense)


@lru_cache(maxsize=20_000)
def lemma_of_roleset(sense: str) -> str:
    """Returns the lemma of a whole roleset: `sell_out` for `sell_out.02`."""
    return sense.rpartition(".")[0] or UNKNOWN


def is_roleset(sense: str) -> bool:
    """Whether a sense is a whole roleset, such as `sell.01` or `take.LV`."""
    return _ROLESET.fullmatch(sense) is not None


def join_tag(pos: str, is_predicate: bool) -> str:
    """Returns `VBD:predicate` for a predicate, `VBD` for any other word."""
    return pos + _PREDICATE_MARK if is_predicate else pos


def split_tag(joint_tag: str) -> Tuple[str, bool]:
    """Returns the part of speech, and whether the word is a predicate."""
    return joint_tag.removesuffix(_PREDICATE_MARK), joint_tag.endswith(_PREDICATE_MARK)
