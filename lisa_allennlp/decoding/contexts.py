"""
Log-linear models of rolesets and of the roles of spans, fitted on the treebank and PropBank's
examples, which help the network to choose where its scores are close.
"""

import re
from functools import cache
from pathlib import Path
from typing import Dict, NamedTuple, Sequence

import numpy

from lisa_allennlp.decoding.features import sense_features, span_features, with_roleset
from lisa_allennlp.decoding.frames import Frames
from lisa_allennlp.decoding.log_linear import keys_of
from lisa_allennlp.decoding.trees import is_token
from lisa_allennlp.text.propbank_frames import packaged_inventory

FOLDER = Path(__file__).parents[1] / "pretrained"

LEAST = -6.0
"""A role with a lower log-probability counts as if it had this one."""

LARGEST_GAP = 3.0
"""Roles that score higher than all others by more stay."""

LARGEST_SENSE_GAP = 4.0
"""Rolesets that score lower than the best one by more are not considered."""


class Weights(NamedTuple):
    """
    (N,) the sorted CRC-32 of features, (N, C) their weights as whole multiples of `unit`, and (C,)
    the names of the columns: roles, and the functions (`PAG`, `GOL`) that PropBank gives the
    numbered roles of a roleset. Those of rolesets have one column.
    """

    features: numpy.ndarray
    weights: numpy.ndarray
    columns: numpy.ndarray
    unit: float = 0.05

    def scores(self, features: Sequence[str]) -> numpy.ndarray:
        """(C,), the sums of the weights of features."""
        keys = keys_of(features)
        places = numpy.searchsorted(self.features, keys).clip(max=len(self.features) - 1)
        is_known = self.features[places] == keys
        return self.unit * self.weights[places[is_known]].sum(0, dtype=numpy.int16)


@cache
def open_weights(name: str) -> Weights:
    with numpy.load(FOLDER / name) as arrays:
        return Weights(**arrays)


def add_sense_context(frames: Frames) -> None:
    """Adds to the scores of close candidate rolesets their scores by the weights."""
    weights, scores = open_weights("sense_context.npz"), frames.sense_scores
    is_open = scores > scores.max(1, keepdims=True) - LARGEST_SENSE_GAP
    for number in (is_open.sum(1) > 1).nonzero()[0].tolist():
        features = sense_features(frames.places[number], frames.tags(number))
        for column in is_open[number].nonzero()[0].tolist():
            sense = frames.names.senses.names[frames.candidates[number, column]]
            added = weights.scores([f"{sense} {feature}" for feature in features])
            scores[number, column] += added[0]


class RolesOfRolesets:
    """
    Knows which numbered roles (`ARG0` or `A0` to `ARG5`), with their `R-` and `C-`, the rolesets of
    PropBank's inventory lack. Rolesets that are not there lack none.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        matches = [re.fullmatch(r"[BI]-(?:[CR]-)?A(?:RG)?([0-9])", label) for label in labels]
        self._numbers = [f"ARG{match[1]}" if match else "" for match in matches]
        self._lacking: Dict[str, numpy.ndarray] = {}

    def lacking(self, sense: str) -> numpy.ndarray:
        """(L,) bool: the labels of roles that a roleset lacks."""
        if sense not in self._lacking:
            roleset = packaged_inventory().roleset(sense)
            own = self._numbers if roleset is None else ["", *roleset.roles]
            self._lacking[sense] = numpy.array([number not in own for number in self._numbers])
        return self._lacking[sense]


class RoleContext:
    """
    Adds to the logit of the label that begins a span, for each role r, log P(r) - log P(own role),
    where P are the probabilities of roles by the weights, and for roles that the roleset lacks 0.
    Given labels and frames without a tree stay as they are.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self._weights, self._rolesets = open_weights("role_context.npz"), RolesOfRolesets(labels)
        columns = self._weights.columns.tolist()
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
        for number, first in numpy.argwhere(roles >= 0).tolist():
            role, logits = roles[number, first], frames.logits[number, first]
            scores = logits[self._begins]
            if scores[role] - numpy.delete(scores, role).max(initial=-numpy.inf) < LARGEST_GAP:
                added = self._scores(frames, number, first, int(lasts[number, first]))
                logits[self._begins] += added - added[role]
                gains[number] |= (added > added[role]).any()
        return gains

    def _scores(self, frames: Frames, number: int, first: int, last: int) -> numpy.ndarray:
        """(R,), the log-probabilities of the roles of a span; none is below `LEAST`."""
        place, sense = frames.places[number], frames.senses[number].name
        shared = span_features(place, first, last)
        of_columns = numpy.append(self._weights.scores([*shared, *with_roleset(shared, sense)]), 0)
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
