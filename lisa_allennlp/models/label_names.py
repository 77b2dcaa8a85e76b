"""Converts the label indices that LISA predicts into labelled sentences."""

import dataclasses
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data.vocabulary import Vocabulary

from lisa_allennlp.data.fields import FORM_SENSES_NAMESPACE, SENSES_NAMESPACE
from lisa_allennlp.data.formats.joint_tags import split_tag
from lisa_allennlp.data.formats.roles import (
    VERB,
    allowed_starts,
    allowed_transitions,
    bio_to_spans,
    without_arguments,
)
from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.models.confidence import Probabilities
from lisa_allennlp.models.sense_names import SenseNames
from lisa_allennlp.modules.dependency_decoding import find_root_label
from lisa_allennlp.modules.role_decoders import VerbLabels


class BatchPrediction(NamedTuple):
    """
    The network's predictions for a batch, as indices.

    # Parameters

    pos : `torch.LongTensor`
        Shape `(batch_size, length)`, indices into `LabelNames.pos`.
    predicate_probabilities : `torch.Tensor`
        Shape `(batch_size, length)`.
    sentence_indices : `torch.LongTensor`
        Shape `(num_frames,)`, ascending.
    predicate_indices : `torch.LongTensor`
        Shape `(num_frames,)`, ascending within a sentence.
    roles : `torch.LongTensor`
        Shape `(num_frames, length)`, indices into `LabelNames.roles`.
    head_indices : `torch.LongTensor`, optional
        Shape `(batch_size, length)`; a root is its own head.
    head_tags : `torch.LongTensor`, optional
        Shape `(batch_size, length)`, indices into `LabelNames.head_tags`.
    senses : `torch.LongTensor`, optional
        Shape `(num_frames,)`, as for `SenseNames.name`.
    arc_scores : `torch.Tensor`, optional
        Shape `(batch_size, length, length)`, if requested.
    attention : `torch.Tensor`, optional
        Shape `(batch_size, length, length)`: the attention of the syntactic head, if requested.
    probabilities : `Probabilities`, optional
        If requested.
    is_improbable : `torch.BoolTensor`, optional
        Shape `(num_frames, length)`: whether to leave out the role span that begins at a token.
    """

    pos: torch.Tensor
    predicate_probabilities: torch.Tensor
    sentence_indices: torch.Tensor
    predicate_indices: torch.Tensor
    roles: torch.Tensor
    head_indices: Optional[torch.Tensor] = None
    head_tags: Optional[torch.Tensor] = None
    senses: Optional[torch.Tensor] = None
    arc_scores: Optional[torch.Tensor] = None
    attention: Optional[torch.Tensor] = None
    probabilities: Optional[Probabilities] = None
    is_improbable: Optional[torch.Tensor] = None


