"""From a batch of label numbers to labelled sentences: where tensors end and strings begin."""

from typing import Dict, List, NamedTuple, Optional, Sequence

import torch
from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.data.formats.joint_tags import split_tag
from lisa_allennlp.data.formats.roles import allowed_starts, allowed_transitions
from lisa_allennlp.data.sentence import Frame, Parse, Sentence


class BatchPrediction(NamedTuple):
    """
    What the network predicts for a batch, as numbers.

    # Parameters

    pos : `torch.LongTensor`
        Shape `(batch_size, length)`, numbers into `LabelNames.pos`.
    predicate_probabilities : `torch.Tensor`
        Shape `(batch_size, length)`.
    sentence_indices : `torch.LongTensor`
        Shape `(num_frames,)`, ascending.
    predicate_indices : `torch.LongTensor`
        Shape `(num_frames,)`, ascending within a sentence.
    roles : `torch.LongTensor`
        Shape `(num_frames, length)`, numbers into `LabelNames.roles`.
    head_indices : `torch.LongTensor`, optional
        Shape `(batch_size, length)`, a root being its own head.
    head_tags : `torch.LongTensor`, optional
        Shape `(batch_size, length)`, numbers into `LabelNames.head_tags`.
    """

    pos: torch.Tensor
    predicate_probabilities: torch.Tensor
    sentence_indices: torch.Tensor
    predicate_indices: torch.Tensor
    roles: torch.Tensor
    head_indices: Optional[torch.Tensor] = None
    head_tags: Optional[torch.Tensor] = None


class LabelNames:
    """
    The label strings behind the network's output units, read once from the vocabulary.

    # Parameters

    vocab : `Vocabulary`
    """

    def __init__(self, vocab: Vocabulary) -> None:
        self.roles = _names(vocab, "role_labels")
        self.head_tags = _names(vocab, "head_tags")
        joint = [split_tag(tag) for tag in _names(vocab, "joint_tags")]
        self.pos = list(dict.fromkeys(pos for pos, _ in joint))
        numbers: Dict[str, int] = {tag: number for number, tag in enumerate(self.pos)}
        self.pos_of_joint = [numbers[pos] for pos, _ in joint]
        self.is_predicate = [is_predicate for _, is_predicate in joint]

    def role_constraints(self) -> Dict[str, torch.Tensor]:
        """
        # Returns

        `Dict[str, torch.Tensor]`
            What BIO allows, as a `RoleDecoder` takes it: `allowed_transitions`, of shape
            `(num_roles, num_roles)`, and `allowed_starts`, of shape `(num_roles,)`, both bool.
        """
        return {
            "allowed_transitions": torch.tensor(allowed_transitions(self.roles), dtype=torch.bool),
            "allowed_starts": torch.tensor(allowed_starts(self.roles), dtype=torch.bool),
        }

    def label(
        self, all_words: Sequence[Sequence[str]], prediction: BatchPrediction
    ) -> List[Sentence]:
        """
        # Parameters

        all_words : `Sequence[Sequence[str]]`
            The words of each sentence of the batch.
        prediction : `BatchPrediction`

        # Returns

        `List[Sentence]`
            The sentences with everything that was predicted for them.
        """
        frames = self._frames(all_words, prediction)
        pos = prediction.pos.tolist()
        parses = self._parses(all_words, prediction)
        return [
            Sentence(
                words=list(words),
                pos=[self.pos[tag] for tag in pos[row][: len(words)]],
                frames=frames[row],
                parse=parses[row],
            )
            for row, words in enumerate(all_words)
        ]

    def _frames(
        self, all_words: Sequence[Sequence[str]], prediction: BatchPrediction
    ) -> List[List[Frame]]:
        frames: List[List[Frame]] = [[] for _ in all_words]
        for row, predicate, roles in zip(
            prediction.sentence_indices.tolist(),
            prediction.predicate_indices.tolist(),
            prediction.roles.tolist(),
            strict=True,
        ):
            labels = [self.roles[role] for role in roles[: len(all_words[row])]]
            frames[row].append(Frame(predicate, labels))
        return frames

    def _parses(
        self, all_words: Sequence[Sequence[str]], prediction: BatchPrediction
    ) -> List[Optional[Parse]]:
        if prediction.head_indices is None or prediction.head_tags is None:
            return [None] * len(all_words)
        return [
            Parse(heads[: len(words)], [self.head_tags[tag] for tag in tags[: len(words)]])
            for words, heads, tags in zip(
                all_words,
                prediction.head_indices.tolist(),
                prediction.head_tags.tolist(),
                strict=True,
            )
        ]


def _names(vocab: Vocabulary, namespace: str) -> List[str]:
    # Asking a vocabulary for a namespace that it lacks would add one to it.
    if namespace not in vocab.get_namespaces():
        return []
    names = vocab.get_index_to_token_vocabulary(namespace)
    return [names[index] for index in range(len(names))]
