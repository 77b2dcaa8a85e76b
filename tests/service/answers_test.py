"""Answers put together from labelled sentences, against the labeller's own."""

import json
from typing import Any, List

import pytest

from lisa_allennlp.service.answers import answers_to, body_of, parts_of
from lisa_allennlp.service.processes import BatchLabeller, Variant
from lisa_allennlp.service.reading import read_inputs
from tests.service.processes_test import assert_close

CONTENTS: List[Any] = [
    "She sold him the car.",
    {"tokens": ["She", "left"], "predicates": [1], "head_indices": [2, 0], "id": 7},
    {
        "text": "It rained. We stayed inside.\n\nThen it snowed.",
        "id": "ü",
        "more": [1, {"a": None}],
    },
    {"text": ""},
    {"sentence": ""},
    {"tokens": ["(", "a", ")"], "note": "\u2028"},
]


def label(tiny: Any, body: bytes) -> List[Any]:
    inputs = read_inputs(body, tiny.read_any, 40)
    labelled = BatchLabeller(tiny)(parts_of(inputs, Variant()))
    return json.loads(body_of(answers_to(inputs, labelled)))


def test_answers_are_the_labellers(tiny: Any):
    found = label(tiny, json.dumps(CONTENTS).encode())
    requests = [tiny.read_any(content) for content in CONTENTS]
    expected = [labelled.to_dict() for labelled in tiny.label_any(requests)]
    for answer, of_labeller in zip(found, expected, strict=True):
        assert_close(answer, json.loads(json.dumps(of_labeller)))


def test_errors_stay_at_their_place(tiny: Any):
    contents = ["It rained.", 3, {"tokens": [""]}, {"text": "It snowed. Twice."}]
    first, second, third, fourth = label(tiny, json.dumps(contents).encode())
    assert first["words"] == ["It", "rained", "."]
    assert second["error"].startswith("the input: found 3; expected raw text")
    assert third["error"].startswith("`tokens`: found")
    assert [s["words"] for s in fourth["sentences"]] == [["It", "snowed", "."], ["Twice", "."]]


def test_a_document_with_a_sentence_that_fails_is_an_error(tiny: Any):
    body = json.dumps([{"text": "It rained. It snowed."}, "Rain."]).encode()
    inputs = read_inputs(body, tiny.read_any, 40)
    assert len(parts_of(inputs, Variant())) == 3
    answers = answers_to(inputs, [b"{}", "no memory", b'{"words": ["Rain"]}'])
    assert answers == ["no memory", b'{"words": ["Rain"]}']


@pytest.mark.parametrize("contents", [[], ["Rain."]])
def test_a_list_gets_a_list(tiny: Any, contents: List[str]):
    assert len(label(tiny, json.dumps(contents).encode())) == len(contents)
