"""
The oracle corrections of He et al. (2017), "Deep Semantic Role Labeling: What Works and What's
Next", section 4.1, which LISA's Figure 3 uses: what F1 would be if one type of error after another
did not occur. Also their Figure 4: the phrases that were attached wrongly.

The corrections apply in the order of `CORRECTIONS`, each as often as possible before the next one.
None is permitted if a corrected argument would overlap another predicted one. He et al. correct
flat spans. Here arguments are those of srl-eval.pl, so that F1 is the official one: X and C-X are
the pieces of one argument. Only for arguments of several pieces does this make a difference. Each
correction replaces wrong arguments by gold ones, or drops wrong ones, so F1 never falls. He et al.
end with `add_argument`, which leaves arguments that overlap gold with a wrong label and wrong
boundaries; `others` replaces these as well and leads to 100 F1.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from typing import Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.apps.analyze.frame_pairs import FramePair, count
from lisa_allennlp.apps.analyze.intervals import Bootstrap, Score, Share
from lisa_allennlp.formats.constituents import Constituent, constituents
from lisa_allennlp.sentence.roles import Argument
from lisa_allennlp.sentence.sentence import Sentence

Piece = Tuple[int, int]
"""First and last (inclusive) position."""

MAX_GAP = 1

# A0 to A5 and AA in CoNLL-2005, ARG0 to ARG5 and ARGA in CoNLL-2012.
_CORE_ROLE = re.compile(r"(?:ARG|A)[0-9A]")

CONSTITUENT, RELATION = "phrase type", "dependency relation of the head"

NO_CONSTITUENT = "none"

# The first part of `NP-SBJ` or `NP=2`; `-LRB-` stays whole.
_BASIC_LABEL = re.compile(r".[^-=]*")


class Edit(NamedTuple):
    """
    One of `CORRECTIONS`: the wrong predicted arguments, and the gold arguments in their place. If
    spans X and Y were merged into one, or one was split into X and Y, `attached` is Y.
    """

    name: str
    removed: Tuple[Argument, ...]
    added: Tuple[Argument, ...]
    attached: Optional[Piece] = None


Arguments = Sequence[Argument]


def fix_labels(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Corrects the role of an argument that has the boundaries of a gold argument."""
    for argument in found:
        for gold in wanted:
            if argument.pieces == gold.pieces and argument.role != gold.role:
                return Edit("fix_labels", (argument,), (gold,))
    return None


