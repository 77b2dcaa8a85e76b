"""A field for the frames of a sentence."""

from typing import Any, Dict, List, Optional, Sequence

import torch
from allennlp.data.fields import Field
from allennlp.data.fields.sequence_field import SequenceField
from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.fields.labels_field import index_labels, pad_labels
from lisa_allennlp.data.sentence import UNKNOWN, Frame

SENSES_NAMESPACE = "sense_labels"
"""The vocabulary namespace of rolesets."""

FORM_SENSES_NAMESPACE = "form_sense_labels"
"""The namespace of the rolesets of each form: `sold sell.01`."""


class FramesField(Field[Dict[str, torch.Tensor]]):
    """
    The frames of a sentence. A batch does not pad them per sentence but lists the `N` frames of all
    its sentences, which the model scores at once (LISA section 2.4). It is a dictionary of

    - `sentence_indices`, shape `(N,)`: the row of each frame's sentence in the batch, ascending;
    - `predicate_indices`, shape `(N,)`: the position of each predicate in its sentence;
    - `roles`, shape `(N, num_tokens)`: the index of each token's BIO label, `IGNORED_LABEL` for
      padding and for labels that are not in the vocabulary;
    - `senses`, shape `(N,)`, on request: the index of each roleset, `IGNORED_LABEL` for unknown
      ones and those that are not in the vocabulary.

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
    senses : `bool`, optional (default = `False`)
        Whether to read the rolesets, and to count them and those of each form for the vocabulary.

    # Raises

    `ConfigurationError`
        If a frame does not have one label per word, or its predicate is outside the sentence.
    """

    __slots__ = [
        "frames",
        "sequence_field",
        "_label_namespace",
        "_has_senses",
        "_indexed_roles",
        "_indexed_senses",
    ]

    def __init__(
        self,
        frames: Sequence[Frame],
        sequence_field: SequenceField,
        label_namespace: str = "role_labels",
        senses: bool = False,
    ) -> None:
        self.frames = list(frames)
        self.sequence_field = sequence_field
        self._label_namespace = label_namespace
        self._has_senses = senses
        self._indexed_roles: Optional[List[List[int]]] = None
        self._indexed_senses: List[int] = []
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
            if self._has_senses and frame.sense != UNKNOWN:
                counter[SENSES_NAMESPACE][frame.sense] += 1
                counter[FORM_SENSES_NAMESPACE][f"{frame.verb.lower()} {frame.sense}"] += 1

    def index(self, vocab: Vocabulary) -> None:
        self._indexed_roles = [
            index_labels(frame.tags, vocab, self._label_namespace) for frame in self.frames
        ]
        if self._has_senses:
            senses = [frame.sense for frame in self.frames]
            self._indexed_senses = index_labels(senses, vocab, SENSES_NAMESPACE)

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self.sequence_field.sequence_length()}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Dict[str, torch.Tensor]:
        if self._indexed_roles is None:
            raise ConfigurationError("found frames without indices; call .index(vocab) first")
        length = padding_lengths["num_tokens"]
        roles = [pad_labels(numbers, length) for numbers in self._indexed_roles]
        predicates = [frame.predicate for frame in self.frames]
        tensors = {
            "predicate_indices": torch.tensor(predicates, dtype=torch.long),
            # Without frames, the tensor still needs the shape (0, length).
            "roles": torch.tensor(roles, dtype=torch.long).view(len(roles), length),
        }
        if self._has_senses:
            tensors["senses"] = torch.tensor(self._indexed_senses, dtype=torch.long)
        return tensors

    def batch_tensors(self, tensor_list: List[Dict[str, torch.Tensor]]) -> Dict[str, torch.Tensor]:
        counts = torch.tensor([len(tensors["predicate_indices"]) for tensors in tensor_list])
        return {
            "sentence_indices": torch.repeat_interleave(torch.arange(len(counts)), counts),
            **{name: torch.cat([ts[name] for ts in tensor_list]) for name in tensor_list[0]},
        }

    def empty_field(self) -> "FramesField":
        tokens = self.sequence_field.empty_field()
        empty = FramesField([], tokens, self._label_namespace, self._has_senses)
        empty._indexed_roles = []
        return empty

    def human_readable_repr(self) -> List[Dict[str, Any]]:
        return [{"predicate": frame.predicate, "roles": frame.tags} for frame in self.frames]

    def __str__(self) -> str:
        lines = "".join(f"\t\t{frame.predicate}: {frame.tags}\n" for frame in self.frames)
        return f"FramesField in namespace '{self._label_namespace}' with frames:\n{lines}"
