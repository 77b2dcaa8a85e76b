"""
Log-linear models of rolesets and of roles, fitted on the treebank and PropBank's examples, which
decide where the network's scores are close.
"""

import re
from functools import cache
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

import numpy

from lisa_allennlp.decoding.features import sense_features, span_features, with_roleset
from lisa_allennlp.decoding.frames import Frames
from lisa_allennlp.decoding.log_linear import LogLinear
from lisa_allennlp.decoding.trees import is_token
from lisa_allennlp.text.propbank_frames import packaged_inventory

FOLDER = Path(__file__).parents[1] / "pretrained"

LEAST = -6.0
"""A role with a lower log-probability counts as if it had this one."""

LARGEST_GAP = 3.0
"""Roles that score higher than all others by more stay."""

LARGEST_SENSE_GAP = 4.0
"""Rolesets that score lower than the best one by more are not considered."""


@cache
def open_weights(name: str) -> Tuple[LogLinear, List[str]]:
    """
    Opens a file of the package. Weights of roles have a column for each role, and for each function
    (`PAG`, `GOL`) of the numbered roles of a roleset, and come with these names. Weights of
    rolesets have one column.
    """
    with numpy.load(FOLDER / name) as arrays:
        unit = float(arrays.get("unit", 0.05))
        return LogLinear(arrays["features"], arrays["weights"], unit), arrays["columns"].tolist()


def add_sense_context(frames: Frames) -> None:
    weights, _ = open_weights("sense_context.npz")
    scores, senses = frames.sense_scores, frames.names.senses.names
    is_open = scores > scores.max(1, keepdims=True) - LARGEST_SENSE_GAP
    for number in (is_open.sum(1) > 1).nonzero()[0].tolist():
        columns = is_open[number].nonzero()[0]
        shared = sense_features(frames.places[number], frames.tags(number))
        own = [senses[index] for index in frames.candidates[number, columns].tolist()]
        found = weights.scores([[f"{sense} {feature}" for feature in shared] for sense in own])
        scores[number, columns] += found[:, 0]


class RolesOfRolesets:
    """
    The numbered roles (`ARG0` or `A0` to `ARG5`), with their `R-` and `C-`, that PropBank's
    rolesets lack. Rolesets that are not there lack none.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        matches = [re.fullmatch(r"[BI]-(?:[CR]-)?A(?:RG)?([0-9])", label) for label in labels]
        self._numbers = [f"ARG{match[1]}" if match else "" for match in matches]
        self._lacking: Dict[str, numpy.ndarray] = {}

    def lacking(self, sense: str) -> numpy.ndarray:
        """Returns (L,) bool: the labels of roles that a roleset lacks."""
        if sense not in self._lacking:
            roleset = packaged_inventory().roleset(sense)
            own = self._numbers if roleset is None else ["", *roleset.roles]
            self._lacking[sense] = numpy.array([number not in own for number in self._numbers])
        return self._lacking[sense]


class RoleContext:
    """
    Adds to the logit of the label that begins a span, for each role r, log P(r) - log P(current
    role). P is the distribution by the weights, 0 for roles that the roleset lacks. Given labels
    and frames without a tree stay as they are.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self._weights, columns = open_weights("role_context.npz")
        self._rolesets = RolesOfRolesets(labels)
        self._roles = [name for name in columns if name.startswith("ARG") and f"B-{name}" in labels]
        self._columns: Dict[str, int] = {name: number for number, name in enumerate(columns)}
        self._begins = numpy.array([labels.index(f"B-{role}") for role in self._roles], int)
        self._role_of_label = numpy.full(len(labels), -1)
        self._role_of_label[self._begins] = numpy.arange(len(self._roles))
        self._own = numpy.array([self._columns[role] for role in self._roles], int)
        self._of_rolesets: Dict[str, numpy.ndarray] = {}

    def add(self, frames: Frames) -> numpy.ndarray:
        """Changes the logits. Returns (F,) bool: the frames in which another role gains."""
        gains = numpy.zeros(len(frames), bool)
        has_tree = [frames.tokens.parses[row] is not None for row in frames.sentences.tolist()]
        is_open = is_token(frames.labels.shape[1], frames.lengths * has_tree) & ~frames.is_given
        roles = numpy.where(is_open, self._role_of_label[frames.labels], -1)
        lasts = frames.names.role_constraints.span_ends(frames.labels, frames.lengths)
        spans = []
        for number, first in numpy.argwhere(roles >= 0).tolist():
            role, scores = roles[number, first], frames.logits[number, first, self._begins]
            if scores[role] - numpy.delete(scores, role).max(initial=-numpy.inf) < LARGEST_GAP:
                spans.append((number, first, int(lasts[number, first])))
        if not spans:
            return gains
        found = []
        for number, first, last in spans:
            shared = span_features(frames.places[number], first, last)
            found.append([*shared, *with_roleset(shared, frames.senses[number].name)])
        for (number, first, _), weighed in zip(spans, self._weights.scores(found), strict=True):
            role = roles[number, first]
            added = self._log_probabilities(weighed, frames.senses[number].name)
            frames.logits[number, first, self._begins] += added - added[role]
            gains[number] |= (added > added[role]).any()
        return gains

    def _log_probabilities(self, weighed: numpy.ndarray, sense: str) -> numpy.ndarray:
        """(R,) from (C,) scores of a span; none is below `LEAST`."""
        of_columns = numpy.append(weighed, 0)
        scores = of_columns[self._own] + of_columns[self._functions(sense)]
        scores[self._rolesets.lacking(sense)[self._begins]] = -numpy.inf
        scores -= scores.max()
        return numpy.maximum(scores - numpy.log(numpy.exp(scores).sum()), LEAST)

    def _functions(self, sense: str) -> numpy.ndarray:
        """The columns of the functions that the roleset gives the roles, or -1."""
        if sense not in self._of_rolesets:
            roleset = packaged_inventory().roleset(sense)
            functions = {} if roleset is None else roleset.functions
            columns = [self._columns.get(functions.get(role, ""), -1) for role in self._roles]
            self._of_rolesets[sense] = numpy.array(columns, int)
        return self._of_rolesets[sense]
