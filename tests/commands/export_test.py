"""`lisa export` in 8 bits: what it stores, how the folder labels, and the scores that it prints."""

from pathlib import Path
from typing import Dict

import pytest
from safetensors.numpy import load_file

import lisa_allennlp
from lisa_allennlp.models_on_disk.archives.opening import open_archive
from tests import ROOT
from tests.commands.in_process import in_process, run  # noqa: F401
from tests.documentation.workspace import first_sentences

IN_8_BITS = ("--license", "CC0", "--precision", "int8")
WORDS = ["the", "board", "sold", "a", "towel"]


@pytest.mark.medium
def test_eight_bits(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    folder, data = tmp_path / "out", tmp_path / "few.gold_conll"
    for ending in ("gold_conll", "conllu"):
        source = ROOT / f"fixtures/sample/dev.{ending}"
        first_sentences(source, data.with_suffix(f".{ending}"), 15)
    assert run("export", archives["lisa"], folder, *IN_8_BITS, "--data", data) == 0
    _, heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.split() == [data.name, "float32", "int8"]
    printed = {name: scores for name, *scores in map(str.split, rows)}
    assert printed.keys() == {"srl_f1", "uas", "las"}
    for column, precision in enumerate(("float32", "int8")):
        run("evaluate", folder, data, "--precision", precision)
        expected = dict(line.split() for line in capsys.readouterr().out.splitlines())
        assert {name: scores[column] for name, scores in printed.items()} == {
            name: expected[name] for name in printed
        }
    by_default, single = lisa_allennlp.load(folder), lisa_allennlp.load(folder, precision="float32")
    in_8_bits = lisa_allennlp.load(folder, precision="int8")
    answers = (one(WORDS, probabilities=True) for one in (by_default, in_8_bits, single))
    scores = [(one.predicate_probabilities, one.head_probabilities) for one in answers]
    assert scores[0] == scores[1] != scores[2]
    old, new = (open_archive(path).model for path in (archives["lisa"], folder))
    stored = load_file(folder / "weights.safetensors")
    names = [name.removesuffix("|codes") for name in stored if name.endswith("|codes")]
    assert names
    for name in names:
        assert abs(stored[f"{name}|codes"]).max() == 63
        weight, found = old.get_parameter(name), new.get_parameter(name)
        half_a_step = weight.abs().amax(dim=1, keepdim=True) / 126
        assert ((weight - found).abs() <= 1.001 * half_a_step).all()
