"""The report that every benchmark ends in."""

import json
import multiprocessing
import os
from pathlib import Path

import pytest
import torch

from benchmarks.common import Report, in_processes, make_parser, read_sentences
from tests import ROOT


def report(*arguments: str) -> Report:
    return Report("speed", make_parser("").parse_args(arguments))


def test_bars_decide_the_exit_status_only_with_check(capsys: pytest.CaptureFixture) -> None:
    for arguments, value, status in [
        ([], 1.0, 0),
        (["--check"], 1.0, 1),
        (["--check"], 2.0, 0),
    ]:
        result = report(*arguments)
        result.at_least("ratio", value, 2.0)
        result.at_most("share", 5.0, 5.0)
        assert result.finish() == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "speed: 2 of 2 bars met (on the sample: the bars are meant for EWT)"
    assert any(line.startswith("speed: 1 of 2 bars met; missed: ratio") for line in lines)


def test_json_has_the_tables_and_the_bars(tmp_path: Path) -> None:
    result = report("--json", str(tmp_path / "speed.json"))
    result.table(["system", "sentences/s"], [["LISA", "100"]])
    result.at_most("share", 7.0, 5.0)
    result.finish()
    figures = json.loads((tmp_path / "speed.json").read_text())
    assert figures["tables"] == [[{"system": "LISA", "sentences/s": "100"}]]
    assert figures["bars"] == [
        {"what": "share", "value": 7.0, "relation": "<=", "bar": 5.0, "met": False}
    ]
    assert figures["benchmark"] == "speed" and figures["corpus"] == "sample"


def test_the_sample_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    sentences = read_sentences(None, 900)
    assert len(sentences) == 900
    assert len({id(sentence) for sentence in sentences}) < 900


def test_calls_in_processes(tmp_path: Path) -> None:
    def call() -> None:
        with (tmp_path / str(os.getpid())).open("a") as file:
            file.write(f"{torch.get_num_threads()}\n")

    others = multiprocessing.active_children()
    run = in_processes(call, 3)
    run()
    run()
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert str(os.getpid()) not in written
    assert list(written.values()) == ["1\n1\n"] * 3
    assert in_processes(call, 1) is call
    for process in multiprocessing.active_children():
        if process not in others:
            process.terminate()
