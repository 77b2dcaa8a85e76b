"""Fields for labels, joint tags, supertags, input tags, frames and sentences."""

from typing import Collection, Dict, List, Optional, Sequence, Union, cast

import torch
from allennlp.data.fields import Field, MetadataField, SequenceLabelField
from allennlp.data.fields.sequence_field import SequenceField
from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.formats.ccg import RARE_CATEGORY
from lisa_allennlp.sentence.multiword_tokens import NAMESPACE as MULTIWORD_NAMESPACE
from lisa_allennlp.sentence.multiword_tokens import entries_of
from lisa_allennlp.sentence.roles import UNKNOWN, join_tag, split_tag
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.text.tokens import BRACKETS_NAMESPACE, bracket_form

IGNORED_LABEL = -100
"""The default `ignore_index` of torch.nn.functional.cross_entropy."""

JOINT_TAGS_NAMESPACE, ROLES_NAMESPACE = "joint_tags", "role_labels"

SENSES_NAMESPACE = "sense_labels"

FORM_SENSES_NAMESPACE = "form_sense_labels"
"""The namespace of the rolesets of each form: `sold sell.01`."""

_NOT_ANNOTATED = ""


class LabelsField(SequenceLabelField):
    """
    A `SequenceLabelField` for labels that may be missing from the vocabulary, such as rare labels
    of a development set. They become `IGNORED_LABEL`; a `SequenceLabelField` would raise an error.
    So do labels that are `None`, which nobody has annotated. Padding is `IGNORED_LABEL` too, so
    losses need no mask. Integers are used as indices. `as_tensor` returns shape `(num_tokens,)`.
    """

    def __init__(
        self,
        labels: Sequence[Union[str, int, None]],
        sequence_field: SequenceField,
        label_namespace: str = "labels",
    ) -> None:
        has_names = any(isinstance(label, str) for label in labels)
        unknown: Union[str, int] = _NOT_ANNOTATED if has_names else IGNORED_LABEL
        known = [unknown if label is None else label for label in labels]
        super().__init__(known, sequence_field, label_namespace)  # type: ignore[arg-type]

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        super().count_vocab_items(counter)
        counter[self._label_namespace].pop(_NOT_ANNOTATED, None)

    def index(self, vocab: Vocabulary) -> None:
        if not self._skip_indexing:
            labels = cast(List[str], self.labels)
            self._indexed_labels = _index(labels, vocab, self._label_namespace)

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        numbers = cast(List[int], self._indexed_labels)
        padded = _pad(numbers, padding_lengths["num_tokens"])
        return torch.tensor(padded, dtype=torch.long)


class PartialJointTagsField(Field[torch.Tensor]):
    """
    Joint tags of which the part of speech, or whether the word is a predicate, may be unknown
    (`None`). `as_tensor`, `(num_tokens, num_joint_tags)`, marks the possible tags: none for
    padding, where both are unknown, and for tags outside the vocabulary.
    """

    def __init__(
        self,
        pos: Sequence[Optional[str]],
        predicates: Sequence[Optional[bool]],
    ) -> None:
        self.pos = list(pos)
        self.predicates = list(predicates)
        self._possible = torch.zeros(0, 0, dtype=torch.bool)

    def __len__(self) -> int:
        return len(self.pos)

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for tag, is_predicate in zip(self.pos, self.predicates, strict=True):
            if tag is not None:
                counter[JOINT_TAGS_NAMESPACE][join_tag(tag, bool(is_predicate))] += 1

    def index(self, vocab: Vocabulary) -> None:
        names = vocab.get_index_to_token_vocabulary(JOINT_TAGS_NAMESPACE)
        joint = [split_tag(names[number]) for number in range(len(names))]
        self._possible = torch.tensor(
            [
                [
                    (tag is not None or is_predicate is not None)
                    and tag in (None, other_tag)
                    and is_predicate in (None, is_other)
                    for other_tag, is_other in joint
                ]
                for tag, is_predicate in zip(self.pos, self.predicates, strict=True)
            ]
        )

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": len(self.pos)}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> torch.Tensor:
        missing = padding_lengths["num_tokens"] - len(self.pos)
        return torch.nn.functional.pad(self._possible, (0, 0, 0, missing))


