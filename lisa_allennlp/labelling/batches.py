"""Which of many sentences go through a network together."""

from typing import Callable, Dict, Iterable, Iterator, List, Sequence

from allennlp.common.util import JsonDict
from allennlp.models import Model

from lisa_allennlp.nn.precision import weights_converted_once


def groups_of_similar_length(lengths: Sequence[int], max_tokens: int) -> Iterator[List[int]]:
    """
    # Parameters

    lengths : `Sequence[int]`
        The number of tokens of each sentence.
    max_tokens : `int`
        How many tokens a group may have with padding; a longer sentence is a group by itself.

    # Returns

    `Iterator[List[int]]`
        Groups of positions in `lengths`, from the shortest to the longest.
    """
    group: List[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The last of a group is its longest: the others are padded to its length.
        if group and (len(group) + 1) * lengths[position] > max_tokens:
            yield group
            group = []
        group.append(position)
    if group:
        yield group


def predict_groups(
    model: Model, groups: Iterable[List[int]], predict: Callable[[List[int]], List[JsonDict]]
) -> Dict[int, JsonDict]:
    """
    # Parameters

    model : `Model`
        Whose forward passes they are.
    groups : `Iterable[List[int]]`
        The positions of the sentences that go through the network together.
    predict : `Callable[[List[int]], List[JsonDict]]`
        Predicts a group of them, without gradients.

    # Returns

    `Dict[int, JsonDict]`
        The prediction of each sentence by its position.
    """
    predictions: Dict[int, JsonDict] = {}
    with weights_converted_once(model):
        for group in groups:
            predictions.update(zip(group, predict(group), strict=True))
    return predictions
