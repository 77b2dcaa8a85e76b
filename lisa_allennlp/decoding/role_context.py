"""Scores the roles of a predicate's spans by its roleset, the words and the tree."""

from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

import numpy

from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.formats.roles import UNKNOWN, split_roleset
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.decoding.log_linear import (
    LogLinear,
    check_weights_name,
    log_probabilities,
    open_log_linear,
)
from lisa_allennlp.decoding.well_formed import RolesOfRolesets

PACKAGED_FILE = Path(__file__).parents[1] / "pretrained" / "role_context.npz"
"""
A `LogLinear` model, which `experiments.role_context` fits. Its columns are roles (`ARG0`,
`ARGM-TMP`), and the functions (`PAG`, `GOL`) that PropBank's frames give the numbered roles of a
roleset.
"""

LARGEST_GAP = 3.0
"""A span whose role scores higher than all others by more keeps it."""

MAX_PATH = 4
"""Longer paths between predicate and argument are all alike."""

MARKERS = ("case", "mark")

_PATTERN = frozenset(
    "nsubj nsubj:pass csubj obj iobj ccomp xcomp obl obl:agent compound:prt nmod nmod:poss "
    "compound amod".split()
)


class RoleContext:
    """
    A log-linear model of the role of a span, which multiplies the network's probabilities of roles.
    `labels` are the model's role labels by index.
    """

    def __init__(self, weights: LogLinear, labels: Sequence[str]) -> None:
        self._table = weights
        columns = weights.columns.tolist()
        self._roles = [name for name in columns if name.startswith("ARG") and f"B-{name}" in labels]
        self._columns = numpy.array([columns.index(role) for role in self._roles], int)
        self._functions = {name: n for n, name in enumerate(columns) if not name.startswith("ARG")}
        self._begins = numpy.array([labels.index(f"B-{role}") for role in self._roles], int)
        # Small training data may lack spans of several words with a role.
        places = {label: number for number, label in enumerate(labels)}
        self._inside = numpy.array([places.get(f"I-{role}", -1) for role in self._roles], int)
        self._role_of_label = numpy.full(len(labels), -1)
        self._role_of_label[self._begins] = numpy.arange(len(self._roles))
        self._rolesets = RolesOfRolesets(labels)
        self._of_rolesets: Dict[str, Tuple[numpy.ndarray, numpy.ndarray]] = {}

    def correct(
        self,
        logits: numpy.ndarray,
        labels: numpy.ndarray,
        lengths: numpy.ndarray,
        is_given: numpy.ndarray,
        places: Sequence[Tuple[int, int]],
        sources: Sequence[Sentence],
        pos: Sequence[Sequence[str]],
        parses: Sequence[Optional[Parse]],
        senses: Sequence[str],
    ) -> numpy.ndarray:
        """
        Adds to the logits, (N, T, L), of the labels that begin a span. The label that it has in
        `labels`, (N, T), gets nothing, each other role how much more probable it is here. Spans
        whose first label is given, (N, T), and frames without a tree stay as they are. `places` has
        sentence and predicate of each frame. Returns the indices of the changed frames.
        """
        is_token = numpy.arange(labels.shape[1]) < lengths[:, None]
        own_roles = numpy.where(is_token & ~is_given, self._role_of_label[labels], -1)
        frames, firsts = (own_roles >= 0).nonzero()
        own = own_roles[frames, firsts]
        scores = logits[frames[:, None], firsts[:, None], self._begins]
        rows = numpy.arange(len(own))
        gaps = scores[rows, own]
        scores[rows, own] = -numpy.inf
        is_open = gaps - scores.max(1, initial=-numpy.inf) < LARGEST_GAP
        spans: List[Tuple[int, int, int]] = []
        found: List[List[str]] = []
        for frame, first, role in numpy.transpose([frames, firsts, own])[is_open].tolist():
            row, predicate = places[frame]
            parse = parses[row]
            if parse is not None:
                last, end = first, len(sources[row].words) - 1
                while last < end and labels[frame, last + 1] == self._inside[role]:
                    last += 1
                place = predicate, senses[frame], first, last
                found.append(role_features(sources[row].words, pos[row], parse, *place))
                spans.append((frame, first, role))
        if not spans:
            return numpy.zeros(0, int)
        frames, firsts, own = numpy.array(spans).T
        corrections = self._log_probabilities(found, [senses[frame] for frame in frames.tolist()])
        corrections -= corrections[numpy.arange(len(own)), own][:, None]
        logits[frames[:, None], firsts[:, None], self._begins] += corrections
        return numpy.unique(frames)

    def _log_probabilities(
        self, features: Sequence[Sequence[str]], senses: Sequence[str]
    ) -> numpy.ndarray:
        """(S, R), of spans with these features, whose predicates have these senses."""
        sums = self._table.scores(features)
        functions, is_lacking = map(numpy.stack, zip(*map(self.of_roleset, senses), strict=True))
        # A last column, of no function.
        padded = numpy.pad(sums, ((0, 0), (0, 1)))
        scores = sums[:, self._columns] + numpy.take_along_axis(padded, functions, 1)
        scores[is_lacking] = -numpy.inf
        return log_probabilities(scores)

    def of_roleset(self, sense: str) -> Tuple[numpy.ndarray, numpy.ndarray]:
        """(R,) by role, the column of its function, -1 without one, and whether it is lacking."""
        if sense not in self._of_rolesets:
            roleset = packaged_inventory().roleset(sense)
            functions = {} if roleset is None else roleset.functions
            columns = [self._functions.get(functions.get(role, ""), -1) for role in self._roles]
            is_lacking = self._rolesets.lacking(sense)[self._begins]
            self._of_rolesets[sense] = numpy.array(columns), is_lacking
        return self._of_rolesets[sense]


