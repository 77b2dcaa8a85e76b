"""The comparison of parsers, at toy size on the sample."""

import copy
import json
import sys
from functools import partial
from typing import Any, Dict, List

import pytest
import torch
from allennlp.common import Params
from allennlp.nn.util import get_text_field_mask

from benchmarks import parsing
from lisa_allennlp.data.sentence import Parse, Sentence, one_based_heads
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


def make_corpus() -> parsing.Corpus:
    params = Params.from_file("training_configs/dm_small.jsonnet", json.dumps(TINY))
    params["validation_data_path"] = params["train_data_path"]
    return parsing.Corpus(params, 100)


def test_both_systems_read_the_same_batches() -> None:
    corpus = make_corpus()
    ours = corpus.batches(corpus.train, 50)
    stock = corpus.stock_batches(corpus.train, 50, with_trees=True)
    for batch, theirs in zip(ours, stock, strict=True):
        mask = get_text_field_mask(batch["words"])
        assert torch.equal(batch["words"]["tokens"]["tokens"], theirs["words"]["tokens"]["tokens"])
        assert torch.equal(batch["pos_tags"], theirs["pos_tags"])
        assert torch.equal(batch["head_tags"][mask], theirs["head_tags"][mask])
        heads = [one_based_heads(row) for row in batch["head_indices"].tolist()]
        assert torch.equal(torch.tensor(heads)[mask], theirs["head_indices"][mask])
    for batch in corpus.stock_batches(corpus.dev, 50, with_trees=False):
        assert set(batch) == {"words", "pos_tags", "metadata"}


class Gold(torch.nn.Module):
    """A parser that looks the answer up, but attaches the first token of each sentence wrongly."""

    def __init__(self) -> None:
        super().__init__()
        self.unused = torch.nn.Parameter(torch.zeros(1))

    def label(self, metadata: Any, **_: Any) -> List[Sentence]:
        sentences = []
        for gold in (item["sentence"] for item in metadata):
            first, *heads = gold.parse.head_indices
            parse = Parse([1 if first != 1 else 2, *heads], gold.parse.head_tags)
            sentences.append(Sentence(gold.words, gold.pos, parse=parse))
        return sentences


class StockGold(Gold):
    """The same with the output of allennlp-models' parser."""

    def forward(self, metadata: Any, **_: Any) -> Dict[str, Any]:
        return {"sentences": self.label(metadata)}

    def make_output_human_readable(self, output: Dict[str, Any]) -> Dict[str, Any]:
        parses = [sentence.parse for sentence in output["sentences"]]
        return {
            "predicted_heads": [parse.heads for parse in parses],
            "predicted_dependencies": [parse.head_tags for parse in parses],
        }


def test_scores_are_those_of_the_predictions() -> None:
    corpus = make_corpus()
    num_tokens = sum(len(instance["words"]) for instance in corpus.dev)
    right = 100 * (num_tokens - len(corpus.dev)) / num_tokens
    ours, stock = Gold(), StockGold()
    for model, predict, batches in [
        (ours, ours.label, corpus.batches(corpus.dev, 50)),
        (
            stock,
            partial(parsing.predict_stock, stock),
            corpus.stock_batches(corpus.dev, 50, with_trees=False),
        ),
    ]:
        optimizer = {"type": "sgd", "lr": 0.1}
        system = parsing.System("gold", model, predict, optimizer, None, 1.0, (1, 1))
        scores = system.score(batches)
        assert scores["uas_with_punct"] == pytest.approx(right)
        assert scores["las_with_punct"] == pytest.approx(right)
