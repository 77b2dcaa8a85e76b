"""Fits log-linear models by maximum likelihood, in NumPy."""

import itertools
from collections import Counter, deque
from typing import Callable, Deque, Dict, NamedTuple, Sequence, Tuple

import numpy

from lisa_allennlp.decoding.log_linear import LogLinear, alternative_scores, keys_of

STEPS = 100
"""The most that `minimise` does."""

MEMORY = 5
"""The number of steps from which `minimise` knows the curvature."""

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
    keys = keys_of(kept)
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

    # The penalty alone bends the objective so much that a flatter place is within half a unit.
    weights = minimise(objective, before, tolerance=penalty * start.unit / 2)
    whole = numpy.rint(weights / start.unit).astype(int)
    whole[abs(whole) < least_weight] = 0
    found = start.with_rows_of(start._replace(features=keys, weights=whole), keys)
    precision = numpy.int8 if abs(found.weights).max(initial=0) < 128 else numpy.int16
    return found._replace(weights=found.weights.astype(precision))


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


def minimise(objective: Objective, point: numpy.ndarray, tolerance: float) -> numpy.ndarray:
    """
    Minimises a smooth, convex function, from a point, by L-BFGS (Nocedal & Wright 2006, algorithm
    7.5) with backtracking. The objective returns its value and its gradient, of which no part is
    larger than the tolerance in the end, unless it takes too many steps.
    """
    value, gradient = objective(point)
    history: Deque[Tuple[numpy.ndarray, numpy.ndarray, float]] = deque(maxlen=MEMORY)
    for _ in range(STEPS):
        if abs(gradient).max(initial=0.0) <= tolerance:
            break
        direction, shares = -gradient, []
        for step, change, product in reversed(history):
            shares.append(numpy.vdot(step, direction) / product)
            direction -= shares[-1] * change
        if history:
            _, change, product = history[-1]
            direction *= product / numpy.vdot(change, change)
        for step, change, product in history:
            direction += (shares.pop() - numpy.vdot(change, direction) / product) * step
        slope, earlier = float(numpy.vdot(direction, gradient)), value
        size = 1.0 if history else 1.0 / max(1.0, float(abs(gradient).max()))
        while True:
            step = numpy.float32(size) * direction
            value, changed = objective(point + step)
            if value <= earlier + 1e-4 * size * slope or size < 1e-6:
                break
            size /= 2
        change = changed - gradient
        product = float(numpy.vdot(step, change))
        if value > earlier or product <= 0:
            # Rounding hides what is left to gain.
            break
        history.append((step, change, product))
        point, gradient = point + step, changed
    return point
