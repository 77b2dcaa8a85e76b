"""The door, with untrained models: streams, errors, threads, processes, nothing changed."""

import copy
import json
import threading
from pathlib import Path
from typing import Any, Dict, List

import numpy
import pytest
import torch

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.predictors.sentence_predictor import read_instance
from tests import ROOT

TEXTS = [
    "She left.",
    "Stop",
    "",
    "The dog that she saw chased him, didn't it?",
    "They ( all ) left .",
]


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["lisa"], engine="torch")


def comparable(sentence: Any) -> Dict[str, Any]:
    """Without what rounding changes from batch to batch."""
    described = sentence.to_dict()
    described.pop("predicate_probabilities")
    return described


def test_a_sentence(lisa: Labeller) -> None:
    sentence = lisa("She sold him the car .")
    assert sentence.words == ["She", "sold", "him", "the", "car", "."]
    assert len(sentence.pos) == len(sentence.heads) == len(sentence.head_tags) == 6
    assert sentence.heads.count(0) == 1
    assert sentence.supertags is None
    assert [frame.predicate for frame in sentence.frames] == sentence.predicates
    assert lisa(["She", "left"]).offsets is None


@pytest.mark.medium
def test_streams_keep_the_order(lisa: Labeller) -> None:
    inputs: List[Any] = [*TEXTS, ["Two", "words"], {"tokens": ["She"], "id": 3}] * 3
    alone = [comparable(lisa(content)) for content in inputs]
    for batch_size, processes in ((1, 1), (4, 1), (1000, 1), (4, 2)):
        stream = lisa.pipe(inputs, batch_size=batch_size, processes=processes)
        assert [comparable(sentence) for sentence in stream] == alone
    assert alone[-1]["id"] == 3


def test_a_stream_is_read_as_it_is_labelled(lisa: Labeller) -> None:
    read: List[int] = []

    def texts():
        for number in range(100):
            read.append(number)
            yield f"Number {number}"

    stream = lisa.pipe(texts(), batch_size=2)
    assert next(stream).words == ["Number", "0"]
    assert len(read) <= 4


def test_a_bad_input_costs_itself_alone(lisa: Labeller) -> None:
    inputs: List[Any] = ["She left.", 3, "Stop", {"tokens": ["a"], "predicates": [5]}, "It ended ."]
    results = list(lisa.pipe(inputs, on_error="yield", batch_size=3))
    good = [isinstance(result, Sentence) for result in results]
    assert good == [True, False, True, False, True]
    assert results[3].place == "input 4" and results[3].position == 4
    assert results[3].reason.startswith("`predicates`: found 5")

    seen = []
    with pytest.raises(InputError, match="^input 2: the input: found 3; expected raw text"):
        for sentence in lisa.pipe(inputs):
            seen.append(sentence)
    assert len(seen) == 1


@pytest.mark.parametrize("processes", [1, 2])
def test_inputs_that_cannot_be_pickled_are_labelled(lisa: Labeller, processes: int) -> None:
    inputs = ["One .", {"tokens": ["x"], "callback": lambda: 0}, 5, "Two ."]
    found = list(lisa.pipe(inputs, batch_size=1, on_error="yield", processes=processes))
    assert [getattr(sentence, "words", None) for sentence in found] == [
        ["One", "."],
        ["x"],
        None,
        ["Two", "."],
    ]
    assert repr(found[2]).startswith("InputError('input 3: the input: found 5; expected raw text")


