"""Opens trained models: archives, training folders and exported folders."""

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Union

from allennlp.commands import evaluate, predict
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.common.meta import META_NAME, Meta
from allennlp.common.params import parse_overrides
from allennlp.data import Vocabulary
from allennlp.models import archival
from allennlp.models.archival import Archive, get_weights_path
from allennlp.predictors import predictor

from lisa_allennlp import pretrained
from lisa_allennlp.common.cached_transformers import forget
from lisa_allennlp.common.configs import override
from lisa_allennlp.model_files.archive_config import (
    FOR_OPENING,
    check_archived,
    without_training,
)
from lisa_allennlp.model_files.building import (
    build_model,
    build_readers,
    load_weights,
    unfit_files_reported,
)
from lisa_allennlp.model_files.exported import open_exported
from lisa_allennlp.model_files.registered_types import (
    allowed_types,
    registered_types_only,
    strings_of,
)
from lisa_allennlp.model_files.safe_config import CONFIG_NAME, read_json
from lisa_allennlp.model_files.stored_files import archive_model, stored_names, use_stored
from lisa_allennlp.model_files.unpacking import unpacked
from lisa_allennlp.model_files.vocabulary_files import FOLDER_NAME as VOCABULARY
from lisa_allennlp.model_files.weight_files import read_torch_weights


def open_archive(
    archive_file: Union[str, os.PathLike],
    cuda_device: int = -1,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    allow_types: Iterable[str] = (),
) -> Archive:
    """
    Opens every model that this package can open, in place of AllenNLP's `load_archive`, which this
    function replaces in AllenNLP's own commands and predictors as well.

    Nothing but registered classes is built, nothing is unpickled but tensors, and nothing is
    written outside a temporary folder. docs/reliability.md says what is promised.

    >>> open_archive("klingon")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: found no file, folder or model of the package ...

    # Parameters

    archive_file : `Union[str, PathLike]`
        As for `lisa_allennlp.pretrained.resolve`.
    cuda_device : `int`, optional (default = `-1`)
        The number of a GPU; -1 is the CPU.
    overrides : `Union[str, Dict[str, Any]]`, optional
        Overrides of the model's config, which are trusted: they come from the user.
    weights_file : `str`, optional (default = the archive's own)
        A file of other weights.
    allow_types : `Iterable[str]`, optional
        The dotted names of classes that the model's config may name although they are not
        registered, besides those of `--allow-type`. They are imported. An exported folder has none.

    # Raises

    `ConfigurationError`
        If the model cannot be opened, or is not safe to open.
    """
    path = pretrained.resolve(archive_file)
    changes = dict(parse_overrides(overrides) if isinstance(overrides, str) else overrides)
    if pretrained.is_exported(path):
        if weights_file:
            raise ConfigurationError(
                f"{path}: found the weights file {weights_file}; expected none for an "
                "exported model"
            )
        return open_exported(path, cuda_device, changes)
    with model_folder(path) as folder:
        opened = _Opened(folder, path, changes, allowed_types(allow_types))
        archive = opened.archive(weights_file)
        if folder != Path(path):
            forget(folder)
    if cuda_device >= 0:
        archive.model.cuda(cuda_device)
    return archive


@contextmanager
def model_folder(archive_file: Union[str, os.PathLike]) -> Iterator[Path]:
    """
    Yields the folder of a model, which is temporary for an archive.

    # Parameters

    archive_file : `Union[str, PathLike]`
        As for `lisa_allennlp.pretrained.resolve`.

    # Raises

    `ConfigurationError`
        If an archive is unsafe or damaged.
    """
    path = pretrained.resolve(archive_file)
    if os.path.isdir(path):
        yield Path(path)
    else:
        with unpacked(cached_path(path)) as folder:
            yield folder


class _Opened:
    """The folder of a model, and the name that the user gave to it."""

    def __init__(
        self, folder: Path, name: str, changes: Mapping[str, Any], allowed: Iterable[str]
    ) -> None:
        self._folder = folder
        self._name = name
        self._changes = changes
        self._allowed = frozenset(allowed)

    def archive(self, weights_file: Optional[str]) -> Archive:
        config = self._config()
        source = self._place(CONFIG_NAME) + (" with overrides" if self._changes else "")
        used = {key: without_training(config[key]) for key in FOR_OPENING if config.get(key)}
        used = {k: use_stored(v, stored_names(self._folder), k == "model") for k, v in used.items()}
        allowed = self._allowed | strings_of(self._changes)
        with registered_types_only(source, allowed):
            with unfit_files_reported(self._place(VOCABULARY)):
                vocab = self._vocabulary(config)
            with unfit_files_reported(source):
                readers = build_readers(used, self._folder)
                model = build_model(used, vocab, self._folder)
                model.extend_embedder_vocab()
        weights = weights_file or get_weights_path(self._folder)
        place = weights_file or self._place(os.path.basename(weights))
        load_weights(model, read_torch_weights(weights, place), place, bool(self._changes))
        return Archive(model, Params(config), readers[0], readers[1], self._meta())

    def _place(self, file: str) -> str:
        is_folder = self._folder == Path(self._name)
        return str(self._folder / file) if is_folder else f"{self._name}: {file}"

    def _config(self) -> Dict[str, Any]:
        if not (self._folder / CONFIG_NAME).is_file():
            raise ConfigurationError(
                f"{self._name}: found no {CONFIG_NAME}; expected a model that `lisa train` trained"
            )
        source = self._place(CONFIG_NAME)
        config = read_json(self._folder / CONFIG_NAME, source)
        check_archived(config, source, self._allowed)
        return override(config, self._changes, f"{source} with overrides")

    def _vocabulary(self, config: Mapping[str, Any]) -> Vocabulary:
        folder = self._folder / VOCABULARY
        if not folder.is_dir():
            raise ConfigurationError("found no such folder; expected that of the vocabulary")
        options = config.get("vocabulary") or {}
        if isinstance(options, str):
            options = {"type": options}
        vocabulary_class, _ = Vocabulary.resolve_class_name(options.get("type", "from_instances"))
        return vocabulary_class.from_files(
            str(folder), options.get("padding_token"), options.get("oov_token")
        )

    def _meta(self) -> Optional[Meta]:
        """AllenNLP's version. Other content is not a reason to refuse a model."""
        path = self._folder / META_NAME
        version = read_json(path, self._place(META_NAME)).get("version") if path.is_file() else None
        return Meta(version) if isinstance(version, str) else None


# AllenNLP's functions call them by these names.
for module in (archival, evaluate, predict, predictor):
    module.load_archive = open_archive  # type: ignore[attr-defined]
archival.archive_model = archive_model
