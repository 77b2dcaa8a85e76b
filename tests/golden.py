"""
The golden file: the answers of the models in the package to the sentences of `fixtures/golden`.
This records them again:

    python -m tests.golden
"""

import json
from typing import Any, Dict, Iterator, List

import lisa_allennlp
from lisa_allennlp.models_on_disk import pretrained
from tests import ROOT

FOLDER = ROOT / "fixtures" / "golden"

TOLERANCE = 1.5e-4
"""Of the four decimals of answers, the last one may be rounded differently by other kernels."""

KEPT = (
    "words pos upos lemmas predicted_heads predicted_dependencies predicates index sense lemma "
    "spans verbs probability sense_probability happened span_probabilities predicate_probabilities "
    "pos_probabilities head_probabilities"
).split()
"""The keys of an answer that no other key implies."""


def read(name: str) -> List[Any]:
    """Reads `sentences`, or the recorded answers of a model."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def answers(name: str) -> List[Dict[str, Any]]:
    """Labels the sentences with a model in single precision."""
    labeller = lisa_allennlp.load(name, probabilities=True, precision="float32")
    return [_kept(sentence.to_json()) for sentence in labeller.pipe(read("sentences"))]


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kept(value[key]) for key in KEPT if key in value}
    return [_kept(item) for item in value] if isinstance(value, list) else value


def differences(found: Any, expected: Any, place: str = "") -> Iterator[str]:
    """Yields a line for each label or probability of an answer that differs."""
    if isinstance(found, dict) and found.keys() == expected.keys():
        for key in expected:
            yield from differences(found[key], expected[key], f"{place}.{key}")
    elif isinstance(found, list) and len(found) == len(expected):
        for number, pair in enumerate(zip(found, expected, strict=True)):
            yield from differences(*pair, f"{place}.{number}")
    elif isinstance(found, float) and isinstance(expected, float):
        if abs(found - expected) > TOLERANCE:
            yield f"{place[1:]}: found {found}; expected {expected}"
    elif found != expected:
        yield f"{place[1:]}: found {found}; expected {expected}"


if __name__ == "__main__":
    for model in pretrained.names():
        lines = [json.dumps(a, ensure_ascii=False, separators=(",", ":")) for a in answers(model)]
        (FOLDER / f"{model}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
