"""What AllenNLP's callback `tensorboard` writes, against the metrics."""

import json
import struct
from pathlib import Path

import pytest

from tests.training.trainings import train

CALLBACK = {"type": "tensorboard", "summary_interval": 2, "should_log_learning_rate": True}


@pytest.mark.medium
def test_curves(tmp_path: Path) -> None:
    train(tmp_path / "out", trainer__callbacks=[CALLBACK], trainer__num_epochs=1)
    parts = ("train", "validation")
    # The event files hold names as plain text and values as 32-bit floats.
    events = {p: next((tmp_path / f"out/log/{p}").iterdir()).read_bytes() for p in parts}
    for name in ("loss", "srl_loss", "srl_f1", "uas"):
        assert f"validation/{name}".encode() in events["validation"]
    assert b"learning_rate/_role_scorer" in events["train"]
    metrics = json.loads((tmp_path / "out/metrics.json").read_text())
    for name, part in (("training_arc_loss", "train"), ("validation_uas", "validation")):
        assert struct.pack("<f", metrics[name]) in events[part]
