"""Files of states on disks that are full."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from lisa_allennlp.training.state_files import load_state, save_state

STATE = {"weights": torch.arange(5000.0), "steps": [1, 2], "nested": {"rate": 0.5}}


def test_round_trip(tmp_path: Path) -> None:
    save_state(STATE, tmp_path / "state.th")
    loaded = load_state(tmp_path / "state.th")
    assert torch.equal(loaded.pop("weights"), STATE["weights"])
    assert loaded == {key: value for key, value in STATE.items() if key != "weights"}


class FullDisk:
    """A file on a disk with some space left."""

    def __init__(self, file: Any, space: int) -> None:
        self._file, self._space = file, space

    def write(self, data: Any) -> int:
        self._space -= len(data)
        if self._space < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return int(self._file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("space", [0, 100, 2000, 20_000])
def test_a_full_disk(space: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_state({"steps": 0}, tmp_path / "state.th")
    save = torch.save
    monkeypatch.setattr(torch, "save", lambda state, file: save(state, FullDisk(file, space)))
    with pytest.raises(OSError) as error:
        save_state(STATE, tmp_path / "state.th")
    assert error.value.errno == errno.ENOSPC
    assert error.value.filename == str(tmp_path / "state.th")
    # The older file is still whole, and nothing else is left.
    assert load_state(tmp_path / "state.th") == {"steps": 0}
    assert os.listdir(tmp_path) == ["state.th"]


@pytest.mark.parametrize(
    "message", ["PytorchStreamWriter failed writing file", "unexpected pos 64"]
)
def test_errors_of_pytorchs_writer(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise RuntimeError(message)

    monkeypatch.setattr(torch, "save", fail)
    with pytest.raises(OSError, match="No space left on device") as error:
        save_state(STATE, tmp_path / "state.th")
    assert error.value.filename == str(tmp_path / "state.th")


def test_other_errors_are_not_those_of_a_disk(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="lambda"):
        save_state({"function": lambda: 0}, tmp_path / "state.th")


def test_a_file_runs_no_code(tmp_path: Path) -> None:
    class Command:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "made"),)

    torch.save(Command(), tmp_path / "state.th")
    with pytest.raises(Exception, match="(?i)weights.only"):
        load_state(tmp_path / "state.th")
    assert not (tmp_path / "made").exists()
