"""Opens trained models: archives, training folders and exported folders."""

import os
from typing import Any, Dict, Iterable, Mapping, Optional, Union

from allennlp.common.params import parse_overrides, with_overrides
from allennlp.models.archival import Archive, load_archive

from lisa_allennlp import pretrained
from lisa_allennlp.common.allennlp_errors import CONFIGURATION_ERRORS
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.model_folder import model_folder, read_config
from lisa_allennlp.model_files.registered_types import check_types, strings_of
from lisa_allennlp.model_files.stored_files import files_of, stored_path
from lisa_allennlp.pretrained import CONFIG_NAME


def open_archive(
    archive_file: Union[str, os.PathLike],
    cuda_device: int = -1,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    allow_types: Iterable[str] = (),
) -> Archive:
    """
    Opens a model that someone else may have made. AllenNLP's `load_archive` opens it after checks.
    A model that cannot be opened, or is not safe to open, is a `ConfigurationError`.

    Nothing but registered classes is built, nothing is unpickled but tensors, nothing is
    downloaded, no file outside the model is read, and nothing is written outside a temporary
    folder. docs/reliability.md says what is promised.

    # Parameters

    overrides : `Union[str, Dict[str, Any]]`, optional
        Overrides of the model's config, which are trusted: they come from the user.
    weights_file : `str`, optional (default = the model's own)
        A file of other weights. Not for exported folders.
    allow_types : `Iterable[str]`, optional
        The dotted names of classes that the model's config may name although they are not
        registered. They are imported.
    """
    changes = dict(parse_overrides(overrides) if isinstance(overrides, str) else overrides)
    with model_folder(pretrained.resolve(archive_file)) as folder:
        overridden = " with overrides" * bool(changes)
        source = f"{archive_file}: {CONFIG_NAME}{overridden}"
        config = override(read_config(str(folder)), changes, source)
        trusted = strings_of(changes)
        check_types(config, source, frozenset(allow_types) | trusted)
        for place, owner, key in files_of(config):
            name = owner[key]
            if stored_path(name, folder) is None and name not in trusted:
                raise ConfigurationError(
                    f"{source}: {place:.99}: found {name!r:.99}, which is not stored in the model; "
                    "expected a model that `lisa train` or `lisa export` wrote. Name a file of "
                    "your own with --overrides"
                )
        if weights_file is not None and pretrained.is_exported(str(folder)):
            raise ConfigurationError(
                f"{archive_file}: found the weights file {weights_file}; expected none for an "
                "exported model"
            )
        try:
            return load_archive(folder, cuda_device, changes, weights_file)
        except CONFIGURATION_ERRORS as error:
            raise ConfigurationError(f"{archive_file}{overridden}: {error.message}") from error
        except Exception as error:
            reason = " ".join(str(error).split())[:300]
            raise ConfigurationError(
                f"{archive_file}{overridden}: no model can be built from it "
                f"({type(error).__name__}: {reason}); expected what this version writes"
            ) from error


def archived_config(
    archive_file: Union[str, os.PathLike], allow_types: Iterable[str] = ()
) -> Dict[str, Any]:
    """Returns the config that a model was trained with, checked as `open_archive` does."""
    config = read_config(pretrained.resolve(archive_file))
    check_types(config, f"{archive_file}: {CONFIG_NAME}", frozenset(allow_types))
    return config


def override(config: Dict[str, Any], overrides: Mapping[str, Any], source: str) -> Dict[str, Any]:
    """
    Returns a config with new values, by dotted key. If they do not fit the config, the message of
    the `ConfigurationError` begins with `source`.
    """
    try:
        return with_overrides(config, dict(overrides))
    except ValueError as error:
        raise ConfigurationError(f"{source}: {error}") from error
