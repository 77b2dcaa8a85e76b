"""The supertagger's figures: what their panels hold, and the files that are written."""

import json
from pathlib import Path
from typing import List
from xml.etree import ElementTree

import numpy
import pytest

from experiments.supertagger_plots import draw_curves, draw_gates, main, read_curve, read_gates

WORDS = {"that": [0.5, 1.0, 0.0], "$": [0.1, 0.2, 0.3]}


def write_run(folder: Path, accuracies: List[float]) -> None:
    folder.mkdir(exist_ok=True)
    for epoch, accuracy in enumerate(accuracies):
        metrics = {"validation_accuracy": accuracy}
        (folder / f"metrics_epoch_{epoch}.json").write_text(json.dumps(metrics))


def write_gates(folder: Path, num_epochs: int = 4) -> None:
    records = [{"epoch": epoch, "gates": WORDS} for epoch in range(num_epochs)]
    (folder / "gates.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))


def test_trainings_of_one_name_are_a_mean_with_a_band(tmp_path: Path):
    accuracies = [50.0 + n for n in range(11)]
    write_run(tmp_path, accuracies)
    curves = [
        ("no dyn", read_curve(tmp_path)),
        ("$dyn$", [(1, 50.0), (2, 60.0), (3, 70.0)]),
        ("$dyn$", [(1, 52.0), (2, 64.0)]),
    ]
    (axes,) = draw_curves(curves).axes
    plain, dyn = axes.lines
    # In the order of the epochs' numbers, not of the files' names.
    assert plain.get_xdata().tolist() == list(range(1, 12))
    assert plain.get_ydata().tolist() == accuracies
    # As far as both trainings go.
    assert dyn.get_xdata().tolist() == [1, 2] and dyn.get_ydata().tolist() == [51, 62]
    (band,) = axes.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert {(1, 50), (1, 52), (2, 60), (2, 64)} == corners
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["no dyn", r"\$dyn\$"]


def test_gates_have_a_panel_for_each_word_and_position(tmp_path: Path):
    write_gates(tmp_path)
    panels = numpy.reshape(draw_gates(read_gates(tmp_path)).axes, (2, 3))
    assert [axes.get_title() for axes in panels[0]] == ["-1", "0", "+1"]
    assert [row[0].get_ylabel() for row in panels] == ["that", r"\$"]
    for row, gates in zip(panels, WORDS.values(), strict=True):
        for axes, gate in zip(row, gates, strict=True):
            (line,) = axes.lines
            assert line.get_xdata().tolist() == [0, 1, 2, 3]
            assert line.get_ydata().tolist() == [gate] * 4
            assert axes.get_ylim() == (0, 1)


def test_files(tmp_path: Path):
    write_run(tmp_path / "one epoch", [50.0])
    write_gates(tmp_path)
    for arguments in (["curves", f"a&<b={tmp_path}/one epoch"], ["gates", str(tmp_path)]):
        out = tmp_path / "figures" / "out.svg"
        assert main([arguments[0], str(out), *arguments[1:]]) == 0
        assert ElementTree.parse(out).getroot().tag.endswith("}svg")


def test_a_training_without_its_files_is_refused(tmp_path: Path):
    out = str(tmp_path / "out.svg")
    with pytest.raises(SystemExit, match="found no metrics_epoch_"):
        main(["curves", out, str(tmp_path)])
    with pytest.raises(SystemExit, match="expected a training with the gate_recorder"):
        main(["gates", out, str(tmp_path)])
