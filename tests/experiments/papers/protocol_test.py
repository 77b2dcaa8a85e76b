"""What a report says of the differences from a paper's protocol."""

from pathlib import Path
from typing import Any, Dict

import pytest

import lisa_allennlp.plugin  # noqa: F401
from experiments.papers.parts import Network, Paper, Table
from experiments.papers.plan import Plan
from experiments.papers.protocol import Protocol, tags_read
from experiments.papers.settings import Settings
from experiments.papers.tables import CORPORA, PARSERS, ccg_paper, dm_paper, lisa_paper
from tests import ROOT

PAPERS = {"lisa": lisa_paper(PARSERS["glove"]), "dm": dm_paper(CORPORA), "ccg": ccg_paper()}


@pytest.fixture(autouse=True)
def in_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def settings(folder: Path, data: str = "sample", **options: Any) -> Settings:
    given: Dict[str, Any] = {
        "out": folder,
        "data": data,
        "environment": {"LISA_DATA": data},
        "size": "small",
        "seeds": (),
        "overrides": {},
        "network_overrides": {},
    }
    return Settings(**{**given, **options})


def protocol(paper: Paper, given: Settings) -> Protocol:
    return Protocol(paper, given, Plan(paper, given))


def table(paper: Paper, number: int) -> Table:
    return next(table for table in paper.tables if table.number == number)


def conll2005(folder: Path) -> Dict[str, Any]:
    for name in ("dev.conll", "dev.conllu", "test.wsj.conll", "test.wsj.conllu"):
        (folder / name).touch()
    environment = {"LISA_DATA": "conll2005", "LISA_CORPUS": str(folder)}
    return {"data": "conll2005", "environment": environment, "size": "published"}


@pytest.mark.medium
def test_a_small_network_on_another_corpus(tmp_path: Path):
    lines = protocol(PAPERS["lisa"], settings(tmp_path)).of_table(table(PAPERS["lisa"], 1))
    text = "\n".join(lines)
    assert "Measured on the sample; the paper's is CoNLL-2005." in lines
    assert 'Columns that the paper does not have: "strict F1".' in lines
    assert "`lisa_small`" in text and "see Networks" in text
    assert "Word vectors: `vectors.100d.txt.gz`; the paper's are GloVe's." in lines
    assert "ELMo: `fixtures/elmo/weights.hdf5`; " in text
    assert "One training of each network, so differences may be chance." in lines
    assert any(line.startswith("Tags: those of the files *.tags.conllu") for line in lines)
    assert len(lines) == len(set(lines))


def test_changed_keys(tmp_path: Path):
    given = settings(
        tmp_path,
        **conll2005(tmp_path),
        overrides={"trainer.num_epochs": 7},
        network_overrides={"lisa_glove": {"model.encoder.num_layers": 10}},
    )
    found = protocol(PAPERS["lisa"], given)
    assert found.of_network(Network("sa_glove", "sa_small")) == [
        "`trainer.num_epochs`: `7` (paper's config: `1000`)"
    ]
    assert found.of_network(Network("lisa_glove", "lisa_small")) == [
        "`model.encoder.num_layers`: `10` (paper's config: `12`)",
        "`trainer.num_epochs`: `7` (paper's config: `1000`)",
    ]


@pytest.mark.medium
def test_rows_of_the_parser_are_no_changes(tmp_path: Path):
    """A GRU in the row of GRUs is the paper's own change."""
    files = {part: f"fixtures/sample/{part}.conllu" for part in ("train", "dev", "test")}
    environment = {
        "LISA_DATA": "treebank",
        "LISA_CORPUS": "fixtures/sample",
        "LISA_VECTORS": "glove.6B.100d.txt",
    }
    given = settings(
        tmp_path, "ptb-sd-3.5.0", environment=environment, size="published", files=files
    )
    found = protocol(PAPERS["dm"], given)
    rows = table(PAPERS["dm"], 3).rows
    for row in rows:
        assert found.of_network(row.cells[0].source.network) == []
    lines = found.of_table(table(PAPERS["dm"], 3))
    assert not any("Measured on" in line for line in lines)
    (tags,) = [line for line in lines if line.startswith("Tags")]
    assert "`dm_glove.no_word_dropout`" in tags and "no_tags" not in tags


@pytest.mark.parametrize(
    "reader, expected",
    [
        ({"use_language_specific_pos": True}, "the XPOS column of the treebank, gold tags unless"),
        ({}, "the UPOS column of the treebank, gold tags unless"),
        ({"use_predicted_pos": True}, "the predicted tags in the treebank"),
        ({"pos_suffix": ".lisa.conllu"}, "those of the files *.lisa.conllu beside the treebank"),
    ],
)
def test_tags_read(reader: Dict[str, Any], expected: str):
    model: Dict[str, Any] = {"pos_tag_embedding": {"embedding_dim": 100}}
    assert tags_read({"model": model, "dataset_reader": reader}).startswith(expected)
    model["pos_tag_embedding"] = None
    assert tags_read({"model": model, "dataset_reader": reader}) == "none"
