"""Labelling beside the process that speaks HTTP."""

import asyncio
import json
import os
from contextlib import closing
from typing import Any, List, Sequence

import pytest
from scipy.special import softmax

from lisa_allennlp.apps.serve.counters import Metrics
from lisa_allennlp.apps.serve.workers import BatchLabeller, Part, Workers
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import RequestReader
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence
from tests.apps.serve.services import assert_close

READER = RequestReader("en")
TEXTS = ["She sold him the car.", "Rain.", "It rained and we stayed inside."]


class Nouns(Engine):
    """Labels words as nouns, and fails at some of them."""

    def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        words = [request.sentence.words for request in requests]
        if any("dies" in of_one for of_one in words):
            os._exit(1)
        if any("fails" in of_one for of_one in words):
            raise ValueError("too many words")
        return [Sentence(of_one, pos=["NN"] * len(of_one)) for of_one in words]


def parts(texts: Sequence[str], options: LabelOptions = LabelOptions()) -> List[Part]:  # noqa: B008
    return [Part(READER.read(text), options) for text in texts]


def labelled_words(results: Sequence[Any]) -> List[Any]:
    return [r["words"] if isinstance(r, dict) else r for r in results]


def test_answers_are_the_labellers(tiny: Any):
    """Of all variants in one batch."""
    variants = [tiny.options_of(a, p) for p in (False, True) for a in (False, True)]
    found = BatchLabeller(tiny)([part for v in variants for part in parts(TEXTS, v)])
    for n, options in enumerate(variants):
        # In the same batch: random weights magnify the rounding errors of others.
        expectations = tiny.pipe(TEXTS, details=True, probabilities=options.probabilities)
        for expected, answer in zip(expectations, found[n * len(TEXTS) :], strict=False):
            described = expected.to_dict()
            for key in ("attention", "arc_scores"):
                described.pop(key)
            if options.details:
                described["attention"] = softmax(expected.arc_scores, axis=1).tolist()
            assert_close(json.loads(json.dumps(answer)), json.loads(json.dumps(described)))


def test_a_sentence_that_cannot_be_labelled_is_reported_alone():
    found = BatchLabeller(Labeller(Nouns()))(parts(["It rained", "this fails", "It snowed"]))
    expected = [["It", "rained"], "ValueError: too many words", ["It", "snowed"]]
    assert labelled_words(found) == expected


def test_a_model_that_labels_nothing():
    class Broken(Nouns):
        def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
            raise RuntimeError("no weights")

    found = BatchLabeller(Labeller(Broken()))(parts(["It rained", "It snowed"]))
    assert found == ["cannot label any sentence: RuntimeError: no weights"] * 2


def test_a_sentence_that_kills_its_process_is_reported_alone(caplog: pytest.LogCaptureFixture):
    texts, metrics = ["one", "two", "this dies", "four", "five"], Metrics()

    async def run(workers: Workers) -> List[Any]:
        others, found = await asyncio.gather(
            workers.label(parts(["six", "seven"])), workers.label(parts(texts))
        )
        assert labelled_words(others) == [["six"], ["seven"]]
        return found

    with closing(Workers(BatchLabeller(Labeller(Nouns())), 2, metrics)) as workers:
        found = labelled_words(asyncio.run(run(workers)))
    assert len(caplog.records) == caplog.text.count("was replaced") > 0
    assert f"lisa_replaced_workers_total {len(caplog.records)}.0" in metrics.text().decode()
    assert found.pop(2).startswith("the processes that labelled the sentence died")
    assert found == [["one"], ["two"], ["four"], ["five"]]
