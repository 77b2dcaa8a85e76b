"""
Outputs that must not be overwritten, and outputs that cannot be written, for each command: one line
and a status, and what was there before stays.
"""

import multiprocessing
import os
import resource
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import pytest
from matplotlib.figure import Figure

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp import __main__ as command_line
from lisa_allennlp.analysis.plots import FIGURES
from lisa_allennlp.common.standard_output import StandardOutput
from tests import ROOT

GOLD = str(ROOT / "fixtures/formats/conll12/sample.gold_conll")
TREES = str(ROOT / "fixtures/formats/conll12/sample.conllu")
DEV = str(ROOT / "fixtures/sample/dev.gold_conll")
ONE_SENTENCE = ["-o", '{"dataset_reader.max_instances": 1}']

FULL, DEBUG = "No space left on device", " (lisa --debug shows the traceback)\n"


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "_load_classes", lambda: None)
    monkeypatch.setattr(command_line, "_prepare_logging", lambda command: None)
    monkeypatch.delenv("LISA_DEBUG", raising=False)


@pytest.fixture
def lines(tmp_path: Path) -> str:
    path = tmp_path / "in.jsonl"
    path.write_text('{"tokens": ["Stop", "."]}\n')
    return str(path)


def commands(archives: Dict[str, Path], lines: str, output: str) -> Dict[str, List[str]]:
    """The commands that write a file, by the option that names it."""
    archive = str(archives["lisa"])
    evaluate = ["evaluate", archive, DEV, *ONE_SENTENCE]
    return {
        "predict": ["predict", archive, lines, "--silent", "--output-file", output],
        "predict corpus": [
            *("predict", archive, DEV, *ONE_SENTENCE, "--use-dataset-reader", "--silent"),
            *("--output-file", output),
        ],
        "metrics": [*evaluate, "--output-file", output],
        "predictions": [*evaluate, "--predictions-output-file", output],
        "convert": ["convert", GOLD, output, "--to", "json"],
        "score": ["score", "srl", GOLD, GOLD, "--json", output],
        "compare": ["compare", "srl", GOLD, GOLD, GOLD, "--samples", "2", "--json", output],
        "html": ["show", GOLD, "--html", output],
        "svg": ["show", GOLD, "--svg", output],
    }


WRITING = (
    *("predict", "predict corpus", "metrics", "predictions", "convert", "score", "compare"),
    *("html", "svg"),
)


@pytest.mark.medium
@pytest.mark.parametrize("name", WRITING)
def test_an_existing_output(
    archives: Dict[str, Path], lines: str, tmp_path: Path, capsys: pytest.CaptureFixture, name: str
) -> None:
    output = tmp_path / "out"
    output.write_text("mine")
    command = commands(archives, lines, str(output))[name]
    assert command_line.main(command) == 1
    captured = capsys.readouterr()
    assert f"found the existing file {output}; expected a new one, or --force" in captured.err
    assert captured.err.count("\n") == 1 and captured.out == ""
    assert output.read_text() == "mine"
    assert command_line.main([*command, "--force"]) == 0
    assert output.read_text() not in ("", "mine")
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out"]


@pytest.mark.parametrize("name", WRITING)
def test_an_output_that_is_read(
    archives: Dict[str, Path], lines: str, tmp_path: Path, capsys: pytest.CaptureFixture, name: str
) -> None:
    archive = str(archives["lisa"])
    read = {"predict": [lines, archive], "convert": [GOLD, TREES], "html": [GOLD, TREES]}.get(
        name, [GOLD]
    )
    if name in ("predict corpus", "metrics", "predictions"):
        read = [DEV, DEV.replace(".gold_conll", ".conllu"), archive]
    for path in read:
        before = Path(path).read_bytes()
        link = tmp_path / "link"
        link.symlink_to(path)
        assert command_line.main([*commands(archives, lines, str(link))[name], "--force"]) == 1
        assert f": found the input, {path}; expected another file" in capsys.readouterr().err
        assert Path(path).read_bytes() == before
        link.unlink()


@pytest.mark.medium
@pytest.mark.parametrize("name", WRITING)
def test_a_full_device(
    archives: Dict[str, Path], lines: str, capsys: pytest.CaptureFixture, name: str
) -> None:
    assert command_line.main(commands(archives, lines, "/dev/full")[name]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"lisa: error: /dev/full: {FULL} (")


