"""Outputs that are either whole or not there."""

from pathlib import Path

import pytest

from lisa_allennlp.apps.prepare.outputs import (
    check_replaceable,
)
from lisa_allennlp.common.errors import ConfigurationError


def test_files_of_the_user_are_not_replaced(tmp_path: Path):
    report, output = tmp_path / "report.json", tmp_path / "dev.conll"
    output.touch()
    with pytest.raises(ConfigurationError, match="found a file without the report.json"):
        check_replaceable(report, output)
    with pytest.raises(ConfigurationError, match="found a folder without the report.json"):
        check_replaceable(report, tmp_path)
    # An earlier run that was killed while its files got their names.
    (tmp_path / ".report.json.7-01234567.partial").touch()
    check_replaceable(report, output)
