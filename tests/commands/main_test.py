"""The `lisa` command: its overview, its registry, its error messages."""

import bz2
import gzip
import json
import lzma
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any, Dict, List

import pytest
from allennlp.commands.subcommand import Subcommand
from allennlp.common.util import install_sigterm_handler

import experiments.reproduce  # noqa: F401
import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp import __main__ as command_line
from tests import ROOT
from tests.commands.in_process import in_process  # noqa: F401


def run_lisa(
    *arguments: str, folder: Path = ROOT, **environment: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "lisa_allennlp", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **environment},
    )


def test_help_imports_neither_torch_nor_allennlp():
    script = (
        "import sys\n"
        "from lisa_allennlp.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'torch', 'allennlp', 'allennlp_models'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stderr == ""
    assert result.stdout.startswith("usage: lisa ")
    assert result.stdout.endswith("[]\n")


@pytest.mark.medium
def test_plugins_of_the_checkout_load_in_every_folder(tmp_path: Path) -> None:
    ran = run_lisa("models", folder=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_help_lists_exactly_the_registered_commands_the_package_s_own_first(
    capsys: pytest.CaptureFixture,
):
    # Other tests may register commands of allennlp-models, which `lisa` does not load.
    modules = {name: Subcommand.by_name(name).__module__ for name in Subcommand.list_available()}
    ours = {
        name
        for name, module in modules.items()
        if module.startswith(("lisa_allennlp.", "experiments."))
    }
    theirs = {name for name, module in modules.items() if module.startswith("allennlp.")}
    assert ours == set(command_line.OWN_COMMANDS)
    assert theirs == set(command_line.ALLENNLP_COMMANDS)
    with pytest.raises(SystemExit):
        command_line.main([])
    listing = capsys.readouterr().out
    listed = [*command_line.OWN_COMMANDS, *command_line.ALLENNLP_COMMANDS]
    places = [listing.index(f"\n  {name} ") for name in listed]
    assert places == sorted(places)


@pytest.mark.medium
def test_reproduce_is_a_command_in_another_folder(tmp_path: Path):
    result = run_lisa("reproduce", "--help", folder=tmp_path, PYTHONPATH=str(ROOT))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("usage: lisa reproduce ")


def test_reproduce_outside_a_checkout_ends_in_one_line(tmp_path: Path):
    shutil.copytree(ROOT / "lisa_allennlp", tmp_path / "site-packages" / "lisa_allennlp")
    path = str(tmp_path / "site-packages")
    result = run_lisa("reproduce", "--out", "out", folder=tmp_path, PYTHONPATH=path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    expected = f"found lisa-allennlp installed in {path}; expected a checkout of the project"
    assert result.stderr.startswith(f"lisa: error: reproduce: {expected}")


def test_version(capsys: pytest.CaptureFixture):
    with pytest.raises(SystemExit) as end:
        command_line.main(["--version"])
    assert not end.value.code
    assert capsys.readouterr().out == "lisa-allennlp 0.1.0, allennlp 2.10.1\n"


@pytest.mark.medium
def test_missing_config_ends_in_one_line_without_allennlp_models():
    result = run_lisa("train", "no/such.jsonnet", "-s", "no/such/folder")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("lisa: error: ")
    assert "no/such.jsonnet" in result.stderr


def outcome(arguments: List[str], capsys: pytest.CaptureFixture) -> str:
    """The standard error of a command that fails with the status of a user's error."""
    assert command_line.main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    return captured.err


def test_unknown_class_in_a_config(tmp_path, capsys: pytest.CaptureFixture):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"dataset_reader": {"type": "no_such_reader"}}))
    message = outcome(["train", str(config), "-s", str(tmp_path / "out")], capsys)
    assert "no_such_reader" in message


def test_jsonnet_error(tmp_path, capsys: pytest.CaptureFixture):
    config = tmp_path / "config.jsonnet"
    config.write_text('{ "model": std.extVar("LISA_NO_SUCH_VARIABLE") }')
    message = outcome(["train", str(config), "-s", str(tmp_path / "out")], capsys)
    assert "LISA_NO_SUCH_VARIABLE" in message


def test_missing_archive(capsys: pytest.CaptureFixture):
    assert "no/model.tar.gz" in outcome(["label", "no/model.tar.gz", "A sentence ."], capsys)


def test_file_that_is_no_archive(tmp_path, capsys: pytest.CaptureFixture):
    archive = tmp_path / "model.tar.gz"
    archive.write_text("no archive")
    expected = f"{archive}: found other data than gzip's; expected a model archive"
    assert expected in outcome(["predict", str(archive), "-"], capsys)


def make_archive(folder: Path) -> Path:
    """Of a model, but with nothing more than its configuration."""
    noise = random.Random(0).choices(range(9), k=9999)
    config = {"dataset_reader": {"type": "conll12_srl"}, "model": {"type": "lisa", "x": noise}}
    (folder / "config.json").write_text(json.dumps(config))
    with tarfile.open(folder / "model.tar.gz", "w:gz") as file:
        file.add(folder / "config.json", "config.json")
    return folder / "model.tar.gz"


