"""
Whatever the error that one input causes, through every door: it costs that input alone, and a
model that can label nothing ends the run.
"""

import io
import json
import sys
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, List, Type

import pytest
import torch
from allennlp.predictors import Predictor

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import InputError, ModelError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.parser_labeller import ParserLabeller
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.predictors.sentence_predictor import read_instance
from tests.commands.in_process import execute

BAD_WORD = "Boom"


class OddError(Exception):
    """An error that nobody knows."""


def allocate() -> None:
    torch.empty(2**50)


def recurse() -> None:
    recurse()


def fail_oddly() -> None:
    raise OddError("two\nlines \ud800")


def run_out_of_memory() -> None:
    raise MemoryError


def run_out_of_gpu_memory() -> None:
    raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")


FAULTS: Dict[str, Callable[[], None]] = {
    "RuntimeError: [enforce fail at alloc_cpu": allocate,
    "RecursionError: maximum recursion depth exceeded": recurse,
    "OddError: two lines \\ud800": fail_oddly,
    "MemoryError": run_out_of_memory,
    "OutOfMemoryError: CUDA out of memory.": run_out_of_gpu_memory,
}


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["lisa"])


@pytest.fixture(params=FAULTS)
def reason(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes the network fail for sentences with `BAD_WORD`; the start of the reason."""
    break_network(monkeypatch, FAULTS[request.param], BAD_WORD)
    return request.param


def break_network(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[], None], word: str = ""
) -> List[int]:
    """Makes the network fail for sentences with a word, or for all; the sizes of its batches."""
    predict = Lisa.predict_sentences
    sizes: List[int] = []

    def failing(self: Lisa, **inputs: Any) -> Any:
        sentences = [item["sentence"] for item in inputs["metadata"]]
        sizes.append(len(sentences))
        if not word or any(word in sentence.words for sentence in sentences):
            fault()
        return predict(self, **inputs)

    monkeypatch.setattr(Lisa, "predict_sentences", failing)
    return sizes


INPUTS = ["Go.", f"{BAD_WORD}!", "She left.", f"A {BAD_WORD}.", "Stop."]
GOOD = [0, 2, 4]


def check_results(results: List[Any], reason: str) -> None:
    assert [n for n, result in enumerate(results) if not isinstance(result, InputError)] == GOOD
    for number in (1, 3):
        error = results[number]
        assert error.place == f"input {number + 1}" and error.reason.startswith(reason)
        assert "\n" not in error.reason and error.reason.encode()
        assert error.__cause__ is not None


def test_python(lisa: Labeller, reason: str) -> None:
    check_results(list(lisa.pipe(INPUTS, on_error="yield")), reason)
    check_results(list(lisa.documents(INPUTS, on_error="yield")), reason)
    answers = lisa.pipe(INPUTS)
    assert next(answers).words == ["Go", "."]
    with pytest.raises(InputError, match="^input 2: "):
        next(answers)
    for call in (lisa, lisa.document):
        with pytest.raises(InputError) as raised:
            call(INPUTS[1])
        assert raised.value.message.startswith(reason) and raised.value.__cause__ is not None


@pytest.mark.medium
def test_processes_keep_the_cause(lisa: Labeller, reason: str) -> None:
    results = list(lisa.pipe(INPUTS, on_error="yield", batch_size=2, processes=2))
    check_results(results, reason)
    assert "in failing" in str(results[1].__cause__)


def test_memory_of_the_failure_is_released(lisa: Labeller, monkeypatch: pytest.MonkeyPatch) -> None:
    tensors: List[Any] = []

    def fail() -> None:
        tensor = torch.zeros(3)
        assert all(reference() is None for reference in tensors)
        tensors.append(weakref.ref(tensor))
        raise MemoryError

    break_network(monkeypatch, fail, BAD_WORD)
    results = list(lisa.pipe(INPUTS, on_error="yield"))
    check_results(results, "MemoryError")
    assert len(tensors) > 2


@pytest.mark.parametrize("processes", ["1", "2"])
def test_predict(
    archives: Dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    processes: str,
) -> None:
    break_network(monkeypatch, fail_oddly, BAD_WORD)
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps({"sentence": text}) + "\n" for text in INPUTS))
    arguments = ["predict", str(archives["lisa"]), str(source), "--output-file", str(output)]
    arguments += ["--silent", "--batch-size", "2", "--processes", processes]

    def run(*options: str) -> List[Dict[str, Any]]:
        output.unlink(missing_ok=True)
        with pytest.raises(ConfigurationError):
            execute(*arguments, *options)
        return [json.loads(line) for line in output.read_text().splitlines()]

    answers = run("--skip-bad-lines")
    assert [n for n, answer in enumerate(answers) if "words" in answer] == GOOD
    assert [answers[n]["line"] for n in (1, 3)] == [2, 4]
    assert answers[1]["error"] == "OddError: two lines \\ud800"
    assert [answer["words"] for answer in run()] == [["Go", "."]]


def test_label(
    archives: Dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    break_network(monkeypatch, fail_oddly, BAD_WORD)
    lines = "\n".join(INPUTS).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    with pytest.raises(ConfigurationError, match=r"^<stdin>:2: OddError: two lines \\ud800"):
        execute("label", archives["lisa"])
    assert "Go" in capsys.readouterr().out
    with pytest.raises(ConfigurationError, match="^sentence 1: found byte 0xff at byte 2; exp"):
        execute("label", archives["lisa"], "a\udcff")


def test_predictor(archives: Dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = Predictor.from_path(str(archives["lisa"]), "lisa")
    break_network(monkeypatch, fail_oddly, BAD_WORD)
    with pytest.raises(InputError, match="^OddError: two lines"):
        predictor.predict(INPUTS[1])
    with pytest.raises(InputError, match="^input 2: OddError: two lines"):
        predictor.predict_batch_json([{"sentence": text} for text in INPUTS])
    assert len(predictor.predict_batch_json([{"sentence": INPUTS[n]} for n in GOOD])) == 3


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("on_error", ["yield", "raise"])
def test_a_broken_model_ends_the_run_at_once(
    lisa: Labeller, monkeypatch: pytest.MonkeyPatch, on_error: Any, processes: int
) -> None:
    sizes = break_network(monkeypatch, fail_oddly)
    with pytest.raises(ModelError, match="^cannot label any sentence: OddError: two lines"):
        list(lisa.pipe(INPUTS * 50, on_error=on_error, processes=processes))
    # One batch of the inputs, and one simple sentence. Other processes have lists of their own.
    assert sizes[1:] == [1] or processes == 2


def test_every_labeller_has_a_simplest_request(archives: Dict[str, Path]) -> None:
    found: Dict[Type[Labeller], Labeller] = {}
    for archive in archives.values():
        labeller = lisa_allennlp.load(archive)
        labeller.check()
        found[type(labeller)] = labeller
    assert found[LisaLabeller].simplest_request().predicates == [1]
    assert found[ParserLabeller].simplest_request().sentence.pos is not None


def test_a_corpus_has_the_limit_of_requests(lisa: Labeller) -> None:
    engine = lisa.engine
    short, long = (engine.instance(Sentence(["word"] * length)) for length in (2000, 2001))
    assert len(read_instance(engine, short).sentence.words) == 2000
    with pytest.raises(
        ConfigurationError, match="found a sentence of 2001 words; expected at most"
    ):
        read_instance(engine, long)


class Raising(list):
    def __iter__(self) -> Any:
        raise OSError("no items")


def test_objects_that_raise(lisa: Labeller) -> None:
    for content in (Raising(["a"]), {"tokens": Raising(["a"])}):
        with pytest.raises(InputError, match="^OSError: no items"):
            lisa(content)
    for inputs in (3, None, b"a", "a", {"a": 1}):
        with pytest.raises(ConfigurationError, match="inputs: found .*; expected several inputs"):
            list(lisa.pipe(inputs))  # type: ignore[arg-type]


def test_a_cycle_that_is_allowed_is_the_answers(lisa: Labeller) -> None:
    tokens, heads = ["She", "has", "left"], [2, 3, 2]
    with pytest.raises(InputError, match=r"without the cycle 2 \(has\) <- 3 \(left\) <- 2 \(has\)"):
        lisa({"tokens": tokens, "head_indices": heads})
    for heads in ([2, 3, 2], [2, 3, 1], [0, 3, 2]):
        given = {"tokens": tokens, "head_indices": heads, "allow_cycles": True}
        sentence = lisa(given, details=True)
        assert sentence.heads == heads and "allow_cycles" not in sentence.to_dict()
        # Rows are one-hot at the heads, or at the token itself for a root.
        chosen = [head - 1 if head else token for token, head in enumerate(heads)]
        assert sentence.attention.argmax(-1).tolist() == chosen
        assert sentence.attention.max(-1).tolist() == [1, 1, 1]
    with pytest.raises(InputError, match="`allow_cycles`: found 1; expected true or false"):
        lisa({"tokens": ["a"], "allow_cycles": 1})
    with pytest.raises(InputError, match="`allow_cycles`: found true; .*instead of `text`"):
        lisa.document({"text": "a", "allow_cycles": True})
