import errno
import os
from pathlib import Path

import pytest

from lisa_allennlp.common.complete_files import complete_file, complete_folder


def test_the_file_appears_when_it_is_complete_and_an_error_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    with complete_file(path) as partial:
        partial.write_bytes(b"old")
        assert not path.exists()
    with pytest.raises(KeyboardInterrupt), complete_file(path) as partial:
        partial.write_bytes(b"ne")
        raise KeyboardInterrupt
    with pytest.raises(FileNotFoundError), complete_file(path):
        pass  # Writes nothing.
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["weights"]


def test_the_error_of_a_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    for complete in (complete_file, complete_folder):
        for number, is_named in ((errno.ENOSPC, False), (errno.EROFS, True)):
            with pytest.raises(OSError) as error, complete(path) as partial:
                raise OSError(number, os.strerror(number), *[str(partial)] * is_named)
            assert (error.value.errno, error.value.filename) == (number, str(path))


def test_a_folder_is_replaced_when_it_is_complete(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    for number in range(2):
        with complete_folder(folder) as partial:
            (partial / "files").mkdir()
            (partial / "files" / f"{number}").touch()
            assert folder.exists() == bool(number)
        assert [path.name for path in folder.rglob("*")] == ["files", f"{number}"]
        assert os.listdir(tmp_path) == ["model"]
    with pytest.raises(KeyboardInterrupt), complete_folder(folder) as partial:
        (partial / "new").touch()
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.rglob("*")] == ["model", "files", "1"]


def test_temporary_names_are_of_nobody_else(tmp_path: Path) -> None:
    folder, victim = tmp_path / "model", tmp_path / "victim"
    others = {tmp_path / f"{name}.partial" for name in ("weights", "model")}
    others.add(tmp_path / "model.replaced")
    for other in others:
        other.symlink_to(victim)
    folder.mkdir()
    with complete_file(tmp_path / "weights") as one, complete_file(tmp_path / "weights") as two:
        one.write_text("one")
        two.write_text("two")
    with complete_folder(folder):
        pass
    assert {*tmp_path.iterdir()} == {*others, folder, tmp_path / "weights"}
    assert (tmp_path / "weights").read_text() == "one"
