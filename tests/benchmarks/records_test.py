"""Records: what is written is read again, and what cannot be used is named."""

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.records import (
    Figure,
    Record,
    RecordError,
    Row,
    command_of,
    current_commit,
    processor,
    readable,
    rounded,
)

MINIMAL: Dict[str, Any] = {
    "title": "Speed",
    "data": "the sample",
    "commands": {"measure": "python -m benchmarks.speed"},
    "rows": [{"system": "LISA", "figures": {"sentences/s": 12.5}}],
}

numbers = st.floats(-1e6, 1e6)
runs = st.lists(numbers, min_size=1)
figures = st.one_of(
    st.builds(Figure, runs),
    st.builds(
        lambda values, width, number: Figure(values, min(values), min(values) + width, number),
        runs,
        st.floats(0, 10),
        st.one_of(st.none(), st.integers(1, 20)),
    ),
)


def write(folder: Path, data: Any) -> Path:
    path = folder / "speed.json"
    path.write_text(json.dumps(data))
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    row = Row(
        "LISA",
        {"a": Figure([1.5]), "b": Figure([2, 3]), "c": Figure([2.5], 1.0, 4.0, 8)},
        bars={"a": (">=", 1)},
        paper={"a": 2.0},
        commands=["measure"],
        conditions={"commit": "abc1234"},
        notes="twice",
    )
    record = Record("T", "D", {"measure": "m"}, [row], {"seed": "2"}, "Table 1", ["a note"])
    record.write(tmp_path / "record.json")
    assert Record.read(tmp_path / "record.json") == record


@given(figures)
def test_figures_survive_json(figure: Figure) -> None:
    text = json.dumps(figure.to_json())
    assert Figure.from_json(json.loads(text), "here") == figure


@given(st.lists(runs, min_size=1, max_size=4))
def test_pooled_figures_have_the_runs_of_all(groups: List[List[float]]) -> None:
    merged = Figure.pooled([Figure(group) for group in groups])
    flat = sorted(value for group in groups for value in group)
    assert merged.num_runs == len(flat) and merged.extremes() == (flat[0], flat[-1])
    middle = len(flat) // 2
    assert merged.median() == (flat[middle] if len(flat) % 2 else sum(flat[middle - 1 :][:2]) / 2)


def test_a_known_range_is_pooled_with_known_values() -> None:
    merged = Figure.pooled([Figure([13.3], 10.0, 14.2, 8), Figure([14.6, 15.1])])
    assert merged.extremes() == (10.0, 15.1) and merged.num_runs == 10
    assert merged.median() == 14.6
    unknown = Figure.pooled([Figure([7.2], 5.6, 7.9), Figure([7.0])])
    assert unknown.num_runs is None and unknown.extremes() == (5.6, 7.9)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"rows": [{"system": "LISA"}]}, "speed.json, row 1: found no 'figures'"),
        ({"comit": "abc"}, "speed.json: found 'comit'; expected one of title, data"),
        (
            {"rows": [{"system": "LISA", "figures": {"F1": "68"}}]},
            'row 1, LISA, F1: found "68"; expected a number',
        ),
        (
            {"rows": [{"system": "LISA", "figures": {"F1": {"values": [1], "low": 1}}}]},
            "expected a number, a list of numbers, or an object with low and high",
        ),
        (
            {"rows": [{"system": "LISA", "figures": {"F1": 68}, "bars": {"F1": [">", 60]}}]},
            r'bar of F1: found \[">", 60\]; expected',
        ),
        (
            {"rows": [{"system": "LISA", "figures": {"F1": 68}, "commands": ["train"]}]},
            "speed.json, LISA: found 'train'; expected one of measure",
        ),
    ],
)
def test_errors_name_the_place(tmp_path: Path, change: Dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        Record.read(write(tmp_path, {**MINIMAL, **change}))


def test_a_file_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "speed.json").write_text("{")
    with pytest.raises(RecordError, match="speed.json: found no JSON"):
        Record.read(tmp_path / "speed.json")


@given(st.floats(1e-3, 1e8) | st.integers(-(10**8), 10**8))
def test_rounding_keeps_four_digits(value: float) -> None:
    assert rounded(value) == pytest.approx(value, rel=5e-4)
    assert float(readable(value).replace(",", "")) == rounded(value)


def test_readable_numbers() -> None:
    assert [readable(x) for x in (1046.23, 57.1234, 3, 0.12345, 69380.3)] == [
        "1,046",
        "57.12",
        "3",
        "0.1235",
        "69,380",
    ]


def test_commands_name_no_path_of_this_machine() -> None:
    arguments = ["--corpus", "folders/ewt", "--runs", "5", "--json", "folders/x.json", "--check"]
    expected = "python -m benchmarks.speed --corpus DIR --runs 5"
    assert command_of("speed", arguments) == expected
    assert command_of("speed", ["--corpus=folders/ewt", "--runs", "5", "--json=x"]) == expected
    assert command_of("precision", ["--archive", "folders/model.tar.gz"]).endswith(
        "--archive MODEL"
    )
    assert command_of("parsing", ["--overrides", '{"a": 1}']).endswith("""--overrides '{"a": 1}'""")


def test_the_commit_and_changes_to_the_code(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert current_commit(tmp_path) is None
    git("init")
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "a.py").write_text("a")
    git("add", ".")
    git("commit", "-m", "a")
    commit = git("rev-parse", "--short", "HEAD")
    (tmp_path / "results.json").write_text("{}")
    assert current_commit(tmp_path) == commit
    (tmp_path / "benchmarks" / "a.py").write_text("b")
    assert current_commit(tmp_path) == f"{commit} with uncommitted changes"


def test_the_model_of_the_processor(tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: AMD EPYC 9B14\ncores\t: 2\n")
    assert processor(tmp_path / "cpuinfo") == "AMD EPYC 9B14"
    assert processor(tmp_path / "missing") != ""
