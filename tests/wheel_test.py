"""
The wheel: the whole package, the configs with their sample, nothing else of the checkout, and
metadata that is true.
"""

import configparser
import email
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from lisa_allennlp.version import VERSION
from tests import ROOT

BUILD = """
import zlib; zlib.Z_DEFAULT_COMPRESSION = 0  # Which would take most of the time.
from setuptools.build_meta import build_wheel; build_wheel("dist")
"""
READ_CONFIGS = """
import json, os
from _jsonnet import evaluate_file
from lisa_allennlp.common.config_files import resolve

def read(value):
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            read(item)
        elif isinstance(item, str) and "fixtures/" in item:
            assert os.path.exists(item.split("#")[0]), item

for name in ("lisa_small", "lisa_small_elmo", "dm_small", "ccg/mlp"):
    config = json.loads(evaluate_file(resolve(name), ext_vars=dict(os.environ)))
    assert "/fixtures/" in config["train_data_path"]
    read(config)
    print(resolve(name))
"""
"""Prints where an installed package has its configs. What they read is there."""

pytestmark = pytest.mark.medium

COPIED = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE")
FOLDERS = ("lisa_allennlp", "training_configs", "fixtures", "benchmarks", "experiments", "tests")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Built in a copy of the checkout by the installed setuptools, without network."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        shutil.copy(ROOT / name, copy / name)
    for name in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    subprocess.run([sys.executable, "-c", BUILD], cwd=copy, check=True, capture_output=True)
    (path,) = (copy / "dist").iterdir()
    assert path.name == f"lisa_allennlp-{VERSION}-py3-none-any.whl"
    return zipfile.ZipFile(path)


def test_files(wheel: zipfile.ZipFile):
    installed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    folder = ROOT / "lisa_allennlp"
    files = (
        path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__"
    )
    own = {str(path.relative_to(ROOT)) for path in files}
    added = ("lisa_allennlp/training_configs/", "lisa_allennlp/fixtures/")
    assert {name for name in installed if not name.startswith(added)} == own
    assert "lisa_allennlp/py.typed" in installed


def test_the_configs_and_what_they_read(wheel: zipfile.ZipFile, tmp_path: Path):
    configs = {str(path.relative_to(ROOT)) for path in ROOT.glob("training_configs/**/*.*sonnet")}
    names = {name.removeprefix("lisa_allennlp/") for name in wheel.namelist()}
    assert {name for name in names if name.startswith("training_configs/")} == configs
    wheel.extractall(tmp_path / "site")
    (tmp_path / "empty").mkdir()
    # Which sets the variables that the configs read.
    import lisa_allennlp.plugin  # noqa: F401

    result = subprocess.run(
        [sys.executable, "-c", READ_CONFIGS],
        cwd=tmp_path / "empty",
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), "LISA_DATA": "sample"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines() == [
        f"{tmp_path}/site/lisa_allennlp/training_configs/{name}.jsonnet"
        for name in ("lisa_small", "lisa_small_elmo", "dm_small", "ccg/mlp")
    ]


def test_the_entry_points(wheel: zipfile.ZipFile):
    entry_points = configparser.ConfigParser()
    name = f"lisa_allennlp-{VERSION}.dist-info/entry_points.txt"
    entry_points.read_string(wheel.read(name).decode("utf-8"))
    assert entry_points.sections() == ["console_scripts", "spacy_factories"]
    for group in entry_points.sections():
        ((entry, value),) = entry_points[group].items()
        assert entry == "lisa" and callable(EntryPoint(entry, value, group).load())


def test_metadata(wheel: zipfile.ZipFile):
    info = f"lisa_allennlp-{VERSION}.dist-info"
    metadata = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
    assert metadata["Name"] == "lisa-allennlp" and metadata["Version"] == VERSION
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert str(metadata.get_payload()).strip() == text.strip()
    # No address and no person.
    assert metadata["Author"] == "lisa-allennlp contributors"
    for key in ("Author-email", "Maintainer", "Maintainer-email", "Home-page", "Project-URL"):
        assert metadata[key] is None, key
    assert metadata["License-Expression"] == "Apache-2.0 AND CC-BY-SA-4.0 AND MIT"
    notice = wheel.read(f"{info}/licenses/NOTICE").decode("utf-8")
    folders = {path.parent for path in (ROOT / "lisa_allennlp/pretrained").glob("*/model.json")}
    for path in (*folders, ROOT / "lisa_allennlp/text/english_rules.json"):
        assert str(path.relative_to(ROOT)) in notice
    required = [r for r in metadata.get_all("Requires-Dist", []) if "extra ==" not in r]
    assert required == [
        "jinja2",
        "lemminflect<0.3,>=0.2.3",
        "numpy>=1.26",
        "onnxruntime>=1.23",
        "rich>=12",
    ]
