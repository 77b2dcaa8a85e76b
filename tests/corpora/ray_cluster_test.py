"""Two local Ray workers, one of which is killed."""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Dict, List

import pytest

from lisa_allennlp.__main__ import main
from tests.corpora.corpora import annotate, errors, shards, write_corpus

BAD = (3, 57)


def test_a_missing_ray_is_named(
    archives: Dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    corpus, model = write_corpus(tmp_path / "corpus.jsonl", 2), archives["ccg_supertagger"]
    given = ["annotate", corpus, "--output", tmp_path / "out", "--model", model]
    assert main([*map(str, given), "--address", "local"]) == 1
    assert "found no package ray; expected it to be installed" in capsys.readouterr().err


def workers_of(folder: Path) -> List[int]:
    """The processes that write partial files in a folder."""
    names = (path.name for path in folder.glob("shard-*.partial"))
    return [int(name.rpartition("-")[2].partition(".")[0]) for name in names]


@pytest.mark.slow
def test_a_killed_worker_loses_no_row(archives: Dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is missing: pip install 'lisa-allennlp[large]'")
    corpus = write_corpus(tmp_path / "corpus.jsonl", 2000, BAD)
    options = ("--model", archives["ccg_supertagger"], "--rows-per-shard", 100, "--processes", 2)
    annotate(corpus, "--output", tmp_path / "here", *options)
    killed: List[int] = []

    def kill_one() -> None:
        while not killed:
            for process in workers_of(tmp_path / "ray"):
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                return
            time.sleep(0.001)

    thread = threading.Thread(target=kill_one, daemon=True)
    thread.start()
    annotate(corpus, "--output", tmp_path / "ray", *options, "--address", "local")
    assert killed and killed[0] != os.getpid()
    assert shards(tmp_path / "ray") == shards(tmp_path / "here")
    assert [row["id"] for row in errors(tmp_path / "ray")] == list(BAD)
