"""Fits log-linear models (`lisa_allennlp.decoding.log_linear`)."""

import warnings
from collections import Counter
from typing import Dict, NamedTuple, Optional, Sequence

import numpy
import torch

from lisa_allennlp.decoding.log_linear import UNIT, LogLinear, feature_key

LEAST_COUNT = 3
"""Of a feature; rarer ones have no weights."""

RATE = 0.3
STEPS = 60


class Columns(NamedTuple):
    """
    What choices score beside the columns of their labels: (N, C) for each of N choices and C labels
    the number of another column, that after the last one for none; and whether the label is ruled
    out.
    """

    others: numpy.ndarray
    is_out: numpy.ndarray


def fit(
    found: Sequence[Sequence[str]],
    gold: Sequence[str],
    labels: Sequence[str],
    penalty: float,
    least_weight: int,
    more_columns: Sequence[str] = (),
    of_choices: Optional[Columns] = None,
) -> LogLinear:
    """
    Fits weights by maximum likelihood, with a penalty of the squared weights, halved. The weights
    of `labels`, then of `more_columns`, are the columns. Of N choices, `found` are the features and
    `gold` the labels. Weights below `least_weight` (in units) are dropped.
    """
    counts = Counter(feature for features in found for feature in features)
    kept = (feature for feature, count in counts.items() if count >= LEAST_COUNT)
    numbers: Dict[str, int] = {feature: number for number, feature in enumerate(kept)}
    known = [[numbers[feature] for feature in own if feature in numbers] for own in found]
    ends = torch.tensor([0, *map(len, known)]).cumsum(0)
    entries = torch.tensor([number for own in known for number in own])
    with warnings.catch_warnings():
        # PyTorch's sparse matrices are "in beta state".
        warnings.simplefilter("ignore", UserWarning)
        by_choice = torch.sparse_csr_tensor(
            ends, entries, torch.ones(len(entries)), (len(found), len(numbers))
        )
        by_feature = by_choice.to_sparse_coo().T.coalesce().to_sparse_csr()

    width = len(labels)
    columns = [*labels, *more_columns]
    index = {label: number for number, label in enumerate(labels)}
    choices, right = torch.arange(len(gold)), torch.tensor([index[label] for label in gold])
    weights = torch.zeros(len(numbers), len(columns))
    optimizer = torch.optim.Adagrad([weights], lr=RATE)
    for _ in range(STEPS):
        sums = by_choice @ weights
        scores = sums[:, :width]
        if of_choices is not None:
            others = torch.from_numpy(of_choices.others)
            scores = scores + torch.nn.functional.pad(sums, (0, 1)).gather(1, others)
            scores.masked_fill_(torch.from_numpy(of_choices.is_out), -torch.inf)
        # The gradient by hand: products with sparse matrices have none for these layouts.
        errors = scores.softmax(1)
        errors[choices, right] -= 1
        by_column = torch.nn.functional.pad(errors, (0, len(columns) + 1 - width))
        if of_choices is not None:
            by_column.scatter_add_(1, others, errors)
        weights.grad = by_feature @ by_column[:, :-1] + penalty * weights
        optimizer.step()
    whole = (weights / UNIT).round().clamp(-127, 127).to(torch.int8).numpy()
    whole[abs(whole) < least_weight] = 0
    keys = numpy.array(list(map(feature_key, numbers)), numpy.uint32)
    order = numpy.argsort(keys, kind="stable")
    used = order[whole[order].any(1)]
    return LogLinear(keys[used], whole[used], numpy.array(columns))
