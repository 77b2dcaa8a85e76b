import logging

import pytest

from lisa_allennlp.common.log_files import raised_log_errors

log = logging.getLogger("a log of this test")


@pytest.fixture
def full() -> logging.Handler:
    """A handler whose file takes nothing."""
    handler = logging.FileHandler("/dev/full")
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


def test_a_full_disk_is_raised(full: logging.Handler) -> None:
    with raised_log_errors():
        with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
            log.warning("lost")


def test_only_within_the_block(
    full: logging.Handler, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with raised_log_errors():
        pass
    log.warning("lost")
    assert "Logging error" in capsys.readouterr().err


def test_mistakes_in_a_message_are_reported_as_before(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "propagate", False)
    handler = logging.StreamHandler()
    log.addHandler(handler)
    with raised_log_errors():
        log.warning("%d", "no number")
    log.removeHandler(handler)
    assert "Logging error" in capsys.readouterr().err
