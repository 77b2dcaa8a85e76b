"""`lisa find`. docs/find.md has outputs, which tests/documentation compares."""

from pathlib import Path

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.find.tables import SALES, event, write_parquet
from tests.commands.in_process import execute, in_process  # noqa: F401


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    write_parquet(tmp_path / "labelled/events/shard-00000-of-00001.parquet", SALES)
    return tmp_path / "labelled"


def run(*arguments: object) -> None:
    execute("find", *arguments)


def test_options_change_the_example(labelled: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "Google sells WHAT", "--role", "who=he", "--any-polarity", "--limit", 1)
    assert "find: 1 of 1 hits" in capsys.readouterr().out
    run(labelled, "Google sells WHAT")
    printed = capsys.readouterr().out
    assert "3 more without ARG0 Google, whose ARG0 is Apple, he" in printed
    assert "(--role 'ARG0=*')" in printed
    run(labelled, "--sense", "give.14")
    assert "1 more in other senses: give.01 1 (--sense give.01)" in capsys.readouterr().out
    run(labelled, "Google buys WHAT", "--like", "--factuality", "asserted")
    assert "find: 1 of 1 hits" in capsys.readouterr().out
    run(labelled, "--lemma", "sell", "--negated", "--where", "document=d")
    assert "find: 2 of 2 hits" in capsys.readouterr().out


def test_senses_that_answer_instead_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    rows = [event("hire.02", {"ARG1": ["car"]}), event("hire.03", {"ARG1": ["car"]})]
    run(write_parquet(tmp_path / "a.parquet", rows), "SOMEBODY hired WHOM")
    printed = capsys.readouterr().out
    assert "hire.02 1, hire.03 1, hire.01 0" in printed and "find: 2 of 2 hits" in printed


def test_an_output_is_not_replaced(
    labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    output = tmp_path / "counts.csv"
    run(labelled, "--sense", "sell.01", "--count", "ARG1", "--output", output)
    assert output.read_text().splitlines()[0] == '"ARG1","number","examples"'
    with pytest.raises(ConfigurationError, match="counts.csv"):
        run(labelled, "--sense", "sell.01", "--output", output)
    capsys.readouterr()
    with pytest.raises(ConfigurationError, match="counts.xlsx"):
        run(labelled, "--sense", "sell.01", "--output", tmp_path / "counts.xlsx")
    assert capsys.readouterr().out == ""
    with pytest.raises(ConfigurationError, match="no role to count"):
        run(labelled, "--sense", "sell.01", "--count")


def test_a_hit_is_drawn(labelled: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "--sense", "give.01", "--show", 1)
    assert "1  " in capsys.readouterr().out
    with pytest.raises(ConfigurationError, match="--show: found 2, but there are 1 hits"):
        run(labelled, "--sense", "give.01", "--show", 2)