def role_features(
    words: Sequence[str],
    tags: Sequence[str],
    parse: Parse,
    predicate: int,
    sense: str,
    first: int,
    last: int,
) -> List[str]:
    """
    Returns the features of the span from `first` to `last` of a predicate (0-based) with a
    roleset: the path of relations from the predicate to the head of the span, the words of the
    span, the words that mark it, and the other dependents of the predicate; some of them also with
    the roleset and with its lemma.
    """
    heads, relations = parse.head_indices, parse.head_tags
    head = parse.span_head(first, last)
    side = "<" if first < predicate else ">"
    path = side + _path(heads, relations, predicate, head)
    own = {relations[token] for token, h in enumerate(heads) if h == predicate}
    is_passive = any(relation.endswith(":pass") for relation in own)
    pattern = " ".join(sorted(own & _PATTERN)) + path + "passive" * is_passive
    marks = (i for i in range(first, last + 1) if heads[i] == head and relations[i] in MARKERS)
    mark = next(marks, None)
    marker = "" if mark is None else words[mark].lower()
    head_word, first_word = words[head].lower(), words[first].lower()
    with_path = [
        "",
        f"path {path}",
        f"voice {path}{'passive' * is_passive}",
        f"marker {marker} {path}",
        f"head {head_word}",
        f"pattern {pattern}",
        f"tag {tags[head]}{side}",
    ]
    lemma, _ = split_roleset(UNKNOWN, sense)
    return [
        *with_path,
        f"form {path}{tags[predicate]}",
        f"head path {head_word} {path}",
        f"tag path {tags[head]} {path}",
        f"first {first_word} {side}",
        f"first tag {first_word} {tags[head]}",
        f"last {words[last].lower()}",
        f"marker head {marker} {head_word}",
        *(f"{sense} {feature}" for feature in with_path),
        *(f"{lemma} {feature}" for feature in with_path[:4]),
    ]


def _path(heads: Sequence[int], relations: Sequence[str], start: int, end: int) -> str:
    """
    The relations from a token up to the first ancestor that both have, and down to the other
    token.
    """
    up, down = _ancestors(heads, start), _ancestors(heads, end)
    common = next((token for token in down if token in up), None)
    if common is None:
        return "apart"
    above, below = up[: up.index(common)], down[: down.index(common)]
    if len(above) + len(below) > MAX_PATH:
        return "long"
    steps = ["^" + relations[token] for token in above]
    return " ".join([*steps, *(relations[token] for token in reversed(below))])


def _ancestors(heads: Sequence[int], token: int) -> List[int]:
    """The token, its head, and so on, each once."""
    found = [token]
    while heads[found[-1]] not in found:
        found.append(heads[found[-1]])
    return found


def make_role_context(name: Optional[str], labels: Sequence[str]) -> Optional[RoleContext]:
    """Returns the context of a config's `role_context`, if it has one."""
    check_weights_name("role_context", name)
    return RoleContext(open_log_linear(PACKAGED_FILE), labels) if name else None
