"""Opens trained models: archives, training folders and exported folders."""

import os
from typing import Any, Dict, Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import Archive, load_archive

from lisa_allennlp import pretrained
from lisa_allennlp.model_files.exported import open_exported


def open_archive(
    archive_file: Union[str, os.PathLike],
    cuda_device: int = -1,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
) -> Archive:
    """
    AllenNLP's `load_archive` for every model that this package can open. Use it instead wherever a
    user names a model.

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
        Overrides of the model's config.
    weights_file : `str`, optional (default = the archive's own)
        A file of other weights.

    # Raises

    `ConfigurationError`
        If the model cannot be opened.
    """
    path = pretrained.resolve(archive_file)
    if pretrained.is_exported(path):
        if weights_file:
            raise ConfigurationError(
                f"{path}: found the weights file {weights_file}; expected none for an "
                "exported model"
            )
        return open_exported(path, cuda_device, overrides)
    return load_archive(
        path, cuda_device=cuda_device, overrides=overrides, weights_file=weights_file
    )