class SupertagsField(LabelsField):
    """A `LabelsField` in which unknown supertags become `@@RARE@@`, if the vocabulary has that."""

    def index(self, vocab: Vocabulary) -> None:
        super().index(vocab)
        numbers = cast(List[int], self._indexed_labels)
        (rare,) = _index([RARE_CATEGORY], vocab, self._label_namespace)
        self._indexed_labels = [rare if n == IGNORED_LABEL else n for n in numbers]


class InputTagsField(SequenceLabelField):
    """
    Input tags, such as parts of speech. Their namespace has padding and an unknown tag, of which
    AllenNLP warns, since labels that a model predicts need neither.
    """

    def _maybe_warn_for_namespace(self, label_namespace: str) -> None:
        """Does not warn."""


class SentenceField(MetadataField):
    """
    A `MetadataField` with the key `sentence`. It adds the corpus's brackets and quotation marks to
    the vocabulary, so that a trained model writes other texts' in the same form, and the words of
    its multiword tokens, whose forms a reader sets.
    """

    def __init__(self, sentence: Sentence) -> None:
        super().__init__({"sentence": sentence})
        self.multiword_forms: Collection[str] = ()

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for entry in entries_of(self.metadata["sentence"], self.multiword_forms):
            counter[MULTIWORD_NAMESPACE][entry] += 1
        for word in self.metadata["sentence"].words:
            if form := bracket_form(word):
                counter[BRACKETS_NAMESPACE][form] += 1


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

    `N` is 0 if no sentence of the batch has a predicate. With `senses`, rolesets and those of each
    form are counted for the vocabulary.
    """

    def __init__(
        self,
        frames: Sequence[Frame],
        sequence_field: SequenceField,
        senses: bool = False,
    ) -> None:
        self.frames = list(frames)
        self.sequence_field = sequence_field
        self._has_senses = senses
        self._indexed_roles: List[List[int]] = []
        self._indexed_senses: List[int] = []

    def __len__(self) -> int:
        return len(self.frames)

    def count_vocab_items(self, counter: Dict[str, Dict[str, int]]) -> None:
        for frame in self.frames:
            for role in frame.tags:
                counter[ROLES_NAMESPACE][role] += 1
            if self._has_senses and frame.sense != UNKNOWN:
                counter[SENSES_NAMESPACE][frame.sense] += 1
                counter[FORM_SENSES_NAMESPACE][f"{frame.verb.lower()} {frame.sense}"] += 1

    def index(self, vocab: Vocabulary) -> None:
        self._indexed_roles = [_index(frame.tags, vocab, ROLES_NAMESPACE) for frame in self.frames]
        if self._has_senses:
            senses = [frame.sense for frame in self.frames]
            self._indexed_senses = _index(senses, vocab, SENSES_NAMESPACE)

    def get_padding_lengths(self) -> Dict[str, int]:
        return {"num_tokens": self.sequence_field.sequence_length()}

    def as_tensor(self, padding_lengths: Dict[str, int]) -> Dict[str, torch.Tensor]:
        length = padding_lengths["num_tokens"]
        roles = [_pad(numbers, length) for numbers in self._indexed_roles]
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


def _index(labels: Sequence[str], vocab: Vocabulary, namespace: str) -> List[int]:
    # A vocabulary creates a missing namespace when asked for it.
    if namespace not in vocab.get_namespaces():
        return [IGNORED_LABEL] * len(labels)
    numbers = vocab.get_token_to_index_vocabulary(namespace)
    return [numbers.get(label, IGNORED_LABEL) for label in labels]


def _pad(numbers: Sequence[int], length: int) -> List[int]:
    return [*numbers[:length], *[IGNORED_LABEL] * (length - len(numbers))]
