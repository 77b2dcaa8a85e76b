import datetime

from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.training.run_metrics import (
    duration,
    format_seconds,
    shown_scores,
)


@given(st.integers(0, 40 * 86400))
def test_seconds_can_be_read_back(seconds: int):
    days, _, clock = format_seconds(seconds).rpartition(" ")
    parts = [int(part) for part in clock.split(":")]
    total = sum(part * 60**power for power, part in enumerate(reversed(parts)))
    assert total + (int(days.split()[0]) * 86400 if days else 0) == seconds
    # As `training_duration` has them.
    assert duration(str(datetime.timedelta(seconds=seconds))) == format_seconds(seconds)


def test_shown_scores():
    metrics = {"validation_las": 1.0, "validation_loss": 2.0, "validation_pos_accuracy": 3.0}
    assert shown_scores(["loss"], metrics, "validation_") == ["las"]
    assert shown_scores(["pos_accuracy", "missing"], metrics, "validation_") == [
        "pos_accuracy",
        "las",
    ]
