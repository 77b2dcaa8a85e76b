"""
The files that AllenNLP writes at the end of a training, complete or absent. AllenNLP writes them in
place, so that a kill or a full disk leaves a part of a file, or destroys that of an earlier run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dump_metrics(os.path.join(folder, "metrics.json"), {"loss": 0.5})
    ...     print(Path(folder, "metrics.json").read_text())
    {
      "loss": 0.5
    }
"""

import json
import logging
import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

import allennlp.commands.train
import allennlp.common.util
from allennlp.models import archival

from lisa_allennlp.common.complete_files import complete_file

logger = logging.getLogger(__name__)

ARCHIVE = "model.tar.gz"


def archive_model(
    serialization_dir: Union[str, os.PathLike],
    weights: str = archival._DEFAULT_WEIGHTS,
    archive_path: Optional[Union[str, os.PathLike]] = None,
    include_in_archive: Optional[List[str]] = None,
) -> str:
    """
    As AllenNLP's function of this name.

    # Raises

    `OSError`
        If the disk is full. An older archive is kept.
    """
    path = Path(serialization_dir if archive_path is None else archive_path)
    if path.is_dir():
        path = path / ARCHIVE
    with complete_file(path) as partial:
        archival.archive_model(serialization_dir, weights, partial, include_in_archive)
    return str(path)


def dump_metrics(file_path: Optional[str], metrics: Dict[str, Any], log: bool = False) -> None:
    """
    As AllenNLP's function of this name.

    # Raises

    `OSError`
        If the disk is full. Older metrics are kept.
    """
    text = json.dumps(metrics, indent=2)
    if file_path:
        with complete_file(file_path) as partial, open(partial, "w", encoding="utf-8") as file:
            file.write(text)
    if log:
        logger.info("Metrics: %s", text)


def use_by_default() -> None:
    """Makes AllenNLP's `train` call these functions."""
    allennlp.commands.train.archive_model = archive_model
    allennlp.common.util.dump_metrics = dump_metrics
