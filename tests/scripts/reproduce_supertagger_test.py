import json

import pytest

from scripts.reproduce_supertagger import CONFIGS, ROWS, main
from tests import ROOT

SMALL = json.dumps({"trainer.num_epochs": 1, "dataset_reader.max_instances": 6})


def test_every_row_has_a_config():
    assert all((CONFIGS / f"{row.config}.jsonnet").exists() for row in ROWS)
    assert [row.table for row in ROWS] == [2] * 10 + [3] * 4


def test_a_row(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    arguments = [str(tmp_path / "out"), "--test", "fixtures/ccg/AUTO#23", "--rows", "mlp"]
    assert main([*arguments, "--overrides", SMALL]) == 0
    first = capsys.readouterr().out.splitlines()[-1]
    cells = [cell.strip() for cell in first.strip("|").split("|")]
    assert cells[:3] == ["2", "MLP", "92.06"] and cells[4] == "92.28"
    metrics = json.loads((tmp_path / "out" / "mlp" / "metrics.json").read_text())
    assert cells[3] == f"{metrics['best_validation_accuracy']:.2f}"
    assert 0 <= float(cells[5]) <= 100
    # What is trained is not trained again.
    trained = (tmp_path / "out" / "mlp" / "model.tar.gz").stat().st_mtime_ns
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[-1] == first
    assert (tmp_path / "out" / "mlp" / "model.tar.gz").stat().st_mtime_ns == trained


def test_a_failure_ends_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    overrides = json.dumps({"train_data_path": "nowhere"})
    with pytest.raises(SystemExit) as caught:
        main([str(tmp_path / "out"), "--rows", "mlp", "--overrides", overrides])
    assert caught.value.code == 1
    assert "nowhere: found no such file" in capsys.readouterr().err