def outcome_on_small_disk(arguments: List[str], size: int) -> Tuple[int, str]:
    """
    The status of a command in a process whose files can have so many bytes, and the last line of
    its standard error. The error is that of a full disk but for its number.
    """

    def run() -> None:
        sys.stdout = open(os.devnull, "w")
        sys.stderr = open(writer, "w", buffering=1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        os._exit(command_line.main(arguments))

    reader, writer = os.pipe()
    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    os.close(writer)
    with open(reader, encoding="utf-8") as file:
        printed = file.read()
    process.join()
    assert process.exitcode is not None
    return process.exitcode, printed.rpartition("lisa: error: ")[2]


@pytest.mark.medium
@pytest.mark.parametrize("name", WRITING)
def test_a_disk_that_is_full_in_the_middle(
    archives: Dict[str, Path], lines: str, tmp_path: Path, name: str
) -> None:
    output = tmp_path / "out"
    output.write_text("mine")
    # A folder, which is not unpacked to the disk.
    folders = {name: path.parent for name, path in archives.items()}
    command = [*commands(folders, lines, str(output))[name], "--force"]
    status, message = outcome_on_small_disk(command, 100)
    assert (status, message) == (1, f"{output}: File too large{DEBUG}")
    if not name.startswith("predict"):
        # Answers are written one by one, and --resume continues after the last whole one.
        assert output.read_text() == "mine"
        assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out"]


def test_a_report_that_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plots = {name: Figure(figsize=(1, 1)) for name in FIGURES}
    monkeypatch.setattr("lisa_allennlp.analysis.report.figures", lambda _: plots)
    out = tmp_path / "report"
    command = ["analyze", "--gold", GOLD, "--pred", f"gold={GOLD}", "--out", str(out)]
    # Enough for report.json, but not for report.html.
    assert outcome_on_small_disk(command, 9_000) == (
        1,
        f"{out}/report.html: File too large{DEBUG}",
    )
    assert os.listdir(out) == []


@pytest.mark.medium
@pytest.mark.parametrize("size", [10, 3_000, 30_000])
def test_a_model_that_does_not_fit(archives: Dict[str, Path], tmp_path: Path, size: int) -> None:
    out = tmp_path / "exported"
    model = str(archives["lisa"].parent)
    command = ["export", model, str(out), "--license", "CC0", "--force"]
    assert command_line.main(command) == 0
    files = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    status, message = outcome_on_small_disk(command, size)
    assert status == 1
    assert message.startswith(str(out)) and message.endswith(f": File too large{DEBUG}")
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == files
    assert os.listdir(tmp_path) == ["exported"]


@pytest.mark.medium
def test_a_model_is_not_replaced_by_its_export(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    out = tmp_path / "exported"
    export = ["export", "--license", "CC0", "--force"]
    assert command_line.main([*export, str(archives["lisa"]), str(out)]) == 0
    weights = (out / "weights.safetensors").read_bytes()
    assert command_line.main([*export, str(out), f"{out}/../exported"]) == 1
    assert f"found the model {out} in it; expected another folder" in capsys.readouterr().err
    assert (out / "weights.safetensors").read_bytes() == weights


@pytest.mark.parametrize("arguments", [["label", "{}", "Stop ."], ["predict", "{}", "in.jsonl"]])
def test_full_standard_output(
    archives: Dict[str, Path],
    lines: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
    arguments: List[str],
) -> None:
    monkeypatch.chdir(Path(lines).parent)
    monkeypatch.setattr(sys, "stdout", StandardOutput(open("/dev/full", "wb"), encoding="utf-8"))
    command = [argument.format(archives["lisa"]) for argument in arguments]
    assert command_line.main(command) == 1
    assert capsys.readouterr().err.startswith(f"lisa: error: <stdout>: {FULL} (")


def test_two_outputs_with_one_name(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    names = ["--output-file", str(tmp_path / "x"), "--predictions-output-file", f"{tmp_path}/./x"]
    assert command_line.main(["evaluate", str(archives["lisa"]), DEV, *names]) == 1
    expected = f"{tmp_path}/./x, which --output-file names too; expected another file"
    assert expected in capsys.readouterr().err
