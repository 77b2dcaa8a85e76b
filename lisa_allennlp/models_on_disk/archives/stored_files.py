"""
The files that a model's config names, stored with the model: the config and the tokenizer of a
transformer, ELMo's options, and the shapes of ELMo's weights. With them, a model opens in another
folder and without network. Weights are those of the model, so they are not stored again.

A training stores them in the folder `model_files`, which is archived with the model. The config
keeps the names of the training; `names.json` maps them to the stored files. In an exported folder
the config has the names of the stored files, `./NAME`.
"""

import copy
import logging
import os
import shutil
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple, Union

from allennlp.common.file_utils import cached_path
from allennlp.models import archival

from lisa_allennlp.models_on_disk.archives import CONFIGURATION_ERRORS, cached_transformers
from lisa_allennlp.models_on_disk.archives.storage import write_best_weights, write_json
from lisa_allennlp.models_on_disk.model_folder import (
    BEST_NAME,
    STORED_NAME,
    STORED_NAMES,
    read_json,
    stored_path,
)
from lisa_allennlp.models_on_disk.pretrained import CONFIG_NAME, GRAPHS_NAME, NETWORK_NAME

logger = logging.getLogger(__name__)

FILE_KEYS = {
    "elmo_token_embedder": ("options_file", "weight_file"),
    "pretrained_encoder": ("model_name",),
    "pretrained_transformer_words": ("model_name",),
}

_TRANSFORMER, _ELMO_WEIGHTS = "model_name", "weight_file"


def file_keys(config: Any) -> Tuple[str, ...]:
    found = config.get("type") if isinstance(config, dict) else None
    return FILE_KEYS.get(found, ()) if isinstance(found, str) else ()


def files_of(config: Any, place: str = "") -> Iterator[Tuple[str, Dict[str, Any], str]]:
    """Yields the place of each file name in a config, its object, and its key there."""
    items: Any = enumerate(config) if isinstance(config, list) else ()
    if isinstance(config, dict):
        items = list(config.items())
        for key in file_keys(config):
            if isinstance(config.get(key), str):
                yield f"{place}.{key}".lstrip("."), config, key
    for key, item in items:
        yield from files_of(item, f"{place}.{key}".lstrip("."))


def use_stored(config: Dict[str, Any], folder: Union[str, os.PathLike]) -> Dict[str, Any]:
    """
    Returns a config's `model` with the paths of stored files. A stored transformer gets its weights
    from the model.
    """
    config = copy.deepcopy(config)
    for _, owner, key in files_of(config):
        path = stored_path(owner[key], folder)
        if path is not None:
            owner[key] = path
            if key == _TRANSFORMER:
                owner["load_weights"] = False
    return config


def store_files(config: Any, source: Union[str, os.PathLike], folder: Path) -> Dict[str, str]:
    """
    Stores the files that a config names in a folder, which is made if there are any. The model's
    folder, `source`, may have some already. Returns the stored names, `./NAME`, by the config's.
    """
    names: Dict[str, str] = {}
    for _, owner, key in files_of(config):
        name = owner[key]
        if name in names:
            continue
        names[name] = f"./{key}_{len(names) + 1}"
        target, stored = folder / names[name], stored_path(name, source)
        folder.mkdir(parents=True, exist_ok=True)
        if key == _TRANSFORMER:
            options = owner.get("tokenizer_kwargs")
            cached_transformers.save(stored or name, stored is not None, options, target)
        elif key == _ELMO_WEIGHTS:
            _write_shapes(cached_path(stored or name), target)
        else:
            shutil.copyfile(cached_path(stored or name), target)
    return names


def _write_shapes(source: str, target: Path) -> None:
    """Writes zeros in the shapes of another HDF5 file. Zeros take no space."""
    import h5py

    with h5py.File(source, "r") as weights, h5py.File(target, "w") as zeros:

        def add(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset):
                zeros.create_dataset(name, item.shape, item.dtype, chunks=True, fillvalue=0)

        weights.visititems(add)


def archive_model(
    serialization_dir: Union[str, os.PathLike],
    weights: str = "best.th",
    archive_path: Union[str, os.PathLike, None] = None,
    include_in_archive: Any = None,
) -> str:
    """
    Writes an archive as AllenNLP's function, with safetensors, `network.json` and the files that
    the config of a model of this package names.
    """
    folder = Path(serialization_dir)
    write_best_weights(folder, weights)
    store_files_of_training(folder)
    ours = (BEST_NAME, NETWORK_NAME, GRAPHS_NAME, STORED_NAME)
    # A pattern without a file is left out.
    included = list(dict.fromkeys([*(include_in_archive or ()), *ours]))
    return archival.archive_model(serialization_dir, weights, archive_path, included)


def store_files_of_training(folder: Path) -> None:
    """Stores the files that a training's config names, once; warns if they cannot be read."""
    stored = folder / STORED_NAME
    if (stored / STORED_NAMES).exists():
        return
    try:
        names = store_files(read_json(folder / CONFIG_NAME), folder, stored)
        if names:
            write_json(stored / STORED_NAMES, names)
    except (OSError, *CONFIGURATION_ERRORS) as error:
        logger.warning("The archive will need files of this machine: %s", error)
