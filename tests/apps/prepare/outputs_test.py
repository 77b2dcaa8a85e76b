"""Outputs that are either whole or not there."""

import os
from pathlib import Path

import pytest

from lisa_allennlp.apps.prepare.outputs import (
    ConllReport,
    check_replaceable,
    fingerprint,
    read_report,
    write_report,
)
from lisa_allennlp.common.errors import ConfigurationError


def test_fingerprint_is_of_names_sizes_and_times(tmp_path: Path):
    path, other, link = tmp_path / "file", tmp_path / "other", tmp_path / "link"
    path.write_text("text")
    link.symlink_to(link)
    files = [[], [path], [path, other], [other], [link]]
    seen = set(map(fingerprint, files))
    assert len(seen) == len(files)
    os.utime(path, ns=(0, 0))
    assert fingerprint([path]) not in seen


def test_reports_are_read_back_if_the_sources_are_the_same(tmp_path: Path):
    path = tmp_path / "report.json"
    assert read_report(path, {}, dict) is None
    report = ConllReport("dev", 1, sentences=2, hint_for_more="try this")
    assert report.warnings() == ["found 2 sentences; expected 1, as published; try this"]
    with open(path, "w", encoding="utf-8") as file:
        write_report(file, report.to_json(), {"sources": "a"})
    assert read_report(path, {"sources": "a"}, ConllReport.from_json) == report
    assert read_report(path, {"sources": "b"}, ConllReport.from_json) is None


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
