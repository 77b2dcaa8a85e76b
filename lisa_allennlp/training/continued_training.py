"""Training that starts from the weights of a trained model."""

import copy
import json
import logging
import os
from typing import Any, Dict, Iterable, Mapping

from allennlp.commands.train import TrainModel
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model
from allennlp.models.archival import CONFIG_NAME, Archive

from lisa_allennlp.common.signatures import takes_parameters_of
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.training.weight_transfer import Options, copy_weights

logger = logging.getLogger(__name__)

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
    the new corpus. Labels and words of the trained model keep their weights. New ones start as in
    any training: words with a vector in the config's `pretrained_file` from this vector.

    `lisa train CONFIG --from MODEL` sets both keys of a config:

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
    @takes_parameters_of(TrainModel.from_partial_objects)
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
        except ConfigurationError as error:
            raise ConfigurationError(f"continue_from: {error.message}") from error
        trained = _trained_model(archive, continue_from, config, config_file)

        def extend_vocabulary(instances: Iterable[Instance]) -> Vocabulary:
            extended = copy.deepcopy(trained.vocab)
            extended.extend_from_vocab(vocabulary.construct(instances=instances))
            return extended

        def build(**extras: Any) -> Model:
            new: Any = model.construct(**extras)
            fresh = copy_weights(
                trained,
                new,
                Options(continue_from, archive.config.as_dict(quiet=True)["model"]),
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
