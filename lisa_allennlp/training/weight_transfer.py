"""Copies the weights of a trained model into a new one with more labels and words."""

from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy
import torch
from allennlp.data import Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models.sentence_model import SentenceModel, label_strings

DERIVED = ("_constraint_mask",)
"""The last names of parameters that follow from the vocabulary, like buffers."""

_NO_SHAPE = ("pretrained_file", "precision", "initializer")
"""Options that do not change the shape of a network. Numbers with a fraction never do."""


class Options(NamedTuple):
    """
    The options of a model's config, for errors.

    # Parameters

    source : `str`
        The name of the model or config.
    values : `Mapping[str, Any]`
        Its section `model`.
    """

    source: str
    values: Mapping[str, Any]


@torch.no_grad()
def copy_weights(
    trained: SentenceModel, new: SentenceModel, trained_options: Options, new_options: Options
) -> List[str]:
    """
    Copies every trained weight of a model to the weight with the same name in a new model. Weights
    per label, word or character are copied row by row, by the label's string; new words and
    characters get the row of the unknown one, and new labels keep their initial values. Buffers are
    not copied, because they follow from the vocabulary and the training data.

    >>> from allennlp.modules.token_embedders import Embedding
    >>> class Words(SentenceModel):
    ...     def __init__(self, *words):
    ...         super().__init__(Vocabulary(tokens_to_add={"tokens": words}))
    ...         self.vectors = Embedding(2, vocab=self.vocab)
    >>> old, new = Words("the", "cat"), Words("the", "old", "cat")
    >>> copy_weights(old, new, Options("old", {}), Options("new", {}))
    []
    >>> torch.equal(new.vectors.weight[[0, 1, 2, 4]], old.vectors.weight)
    True
    >>> torch.equal(new.vectors.weight[3], old.vectors.weight[1])
    True

    # Parameters

    trained, new : `SentenceModel`
        Models of the same class. The new one's vocabulary has all labels and words of the trained
        one's.
    trained_options, new_options : `Options`

    # Returns

    `List[str]`
        The names of the new model's parameters that the trained model does not have. They keep
        their initial values.

    # Raises

    `ConfigurationError`
        If the new model has no place for a weight, or a place of another shape.
    """
    weights, places = _trainable(trained), _trainable(new)
    axes = new.vocabulary_axes()
    for name, weight in weights.items():
        if name not in places:
            raise _no_place(name, "no such weight", trained_options, new_options)
        place = places[name]
        if name in axes:
            copied = _copy_rows(weight, place, axes[name], trained.vocab, new.vocab)
        else:
            copied = weight.shape == place.shape
            if copied:
                place.copy_(weight)
        if not copied:
            shapes = f"its shape is {_shape(place)} instead of {_shape(weight)}"
            raise _no_place(name, shapes, trained_options, new_options)
    return [name for name in places if name not in weights]


def _trainable(model: torch.nn.Module) -> Dict[str, torch.Tensor]:
    return {
        name: parameter.data
        for name, parameter in model.named_parameters()
        if not name.endswith(DERIVED)
    }


def _copy_rows(
    weight: torch.Tensor,
    place: torch.Tensor,
    namespaces: Sequence[Optional[str]],
    old: Vocabulary,
    new: Vocabulary,
) -> bool:
    """Copies row by row, or returns whether the other axes differ."""
    if weight.dim() != place.dim():
        return False
    source, target = weight, place
    rows: List[Tuple[numpy.ndarray, numpy.ndarray]] = []
    # From the last axis to the first, since blocks add axes.
    for axis in reversed(range(weight.dim())):
        namespace = namespaces[axis] if axis < len(namespaces) else None
        if namespace is None:
            if source.size(axis) != target.size(axis):
                return False
            rows.insert(0, _all(source.size(axis)))
            continue
        moves = _moves(old, new, namespace)
        sizes = len(label_strings(old, namespace)), new.get_vocab_size(namespace)
        if source.size(axis) * sizes[1] != target.size(axis) * sizes[0]:
            return False
        source = source.unflatten(axis, (-1, sizes[0]))
        target = target.unflatten(axis, (-1, sizes[1]))
        rows[:0] = [_all(source.size(axis)), moves]
    sources, targets = zip(*rows, strict=True)
    # Indexes with NumPy, in which a tuple of indices selects their product.
    target.numpy()[numpy.ix_(*targets)] = source.numpy()[numpy.ix_(*sources)]
    return True


def _all(size: int) -> Tuple[numpy.ndarray, numpy.ndarray]:
    return numpy.arange(size), numpy.arange(size)


def _moves(old: Vocabulary, new: Vocabulary, namespace: str) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """
    The index of each label of the old vocabulary there and in the new one. New words and characters
    have that of the unknown one.
    """
    rows = {label: row for row, label in enumerate(label_strings(old, namespace))}
    unknown = rows.get(old._oov_token)
    moves = [
        (rows.get(label, unknown), index)
        for label, index in new.get_token_to_index_vocabulary(namespace).items()
        if label in rows or unknown is not None
    ]
    return tuple(numpy.array(moves, dtype=int).reshape(-1, 2).T)  # type: ignore[return-value]


def _shape(tensor: torch.Tensor) -> str:
    return "x".join(map(str, tensor.shape))


def _no_place(
    name: str, found: str, trained_options: Options, new_options: Options
) -> ConfigurationError:
    different = list(_differences(trained_options.values, new_options.values, "model"))
    # Options of the same part of the network come first.
    parts = set(name.replace("token_embedder_", "").replace(".", "_").split("_"))
    different.sort(key=lambda item: not parts & set(item[0].replace(".", "_").split("_")[1:]))
    options = "; ".join(
        f"{key} is {new!r} here and {old!r} in the trained model" for key, old, new in different[:3]
    )
    return ConfigurationError(
        f"{new_options.source}: found no place for the weight {name} of {trained_options.source} "
        f"({found}); expected the same network. "
        f"{options or 'The configs of both models are the same'}"
    )


def _differences(old: Any, new: Any, key: str) -> Iterator[Tuple[str, Any, Any]]:
    """The options in which two configs of models differ, if they may change a network's shape."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in {**old, **new}:
            yield from _differences(old.get(name), new.get(name), f"{key}.{name}")
    elif old != new and not key.endswith(_NO_SHAPE) and not _is_fraction(old, new):
        yield key, old, new


def _is_fraction(*values: Any) -> bool:
    return any(isinstance(value, float) and value != int(value) for value in values)
