"""
Saves the model of a component with its pipeline.

A model in a file or a folder is copied, so that the pipeline works on any machine. A model that
comes with this package is saved as its name and the package's version.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_model("english", Path(folder))
    ...     saved_model(Path(folder))
    'english'
"""

import json
import shutil
import warnings
from pathlib import Path
from typing import Optional, Union

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.version import VERSION

_NAME, _ARCHIVE, _FOLDER = "model_name.json", "model.tar.gz", "model"
"""What a saved model consists of: its name, an archive, or a folder that `lisa export` made."""


def save_model(model: Union[Path, str, None], folder: Path) -> None:
    """
    Saves a model in a folder, which is created, and replaces an earlier model in it.

    # Parameters

    model : `Union[Path, str, None]`
        The absolute path of a model, or the name of a model in the package; `None` for the default
        one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(model, Path):
        if model.parent == folder.resolve():
            return
        if not model.exists():
            raise ConfigurationError(f"{model}: found no model any more; expected it, to copy it")
    for name in (_NAME, _ARCHIVE):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / _FOLDER, ignore_errors=True)
    if not isinstance(model, Path):
        saved = {"model": model, "lisa_allennlp": VERSION}
        (folder / _NAME).write_text(json.dumps(saved), encoding="utf-8")
    elif model.is_file():
        shutil.copyfile(model, folder / _ARCHIVE)
    elif pretrained.is_exported(str(model)):
        shutil.copytree(model, folder / _FOLDER)
    else:
        from allennlp.models.archival import archive_model, get_weights_path

        from lisa_allennlp.model_files.stored_files import FOLDER_NAME

        weights = Path(get_weights_path(model)).name
        archive_model(model, weights, folder / _ARCHIVE, include_in_archive=[FOLDER_NAME])


def saved_model(folder: Path) -> Optional[str]:
    """Returns the path of the model in a folder that `save_model` wrote, or its name."""
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
