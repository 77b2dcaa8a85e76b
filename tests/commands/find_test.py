"""`lisa find`: questions in, answers out."""

from pathlib import Path

import pytest

from lisa_allennlp.__main__ import main
from lisa_allennlp.common.errors import ConfigurationError
from tests.commands.in_process import execute, in_process  # noqa: F401
from tests.search.tables import SALES, write_parquet


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    write_parquet(tmp_path / "labelled/events/shard-00000-of-00001.parquet", SALES)
    return tmp_path / "labelled"


def run(*arguments: object) -> None:
    execute("find", *arguments)


def test_an_example_finds_a_concordance(labelled: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "WHO sells phones")
    frame, hits = capsys.readouterr().out.split("\n\n")
    assert frame.splitlines() == [
        "sell.01  commerce: seller, giving in exchange for money",
        "  ARG0  Seller      ?",
        "  ARG1  Thing Sold  phone",
        "  said to be so",
    ]
    *lines, last = hits.splitlines()
    assert [line.split() for line in lines] == [
        "1 d:1 APPLE sell PHONE AND TABLET".split(),
        "2 d:1 HE sell PHONE GOOGLE".split(),
    ]
    assert {line.index("sell") for line in lines} == {lines[0].index("sell")}
    assert last == "find: 2 of 2 hits among 8 events"


def test_options_change_the_example(labelled: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "Google sells WHAT", "--role", "who=he", "--any-polarity", "--limit", 1)
    assert "find: 1 of 1 hits" in capsys.readouterr().out
    run(labelled, "Google sells WHAT")
    printed = capsys.readouterr().out
    assert "3 more without ARG0 Google, whose ARG0 is Apple, he" in printed
    assert "(--role 'ARG0=*')" in printed
    run(labelled, "--sense", "give.14")
    assert "1 more in other senses: give.01 1 (--sense give.01)" in capsys.readouterr().out
    run(labelled, "--sense", "sell.01", "--where", "stars>=2")
    assert "find: 2 of 2 hits" in capsys.readouterr().out
    run(labelled, "Google buys WHAT", "--like", "--factuality", "asserted")
    assert "find: 1 of 1 hits" in capsys.readouterr().out
    run(labelled, "--lemma", "sell", "--negated", "--where", "document=d")
    assert "find: 2 of 2 hits" in capsys.readouterr().out


def test_counts(labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "SOMEBODY sells WHAT", "--count", "--limit", 1)
    heading, first, _, last = capsys.readouterr().out.splitlines()[-4:]
    assert heading.split() == ["ARG1", "number", "examples"]
    assert first.lower().split() == ["phone", "2", "phone;", "phone", "and", "tablet"]
    assert last == "find: 1 of 3 fillers"
    output = tmp_path / "counts.csv"
    run(labelled, "--sense", "sell.01", "--count", "ARG1", "--output", output)
    assert output.read_text().splitlines()[0] == '"ARG1","number","examples"'
    with pytest.raises(ConfigurationError, match="expected a new one, or --force to replace it"):
        run(labelled, "--sense", "sell.01", "--output", output)


def test_a_hit_is_drawn(labelled: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "--sense", "give.01", "--show", 1)
    assert "1  " in capsys.readouterr().out
    with pytest.raises(ConfigurationError, match="--show: found 2, but there are 1 hits"):
        run(labelled, "--sense", "give.01", "--show", 2)


def test_what_is_not_annotated_yet(tmp_path: Path) -> None:
    (tmp_path / "reviews.csv").write_text("text,stars\nShe left.,3\n")
    with pytest.raises(ConfigurationError, match="reviews.csv: found .*lisa annotate"):
        run(tmp_path / "reviews.csv", "Customers return WHAT")


@pytest.mark.parametrize(
    "option, condition",
    [("--where", "stars==3"), ("--where", "stars!=3"), ("--where", "stars>"), ("--role", "ARG1>3")],
)
def test_other_operators(option: str, condition: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        main(["find", "labelled", option, condition])
    assert "the operators are =" in capsys.readouterr().err


def test_without_a_question_frequent_events(labelled: Path, capsys: pytest.CaptureFixture) -> None:
    run(labelled, "--where", "stars>1", "--limit", 2)
    first, _, heading, *events, _, last = capsys.readouterr().out.splitlines()
    assert first == "the most frequent events, against the rest, stars >1"
    assert heading.split() == ["event", "here", "elsewhere", "examples"]
    assert [event.split()[:3] for event in events] == [["sell", "2", "1"], ["give", "1", "0"]]
    assert last == "find: 3 of 8 events"


def test_wrong_values(labelled: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="found no role to count"):
        run(labelled, "--sense", "sell.01", "--count")
    with pytest.raises(ConfigurationError, match="ends with .csv, .jsonl, .parquet"):
        run(labelled, "--sense", "sell.01", "--output", tmp_path / "a.xlsx")
