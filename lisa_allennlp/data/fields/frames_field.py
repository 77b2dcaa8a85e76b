"""A field for the frames of a sentence."""

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
    The frames of a sentence. A batch does not pad them per sentence but lists the `N` frames of all
    its sentences, which the model scores at once (LISA section 2.4). It is a dictionary of

    - `sentence_indices`, shape `(N,)`: the row of each frame's sentence in the batch, ascending;
    - `predicate_indices`, shape `(N,)`: the position of each predicate in its sentence;
    - `roles`, shape `(N, num_tokens)`: the index of each token's BIO label, `IGNORED_LABEL` for
      padding and for labels that are not in the vocabulary.

    `N` is 0 if no sentence of the batch has a predicate.

        >>> from allennlp.data import Token, Vocabulary
        >>> from allennlp.data.fields import TextField
        >>> tokens = TextField([Token("She"), Token("sang")])
        >>> field = FramesField([Frame(1, ["B-ARG0", "B-V"])], tokens)
        >>> labels = {"role_labels": ["B-ARG0", "B-V"]}
        >>> field.index(Vocabulary(tokens_to_add=labels, non_padded_namespaces=["role_labels"]))
        >>> tensors = field.as_tensor({"num_tokens": 3})
        >>> batch = field.batch_tensors([tensors, tensors])
        >>> batch["sentence_indices"], batch["predicate_indices"]
        (tensor([0, 1]), tensor([1, 1]))
        >>> batch["roles"].tolist()
        [[0, 1, -100], [0, 1, -100]]

    # Parameters

    sequence_field : `SequenceField`
        The words of the sentence.

    # Raises

    `ConfigurationError`
        If a frame does not have one label per word, or its predicate is outside the sentence.
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
                    f"found a frame with {len(frame.tags)} labels and predicate "
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
            raise ConfigurationError("found frames without indices; call .index(vocab) first")
        length = padding_lengths["num_tokens"]
        roles = [pad_labels(numbers, length) for numbers in self._indexed_roles]
        predicates = [frame.predicate for frame in self.frames]
        return {
            "predicate_indices": torch.tensor(predicates, dtype=torch.long),
            # Without frames, the tensor still needs the shape (0, length).
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
