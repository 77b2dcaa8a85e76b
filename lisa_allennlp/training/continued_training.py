"""Training that starts from the weights of a trained model."""

import copy
import inspect
import json
import logging
import os
import re
from typing import (
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import numpy
import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Lazy
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.models.archival import CONFIG_NAME, Archive

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.archives import CONFIGURATION_ERRORS
from lisa_allennlp.models_on_disk.archives.opening import archived_config, open_archive
from lisa_allennlp.models_on_disk.model_folder import stored_path

logger = logging.getLogger(__name__)

CALIBRATION = ("confidence", "predicate_threshold")
"""The options of models that are chosen after training."""

DERIVED = ("_constraint_mask",)
"""The last names of parameters that follow from the vocabulary, like buffers."""

_VECTORS = ("pretrained_file", "pretrained_files", "min_pretrained_embeddings")

_DEFAULT_INDEXERS = {"tokens": {"type": "single_id"}}

_SAME_TENSORS = {None: "single_id", "distinct_characters": "characters"}

_ENCODER_LAYER = re.compile(r"(_model\.encoder\.layer|_mix\.scalar_parameters)\.\d+")
"""In a weight's name, the layer of a Hugging Face encoder, or its weight in the mix of layers."""

_FEEDFORWARD = re.compile(r"(.*_model\.encoder\.layer\.\d+)\.output\.dense\.weight")
"""The name of the second map of the feed-forward network in a layer of a Hugging Face encoder."""

_NO_SHAPE = ("pretrained_file", "precision", "initializer")
"""Options that do not change the shape of a network. Numbers with a fraction never do."""


@TrainModel.register("continued", constructor="from_partial_objects")
class ContinuedTraining(TrainModel):
    """
    Trains a model from the weights of a trained one, on a corpus that may have other labels and
    words. Like AllenNLP's training in everything else; the optimizer and the schedules start
    afresh.

    The vocabulary is the trained model's, followed by what the config's `vocabulary` selects from
    the new corpus. Labels and words of the trained model keep their weights. New words start as the
    unknown word, and new labels as in any training.

    `lisa train CONFIG --from MODEL` makes such a config (`continued_config`):

        { type: 'continued', continue_from: 'OUT/model.tar.gz', ... }

    # Parameters

    continue_from : `str`
        The trained model: a `model.tar.gz`, a training or exported folder, or the name of a model
        in the package. It has the config's network and token indexers.
    """

    @classmethod
    def from_partial_objects(  # type: ignore[override]
        cls,
        continue_from: str,
        serialization_dir: str,
        model: Lazy[Model],
        vocabulary: Lazy[Vocabulary] = Lazy(Vocabulary),  # noqa: B008
        **kwargs: Any,
    ) -> TrainModel:
        config_file = os.path.join(serialization_dir, CONFIG_NAME)
        with open(config_file, encoding="utf-8") as file:
            config = json.load(file)
        # Opened before the corpus is read, which takes longer.
        try:
            archive = open_archive(continue_from)
        except CONFIGURATION_ERRORS as error:
            raise ConfigurationError(f"continue_from: {error.message}") from error
        trained_config = archive.config.as_dict(quiet=True)
        _check_fits(archive, trained_config, continue_from, config, config_file)
        trained = archive.model

        def extend_vocabulary(instances: Iterable[Instance]) -> Vocabulary:
            extended = copy.deepcopy(trained.vocab)
            extended.extend_from_vocab(vocabulary.construct(instances=instances))
            return extended

        def build(**extras: Any) -> Model:
            new: Any = model.construct(**extras)
            fresh = copy_weights(
                trained,
                new,
                Options(continue_from, trained_config["model"]),
                Options(config_file, config["model"]),
            )
            for name in fresh:
                logger.info("%s has no weight %s, which starts afresh", continue_from, name)
            return new

        return super().from_partial_objects(
            serialization_dir=serialization_dir,
            model=Lazy(build),
            vocabulary=Lazy(extend_vocabulary),
            **kwargs,
        )


# `FromParams` and the check of configs read the keys from the signature.
_ALL = inspect.signature(TrainModel.from_partial_objects).parameters
_OWN = inspect.Parameter("continue_from", inspect.Parameter.KEYWORD_ONLY, annotation=str)
ContinuedTraining.from_partial_objects.__func__.__signature__ = inspect.Signature(  # type: ignore
    [inspect.Parameter("cls", inspect.Parameter.POSITIONAL_OR_KEYWORD), *_ALL.values(), _OWN]
)


def continued_config(config: Mapping[str, Any], model: str) -> Dict[str, Any]:
    """
    Returns a config of a training that continues from a trained model. It needs no word vectors,
    since they are in the model, has the model's Hugging Face encoder, and keeps its calibration and
    thresholds unless it has its own.
    """
    archived = archived_config(model)
    trained = archived["model"]
    kept = {key: trained[key] for key in CALIBRATION if key in trained}
    vocabulary = {k: v for k, v in (config.get("vocabulary") or {}).items() if k not in _VECTORS}
    continued = {
        **copy.deepcopy(dict(config)),
        "type": "continued",
        "continue_from": model,
        "model": {**kept, **_without_vectors(config["model"], trained)},
        "vocabulary": vocabulary,
    }
    folder = pretrained.resolve(model)
    for kind, (own, new) in enumerate(zip(_encoders(archived), _encoders(continued), strict=True)):
        for name in own.keys() & new.keys():
            stored = stored_path(own[name]["model_name"], folder)
            new[name]["model_name"] = stored or own[name]["model_name"]
            # Of an embedder, the weights come from the trained model.
            new[name] |= {"load_weights": False} if kind == 0 else {}
    return continued


def _encoders(config: Mapping[str, Any]) -> List[Dict[str, Any]]:
    embedders = (config["model"].get("text_field_embedder") or {}).get("token_embedders") or {}
    indexers = config["dataset_reader"].get("token_indexers") or {}
    return [{k: v for k, v in part.items() if "model_name" in v} for part in (embedders, indexers)]


def _without_vectors(value: Any, trained: Any) -> Any:
    """Drops the files of vectors, except of parts that the trained model lacks."""
    if isinstance(value, list):
        return [_without_vectors(item, trained) for item in value]
    if not isinstance(value, Mapping) or trained is None:
        return value
    parts = trained if isinstance(trained, Mapping) else {}
    return {k: _without_vectors(v, parts.get(k)) for k, v in value.items() if k not in _VECTORS}


def _check_fits(
    archive: Archive, trained: Mapping[str, Any], name: str, config: Mapping[str, Any], source: str
) -> None:
    if not hasattr(archive.model, "vocabulary_axes"):
        raise ConfigurationError(
            f"continue_from: {name} is another package's model; expected a model of lisa-allennlp"
        )
    old, new = trained["model"]["type"], config["model"].get("type")
    if old != new:
        raise ConfigurationError(
            f"{source}: model.type is {new!r}; expected {old!r}, the type of {name}"
        )
    old_indexers, new_indexers = _indexers(trained), _indexers(config)
    for key in old_indexers.keys() & new_indexers.keys():
        # An encoder has been copied; its path may differ.
        own, new_own = ({**part[key], "model_name": None} for part in (old_indexers, new_indexers))
        if own != new_own:
            raise ConfigurationError(
                f"{source}: dataset_reader.token_indexers.{key} is {new_indexers[key]}; expected "
                f"{old_indexers[key]}, as in {name}"
            )


def _indexers(config: Mapping[str, Any]) -> Dict[str, Any]:
    """Gives the token indexers that make the same tensors one name."""
    indexers = config["dataset_reader"].get("token_indexers") or _DEFAULT_INDEXERS
    return {
        name: {**indexer, "type": _SAME_TENSORS.get(indexer.get("type"), indexer.get("type"))}
        for name, indexer in indexers.items()
    }


class Options(NamedTuple):
    """The name of a model or config, for errors, and its section `model`."""

    source: str
    values: Mapping[str, Any]


@torch.no_grad()
def copy_weights(
    trained: Model, new: Any, trained_options: Options, new_options: Options
) -> List[str]:
    """
    Copies every trained weight of a model to the weight with the same name in a new model of its
    class, and returns the names of the new parameters that the trained model does not have. A
    weight without a place, or with one of another shape, is a `ConfigurationError`. But a new model
    with fewer layers of a Hugging Face encoder gets the first ones (Sajjad et al. 2020, "Poor Man's
    BERT"), and with narrower ones the feed-forward units with the largest weights to the output.

    Weights per label, word or character are copied row by row, by the label's string; new words and
    characters get the row of the unknown one, and new labels keep their initial values. The new
    vocabulary has all labels and words of the trained one. Buffers are not copied, because they
    follow from the vocabulary and the training data.
    """
    weights, places = _trainable(trained), _trainable(new)
    axes = new.vocabulary_axes()
    _narrow(weights, places)
    for name, weight in weights.items():
        if name not in places:
            if _ENCODER_LAYER.sub(r"\1.0", name) in places:
                continue
            raise _no_place(name, "no such weight", trained_options, new_options)
        place = places[name]
        if not _copy(weight, place, axes.get(name, ()), trained.vocab, new.vocab):
            shapes = f"its shape is {list(place.shape)} instead of {list(weight.shape)}"
            raise _no_place(name, shapes, trained_options, new_options)
    return [name for name in places if name not in weights]


def _narrow(weights: Dict[str, torch.Tensor], places: Mapping[str, torch.Tensor]) -> None:
    for name, weight in list(weights.items()):
        layer = _FEEDFORWARD.fullmatch(name)
        if layer and name in places and places[name].size(-1) < weight.size(-1):
            kept = weight.norm(dim=0).topk(places[name].size(-1)).indices.sort().values
            weights[name] = weight[:, kept]
            for first in (f"{layer[1]}.intermediate.dense.{end}" for end in ("weight", "bias")):
                weights[first] = weights[first][kept]


def _trainable(model: torch.nn.Module) -> Dict[str, torch.Tensor]:
    return {
        name: parameter.data
        for name, parameter in model.named_parameters()
        if not name.endswith(DERIVED)
    }


def _copy(
    source: torch.Tensor,
    target: torch.Tensor,
    namespaces: Sequence[Optional[str]],
    old: Vocabulary,
    new: Vocabulary,
) -> bool:
    """Copies labels' rows on each axis with a namespace. Returns whether the shapes fit."""
    if source.dim() != target.dim():
        return False
    rows: List[Tuple[numpy.ndarray, numpy.ndarray]] = []
    # From the last axis to the first, since blocks add axes.
    for axis in reversed(range(source.dim())):
        namespace = namespaces[axis] if axis < len(namespaces) else None
        if namespace is None:
            if source.size(axis) != target.size(axis):
                return False
            rows.insert(0, (numpy.arange(source.size(axis)),) * 2)
            continue
        sizes = old.get_vocab_size(namespace), new.get_vocab_size(namespace)
        if source.size(axis) * sizes[1] != target.size(axis) * sizes[0]:
            return False
        source = source.unflatten(axis, (-1, sizes[0]))
        target = target.unflatten(axis, (-1, sizes[1]))
        rows[:0] = [(numpy.arange(source.size(axis)),) * 2, _moves(old, new, namespace)]
    sources, targets = zip(*rows, strict=True) if rows else ((), ())
    # Indexes with NumPy, in which a tuple of indices selects their product.
    target.numpy()[numpy.ix_(*targets)] = source.numpy()[numpy.ix_(*sources)]
    return True


def _moves(old: Vocabulary, new: Vocabulary, namespace: str) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Labels' indices in both vocabularies; new words and characters have the old unknown one's."""
    rows = old.get_token_to_index_vocabulary(namespace)
    unknown = rows.get(old._oov_token)
    moves = [
        (rows.get(label, unknown), index)
        for label, index in new.get_token_to_index_vocabulary(namespace).items()
        if label in rows or unknown is not None
    ]
    return tuple(numpy.array(moves, dtype=int).reshape(-1, 2).T)  # type: ignore[return-value]


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
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in {**old, **new}:
            yield from _differences(old.get(name), new.get(name), f"{key}.{name}")
    elif old != new and not key.endswith(_NO_SHAPE):
        if not any(isinstance(value, float) and value != int(value) for value in (old, new)):
            yield key, old, new
