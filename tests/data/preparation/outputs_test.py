"""Outputs that are either whole or not there."""

import os
from pathlib import Path

import pytest

from lisa_allennlp.data.preparation.outputs import (
    fingerprint,
    read_report,
    write_report,
    written_whole,
)


def test_files_get_their_names_when_they_are_whole(tmp_path: Path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("old")
    with written_whole(first, second) as (first_file, second_file):
        first_file.write("new")
        second_file.write("new too")
        assert first.read_text() == "old" and not second.exists()
    assert first.read_text() == "new" and second.read_text() == "new too"
    assert len(list(tmp_path.iterdir())) == 2


def test_files_of_an_interrupted_block_do_not_get_them(tmp_path: Path):
    path = tmp_path / "file"
    with pytest.raises(KeyboardInterrupt):
        with written_whole(path) as (file,):
            file.write("half")
            raise KeyboardInterrupt
    assert not path.exists()


def test_fingerprint_is_of_names_sizes_and_times(tmp_path: Path):
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_text("text")
    seen = {fingerprint([]), fingerprint([path]), fingerprint([path, other]), fingerprint([other])}
    assert len(seen) == 4
    assert fingerprint([path]) in seen
    os.utime(path, ns=(0, 0))
    assert fingerprint([path]) not in seen


def test_reports_are_read_back_if_the_sources_are_the_same(tmp_path: Path):
    path = tmp_path / "report.json"
    assert read_report(path, {}, dict) is None
    write_report(path, {"sentences": 3}, {"sources": "a"})
    assert read_report(path, {"sources": "a"}, dict) == {"sentences": 3}
    assert read_report(path, {"sources": "b"}, dict) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "{}", '{"made_from": {}, "sentences": 3}'])
def test_what_is_no_report(tmp_path: Path, text: str):
    path = tmp_path / "report.json"
    path.write_text(text)
    # As a report of another version, that has other values.
    assert read_report(path, {}, lambda values: values["tokens"]) is None


def test_a_link_to_itself_has_a_fingerprint(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    assert fingerprint([link]) != fingerprint([tmp_path / "other"])