def test_a_model_on_a_gpu_has_no_processes(lisa: Labeller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(lisa.engine), "is_on_cpu", False)
    with pytest.raises(ConfigurationError, match="processes is 2; expected 1 for a model on a GPU"):
        lisa.pipe([], processes=2)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"on_error": "skip"}, "on_error is 'skip'; expected 'raise' or 'yield'"),
        ({"batch_size": 0}, "batch_size is 0; expected a positive integer"),
        ({"processes": True}, "processes is True; expected a positive integer"),
        ({"inputs": "She left."}, 'inputs: found "She left."; expected several inputs'),
    ],
)
def test_options_of_a_stream_are_checked_before_it_is_read(
    lisa: Labeller, options: Dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        lisa.pipe(**{"inputs": [], **options})


def test_threads_label_at_once(lisa: Labeller) -> None:
    expected = [comparable(lisa(text)) for text in TEXTS]
    failures: List[Any] = []

    def work() -> None:
        for _ in range(5):
            answers = [comparable(sentence) for sentence in lisa.pipe(TEXTS, batch_size=2)]
            if answers != expected:
                failures.append(answers)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_labelling_changes_neither_the_model_nor_the_reader(lisa: Labeller) -> None:
    before = copy.deepcopy(lisa.engine.model.state_dict())
    reader = copy.deepcopy(vars(lisa.engine.dataset_reader))
    instances = list(lisa.engine.dataset_reader.read(ROOT / "fixtures/sample/dev.gold_conll"))[:5]
    fields = [list(instance.fields) for instance in instances]
    lisa.engine.model.get_metrics(reset=True)
    list(lisa.pipe([*TEXTS, {"tokens": ["a", "b"], "head_indices": [2, 0]}]))
    lisa.label([read_instance(lisa.engine, instance) for instance in instances])
    assert [list(instance.fields) for instance in instances] == fields
    for name, value in lisa.engine.model.state_dict().items():
        assert torch.equal(value, before[name])
    assert vars(lisa.engine.dataset_reader).keys() == reader.keys()
    assert not {"srl_f1", "uas"} & lisa.engine.model.get_metrics().keys()


def test_brackets_are_written_as_the_archive_records(lisa: Labeller) -> None:
    # The sample has -LRB- and -RRB-, and no other brackets.
    given = ["(", "-RRB-", "[", "word", "{"]
    tokens = lisa.engine.instance(Sentence(given))["tokens"]
    assert [token.text for token in tokens] == ["-LRB-", "-RRB-", "[", "word", "{"]
    assert lisa(given).words == given
    assert comparable(lisa(["-LRB-", "so"])) | {"words": 0, "verbs": 0} == comparable(
        lisa(["(", "so"])
    ) | {"words": 0, "verbs": 0}


def test_details(lisa: Labeller) -> None:
    words = "The dog that she saw chased him".split()
    given = {"tokens": words[:3], "head_indices": [2, 0, 2]}
    own, injected = lisa.pipe([words, given], details=True)
    assert own.arc_scores.shape == own.attention.shape == (7, 7)
    exponentials = numpy.exp(own.arc_scores - own.arc_scores.max(axis=1, keepdims=True))
    softmax = exponentials / exponentials.sum(axis=1, keepdims=True)
    numpy.testing.assert_allclose(own.attention, softmax, atol=1e-6)
    numpy.testing.assert_array_equal(injected.attention, numpy.eye(3)[[1, 1, 1]])
    assert lisa(words).arc_scores is None
    [empty] = lisa.pipe([""], details=True)
    assert empty.arc_scores.shape == empty.attention.shape == (0, 0)
    json.dumps(own.to_dict())


def test_trees_are_trees(lisa: Labeller) -> None:
    assert lisa.engine.model._names.root_label is not None
    for sentence in lisa.pipe(TEXTS + ["a b c d e f g h i j k l m n o p q r s t"]):
        if not sentence.words:
            continue
        assert sentence.heads.count(0) == 1
        labels = [tag == "root" for tag in sentence.head_tags]
        assert labels == [head == 0 for head in sentence.heads]
        for token in range(1, len(sentence.words) + 1):
            seen = set()
            while token:
                assert token not in seen
                seen.add(token)
                token = sentence.heads[token - 1]


def test_answers_before_a_failure_of_the_source_are_not_lost(lisa: Labeller) -> None:
    def texts():
        yield from ["She left.", "Stop", "They left."]
        raise OSError("the source is gone")

    seen = []
    with pytest.raises(OSError, match="the source is gone"):
        for sentence in lisa.pipe(texts(), batch_size=2):
            seen.append(sentence.words[0])
    assert seen == ["She", "Stop", "They"]


@pytest.mark.medium
def test_probabilities_are_added_on_request_and_change_nothing(
    lisa: Labeller, archives: Dict[str, Path]
) -> None:
    sure = lisa_allennlp.load(archives["lisa"], probabilities=True)
    for plain, full in zip(lisa.pipe(TEXTS), sure.pipe(TEXTS), strict=True):
        assert plain.pos_probabilities is None and plain.head_probabilities is None
        assert comparable(Sentence.from_dict(_without_probabilities(full))) == comparable(plain)
        numbers = [*full.pos_probabilities, *full.head_probabilities]
        for frame in full.frames:
            assert frame.probability == full.predicate_probabilities[frame.predicate]
            numbers += [span.probability for span in frame.roles]
        assert len(full.pos_probabilities) == len(full.head_probabilities) == len(full.words)
        assert all(0 <= number <= 1 for number in numbers)
    given = sure({"tokens": ["She", "left"], "head_indices": [2, 0], "head_tags": ["x", "y"]})
    assert given.head_probabilities is None


def _without_probabilities(sentence: Sentence) -> Dict[str, Any]:
    described = sentence.to_dict()
    added = ("pos_probabilities", "head_probabilities", "probability", "span_probabilities")
    for item in (described, *described["verbs"]):
        for key in added:
            item.pop(key, None)
    return described


def test_improbable_arguments_are_left_out(archives: Dict[str, Path]) -> None:
    content = {"tokens": "The dog that she saw chased him".split(), "predicates": [4, 5]}
    # The scores of the untrained model are so large that its probabilities are 1 otherwise.
    overrides = {"model.confidence": {"role_temperature": 1000.0}}
    full = load_labeller(archives["lisa"], overrides=overrides, probabilities=True)(content)
    of_arguments = [s.probability for f in full.frames for s in f.roles if s.role != "V"]
    middle = sorted(of_arguments)[len(of_arguments) // 2]
    assert min(of_arguments) < middle
    few = load_labeller(archives["lisa"], overrides=overrides, min_probability=middle)(content)
    kept = [[s for s in f.roles if s.role == "V" or s.probability >= middle] for f in full.frames]
    assert [[(s.role, s.first, s.last) for s in f.roles] for f in few.frames] == [
        [(s.role, s.first, s.last) for s in spans] for spans in kept
    ]
    assert few.predicates == [4, 5]


@pytest.mark.parametrize("value", [-0.1, 1.1, "0.5", True, float("nan")])
def test_bad_least_probabilities(archives: Dict[str, Path], value: Any) -> None:
    with pytest.raises(ConfigurationError, match="min_probability is .*; expected a number from 0"):
        lisa_allennlp.load(archives["lisa"], min_probability=value)
