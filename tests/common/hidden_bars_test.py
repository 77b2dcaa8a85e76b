"""AllenNLP's bars are written to the log only."""

import logging

import pytest
from allennlp.common.tqdm import Tqdm
from allennlp.common.tqdm import logger as tqdm_logger

from lisa_allennlp.common.hidden_bars import HiddenBars


class Records(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.texts = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


def test_bars_are_in_the_log_only(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch):
    records = Records()
    monkeypatch.setattr(tqdm_logger, "handlers", [records])
    monkeypatch.setattr(tqdm_logger, "level", logging.INFO)
    with HiddenBars() as bars:
        assert list(Tqdm.tqdm(range(5), desc="reading")) == [0, 1, 2, 3, 4]
        with HiddenBars() as inner:
            list(Tqdm.tqdm(iter(range(5))))
    assert (bars.total, inner.total) == (None, None)
    assert capsys.readouterr() == ("", "")
    assert any("reading: 100%" in text and "5/5" in text for text in records.texts)
    list(Tqdm.tqdm(range(5)))
    assert "5/5" in capsys.readouterr().err


def test_the_total_of_the_last_bar():
    with HiddenBars() as bars:
        list(Tqdm.tqdm(range(5)))
        assert bars.total == 5
        Tqdm.tqdm(iter(range(5)), total=7).close()
        assert bars.total == 7
