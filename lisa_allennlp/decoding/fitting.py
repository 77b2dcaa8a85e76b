"""Fits log-linear models by maximum likelihood, in NumPy."""

import itertools
from collections import Counter, deque
from typing import Callable, Deque, Dict, NamedTuple, Sequence, Tuple

import numpy

from lisa_allennlp.decoding.log_linear import LogLinear, alternative_scores, feature_key

STEPS = 100
"""The most of `minimise`."""

MEMORY = 5
"""The number of steps from which `minimise` knows the curvature."""

TOLERANCE = 1e-7
"""`minimise` stops at a step that improves the value by a smaller share."""

ENTRIES_AT_ONCE = 2**13

Objective = Callable[[numpy.ndarray], Tuple[float, numpy.ndarray]]


class Choices(NamedTuple):
    """
    N choices among A alternatives, of which one is right.

    # Parameters

    features : `Sequence[Sequence[str]]`
        R lists. The weights of C columns score each: (R, C).
    places : `numpy.ndarray`
        (N, A, K): which scores make up that of an alternative, as for `alternative_scores`.
    offsets : `numpy.ndarray`
        (N, A): what is added to the score of an alternative; -inf rules it out.
    gold : `numpy.ndarray`
        (N,): the number of the right alternative.
    """

    features: Sequence[Sequence[str]]
    places: numpy.ndarray
    offsets: numpy.ndarray
    gold: numpy.ndarray

    @classmethod
    def of_columns(
        cls, features: Sequence[Sequence[str]], gold: Sequence[str], columns: Sequence[str]
    ) -> "Choices":
        """For each list of features, a choice between all columns."""
        shape = len(features), len(columns)
        numbers = {name: number for number, name in enumerate(columns)}
        return cls(
            features,
            numpy.arange(len(features) * len(columns)).reshape(*shape, 1),
            numpy.zeros(shape, numpy.float32),
            numpy.array([numbers[name] for name in gold]),
        )


def fit(
    choices: Choices, start: LogLinear, penalty: float, least_count: int = 1, least_weight: int = 1
) -> LogLinear:
    """
    Returns the weights w that minimise

        - sum_i log P(gold of choice i) + penalty / 2 sum (w - v)^2

    where v are those of `start` (`LogLinear.empty` for 0), and P is a softmax over the scores of
    the alternatives. Features that occur less than `least_count` times keep their weights, as do
    all others of `start`. Weights below `least_weight` (in units) become 0.
    """
    counts = Counter(itertools.chain.from_iterable(choices.features))
    kept = [feature for feature, count in counts.items() if count >= least_count]
    numbers: Dict[str, int] = {feature: number for number, feature in enumerate(kept)}
    known = [[numbers[name] for name in own if name in numbers] for own in choices.features]
    entries = numpy.array(list(itertools.chain.from_iterable(known)), int)
    rows = numpy.repeat(numpy.arange(len(known)), list(map(len, known)))
    order = entries.argsort(kind="stable")
    of_features = entries[order], rows[order]
    size, width = len(known), len(start.columns)
    cells = choices.places.ravel() + 1
    right = numpy.arange(len(choices.gold)), choices.gold
    keys = numpy.array(list(map(feature_key, kept)), numpy.uint32)
    before = (start.unit * start.rows(keys)).astype(numpy.float32)

    def objective(weights: numpy.ndarray) -> Tuple[float, numpy.ndarray]:
        scores = _sums(rows, entries, weights, size)
        logs = alternative_scores(scores, choices.places) + choices.offsets
        logs -= logs.max(1, keepdims=True)
        logs -= numpy.log(numpy.exp(logs).sum(1, keepdims=True))
        moved = weights - before
        loss = -logs[right].sum(dtype=float) + penalty / 2 * numpy.square(moved).sum(dtype=float)
        errors = numpy.exp(logs)
        errors[right] -= 1
        spread = numpy.broadcast_to(errors[..., None], choices.places.shape).ravel()
        of_scores = numpy.bincount(cells, spread, 1 + size * width)[1:].astype(numpy.float32)
        gradient = _sums(*of_features, of_scores.reshape(size, width), len(kept))
        return loss, gradient + penalty * moved

    # That of a choice between two equal alternatives, if the features were independent.
    curvature = penalty + numpy.bincount(entries, minlength=len(kept))[:, None] / 4
    weights = minimise(objective, before, curvature.astype(numpy.float32))
    whole = numpy.rint(weights / start.unit).astype(int)
    whole[abs(whole) < least_weight] = 0
    others = ~numpy.isin(start.features, keys)
    keys = numpy.concatenate([keys, start.features[others]])
    whole = numpy.concatenate([whole, start.weights[others]])
    used = numpy.flatnonzero(whole.any(1))
    order = used[keys[used].argsort(kind="stable")]
    precision = numpy.int8 if abs(whole).max(initial=0) < 128 else numpy.int16
    return start._replace(features=keys[order], weights=whole[order].astype(precision))


def _sums(
    owners: numpy.ndarray, others: numpy.ndarray, values: numpy.ndarray, size: int
) -> numpy.ndarray:
    """(size, C): for each of the sorted owners, the sum of the values, (M, C), of its others."""
    sums = numpy.zeros((size, values.shape[1]), values.dtype)
    for first in range(0, len(owners), ENTRIES_AT_ONCE):
        part = slice(first, first + ENTRIES_AT_ONCE)
        starts = numpy.flatnonzero(numpy.diff(owners[part], prepend=-1))
        sums[owners[part][starts]] += numpy.add.reduceat(values[others[part]], starts)
    return sums


def minimise(objective: Objective, point: numpy.ndarray, curvature: numpy.ndarray) -> numpy.ndarray:
    """
    Minimises a smooth, strictly convex function, from a point, by L-BFGS (Nocedal & Wright 2006,
    algorithm 7.5) with backtracking. The objective returns its value and its gradient. The
    curvature estimates the diagonal of the Hessian, up to a factor.
    """
    value, gradient = objective(point)
    history: Deque[Tuple[numpy.ndarray, numpy.ndarray, float]] = deque(maxlen=MEMORY)
    for _ in range(STEPS):
        direction, shares = -gradient, []
        for step, change, product in reversed(history):
            shares.append(numpy.vdot(step, direction) / product)
            direction -= shares[-1] * change
        direction /= curvature
        if history:
            _, change, product = history[-1]
            direction *= product / numpy.vdot(change, change / curvature)
        for step, change, product in history:
            direction += (shares.pop() - numpy.vdot(change, direction) / product) * step
        slope, size, earlier = float(numpy.vdot(direction, gradient)), 1.0, value
        while True:
            step = numpy.float32(size) * direction
            value, changed = objective(point + step)
            if value <= earlier + 1e-4 * size * slope:
                break
            size /= 2
            if size < 1e-6:
                # Rounding hides what is left to gain.
                return point
        product = float(numpy.vdot(step, changed - gradient))
        history.append((step, changed - gradient, product))
        point, gradient = point + step, changed
        if earlier - value <= TOLERANCE * abs(value) or product <= 0:
            break
    return point
