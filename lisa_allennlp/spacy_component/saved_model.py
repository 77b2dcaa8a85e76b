"""
Saves the model of a component with its pipeline.

A model in a file or a folder is copied, so that the pipeline works on any machine. A model that
comes with this package is saved as its name and the package's version.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_model("english", Path(folder))
    ...     files = folder_to_bytes(Path(folder))
    >>> with TemporaryDirectory() as folder:
    ...     folder_from_bytes(files, Path(folder))
    ...     saved_model(Path(folder))
    'english'
"""

import io
import json
import shutil
import warnings
import zipfile
from pathlib import Path
from typing import Optional, Union

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.version import VERSION

_NAME, _ARCHIVE, _FOLDER = "model_name.json", "model.tar.gz", "model"
"""What a saved model consists of: its name, an archive, or a folder that `lisa export` made."""


def own_path(model: Optional[str]) -> Optional[Path]:
    """The absolute path of a model; `None` for one that comes with the package."""
    return Path(model).resolve() if model and pretrained.is_model_file(model) else None


def save_model(model: Union[Path, str, None], folder: Path) -> None:
    """
    # Parameters

    model : `Union[Path, str, None]`
        The path of a model, or the name of a model in the package; `None` for the default one.
    folder : `Path`
        Is created. An earlier model in it is replaced.

    # Raises

    `ConfigurationError`
        If there is nothing at the path.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(model, Path):
        if model.parent != folder.resolve():
            _copy_model(model, folder)
        return
    _remove_model(folder)
    saved = {"model": model, "lisa_allennlp": VERSION}
    (folder / _NAME).write_text(json.dumps(saved), encoding="utf-8")


def _copy_model(model: Path, folder: Path) -> None:
    if not model.exists():
        raise ConfigurationError(f"{model}: found no model any more; expected it, to save a copy")
    _remove_model(folder)
    if model.is_file():
        shutil.copyfile(model, folder / _ARCHIVE)
    elif pretrained.is_exported(str(model)):
        shutil.copytree(model, folder / _FOLDER)
    else:
        from allennlp.models.archival import archive_model, get_weights_path

        from lisa_allennlp.model_files.stored_files import FOLDER_NAME

        weights = Path(get_weights_path(model)).name
        archive_model(model, weights, folder / _ARCHIVE, include_in_archive=[FOLDER_NAME])


def saved_model(folder: Path) -> Optional[str]:
    """
    # Returns

    `Optional[str]`
        The path of the model in a folder that `save_model` wrote, or its name.

    # Raises

    `ConfigurationError`
        If the folder has no model.
    """
    for name in (_ARCHIVE, _FOLDER):
        if (folder / name).exists():
            return str(folder / name)
    if not (folder / _NAME).exists():
        raise ConfigurationError(f"{folder}: found no model; expected what `to_disk` saved")
    saved = json.loads((folder / _NAME).read_text(encoding="utf-8"))
    if saved["lisa_allennlp"] != VERSION:
        warnings.warn(
            f"{folder}: found a pipeline that was saved with lisa-allennlp "
            f"{saved['lisa_allennlp']}; the model of {VERSION} may label differently",
            stacklevel=2,
        )
    return saved["model"]


def folder_to_bytes(folder: Path) -> bytes:
    """All files below a folder, as a ZIP archive."""
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    return archived.getvalue()


def folder_from_bytes(files: bytes, folder: Path) -> None:
    """Writes the files of `folder_to_bytes` into a folder."""
    with zipfile.ZipFile(io.BytesIO(files)) as archive:
        archive.extractall(folder)


def _remove_model(folder: Path) -> None:
    for name in (_NAME, _ARCHIVE):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / _FOLDER, ignore_errors=True)
