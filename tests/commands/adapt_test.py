"""`lisa adapt`: corrected sentences in, a file of weights out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import lisa_allennlp
from lisa_allennlp.apps.annotate.plan import Options
from tests.commands.in_process import error_of, in_process, run  # noqa: F401

TEXT = "They charged him for the tickets."


@pytest.fixture
def corrections(tmp_path: Path) -> Path:
    """A folder with three similar sentences that were accepted, and one that was not."""
    lisa, lines = lisa_allennlp.load("english-fast"), []
    senses = [(TEXT.replace("They", who), "charge.05") for who in ("They", "We", "I")]
    senses.append(("He ran it.", "run.02"))
    for number, (text, sense) in enumerate(senses, 1):
        sentence = lisa(text)
        record = {"number": number, "accepted": number < 4, "senses": {"1": sense}}
        frame = replace(sentence.frames[0], sense=sense)
        sentence = replace(sentence, frames=[frame], extra={"corrections": record})
        lines.append(json.dumps(sentence.to_dict()) + "\n")
    folder = tmp_path / "corrections"
    folder.mkdir()
    (folder / "notes.corrections.jsonl").write_text("".join(lines))
    (folder / ".lisa-serve.lock").touch()
    return folder


def test_what_was_accepted_counts(
    corrections: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    output = tmp_path / "own.adaptation"
    assert run("adapt", "english-fast", corrections, "-o", output) == 0
    assert capsys.readouterr().out.startswith("adapt: 3 sentences, with ")
    assert run("label", "english-fast", TEXT, "He ran it.", "--adaptation", output) == 0
    printed = capsys.readouterr().out
    assert "charge.05" in printed and "run.02" not in printed
    error = error_of(capsys, "adapt", "english-fast", corrections, "-o", output)
    assert "--output: found the existing file" in error
    # It belongs to the weights that it was fitted on.
    command = "label", "english", TEXT, "--adaptation", output
    assert "own.adaptation: found an adaptation to other w" in error_of(capsys, *command)
    # A run over a corpus knows what it was labelled with.
    options = [{"model": "english-fast", "adaptation": str(path)} for path in (output, output)]
    one = Options([], options[0]).conditions()
    (file,) = corrections.glob("*.jsonl")
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:1]))
    assert run("adapt", "english-fast", corrections, "-o", output, "--force") == 0
    assert one != Options([], options[1]).conditions()
