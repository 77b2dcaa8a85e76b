"""Exports trained models to self-contained folders."""

import copy
import dataclasses
import json
import os
from pathlib import Path
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union

import torch

from lisa_allennlp.common.complete_files import complete_folder
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.model_card import model_card
from lisa_allennlp.model_files.model_info import ModelInfo, read_json
from lisa_allennlp.model_files.opening import model_folder, open_archive
from lisa_allennlp.model_files.registered_types import SECTIONS, without_initial_values
from lisa_allennlp.model_files.stored_files import files_of, store_files
from lisa_allennlp.model_files.vocabulary_files import write_vocabulary
from lisa_allennlp.model_files.weight_files import write_weights
from lisa_allennlp.models.sentence_model import SentenceModel, VocabularyAxes
from lisa_allennlp.pretrained import CONFIG_NAME, is_exported, resolve
from lisa_allennlp.version import VERSION

WORDS = "tokens"
"""The namespace of words."""

CARD_NAME, LICENSE_NAME = "README.md", "LICENSE.txt"


class Storage(NamedTuple):
    """
    How a model is stored.

    # Parameters

    precision : `str`, optional (default = `"float32"`)
        `float32` or `float16`.
    vector_bits : `int`, optional (default = as the other weights)
        8: the bits of each value of a word vector.
    max_words : `int`, optional (default = all)
        The number of words to keep, from the beginning of the vocabulary. The words of the
        training data come first, by their frequency, then those of the vectors' file in its order.
    """

    precision: str = "float32"
    vector_bits: Optional[int] = None
    max_words: Optional[int] = None


@dataclasses.dataclass
class Description:
    """
    What a folder says of its model.

    # Parameters

    license : `str`
        The licence of the weights, in one line, or the path of a file with its text.
    name : `str`, optional (default = the folder's)
    version : `str`, optional (default = the package's)
    about : `str`, optional
        A file of Markdown for the model card: training data, domains, limits, credits.
    metrics : `str`, optional (default = `metrics.json` beside the archive, if there is one)
        A file that `lisa train` or `lisa evaluate --output-file` wrote.
    """

    license: str
    name: Optional[str] = None
    version: str = VERSION
    about: Optional[str] = None
    metrics: Optional[str] = None


def export(
    archive_file: Union[str, os.PathLike],
    folder: Union[str, os.PathLike],
    description: Description,
    storage: Storage = Storage(),  # noqa: B008
    force: bool = False,
    overrides: Union[str, Dict[str, Any]] = "",
) -> ModelInfo:
    """
    Exports a trained model to a folder: weights (safetensors), config, vocabulary, the config and
    the tokenizer of a transformer, licence and model card.

    >>> export("nothing.tar.gz", "fixtures", Description(license="CC0"))
    Traceback (most recent call last):
    ...
    lisa_allennlp.common.errors.ConfigurationError: fixtures: found files in this folder; ...

    # Parameters

    archive_file : `Union[str, PathLike]`
        As for `lisa_allennlp.pretrained.resolve`.
    folder : `Union[str, PathLike]`
        Does not exist yet or is empty.
    force : `bool`, optional (default = `False`)
        Whether to replace a folder that has an exported model.
    overrides : `Union[str, Dict[str, Any]]`, optional
        Overrides of the model's config, which the exported config contains.

    # Raises

    `ConfigurationError`
        If the model is not one of this package, an option is invalid, or the folder has files.
    """
    target = Path(folder)
    _check_empty(target, force)
    _check_is_not_model(target, resolve(archive_file))
    scores = _scores(description.metrics, os.fspath(archive_file))
    about = Path(description.about).read_text("utf-8") if description.about is not None else None
    archive = open_archive(archive_file, overrides=overrides)
    model = archive.model
    if not isinstance(model, SentenceModel):
        raise ConfigurationError(
            f"{archive_file}: found a {type(model).__name__}; expected a model of this package"
        )
    name = description.name or target.resolve().name
    described = dataclasses.replace(description, name=name, about=about)
    with complete_folder(target) as partial:
        with model_folder(archive_file) as source:
            config = _config(archive.config.as_dict(quiet=True), source, partial)
        return _write(partial, model, config, described, storage, scores)


