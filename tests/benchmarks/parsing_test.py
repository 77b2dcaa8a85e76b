"""The comparison of parsers, at toy size on the sample."""

import copy
import json
import sys
from typing import Any, Dict

import pytest
import torch
from allennlp.common import Params

from benchmarks import parsing
from tests import ROOT

TINY = {
    "dataset_reader.max_instances": 12,
    "model.precision": "float32",
    "model.encoder.hidden_dim": 8,
    "model.encoder.num_layers": 1,
    "model.attention.arc_dim": 8,
    "model.attention.label_dim": 8,
}


@pytest.fixture(autouse=True)
def tiny_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    stock = copy.deepcopy(parsing.STOCK)
    stock["encoder"].update({"hidden_size": 8, "num_layers": 1})
    monkeypatch.setattr(parsing, "STOCK", stock)
    monkeypatch.chdir(ROOT)


def test_both_systems_get_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    options = ["--sentences", "6", "--epochs", "2", "--overrides", json.dumps(TINY)]
    monkeypatch.setattr(sys, "argv", ["parsing", *options])
    assert parsing.main() == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("system"))
    table = lines[start + 1 : start + 5]
    assert [row.split()[:2] for row in table] == [["ours", "1"], ["ours", "2"]] + [
        ["stock", "1"],
        ["stock", "2"],
    ]
    assert all(0 <= float(figure) <= 100 for row in table for figure in row.split()[2:6])


class Gold(torch.nn.Module):
    """A parser that looks the answer up, but attaches the first token of each sentence wrongly."""

    def __init__(self, vocab: Any, batches: Any) -> None:
        super().__init__()
        self.vocab, self._batches = vocab, list(batches)
        self.unused = torch.nn.Parameter(torch.zeros(1))

    def forward(self, **_: Any) -> Dict[str, torch.Tensor]:
        batch = self._batches.pop(0)
        heads = torch.nn.functional.pad(batch["head_indices"], (1, 0))
        heads[:, 1] = heads[:, 1].eq(2).long() + 2
        return {"heads": heads, "head_tags": torch.nn.functional.pad(batch["head_tags"], (1, 0))}


def test_scores_are_those_of_the_output() -> None:
    params = Params.from_file("training_configs/dm_small.jsonnet", json.dumps(TINY))
    params["validation_data_path"] = params["train_data_path"]
    corpus = parsing.Corpus(params, 100)
    batches = corpus.batches(corpus.dev, 50)
    optimizer = {"type": "sgd", "lr": 0.1}
    system = parsing.System("gold", Gold(corpus.vocab, batches), optimizer, None, 1.0, (1, 1))
    num_tokens = sum(len(instance["words"]) for instance in corpus.dev)
    right = 100 * (num_tokens - len(corpus.dev)) / num_tokens
    scores = system.score(batches)
    assert scores["uas_with_punct"] == pytest.approx(right)
    assert scores["las_with_punct"] == pytest.approx(right)
