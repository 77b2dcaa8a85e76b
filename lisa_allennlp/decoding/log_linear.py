"""Log-linear models: sums of the weights of features, which are fitted by maximum likelihood."""

import itertools
from collections import deque
from typing import Callable, Deque, Dict, Iterable, NamedTuple, Sequence, Tuple
from zlib import crc32

import numpy

STEPS = 100

MEMORY = 5
"""The number of steps from which `minimise` estimates the curvature."""

ENTRIES_AT_ONCE = 2**13

Objective = Callable[[numpy.ndarray], Tuple[float, numpy.ndarray]]

Decision = Tuple[Sequence[Sequence[str]], numpy.ndarray, int]
"""Between A alternatives: their features, (A,) offsets, and the right one's number."""


class LogLinear(NamedTuple):
    """
    The weights of a log-linear model: (N,) the sorted CRC-32 of features, and their weights, (N,)
    or (N, C), as whole multiples of `unit`. Weights of features that occur together add up.
    """

    features: numpy.ndarray
    weights: numpy.ndarray
    unit: float

    @classmethod
    def empty(cls, unit: float) -> "LogLinear":
        return cls(numpy.zeros(1, numpy.uint32), numpy.zeros(1, numpy.int8), unit)

    def scores(self, found: Sequence[Sequence[str]]) -> numpy.ndarray:
        """(S,) or (S, C), the scores of S lists of features; there is one, and none is empty."""
        weights = self.weights_of(keys_of(itertools.chain.from_iterable(found)))
        starts = [0, *itertools.accumulate(map(len, found[:-1]))]
        return self.unit * numpy.add.reduceat(weights, starts, dtype=numpy.int16)

    def with_weights_of(self, other: "LogLinear", keys: numpy.ndarray) -> "LogLinear":
        """Replaces the weights of some features by another model's."""
        kept, taken = ~numpy.isin(self.features, keys), numpy.isin(other.features, keys)
        features = numpy.concatenate([self.features[kept], other.features[taken]])
        weights = numpy.concatenate([self.weights[kept], other.weights[taken]])
        used = numpy.flatnonzero(weights)
        if not len(used):
            return LogLinear.empty(self.unit)
        order = used[features[used].argsort(kind="stable")]
        return self._replace(features=features[order], weights=weights[order])

    def weights_of(self, keys: numpy.ndarray) -> numpy.ndarray:
        """The weights of features, zero for unknown ones."""
        places = numpy.searchsorted(self.features, keys).clip(max=len(self.features) - 1)
        weights = self.weights[places]
        weights[self.features[places] != keys] = 0
        return weights


def keys_of(features: Iterable[str]) -> numpy.ndarray:
    """The CRC-32 of features."""
    return numpy.array(list(map(crc32, map(str.encode, features))), numpy.uint32)


def fit(
    decisions: Sequence[Decision], start: LogLinear, penalty: float, least_weight: int = 1
) -> LogLinear:
    """
    Returns the weights w that minimise

        - sum_i log P(right alternative of decision i) + penalty / 2 sum (w - v)^2

    where v are those of `start` (`LogLinear.empty` for 0), and P is a softmax over the scores of
    the alternatives. Features that do not occur keep the weights of `start`. Weights below
    `least_weight` (in units) become 0.
    """
    found = [own for features, _, _ in decisions for own in features]
    offsets = numpy.concatenate([own for _, own, _ in decisions]).astype(numpy.float32)
    sizes = numpy.array([len(own) for _, own, _ in decisions])
    starts = sizes.cumsum() - sizes
    right = starts + [number for _, _, number in decisions]
    names = list(dict.fromkeys(itertools.chain.from_iterable(found)))
    numbers: Dict[str, int] = {feature: number for number, feature in enumerate(names)}
    entries = numpy.array([numbers[name] for own in found for name in own], int)
    rows = numpy.repeat(numpy.arange(len(found)), list(map(len, found)))
    order = entries.argsort(kind="stable")
    of_features = entries[order], rows[order]
    keys = keys_of(names)
    before = (start.unit * start.weights_of(keys)).astype(numpy.float32)

    def objective(weights: numpy.ndarray) -> Tuple[float, numpy.ndarray]:
        logs = _sums(rows, entries, weights, len(found)) + offsets
        logs -= numpy.repeat(numpy.maximum.reduceat(logs, starts), sizes)
        errors = numpy.exp(logs)
        sums = numpy.add.reduceat(errors, starts)
        errors /= numpy.repeat(sums, sizes)
        errors[right] -= 1
        moved = weights - before
        loss = (numpy.log(sums) - logs[right]).sum(dtype=float)
        loss += penalty / 2 * numpy.square(moved).sum(dtype=float)
        return loss, _sums(*of_features, errors, len(names)) + penalty * moved

    # The penalty alone bends the objective so much that a flatter place is within half a unit.
    weights = minimise(objective, before, tolerance=penalty * start.unit / 2)
    whole = numpy.rint(weights / start.unit).astype(int)
    whole[abs(whole) < least_weight] = 0
    fitted = start.with_weights_of(start._replace(features=keys, weights=whole), keys)
    precision = numpy.int8 if abs(fitted.weights).max(initial=0) < 128 else numpy.int16
    return fitted._replace(weights=fitted.weights.astype(precision))


def _sums(
    owners: numpy.ndarray, others: numpy.ndarray, values: numpy.ndarray, size: int
) -> numpy.ndarray:
    """(size,): for each of the sorted owners, the sum of the values of its others."""
    sums = numpy.zeros(size, values.dtype)
    for first in range(0, len(owners), ENTRIES_AT_ONCE):
        part = slice(first, first + ENTRIES_AT_ONCE)
        starts = numpy.flatnonzero(numpy.diff(owners[part], prepend=-1))
        sums[owners[part][starts]] += numpy.add.reduceat(values[others[part]], starts)
    return sums


def minimise(objective: Objective, point: numpy.ndarray, tolerance: float) -> numpy.ndarray:
    """
    Minimises a smooth, convex function from a point by L-BFGS (Nocedal & Wright 2006, algorithm
    7.5) with backtracking, until no part of the gradient exceeds the tolerance, or for `STEPS`. The
    objective returns its value and its gradient.
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
