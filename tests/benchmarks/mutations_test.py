"""Damage to files."""

import gzip
import random

import pytest

from benchmarks.mutations import MUTATIONS, damage

FILE = b"".join(b"%d\tword%d\t_\n" % (number, number) for number in range(1, 30))


@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_changes_most_files_and_bears_all(name: str) -> None:
    mutation = MUTATIONS[name]
    changed = [mutation(random.Random(seed), FILE) != FILE for seed in range(40)]
    assert sum(changed) > 20
    for data in (b"", b"\n", b"\xff", gzip.compress(FILE), "no\u2028line\x85".encode()):
        for seed in range(20):
            assert isinstance(mutation(random.Random(seed), data), bytes)


def test_the_seed_determines_the_damage() -> None:
    found = [damage(random.Random(seed), FILE) for seed in range(20)]
    assert found == [damage(random.Random(seed), FILE) for seed in range(20)]
    assert len({data for data, _ in found}) > 15


def test_lines_and_columns() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        lines = FILE.splitlines(keepends=True)
        assert sorted(MUTATIONS["swap_lines"](rng, FILE).splitlines(keepends=True)) == sorted(lines)
        assert MUTATIONS["repeat_line"](rng, FILE).count(b"\n") == len(lines) + 1
        assert len(lines) - 3 <= MUTATIONS["remove_line"](rng, FILE).count(b"\n") < len(lines)
        widths = {line.count(b"\t") for line in MUTATIONS["remove_column"](rng, FILE).splitlines()}
        assert widths in ({1}, {1, 2})
