"""Labels of which some may be unknown."""

from typing import Dict, List, Optional, Sequence, Union, cast

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data.fields import SequenceLabelField
from allennlp.data.fields.sequence_field import SequenceField
from allennlp.data.vocabulary import Vocabulary

# What torch.nn.functional.cross_entropy leaves out of the mean by default.
IGNORED_LABEL = -100


class LabelsField(SequenceLabelField):
    """
    A `SequenceLabelField` for gold labels that may be missing from the vocabulary, as happens to
    rare labels of a development set: they become `IGNORED_LABEL`, where a `SequenceLabelField`
    stops. So does padding, which therefore needs no mask. `as_tensor` gives shape `(num_tokens,)`.

    # Parameters

    labels : `Sequence[Union[str, int]]`
        One for each item of the sequence. Integers are taken as they are.
    sequence_field : `SequenceField`
        What is labelled.
    label_namespace : `str`, optional (default = `"labels"`)
    """

    def __init__(
        self,
        labels: Sequence[Union[str, int]],
        sequence_field: SequenceField,
        label_namespace: str = "labels",
    ) -> None:
        super().__init__(list(labels), sequence_field, label_namespace)  # type: ignore[arg-type]

    def index(self, vocab: Vocabulary) -> None:
        if not self._skip_indexing:
            labels = cast(List[str], self.labels)
            self._indexed_labels = index_labels(labels, vocab, self._label_namespace)

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        numbers = cast(Optional[List[int]], self._indexed_labels)
        if numbers is None:
            raise ConfigurationError("found labels without numbers; expected .index(vocab) before")
        padded = pad_labels(numbers, padding_lengths["num_tokens"])
        return torch.tensor(padded, dtype=torch.long)

    def empty_field(self) -> "LabelsField":
        return LabelsField([], self.sequence_field.empty_field(), self._label_namespace)


def index_labels(labels: Sequence[str], vocab: Vocabulary, namespace: str) -> List[int]:
    """
    # Returns

    `List[int]`
        The labels' numbers in the vocabulary, `IGNORED_LABEL` for those that it does not have.
    """
    # Asking a vocabulary for a namespace that it lacks would add one to it.
    if namespace not in vocab.get_namespaces():
        return [IGNORED_LABEL] * len(labels)
    numbers = vocab.get_token_to_index_vocabulary(namespace)
    return [numbers.get(label, IGNORED_LABEL) for label in labels]


def pad_labels(numbers: Sequence[int], length: int) -> List[int]:
    """The numbers, cut off or followed by `IGNORED_LABEL` to make a list of the given length."""
    return [*numbers[:length], *[IGNORED_LABEL] * (length - len(numbers))]
