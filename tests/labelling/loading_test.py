"""From an archive to a labeller, and what is said of archives that are none."""

import tarfile
from pathlib import Path
from typing import Any, Dict

import pytest
import torch

import lisa_allennlp
from lisa_allennlp.__main__ import main
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.loading import load_labeller


def test_options(archives: Dict[str, Path]) -> None:
    folder = str(archives["lisa"].parent)
    lisa = lisa_allennlp.load(folder, precision="bfloat16", device="cpu", max_tokens=50)
    assert lisa("She left.").predicate_probabilities


@pytest.mark.parametrize(
    "options, message",
    [
        ({"beta": 0.1}, "beta: found an option that the labeller 'lisa' does not take; expected"),
        ({"min_probability": 7}, "min_probability is 7; expected a number from 0 to 1"),
        ({"parser": {"type": 3}}, "`parser`: found {.*}; expected a trained parser, or an object"),
        ({"parser": {"type": "spacy", "modle": "x"}}, "parser: .* unexpected keyword argument"),
        ({"overrides": "{"}, "overrides: found '{'; expected JSON"),
        ({"device": 7}, "device: found 7, but this machine has no GPU; expected -1 for the CPU"),
        ({"parse_decoder": "eisner"}, "parse_decoder is 'eisner'; expected one of argmax, mst"),
        ({"engine": "onnx", "device": 0}, "engine is 'onnx'; expected 'torch' for device 0"),
        ({"precision": "int8"}, "precision is 'int8'; expected another for a model without graphs"),
        ({"name": "ccg_supertagger"}, "found a model for 'lisa'; expected 'ccg_supertagger'"),
    ],
)
def test_options_that_do_not_fit(
    archives: Dict[str, Path], options: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    with pytest.raises(ConfigurationError, match=message):
        load_labeller(archives["lisa"], **options)


@pytest.mark.medium
def test_an_archive_of_another_format_is_refused(
    archives: Dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    with tarfile.open(archives["lisa"]) as archive:
        archive.extractall(tmp_path / "old")
    weights = torch.load(tmp_path / "old/weights.th")
    del weights["_archive_format.number"]
    torch.save(weights, tmp_path / "old/weights.th")
    with tarfile.open(tmp_path / "old.tar.gz", "w:gz") as archive:
        for name in ("config.json", "vocabulary", "weights.th"):
            archive.add(tmp_path / "old" / name, name)
    message = "found a model of archive format 1; expected 2: train it again"
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/old.tar.gz: {message}"):
        lisa_allennlp.load(tmp_path / "old.tar.gz")
    # AllenNLP's own commands say so, too.
    assert main(["evaluate", str(tmp_path / "old.tar.gz"), "fixtures/sample/dev.gold_conll"]) == 1
    assert f"lisa: error: {tmp_path}/old.tar.gz: {message}" in capsys.readouterr().err