def move_core_argument(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Moves a core argument (A0 to A5, AA) to its role's only gold one, unless they overlap."""
    for argument in (own for own in found if _CORE_ROLE.fullmatch(own.role)):
        same_role = [gold for gold in wanted if gold.role == argument.role]
        if len(same_role) != 1 or _overlap(argument, same_role[0]):
            continue
        if _is_free(same_role[0], found):
            return Edit("move_core_argument", (argument,), (same_role[0],))
    return None


def merge_spans(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Merges two predicted spans, at most one word apart, into a gold span of the same extent."""
    for (first, second), removed in _pairs_of_spans(found):
        for gold in wanted:
            if gold.pieces == ((first[0], second[1]),) and _is_free(gold, found, removed):
                return Edit("merge_spans", removed, (gold,), attached=second)
    return None


def split_spans(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Splits a predicted span into two gold spans of the same extent, at most one word apart."""
    for (first, second), added in _pairs_of_spans(wanted):
        for argument in found:
            if argument.pieces == ((first[0], second[1]),):
                return Edit("split_spans", (argument,), added, attached=second)
    return None


def fix_boundary(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Corrects the boundaries of an argument that overlaps a gold argument of the same role."""
    for argument in found:
        for gold in wanted:
            is_candidate = argument.role == gold.role and argument.pieces != gold.pieces
            if is_candidate and _overlap(argument, gold) and _is_free(gold, found, (argument,)):
                return Edit("fix_boundary", (argument,), (gold,))
    return None


def drop_argument(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Drops a predicted argument that overlaps no gold argument."""
    for argument in found:
        if _is_free(argument, wanted):
            return Edit("drop_argument", (argument,), ())
    return None


def add_argument(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Adds a gold argument that overlaps no predicted one, also of unpredicted predicates."""
    for gold in wanted:
        if _is_free(gold, found):
            return Edit("add_argument", (), (gold,))
    return None


def others(found: Arguments, wanted: Arguments) -> Optional[Edit]:
    """Adds any gold argument that is still missing in place of the arguments that overlap it."""
    for gold in wanted:
        if gold not in found:
            overlapping = tuple(argument for argument in found if _overlap(argument, gold))
            return Edit("others", overlapping, (gold,))
    return None


_FUNCTIONS: Tuple[Callable[[Arguments, Arguments], Optional[Edit]], ...] = (
    fix_labels,
    move_core_argument,
    merge_spans,
    split_spans,
    fix_boundary,
    drop_argument,
    add_argument,
    others,
)

CORRECTIONS: Tuple[str, ...] = tuple(function.__name__ for function in _FUNCTIONS)


def corrections(found: Arguments, wanted: Arguments) -> Iterator[Edit]:
    """
    Yields the corrections that turn predicted arguments into the gold ones. The arguments of each
    side do not overlap.
    """
    current = list(found)
    for function in _FUNCTIONS:
        edit = function(current, wanted)
        while edit is not None:
            yield edit
            current = apply_edit(current, edit)
            edit = function(current, wanted)


def apply_edit(found: Arguments, edit: Edit) -> List[Argument]:
    return [argument for argument in found if argument not in edit.removed] + list(edit.added)


def _overlap(one: Argument, other: Argument) -> bool:
    return any(
        first <= other_last and other_first <= last
        for first, last in one.pieces
        for other_first, other_last in other.pieces
    )


def _is_free(argument: Argument, among: Arguments, removed: Arguments = ()) -> bool:
    return not any(_overlap(argument, other) for other in among if other not in removed)


def _pairs_of_spans(
    arguments: Arguments,
) -> Iterator[Tuple[Tuple[Piece, Piece], Tuple[Argument, ...]]]:
    """Neighbouring spans and the arguments they form: two arguments, or two pieces of one."""
    for argument in arguments:
        if len(argument.pieces) == 2 and _are_neighbours(*argument.pieces):
            yield (argument.pieces[0], argument.pieces[1]), (argument,)
    whole = [argument for argument in arguments if len(argument.pieces) == 1]
    for one, other in permutations(whole, 2):
        if _are_neighbours(one.pieces[0], other.pieces[0]):
            yield (one.pieces[0], other.pieces[0]), (one, other)


def _are_neighbours(first: Piece, second: Piece) -> bool:
    return 0 <= second[0] - first[1] - 1 <= MAX_GAP


@dataclass(frozen=True)
class CorrectedFrame:
    pair: FramePair
    edits: List[Edit]


def correct_frames(pairs: Sequence[FramePair]) -> List[CorrectedFrame]:
    return [CorrectedFrame(pair, list(corrections(pair.found, pair.wanted))) for pair in pairs]


@dataclass(frozen=True)
class CorrectionStep:
    """
    The score after all corrections up to the one of this name (`original` before the first), of
    which `number` were made.
    """

    name: str
    number: int
    score: Score


def correction_steps(
    frames: Sequence[CorrectedFrame], bootstrap: Bootstrap, num_sentences: int
) -> List[CorrectionStep]:
    """Returns `original` and then each of `CORRECTIONS` (LISA's Figure 3)."""
    names = ("original", *CORRECTIONS)
    counts = numpy.zeros((num_sentences, len(names), 3), dtype=int)
    numbers = Counter(edit.name for frame in frames for edit in frame.edits)
    for frame in frames:
        found: Arguments = frame.pair.found
        for step, name in enumerate(names):
            for edit in frame.edits:
                if edit.name == name:
                    found = apply_edit(found, edit)
            counts[frame.pair.sentence, step] += count(found, frame.pair.wanted)
    scores = bootstrap.scores(counts)
    return [
        CorrectionStep(name, numbers[name], score)
        for name, score in zip(names, scores, strict=True)
    ]


@dataclass(frozen=True)
class Attachments:
    """
    How often spans of one type were merged with the span before them, or split from it, and their
    share of all merges and splits of the system.
    """

    merged: int
    split: int
    share: Share


@dataclass(frozen=True)
class PhraseTypes:
    """
    The merges and splits of each system by the type (a `CONSTITUENT` or `RELATION`) of the second
    span, most frequent first.
    """

    kind: str
    systems: Dict[str, Dict[str, Attachments]]


def count_phrase_types(
    gold: Sequence[Sentence],
    systems: Mapping[str, Sequence[CorrectedFrame]],
    bootstrap: Bootstrap,
    parse_bits: Optional[Sequence[Sequence[str]]] = None,
) -> Optional[PhraseTypes]:
    """
    Counts `merge_spans` and `split_spans` by the type of the second span, the phrase that was
    attached wrongly (LISA's Figure 4, after Figure 4 of He et al. 2017). Without `parse_bits`, such
    as `(NP*`, the type is the relation of the span's head in the gold tree. Returns `None` without
    gold trees, too.
    """
    if parse_bits is None and any(sentence.parse is None for sentence in gold):
        return None
    trees = None if parse_bits is None else [constituents(bits) for bits in parse_bits]

    def type_of(sentence: int, piece: Piece) -> str:
        if trees is not None:
            return type_of_constituent(trees[sentence], piece)
        parse = gold[sentence].parse
        assert parse is not None
        return parse.head_tags[parse.span_head(*piece)]

    counted = {}
    for name, frames in systems.items():
        found = [
            (frame.pair.sentence, type_of(frame.pair.sentence, edit.attached), edit.name)
            for frame in frames
            for edit in frame.edits
            if edit.attached is not None
        ]
        counted[name] = _attachments(found, bootstrap, len(gold))
    return PhraseTypes(RELATION if trees is None else CONSTITUENT, counted)


def _attachments(
    found: Sequence[Tuple[int, str, str]], bootstrap: Bootstrap, num_sentences: int
) -> Dict[str, Attachments]:
    types = sorted({type_ for _, type_, _ in found})
    counts = numpy.zeros((num_sentences, len(types)), dtype=int)
    for sentence, type_, _ in found:
        counts[sentence, types.index(type_)] += 1
    numbers = Counter((type_, name) for _, type_, name in found)
    attachments = {
        type_: Attachments(numbers[type_, "merge_spans"], numbers[type_, "split_spans"], share)
        for type_, share in zip(types, bootstrap.shares(counts), strict=True)
    }
    return dict(sorted(attachments.items(), key=lambda item: -item[1].share.number))


def type_of_constituent(tree: Optional[Sequence[Constituent]], piece: Piece) -> str:
    """Returns the label (`NP` of `NP-SBJ`) of the lowest constituent with this span, or `none`."""
    for label, first, last in tree or ():
        if (first, last) == piece:
            match = _BASIC_LABEL.match(label)
            return label if match is None else match.group()
    return NO_CONSTITUENT
