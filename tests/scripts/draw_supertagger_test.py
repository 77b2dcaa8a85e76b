"""The drawings, read back by an XML parser."""

import json
from xml.etree import ElementTree

import pytest

from scripts.draw_supertagger import main

SVG = "{http://www.w3.org/2000/svg}"


def write_run(folder, accuracies):
    folder.mkdir()
    for epoch, accuracy in enumerate(accuracies):
        metrics = {"validation_accuracy": accuracy}
        (folder / f"metrics_epoch_{epoch}.json").write_text(json.dumps(metrics))


def lines_of(path):
    lines = ElementTree.parse(path).getroot().iter(f"{SVG}polyline")
    return [
        [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        for line in lines
    ]


def texts_of(path):
    return [text.text for text in ElementTree.parse(path).getroot().iter(f"{SVG}text")]


def test_curves(tmp_path):
    write_run(tmp_path / "plain", [50 + n for n in range(11)])
    write_run(tmp_path / "dyn", [40, 70])
    out = tmp_path / "out.svg"
    assert main(["curves", str(out), f"no <dyn>={tmp_path}/plain", f"{tmp_path}/dyn"]) == 0
    plain, dyn = lines_of(out)
    assert len(plain) == 11 and len(dyn) == 2
    # Epochs in the order of their numbers, a better accuracy higher up.
    assert plain == sorted(plain) and [y for _, y in plain] == sorted(
        (y for _, y in plain), reverse=True
    )
    assert dyn[0][0] == plain[0][0] and dyn[0][1] > plain[0][1]
    assert "no <dyn>" in texts_of(out) and str(tmp_path / "dyn") in texts_of(out)
    assert {"40.0", "70.0"} <= set(texts_of(out))


def test_gates(tmp_path):
    records = [
        {"epoch": epoch, "gates": {"that": [0.5, 1.0, 0.0], "&": [0.1, 0.2, 0.3]}}
        for epoch in range(4)
    ]
    (tmp_path / "gates.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    out = tmp_path / "out.svg"
    assert main(["gates", str(out), str(tmp_path)]) == 0
    lines = lines_of(out)
    assert len(lines) == 6 and all(len(line) == 4 for line in lines)
    heights = [line[0][1] for line in lines[:3]]
    assert heights[1] < heights[0] < heights[2]
    assert texts_of(out) == ["that", "-1", "0", "+1", "&"]


def test_errors(tmp_path):
    with pytest.raises(SystemExit, match="found no metrics_epoch_"):
        main(["curves", str(tmp_path / "out.svg"), str(tmp_path)])
    with pytest.raises(SystemExit, match="expected a training with the gate_recorder"):
        main(["gates", str(tmp_path / "out.svg"), str(tmp_path)])