def _write(
    target: Path,
    model: SentenceModel,
    config: Dict[str, Any],
    description: Description,
    storage: Storage,
    scores: Dict[str, float],
) -> ModelInfo:
    """Writes all files but those that the config names. The description has the text of `about`."""
    text = json.dumps(config, indent=2, ensure_ascii=False)
    (target / CONFIG_NAME).write_text(text + "\n", encoding="utf-8", newline="\n")
    axes = model.vocabulary_axes()
    sizes = _sizes(model, storage.max_words)
    lines = write_vocabulary(model.vocab, target, sizes)
    weights = _first_rows(model.state_dict(), axes, sizes)
    vectors = [name for name, spaces in axes.items() if spaces[0] == WORDS]
    sha256 = write_weights(
        weights, target, storage.precision, vectors if storage.vector_bits else ()
    )
    info = ModelInfo(
        name=description.name or target.name,
        version=description.version,
        license=_license(description.license, target),
        scores=scores,
        parameters=sum(weights[name].numel() for name, _ in model.named_parameters()),
        vocabulary=lines,
        sha256=sha256,
        package_version=VERSION,
    )
    card = model_card(info, config["model"], storage._asdict(), description.about)
    (target / CARD_NAME).write_text(card, encoding="utf-8", newline="\n")
    info.write(target)
    return info


def _check_empty(folder: Path, force: bool) -> None:
    if folder.is_file():
        raise ConfigurationError(f"{folder}: found a file; expected a folder or nothing")
    is_replaced = force and is_exported(str(folder))
    if folder.is_dir() and any(folder.iterdir()) and not is_replaced:
        raise ConfigurationError(
            f"{folder}: found files in this folder; expected an empty or a new folder, or with "
            "--force a folder that has an exported model"
        )


def _check_is_not_model(folder: Path, model: str) -> None:
    """A folder that is replaced must not have the model in it."""
    if folder.resolve() in (Path(model).resolve(), *Path(model).resolve().parents):
        raise ConfigurationError(
            f"{folder}: found the model {model} in it; expected another folder"
        )


def _scores(metrics: Optional[str], archive_file: str) -> Dict[str, float]:
    """The scores of a file of metrics, without losses and times, or none."""
    path = metrics
    if path is None:
        folder = archive_file if os.path.isdir(archive_file) else os.path.dirname(archive_file)
        path = os.path.join(folder, "metrics.json")
        if not os.path.isfile(path):
            return {}
    found = read_json(Path(path))
    if isinstance(found.get("scores"), dict):
        # An exported folder's model.json.
        found = found["scores"]
    prefix = "best_validation_"
    best = {k.removeprefix(prefix): v for k, v in found.items() if k.startswith(prefix)}
    return {
        name: round(value, 2)
        for name, value in (best or found).items()
        if isinstance(value, float) and not name.endswith("loss")
    }


def _license(given: str, folder: Path) -> str:
    """The licence in one line. A file is copied to the folder; its first line names the licence."""
    if not os.path.isfile(given):
        return given
    text = Path(given).read_text("utf-8")
    (folder / LICENSE_NAME).write_text(text, encoding="utf-8", newline="\n")
    return next((line.strip(" #") for line in text.splitlines() if line.strip()), LICENSE_NAME)


def _sizes(model: SentenceModel, max_words: Optional[int]) -> Dict[str, int]:
    """For the namespaces to shorten, the number of entries to keep."""
    if max_words is None or WORDS not in model.vocab.get_namespaces():
        return {}
    if max_words < 1:
        raise ConfigurationError(f"--max-words is {max_words}; expected 1 or more")
    # Padding and the unknown word come first.
    return {WORDS: min(max_words + 2, model.vocab.get_vocab_size(WORDS))}


def _first_rows(
    weights: Mapping[str, torch.Tensor], axes: VocabularyAxes, sizes: Mapping[str, int]
) -> Dict[str, torch.Tensor]:
    return {
        name: weight[: sizes.get(axes[name][0] or "")] if name in axes else weight
        for name, weight in weights.items()
    }


def _config(found: Dict[str, Any], source: Path, folder: Path) -> Dict[str, Any]:
    """The sections of a config that using the model needs. Writes the files that they name."""
    found = copy.deepcopy(found)
    found["data_loader"] = found.get("validation_data_loader") or found.get("data_loader") or {}
    tokens = ("padding_token", "oov_token")
    vocabulary = found.get("vocabulary") or {}
    found["vocabulary"] = {key: vocabulary[key] for key in tokens if key in vocabulary}
    for key in ("dataset_reader", "validation_dataset_reader"):
        (found.get(key) or {}).pop("max_instances", None)
    found["model"] = without_initial_values(found["model"])
    kept = {key: found[key] for key in SECTIONS if found.get(key)}
    names = store_files(kept, source, folder)
    for _, owner, key in files_of(kept):
        owner[key] = names[owner[key]]
    return kept
