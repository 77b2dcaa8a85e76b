"""The supertagger's figures: what their panels hold, and the files that are written."""

import json
from pathlib import Path
from typing import List

from experiments.papers.supertagger_plots import draw_curves, read_curve


def write_run(folder: Path, accuracies: List[float]) -> None:
    folder.mkdir(exist_ok=True)
    for epoch, accuracy in enumerate(accuracies):
        metrics = {"validation_accuracy": accuracy}
        (folder / f"metrics_epoch_{epoch}.json").write_text(json.dumps(metrics))


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
