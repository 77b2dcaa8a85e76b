"""The answers of the models in the package, which only a change of the models may change."""

import pytest

from lisa_allennlp import pretrained
from tests import golden

MOST_SHOWN = 10


@pytest.mark.parametrize("name", pretrained.names())
def test_the_answers_are_those_of_the_golden_file(name: str) -> None:
    expected, found = golden.read(name), golden.answers(name)
    assert len(found) == len(expected)
    pairs = enumerate(zip(found, expected, strict=True), start=1)
    changed = [(line, lines) for line, p in pairs if (lines := list(golden.differences(*p)))]
    shown = [f"{name}.jsonl:{n}: {d[0]} ({len(d)} in all)" for n, d in changed[:MOST_SHOWN]]
    assert not changed, "\n".join([f"{len(changed)} of {len(found)} sentences differ", *shown])
