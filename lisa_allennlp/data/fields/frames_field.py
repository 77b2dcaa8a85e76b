"""The frames of a sentence, and of a batch of sentences."""

from typing import Any, Dict, List, Optional, Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data.fields import Field
from allennlp.data.fields.sequence_field import SequenceField
from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.data.fields.labels_field import index_labels, pad_labels
from lisa_allennlp.data.sentence import Frame


class FramesField(Field[Dict[str, torch.Tensor]]):
    """
    The frames of a sentence. Sentences differ in how many they have, so a batch does not pad
    them: it lists the `N` frames of all its sentences, which the model scores at once
    (LISA, section 2.4). A batch is a dictionary of

    - `sentence_indices`, shape `(N,)`: the row of the frame's sentence in the batch, ascending;
    - `predicate_indices`, shape `(N,)`: the position of its predicate in the sentence;
    - `roles`, shape `(N, num_tokens)`: the number of each token's BIO label, and `IGNORED_LABEL`
      for labels that the vocabulary does not have and for padding.

    `N` is 0 where no sentence of the batch has a predicate.

    # Parameters

    frames : `Sequence[Frame]`
    sequence_field : `SequenceField`
        The words of the sentence.
    label_namespace : `str`, optional (default = `"role_labels"`)

    # Raises

    `ConfigurationError`
        If a frame's labels or its predicate do not fit the sentence.
    """

    __slots__ = ["frames", "sequence_field", "_label_namespace", "_indexed_roles"]

    def __init__(
        self,
        frames: Sequence[Frame],
        sequence_field: SequenceField,
        label_namespace: str = "role_labels",
    ) -> None:
        self.frames = list(frames)
        self.sequence_field = sequence_field
        self._label_namespace = label_namespace
        self._indexed_roles: Optional[List[List[int]]] = None
        length = sequence_field.sequence_length()
        for frame in self.frames:
            if len(frame.tags) != length or not 0 <= frame.predicate < length:
                raise ConfigurationError(
                    f"found a frame of {len(frame.tags)} labels with predicate "
                    f"{frame.predicate}; expected {length} labels and a predicate below {length}"
                )

    def __len__(self) -> int:
        return len(self.frames)

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for frame in self.frames:
            for role in frame.tags:
                counter[self._label_namespace][role] += 1

    def index(self, vocab: Vocabulary) -> None:
        self._indexed_roles = [
            index_labels(frame.tags, vocab, self._label_namespace) for frame in self.frames
        ]

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self.sequence_field.sequence_length()}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Dict[str, torch.Tensor]:
        if self._indexed_roles is None:
            raise ConfigurationError("found frames without numbers; expected .index(vocab) before")
        length = padding_lengths["num_tokens"]
        roles = [pad_labels(numbers, length) for numbers in self._indexed_roles]
        predicates = [frame.predicate for frame in self.frames]
        return {
            "predicate_indices": torch.tensor(predicates, dtype=torch.long),
            # The shape keeps the length where there are no frames.
            "roles": torch.tensor(roles, dtype=torch.long).view(len(roles), length),
        }

    def batch_tensors(self, tensor_list: List[Dict[str, torch.Tensor]]) -> Dict[str, torch.Tensor]:
        counts = torch.tensor([len(tensors["predicate_indices"]) for tensors in tensor_list])
        return {
            "sentence_indices": torch.repeat_interleave(torch.arange(len(counts)), counts),
            "predicate_indices": torch.cat(
                [tensors["predicate_indices"] for tensors in tensor_list]
            ),
            "roles": torch.cat([tensors["roles"] for tensors in tensor_list]),
        }

    def empty_field(self) -> "FramesField":
        empty = FramesField([], self.sequence_field.empty_field(), self._label_namespace)
        empty._indexed_roles = []
        return empty

    def human_readable_repr(self) -> List[Dict[str, Any]]:
        return [{"predicate": frame.predicate, "roles": frame.tags} for frame in self.frames]

    def __str__(self) -> str:
        lines = "".join(f"\t\t{frame.predicate}: {frame.tags}\n" for frame in self.frames)
        return f"FramesField in namespace '{self._label_namespace}' with frames:\n{lines}"
