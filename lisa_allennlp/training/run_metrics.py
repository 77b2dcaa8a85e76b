"""The metrics of a training as people read them."""

import datetime
from typing import List, Mapping, Optional, Sequence, Union

METRICS_NAME = "metrics.json"
"""The file with the metrics of a training that has ended."""

MAIN_SCORES = ("uas", "las", "accuracy")
"""The scores to show beside those that choose the best epoch, if a model has them."""

DEFAULT_VALIDATION_METRIC = "-loss"
"""What AllenNLP's trainer chooses the best epoch by if a config does not say it."""


def tracked_metrics(validation_metric: Union[str, Sequence[str], None]) -> List[str]:
    """Returns the names of the metrics that choose the best epoch, without their signs."""
    chosen = validation_metric or DEFAULT_VALIDATION_METRIC
    return [name.lstrip("+-") for name in ([chosen] if isinstance(chosen, str) else chosen)]


def format_metric(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 1 or value == 0 else f"{value:.4f}"


def format_seconds(seconds: float) -> str:
    text = str(datetime.timedelta(seconds=round(seconds)))
    return text.removeprefix("0:").removeprefix("0") if seconds < 3600 else text


def duration(text: Optional[str]) -> Optional[str]:
    """Rounds the value of `training_duration` in `metrics.json` to seconds."""
    if not text:
        return None
    days, _, clock = text.rpartition(", ")
    hours, minutes, seconds = map(float, clock.split(":"))
    whole = 3600 * hours + 60 * minutes + seconds
    return format_seconds(whole + (86400 * int(days.split()[0]) if days else 0))


def shown_scores(
    chosen: Sequence[str], metrics: Mapping[str, object], prefix: str = ""
) -> List[str]:
    """
    Returns the scores to show of a validation: those that choose the best epoch, then the other
    main ones. The loss is shown apart.
    """
    names = dict.fromkeys([*chosen, *MAIN_SCORES])
    return [name for name in names if prefix + name in metrics and name != "loss"]
