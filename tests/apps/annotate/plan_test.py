"""The cutting of rows into shards, and the folder of a run."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, List, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.apps.annotate.inputs import find_inputs, read_rows
from lisa_allennlp.apps.annotate.plan import Options, clear, cut, make_plan, rows_per_shard
from lisa_allennlp.common.errors import ConfigurationError


@given(st.lists(st.integers(0, 8), min_size=1, max_size=5), st.integers(1, 7))
def test_each_row_is_in_one_shard(
    tmp_path_factory: pytest.TempPathFactory, rows: List[int], size: int
) -> None:
    folder = tmp_path_factory.mktemp("inputs")
    for n, number in enumerate(rows):
        (folder / f"{n}.jsonl").write_text("".join(f"\n[{n}, {row}]\n" for row in range(number)))
    files = find_inputs([str(folder)])
    shards = cut(files, size)
    found = [
        item.content.content
        for shard in shards
        for segment in shard
        for item in read_rows(files[segment.file], *segment[1:])
    ]
    assert found == [f"[{n}, {row}]\n".encode() for n, m in enumerate(rows) for row in range(m)]
    sizes = [sum(segment.rows for segment in shard) for shard in shards]
    assert all(n == size for n in sizes[:-1]) and all(0 < n <= size for n in sizes[-1:])


def test_by_default_each_process_has_several_shards(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for rows, processes, size in ((3000, 2, 375), (3000, 64, 50), (90_000, 2, 10_000)):
        path.write_text('{"text": "Go."}\n' * rows)
        assert rows_per_shard(find_inputs([str(path)]), processes) == size
    for n in range(5):
        (tmp_path / f"{n}.txt").write_text("It rained. " * 2000)
    assert rows_per_shard(find_inputs([str(p) for p in tmp_path.glob("*.txt")]), 2) == 1


def test_a_continued_run_keeps_its_shards(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "Go."}\n' * 3000)

    def shards(processes: int, size: Optional[int] = None, model: str = "english-fast") -> int:
        options = Options([str(path)], {"model": model}, rows_per_shard=size)
        return len(make_plan(options, str(tmp_path / "out"), processes=processes).shards)

    assert [shards(2), shards(16), shards(1, 375)] == [8, 8, 8]
    with pytest.raises(ConfigurationError, match="found rows_per_shard 9; expected 375 of the run"):
        shards(2, 9)
    with pytest.raises(ConfigurationError, match="found the model english; "):
        shards(2, model="english")


def test_a_run_is_not_continued_with_other_weights(tmp_path: Path) -> None:
    path, weights = tmp_path / "a.jsonl", tmp_path / "weights.th"
    path.write_text('{"text": "Go."}\n')
    model = {"model": "english-fast", "weights_file": str(weights)}
    weights.write_bytes(b"1")
    plan = partial(make_plan, Options([str(path)], model), str(tmp_path / "out"))
    plan()
    weights.write_bytes(b"2")
    with pytest.raises(ConfigurationError, match="other weights"):
        plan()


def test_a_run_is_not_continued_in_another_precision() -> None:
    """`english-fast` has 8 bits by default, except on a GPU."""

    def precision(on_gpu: bool = False, **options: str) -> Any:
        model = {"model": "english-fast", "engine": None, "precision": None, **options}
        return Options(["in"], model, on_gpu=on_gpu).conditions()["precision"]

    assert precision() == precision(engine="onnx") == precision(precision="int8")
    others = [precision(on_gpu=True), precision(engine="torch"), precision(precision="float32")]
    assert precision() not in others


@pytest.mark.parametrize("text", ["", "[]", '{"format": 9}'])
def test_other_files_are_no_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text(text)
    with pytest.raises(ConfigurationError, match="manifest.json"):
        make_plan(Options([], {"model": "english-fast"}), str(tmp_path / "out"))


def test_shards_without_a_manifest_are_refused(tmp_path: Path) -> None:
    (tmp_path / "shard-00001-of-00001.jsonl").touch()
    with pytest.raises(ConfigurationError, match="--output: found .*shard-00001.*no manifest"):
        make_plan(Options([], {"model": "english-fast"}), str(tmp_path))


def test_events_need_a_tree() -> None:
    options = Options([], {"model": "m"}, table="csv")
    for has_parse, expected in (
        (True, ["frames", "spans", "events"]),
        (False, ["frames", "spans"]),
    ):
        labeller: Any = SimpleNamespace(roles=["ARG0"], has_parse=has_parse)
        assert [*options.make_tables(labeller, {})] == expected


def test_clear_removes_own_files_only(tmp_path: Path) -> None:
    (tmp_path / "errors").mkdir()
    partial, shard = ".shard-00001-of-00002.jsonl.7-0a1b2c3d.partial", "shard-00002-of-00002.jsonl"
    for name in (partial, shard, f"errors/{shard}", "shard-1.jsonl"):
        (tmp_path / name).touch()
    clear(tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["shard-1.jsonl"]
