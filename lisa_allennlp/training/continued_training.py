"""Training that starts from the weights of a trained model."""

import copy
import inspect
import json
import logging
import os
from typing import Any, Dict, Iterable, Mapping

from allennlp.commands.train import TrainModel
from allennlp.common import Lazy
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.models.archival import CONFIG_NAME, Archive

from lisa_allennlp.common.allennlp_errors import CONFIGURATION_ERRORS
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.training.weight_transfer import Options, copy_weights

logger = logging.getLogger(__name__)

CALIBRATION = ("confidence", "predicate_threshold")
"""The options of models that are chosen after training."""

_VECTORS = ("pretrained_file", "pretrained_files", "min_pretrained_embeddings")
"""The keys of word vectors."""

_DEFAULT_INDEXERS = {"tokens": {"type": "single_id"}}
"""The readers' token indexers if a config has none."""

_SAME_TENSORS = {None: "single_id", "distinct_characters": "characters"}
"""Types of token indexers that give the same tensors as others."""


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

    Registered as a `TrainModel` with name "continued".

    >>> TrainModel.resolve_class_name("continued")
    (<class 'lisa_allennlp.training.continued_training.ContinuedTraining'>, 'from_partial_objects')

    # Parameters

    continue_from : `str`
        The trained model: a `model.tar.gz`, a training or exported folder, or the name of a model
        in the package.
    **kwargs : `Any`
        The other keys of a config.

    # Raises

    `ConfigurationError`
        If the trained model is not one of this package, or the config has another network or other
        token indexers.
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
        """Builds everything, with the vocabulary extended and the weights copied."""
        config_file = os.path.join(serialization_dir, CONFIG_NAME)
        with open(config_file, encoding="utf-8") as file:
            config = json.load(file)
        # Opened before the corpus is read, which takes longer.
        try:
            archive = open_archive(continue_from)
        except CONFIGURATION_ERRORS as error:
            raise ConfigurationError(f"continue_from: {error.message}") from error
        trained = _trained_model(archive, continue_from, config, config_file)

        def extend_vocabulary(instances: Iterable[Instance]) -> Vocabulary:
            extended = copy.deepcopy(trained.vocab)
            extended.extend_from_vocab(vocabulary.construct(instances=instances))
            return extended

        def build(**extras: Any) -> Model:
            new: Any = model.construct(**extras)
            trained_options = archive.config.as_dict(quiet=True)["model"]
            fresh = copy_weights(
                trained,
                new,
                Options(continue_from, trained_options),
                Options(config_file, config["model"]),
            )
            for name in fresh:
                logger.info("%s has no weight %s, which starts afresh", continue_from, name)
            _log_new_labels(trained.vocab, new.vocab)
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
    Returns a config that continues from a trained model. It needs no word vectors, since they are
    in the model, and keeps the model's calibration and thresholds unless it has its own.

    # Parameters

    config : `Mapping[str, Any]`
        The config of a training.
    model : `str`
        The trained model, as for `ContinuedTraining`.

    # Raises

    `ConfigurationError`
        If there is no such model.
    """
    trained = archived_config(model)["model"]
    kept = {key: trained[key] for key in CALIBRATION if key in trained}
    vocabulary = {k: v for k, v in (config.get("vocabulary") or {}).items() if k not in _VECTORS}
    return {
        **config,
        "type": "continued",
        "continue_from": model,
        "model": {**kept, **_without_vectors(config["model"])},
        "vocabulary": vocabulary,
    }


def _without_vectors(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_vectors(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {k: _without_vectors(item) for k, item in value.items() if k not in _VECTORS}


def _trained_model(
    archive: Archive, name: str, config: Mapping[str, Any], source: str
) -> SentenceModel:
    """The model of an archive, if training with a config can continue from it."""
    trained = archive.config.as_dict(quiet=True)
    if not isinstance(archive.model, SentenceModel):
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
        if old_indexers[key] != new_indexers[key]:
            raise ConfigurationError(
                f"{source}: dataset_reader.token_indexers.{key} is {new_indexers[key]}; expected "
                f"{old_indexers[key]}, as in {name}"
            )
    return archive.model


def _indexers(config: Mapping[str, Any]) -> Dict[str, Any]:
    """The token indexers of a config, with one name for those that give the same tensors."""
    indexers = config["dataset_reader"].get("token_indexers") or _DEFAULT_INDEXERS
    return {
        name: {**indexer, "type": _SAME_TENSORS.get(indexer.get("type"), indexer.get("type"))}
        for name, indexer in indexers.items()
    }


def _log_new_labels(old: Vocabulary, new: Vocabulary) -> None:
    for namespace in sorted(new.get_namespaces()):
        added = new.get_vocab_size(namespace) - _size(old, namespace)
        if added:
            logger.info("%d new entries in the vocabulary's namespace '%s'", added, namespace)


def _size(vocab: Vocabulary, namespace: str) -> int:
    # `get_vocab_size` would add the namespace.
    return vocab.get_vocab_size(namespace) if namespace in vocab.get_namespaces() else 0