def test_truncated_archive(tmp_path: Path, capsys: pytest.CaptureFixture):
    archive = make_archive(tmp_path)
    archive.write_bytes(archive.read_bytes()[:2000])
    expected = f"lisa: error: {archive}: damaged data, or no archive (Compressed file ended before "
    assert outcome(["label", str(archive), "A sentence ."], capsys).startswith(expected)


def test_archive_that_ends_early(tmp_path: Path, capsys: pytest.CaptureFixture):
    archive = make_archive(tmp_path)
    error = outcome(["label", str(archive), "A sentence ."], capsys)
    assert error.startswith(f"lisa: error: {archive}: vocabulary: found no such folder")


def damaged(data: bytes, damage: str) -> bytes:
    middle = len(data) // 2
    return {
        "truncated": data[:middle],
        "corrupt": data[:middle] + b"\xff" * 100 + data[middle + 100 :],
        "plain": b"no compressed data",
    }[damage]


@pytest.mark.medium
@pytest.mark.parametrize("damage", ["truncated", "corrupt", "plain"])
@pytest.mark.parametrize("module", [gzip, bz2, lzma], ids=lambda module: module.__name__)
def test_damaged_word_vectors(
    damage: str,
    module: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(ROOT)
    suffix = {gzip: "gz", bz2: "bz2", lzma: "xz"}[module]
    vectors = tmp_path / f"vectors.txt.{suffix}"
    text = gzip.decompress(Path("fixtures/sample/vectors.100d.txt.gz").read_bytes())
    vectors.write_bytes(damaged(module.compress(text), damage))
    monkeypatch.setenv("LISA_DATA", "sample")
    monkeypatch.setenv("LISA_VECTORS", str(vectors))
    arguments = ["build-vocab", "training_configs/lisa_small.jsonnet", str(tmp_path / "v.tar.gz")]
    assert command_line.main(arguments) == 1
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"lisa: error: {vectors}: damaged data (")


def test_word_vectors_that_are_no_text(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    vectors = tmp_path / "vectors.txt"
    vectors.write_bytes(b"the \xd2\x00 0.5\n")
    monkeypatch.setenv("LISA_DATA", "sample")
    monkeypatch.setenv("LISA_VECTORS", str(vectors))
    arguments = ["build-vocab", "training_configs/lisa_small.jsonnet", str(tmp_path / "v.tar.gz")]
    expected = f"lisa: error: {vectors}: found the byte 0xd2; expected text encoded in UTF-8"
    assert command_line.main(arguments) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith(expected)


def test_unknown_key_in_a_config(tmp_path: Path, capsys: pytest.CaptureFixture):
    config = tmp_path / "config.json"
    reader = {"type": "conll12_srl", "max_instance": 3}
    config.write_text(json.dumps({"dataset_reader": reader}))
    message = outcome(["train", str(config), "-s", str(tmp_path / "out")], capsys)
    expected = f"lisa: error: {config}: dataset_reader.max_instance: found a key that "
    assert message.startswith(expected) and "did you mean 'max_instances'?" in message
    assert not (tmp_path / "out").exists()


def test_missing_package(tmp_path, capsys: pytest.CaptureFixture):
    message = outcome(["train", "x", "-s", "y", "--include-package", "no_such_package"], capsys)
    assert "no_such_package" in message


def test_debug_keeps_the_traceback(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(FileNotFoundError):
        command_line.main(["--debug", "label", "no/model.tar.gz"])
    monkeypatch.setenv("LISA_DEBUG", "1")
    with pytest.raises(FileNotFoundError):
        command_line.main(["label", "no/model.tar.gz"])


def test_unknown_command_is_argparse_s_error(capsys: pytest.CaptureFixture):
    with pytest.raises(SystemExit) as end:
        command_line.main(["trian"])
    assert end.value.code == 2
    assert "invalid choice: 'trian'" in capsys.readouterr().err


def test_commands_pass_the_package_to_distributed_workers(monkeypatch: pytest.MonkeyPatch):
    passed: Dict[str, List[str]] = {}

    def train(args) -> None:
        passed["packages"] = args.include_package

    monkeypatch.setattr("lisa_allennlp.commands.train.train", train)
    monkeypatch.setattr(command_line, "_check_config", lambda args: None)
    arguments = ["train", "x", "-s", "y", "--include-package", "allennlp_models.common"]
    assert command_line.main(arguments) == 0
    assert passed["packages"] == ["lisa_allennlp", "allennlp_models.common"]


def test_control_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    def interrupt(arguments: List[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "_run", interrupt)
    assert command_line.main(["train"]) == 130
    assert capsys.readouterr().err == "lisa: interrupted\n"


def test_sigterm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    def terminate(arguments: List[str]) -> None:
        install_sigterm_handler()
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(command_line, "_run", terminate)
    try:
        assert command_line.main(["--debug", "train"]) == 143
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capsys.readouterr().err == "lisa: terminated\n"
