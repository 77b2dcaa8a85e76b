"""
The files that a model's config names, stored with the model, so that it opens in another folder and
without network: the config and tokenizer of a transformer, and the files of ELMo.

Their weights are those of the model, so they are not stored again. Of ELMo's file of weights only
the shapes are, because AllenNLP needs the file to build ELMo.

`lisa train` stores the files of an archive in its folder `model_files`. Its config keeps the names
of the training, and `names.json` maps them to the copies.

    >>> config = {"embedder": {"options_file": "elmo/options.json", "dropout": 0.1}}
    >>> use_stored(config, {"elmo/options.json": "/model/options.json"})
    {'embedder': {'options_file': '/model/options.json', 'dropout': 0.1}}
"""

import json
import logging
import os
import shutil
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.models import archival

from lisa_allennlp.common import cached_transformers
from lisa_allennlp.data.formats.errors import shortened
from lisa_allennlp.model_files.archive_config import FOR_OPENING
from lisa_allennlp.model_files.safe_config import CONFIG_NAME, FILE_KEYS, read_json
from lisa_allennlp.models.sentence_model import is_sentence_model

logger = logging.getLogger(__name__)

FOLDER_NAME = "model_files"
"""The folder of the stored files in an archive."""

_NAMES = "names.json"
_TRANSFORMER, _ELMO_OPTIONS, _ELMO_WEIGHTS = FILE_KEYS


class FileCopies:
    """
    Copies the files that a config names to a folder.

    # Parameters

    folder : `Path`
        Exists.
    """

    def __init__(self, folder: Path) -> None:
        self.names: Dict[str, str] = {}
        """The names of the copies, `./NAME`, by the names in the config."""
        self._folder = folder
        self._num_transformers = 0

    def copy(self, config: Any) -> None:
        """Copies the files of a section of a config."""
        if isinstance(config, list):
            for item in config:
                self.copy(item)
        if not isinstance(config, dict):
            return
        for key, value in config.items():
            if key in FILE_KEYS and isinstance(value, str):
                if value not in self.names:
                    self.names[value] = self._copied(key, value, config)
            else:
                self.copy(value)

    def _copied(self, key: str, name: str, config: Mapping[str, Any]) -> str:
        if key == _TRANSFORMER:
            return self._transformer(name)
        (self._folder / "files").mkdir(exist_ok=True)
        target = self._folder / "files" / os.path.basename(name)
        source = cached_path(name)
        # With this option, the weights are used before those of the model replace them.
        if key == _ELMO_WEIGHTS and not config.get("namespace_to_cache"):
            _write_shapes(source, target)
        else:
            shutil.copyfile(source, target)
        return f"./files/{target.name}"

    def _transformer(self, name: str) -> str:
        self._num_transformers += 1
        folder = f"transformer_{self._num_transformers}"
        path = self._folder / folder
        cached_transformers.get_tokenizer(name).save_pretrained(path)
        cached_transformers.get_config(name).save_pretrained(path)
        return f"./{folder}"


def _write_shapes(source: str, target: Path) -> None:
    """Writes an HDF5 file of zeros with the shapes of another one. Zeros take no space."""
    import h5py

    with h5py.File(source, "r") as weights, h5py.File(target, "w") as zeros:

        def add(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset):
                zeros.create_dataset(name, item.shape, item.dtype, chunks=True, fillvalue=0)

        weights.visititems(add)


def use_stored(config: Any, names: Mapping[str, str], in_model: bool = False) -> Any:
    """
    # Parameters

    config : `Any`
        A section of a config, or a part of it.
    names : `Mapping[str, str]`
        The new names of files, by the names in the config.
    in_model : `bool`, optional (default = `False`)
        Whether transformers have their weights from the model.

    # Returns

    `Any`
        The config with the new names.
    """
    if isinstance(config, list):
        return [use_stored(item, names, in_model) for item in config]
    if not isinstance(config, dict):
        return config
    used = {key: use_stored(item, names, in_model) for key, item in config.items()}
    for key in FILE_KEYS:
        if isinstance(used.get(key), str) and used[key] in names:
            used[key] = names[used[key]]
            if key == _TRANSFORMER and in_model:
                used["load_weights"] = False
    return used


def store_files(folder: Union[str, os.PathLike]) -> None:
    """
    Stores the files that the config of a training names in the training's folder. A file that
    cannot be read any more is left out with a warning: the archive then needs it in its place.

    # Parameters

    folder : `Union[str, PathLike]`
        The folder of a training.
    """
    config = read_json(Path(folder) / CONFIG_NAME)
    target = Path(folder) / FOLDER_NAME
    shutil.rmtree(target, ignore_errors=True)
    if not isinstance(config.get("model"), dict) or not is_sentence_model(config):
        return
    target.mkdir()
    copies = FileCopies(target)
    try:
        for section in FOR_OPENING:
            copies.copy(config.get(section))
    except (OSError, ConfigurationError) as error:
        logger.warning("The archive will need files of this machine: %s", error)
    if copies.names:
        text = json.dumps(copies.names, indent=2, ensure_ascii=False)
        (target / _NAMES).write_text(text + "\n", encoding="utf-8")
    else:
        shutil.rmtree(target)


def stored_names(folder: Path) -> Dict[str, str]:
    """
    # Returns

    `Dict[str, str]`
        The paths of an archive's stored files, by the names in its config.

    # Raises

    `ConfigurationError`
        If there is no such file, or a file would run other code.
    """
    path = folder / FOLDER_NAME / _NAMES
    if not path.is_file():
        return {}
    return {
        name: path_in_folder(str(copy), folder / FOLDER_NAME, str(path))
        for name, copy in read_json(path).items()
    }


def path_in_folder(name: str, folder: Path, source: str) -> str:
    """
    # Parameters

    name : `str`
        A file of the folder, `./NAME`.
    folder : `Path`
    source : `str`
        The name of the file that has the name, for errors.

    # Returns

    `str`
        The full path.

    # Raises

    `ConfigurationError`
        If there is no such file in the folder, or it would run other code.
    """
    path = _resolved(folder / name)
    if path is None or folder.resolve() not in path.parents:
        raise ConfigurationError(
            f"{source}: found {shortened(repr(name))}, which is not in the folder; expected all "
            "files that belong to the model"
        )
    for file in path.glob("*.json"):
        # With this key, transformers would run code of the folder or of the Hub.
        if "auto_map" in read_json(file):
            raise ConfigurationError(f"{file}: auto_map: found this key; expected none")
    return str(path)


def _resolved(path: Path) -> Optional[Path]:
    """The full path of a file; `None` if there is none, or none can have such a name."""
    try:
        return path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None


_archive_model = archival.archive_model


def archive_model(
    serialization_dir: Union[str, os.PathLike],
    weights: str = "best.th",
    archive_path: Union[str, os.PathLike, None] = None,
    include_in_archive: Any = None,
) -> str:
    """AllenNLP's `archive_model`, with the files that the config names."""
    store_files(serialization_dir)
    included = [*(include_in_archive or []), FOLDER_NAME]
    return _archive_model(serialization_dir, weights, archive_path, included)