class LabelNames:
    """
    The labels of the network's output units, read from the vocabulary's namespaces `joint_tags`,
    `role_labels`, `head_tags` and those of `senses`.

    >>> vocab = Vocabulary(tokens_to_add={"joint_tags": ["PRP", "VBD", "VBD:predicate"]})
    >>> names = LabelNames(vocab)
    >>> names.pos, names.pos_of_joint, names.is_predicate
    (['PRP', 'VBD'], [0, 1, 1], [False, False, True])
    """

    def __init__(self, vocab: Vocabulary) -> None:
        self.roles = label_strings(vocab, "role_labels")
        self.head_tags = label_strings(vocab, "head_tags")
        self.root_label = find_root_label(self.head_tags)
        self.senses = SenseNames(
            label_strings(vocab, SENSES_NAMESPACE), label_strings(vocab, FORM_SENSES_NAMESPACE)
        )
        joint = [split_tag(tag) for tag in label_strings(vocab, "joint_tags")]
        self.pos = list(dict.fromkeys(pos for pos, _ in joint))
        numbers: Dict[str, int] = {tag: number for number, tag in enumerate(self.pos)}
        self.pos_of_joint = [numbers[pos] for pos, _ in joint]
        self.is_predicate = [is_predicate for _, is_predicate in joint]

    def role_constraints(self) -> Dict[str, Any]:
        """
        # Returns

        `Dict[str, Any]`
            The arguments of a `RoleDecoder`. `allowed_transitions`, shape `(num_roles, num_roles)`,
            and `allowed_starts`, shape `(num_roles,)`, are boolean tensors of the moves that BIO
            allows. `verb` has the indices of the labels B-V and I-V.

        # Raises

        `ConfigurationError`
            If there are no roles.
        """
        if not self.roles:
            raise ConfigurationError(
                "train_data_path: found no predicate in the training data, and so no role labels "
                "in the vocabulary; expected at least one predicate"
            )
        numbers = {label: number for number, label in enumerate(self.roles)}
        return {
            "allowed_transitions": torch.tensor(allowed_transitions(self.roles), dtype=torch.bool),
            "allowed_starts": torch.tensor(allowed_starts(self.roles), dtype=torch.bool),
            "verb": VerbLabels(numbers.get(f"B-{VERB}"), numbers.get(f"I-{VERB}")),
        }

    def label(self, sources: Sequence[Sentence], prediction: BatchPrediction) -> List[Sentence]:
        """
        Returns copies of the batch's sentences in which the predictions replace the annotation.
        """
        lengths = [len(source.words) for source in sources]
        frames = self._frames(lengths, prediction)
        if prediction.senses is not None:
            frames = self._with_senses(frames, sources, prediction)
        parses = self._parses(lengths, prediction)
        pos = prediction.pos.tolist()
        probabilities = prediction.predicate_probabilities.tolist()
        of_labels = prediction.probabilities or Probabilities()
        of_pos, of_arcs = (_rows(p, len(lengths)) for p in (of_labels.pos, of_labels.arcs))
        return [
            dataclasses.replace(
                source,
                pos=[self.pos[tag] for tag in pos[row][:length]],
                frames=frames[row],
                parse=parses[row],
                injected_parse=None,
                predicate_probabilities=probabilities[row][:length],
                pos_probabilities=of_pos[row] and of_pos[row][:length],
                head_probabilities=of_arcs[row] and of_arcs[row][:length],
                arc_scores=matrix_of(prediction.arc_scores, row, length),
                attention=matrix_of(prediction.attention, row, length),
            )
            for row, (source, length) in enumerate(zip(sources, lengths, strict=True))
        ]

    def _frames(self, lengths: Sequence[int], prediction: BatchPrediction) -> List[List[Frame]]:
        frames: List[List[Frame]] = [[] for _ in lengths]
        of_labels, number = prediction.probabilities or Probabilities(), len(prediction.roles)
        for row, predicate, roles, is_improbable, of_predicate, of_tokens in zip(
            prediction.sentence_indices.tolist(),
            prediction.predicate_indices.tolist(),
            prediction.roles.tolist(),
            _rows(prediction.is_improbable, number),
            _rows(of_labels.predicates, number),
            _rows(of_labels.spans, number),
            strict=True,
        ):
            tags = [self.roles[role] for role in roles[: lengths[row]]]
            if is_improbable is not None:
                tags = without_arguments(tags, is_improbable)
            of_spans = of_tokens and [of_tokens[span.first] for span in bio_to_spans(tags)]
            frames[row].append(
                Frame(predicate, tags, probability=of_predicate, span_probabilities=of_spans)
            )
        return frames

    def predicates(
        self,
        sources: Sequence[Sentence],
        pos: torch.Tensor,
        sentence_indices: torch.Tensor,
        predicate_indices: torch.Tensor,
    ) -> Tuple[List[str], List[str]]:
        """
        # Parameters

        pos, sentence_indices, predicate_indices : `torch.LongTensor`
            As in `BatchPrediction`.

        # Returns

        `Tuple[List[str], List[str]]`
            The word form and the part of speech of each predicate.
        """
        places = zip(sentence_indices.tolist(), predicate_indices.tolist(), strict=True)
        forms = [sources[row].words[place] for row, place in places]
        tags = pos[sentence_indices, predicate_indices].tolist()
        return forms, [self.pos[tag] for tag in tags]

    def _with_senses(
        self,
        frames: List[List[Frame]],
        sources: Sequence[Sentence],
        prediction: BatchPrediction,
    ) -> List[List[Frame]]:
        assert prediction.senses is not None
        forms, tags = self.predicates(
            sources, prediction.pos, prediction.sentence_indices, prediction.predicate_indices
        )
        names = map(self.senses.name, prediction.senses.tolist(), forms, tags)

        def named(frame: Frame) -> Frame:
            lemma, sense = next(names)
            return dataclasses.replace(frame, lemma=lemma, sense=sense)

        # The predictions are in the order of sentences and predicates, as the frames are.
        return [[named(frame) for frame in of_sentence] for of_sentence in frames]

    def _parses(self, lengths: Sequence[int], prediction: BatchPrediction) -> List[Optional[Parse]]:
        if prediction.head_indices is None or prediction.head_tags is None:
            return [None] * len(lengths)
        heads, head_tags = prediction.head_indices, prediction.head_tags
        return list(parses_of(lengths, heads, head_tags, self.head_tags))


def _rows(values: Optional[torch.Tensor], number: int) -> List[Any]:
    """A list per row; `None` for each of `number` rows if there are no values."""
    return [None] * number if values is None else values.tolist()


def label_strings(vocab: Vocabulary, namespace: str) -> List[str]:
    """The labels of a namespace by index; an empty list if the namespace does not exist."""
    # Looking up a missing namespace would add it to the vocabulary.
    if namespace not in vocab.get_namespaces():
        return []
    names = vocab.get_index_to_token_vocabulary(namespace)
    return [names[index] for index in range(len(names))]


def parses_of(
    lengths: Sequence[int],
    head_indices: torch.Tensor,
    head_tags: torch.Tensor,
    names: Sequence[str],
) -> Iterator[Parse]:
    """
    The parses of a batch, without padding.

    # Parameters

    lengths : `Sequence[int]`
        The number of tokens of each sentence.
    head_indices, head_tags : `torch.LongTensor`
        Shape `(batch_size, length)`, as in `BatchPrediction`.
    names : `Sequence[str]`
        The labels by index.
    """
    for length, heads, tags in zip(lengths, head_indices.tolist(), head_tags.tolist(), strict=True):
        yield Parse(heads[:length], [names[tag] for tag in tags[:length]])


def matrix_of(matrices: Optional[torch.Tensor], row: int, length: int) -> Any:
    """Copies one sentence's matrix, without padding, out of a batch."""
    if matrices is None:
        return None
    return matrices[row, :length, :length].float().cpu().numpy().copy()
