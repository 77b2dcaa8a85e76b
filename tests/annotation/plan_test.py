"""The cutting of rows into shards, and the comparison of plans."""

import os
from pathlib import Path
from typing import List

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.annotation.input_files import InputFile, Start, find_inputs
from lisa_allennlp.annotation.plan import Plan, check_conditions, check_inputs, cut, read_plan
from lisa_allennlp.common.digests import digest_of_file


@given(st.lists(st.lists(st.integers(1, 3), max_size=8), max_size=5), st.integers(1, 7))
def test_each_row_is_in_one_shard(gaps: List[List[int]], size: int) -> None:
    """Rows of files, by the gaps between their offsets."""
    starts = {
        str(n): [Start(sum(gap[: i + 1]), i + 1) for i in range(len(gap))]
        for n, gap in enumerate(gaps)
    }
    files = [InputFile(name, "json", 0, 0) for name in starts]
    shards = cut(files, size, lambda file: starts[file.path])
    found = [
        (segment.file, start)
        for shard in shards
        for segment in shard
        for start in starts[str(segment.file)][segment.number - 1 :][: segment.rows]
    ]
    assert found == [(n, start) for n, name in enumerate(starts) for start in starts[name]]
    assert all(
        segment.offset == starts[str(segment.file)][segment.number - 1].offset
        for shard in shards
        for segment in shard
    )
    sizes = [sum(segment.rows for segment in shard) for shard in shards]
    assert all(n == size for n in sizes[:-1]) and all(0 < n <= size for n in sizes[-1:])
    assert [file.rows for file in files] == [len(gap) for gap in gaps]
    plan = Plan({"model": "ab"}, files, shards, "c2NoZW1h")
    assert read_plan(plan.to_json(), "manifest.json") == plan
    assert plan.rows == sum(sizes)


def test_the_digest_leaves_out_times() -> None:
    def digest(**changes: int) -> str:
        values = {"size": 3, "modified": 1, "rows": 1, **changes}
        return Plan({}, [InputFile("a", "json", **values)], []).digest()

    assert digest() == digest(modified=2)
    assert digest() != digest(rows=2)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1, "inputs": [{}]}', '{"format": 9}'])
def test_other_files_are_no_manifest(text: str) -> None:
    with pytest.raises(ConfigurationError, match="^manifest.json: .* or --force to start anew$"):
        read_plan(text, "manifest.json")


def test_a_changed_manifest_is_refused() -> None:
    text = Plan({}, [InputFile("a", "json", 1, 1, "", 7)], []).to_json()
    with pytest.raises(ConfigurationError, match="found another plan than was written"):
        read_plan(text.replace('"rows": 7,', '"rows": 8,'), "manifest.json")


def test_the_difference_of_conditions_is_named() -> None:
    check_conditions("m", {"precision": None}, {"precision": None})
    with pytest.raises(ConfigurationError, match='m: found precision "bfloat16"; expected null '):
        check_conditions("m", {"precision": "bfloat16"}, {"precision": None})


def test_the_difference_of_inputs_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("Rain")
    then = find_inputs([str(path)])
    then[0].sha256 = digest_of_file(path)
    os.utime(path, ns=(1, 1))
    check_inputs("m", find_inputs([str(path)]), then)
    for text in ("Snow", "Rain."):
        path.write_text(text)
        with pytest.raises(ConfigurationError, match="found another content of .*a.jsonl"):
            check_inputs("m", find_inputs([str(path)]), then)
    with pytest.raises(ConfigurationError, match="m: found 0 input files; expected 1"):
        check_inputs("m", [], then)
    with pytest.raises(ConfigurationError, match="a.jsonl as lines; expected json"):
        check_inputs("m", find_inputs([str(path)], "lines"), then)
