"""A field for labels that may be missing from the vocabulary."""

from typing import Dict, List, Optional, Sequence, Union, cast

import torch
from allennlp.data.fields import SequenceLabelField
from allennlp.data.fields.sequence_field import SequenceField
from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError

# The default `ignore_index` of torch.nn.functional.cross_entropy.
IGNORED_LABEL = -100


class LabelsField(SequenceLabelField):
    """
    A `SequenceLabelField` for labels that may be missing from the vocabulary, such as rare labels
    of a development set. They become `IGNORED_LABEL`; a `SequenceLabelField` would raise an error.
    Padding is `IGNORED_LABEL` too, so losses need no mask. `as_tensor` returns shape
    `(num_tokens,)`.

        >>> from allennlp.data import Token
        >>> from allennlp.data.fields import TextField
        >>> tokens = TextField([Token("She"), Token("sang")])
        >>> field = LabelsField(["PRP", "VBD"], tokens, "pos")
        >>> field.index(Vocabulary(tokens_to_add={"pos": ["VBD"]}, non_padded_namespaces=["pos"]))
        >>> field.as_tensor({"num_tokens": 3})
        tensor([-100,    0, -100])

    # Parameters

    labels : `Sequence[Union[str, int]]`
        One label per token. Integers are used as indices.
    sequence_field : `SequenceField`
        The sequence to label.
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
            raise ConfigurationError("found labels without indices; call .index(vocab) first")
        padded = pad_labels(numbers, padding_lengths["num_tokens"])
        return torch.tensor(padded, dtype=torch.long)

    def empty_field(self) -> "LabelsField":
        return LabelsField([], self.sequence_field.empty_field(), self._label_namespace)


def index_labels(labels: Sequence[str], vocab: Vocabulary, namespace: str) -> List[int]:
    """
    # Returns

    `List[int]`
        The indices of the labels, `IGNORED_LABEL` for labels that are not in the vocabulary.
    """
    # A vocabulary creates a missing namespace when asked for it.
    if namespace not in vocab.get_namespaces():
        return [IGNORED_LABEL] * len(labels)
    numbers = vocab.get_token_to_index_vocabulary(namespace)
    return [numbers.get(label, IGNORED_LABEL) for label in labels]


def pad_labels(numbers: Sequence[int], length: int) -> List[int]:
    """Pads the label indices with `IGNORED_LABEL`, or truncates them, to the given length."""
    return [*numbers[:length], *[IGNORED_LABEL] * (length - len(numbers))]
