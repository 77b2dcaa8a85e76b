"""`predict` for many lines: what it writes, and where it ends, when lines are bad."""

import argparse
import gzip
import io
import json
import sys
import tarfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest
from allennlp.commands.predict import Predict
from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance, Token
from allennlp.data.fields import TextField
from allennlp.predictors import Predictor
from hypothesis import given, settings
from hypothesis import strategies as st

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.commands.predict import BATCH_SIZE, LisaPredict, PredictManager
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.data.formats.errors import CorpusFormatError


def parse(command: Subcommand, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_subparser(parser.add_subparsers())
    return parser.parse_args(["predict", *arguments])


def test_it_takes_the_place_of_allennlps() -> None:
    assert Subcommand.by_name("predict") is LisaPredict


def test_allennlps_options_are_kept() -> None:
    files = ("model.tar.gz", "in.jsonl")
    ours, theirs = vars(parse(LisaPredict(), *files)), vars(parse(Predict(), *files))
    assert (ours.pop("batch_size"), theirs.pop("batch_size")) == (BATCH_SIZE, 1)
    of_ours = [ours.pop(name) for name in ("precision", "beta", "skip_bad_lines", "processes")]
    assert of_ours == [None, None, False, 1]
    del ours["func"], theirs["func"]
    assert ours == theirs
    assert parse(LisaPredict(), *files, "--batch-size", "7").batch_size == 7


class Doubler(Predictor):
    """Doubles the number of each line, and refuses the lines without one when it is to predict."""

    def __init__(self, dataset_reader: Optional[DatasetReader] = None) -> None:
        self._dataset_reader = dataset_reader
        self.batch_sizes: List[int] = []

    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        for item in inputs:
            if "n" not in item:
                raise ConfigurationError(f"found {item}; expected `n`")
        self.batch_sizes.append(len(inputs))
        return [{"double": 2 * item["n"]} for item in inputs]

    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        return [{"length": len(instance["tokens"])} for instance in instances]


GOOD, REFUSED, BROKEN, BLANK = b'{"n": 4}', b'{"m": 4}', b'{"n":,', b" "
NOT_UTF8 = '{"n": "é"}'.encode("latin-1")


def run(
    folder: Path,
    lines: List[bytes],
    batch_size: int = 4,
    skip: bool = False,
    processes: int = 1,
) -> Tuple[List[Dict[str, Any]], Optional[str]]:
    """The answers, and the error at the end."""
    (folder / "in.jsonl").write_bytes(b"\n".join(lines))
    output = folder / "out.jsonl"
    error = None
    manager = PredictManager(
        Doubler(),
        str(folder / "in.jsonl"),
        str(output),
        batch_size,
        False,
        False,
        skip_bad_lines=skip,
        num_processes=processes,
    )
    try:
        manager.run()
    except ConfigurationError as raised:
        error = raised.message
    return [json.loads(line) for line in output.read_text().splitlines()], error


@pytest.mark.medium
@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.sampled_from([GOOD, GOOD, REFUSED, BROKEN, BLANK, NOT_UTF8]), max_size=12),
    batch_size=st.integers(1, 13),
    processes=st.sampled_from([1, 1, 2]),
)
def test_all_good_lines_are_answered_in_their_places(
    tmp_path_factory: pytest.TempPathFactory, lines: List[bytes], batch_size: int, processes: int
) -> None:
    folder = tmp_path_factory.mktemp("predict")
    numbered = [(i, line) for i, line in enumerate(lines, start=1) if line != BLANK]
    bad = [i for i, line in numbered if line != GOOD]
    answers, error = run(folder, lines, batch_size, True, processes)
    assert [answer.get("line", 8) for answer in answers] == [
        i if i in bad else 8 for i, _ in numbered
    ]
    assert (error is None) == (not bad)
    if error is not None:
        assert f"found {len(bad)} bad line" in error

    answers, error = run(folder, lines, batch_size, False, processes)
    before = [i for i, _ in numbered if not bad or i < bad[0]]
    assert answers == [{"double": 8}] * len(before)
    if bad:
        assert error is not None and error.startswith(f"{folder}/in.jsonl:{bad[0]}: found ")


@pytest.mark.parametrize(
    "line, message",
    [
        (REFUSED, "found {'m': 4}; expected `n`"),
        (BROKEN, "found '{\"n\":,'; expected JSON (Expecting value: line 1 column 6 (char 5))"),
        (NOT_UTF8, "found byte 0xe9; expected UTF-8"),
    ],
)
def test_the_error_names_the_value_and_what_was_expected(
    tmp_path: Path, line: bytes, message: str
) -> None:
    _, error = run(tmp_path, [GOOD, b"", line, GOOD])
    assert error == f"{tmp_path}/in.jsonl:3: {message}"
    answers, _ = run(tmp_path, [GOOD, b"", line, GOOD], skip=True)
    assert answers == [{"double": 8}, {"line": 3, "error": message}, {"double": 8}]


def test_a_refused_line_leaves_the_others_large_batches(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"\n".join([GOOD] * 700 + [REFUSED] + [GOOD] * 323))
    predictor = Doubler()
    manager = PredictManager(
        predictor, str(tmp_path / "in.jsonl"), None, 1024, False, False, skip_bad_lines=True
    )
    with pytest.raises(ConfigurationError, match="1 bad line;"):
        manager.run()
    assert sum(predictor.batch_sizes) == 1023
    assert sorted(predictor.batch_sizes) == [2**i for i in range(10)]


def test_answers_are_there_before_the_next_line_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    output = tmp_path / "out.jsonl"

    class Lines(io.BytesIO):
        def __next__(self) -> bytes:
            written.append(output.read_text().count("\n"))
            return super().__next__()

    written: List[int] = []
    standard_input = io.TextIOWrapper(Lines(b"\n".join([GOOD, GOOD, GOOD, BROKEN])))
    monkeypatch.setattr(sys, "stdin", standard_input)
    manager = PredictManager(Doubler(), "-", str(output), 1, True, False)
    with pytest.raises(ConfigurationError, match="^<stdin>:4: found '{"):
        manager.run()
    assert written == [0, 1, 2, 3]
    shown = 'input {}:  {{"n": 4}}\nprediction:  {{"double": 8}}\n\n'
    assert capsys.readouterr().out == "".join(shown.format(i) for i in range(3))


def test_compressed_input_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + GOOD + b"\r\n" + GOOD))
    manager = PredictManager(Doubler(), str(path), str(tmp_path / "out"), 5, False, False)
    manager.run()
    assert (tmp_path / "out").read_text() == '{"double": 8}\n' * 2


class Corpus(DatasetReader):
    """Three sentences, and then one that is malformed."""

    def _read(self, file_path: str):
        for length in (2, 1, 3):
            yield Instance({"tokens": TextField([Token("word")] * length)})
        raise CorpusFormatError(file_path, 12, "nothing", "a word")


@pytest.mark.parametrize("processes", [1, 2])
def test_sentences_before_a_malformed_one_are_answered(tmp_path: Path, processes: int) -> None:
    output = tmp_path / "out.jsonl"
    manager = PredictManager(
        Doubler(Corpus()), "corpus", str(output), 2, False, True, num_processes=processes
    )
    with pytest.raises(ConfigurationError, match="^corpus:12: found nothing; expected a word$"):
        manager.run()
    answers = [json.loads(line) for line in output.read_text().splitlines()]
    assert [answer["length"] for answer in answers] == [2, 1, 3]
    with pytest.raises(ConfigurationError, match="no --use-dataset-reader"):
        PredictManager(Doubler(Corpus()), "corpus", None, 2, False, True, skip_bad_lines=True)


@pytest.mark.medium
@pytest.mark.parametrize("processes", [1, 2])
def test_lines_before_damaged_data_are_answered(tmp_path: Path, processes: int) -> None:
    path, output = tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl"
    lines = b"\n".join(b'{"n": %d}' % n for n in range(20000))
    path.write_bytes(gzip.compress(lines)[:-2000])
    manager = PredictManager(
        Doubler(), str(path), str(output), 10, False, False, num_processes=processes
    )
    with pytest.raises(EOFError) as error:
        manager.run()
    assert (user_message(error.value) or "").startswith(f"{path}: damaged data (")
    answers = [json.loads(line)["double"] for line in output.read_text().splitlines()]
    assert len(answers) > 1000
    assert answers == list(range(0, 2 * len(answers), 2))


def test_records_need_a_predictor_of_json(tmp_path: Path) -> None:
    class Lines(Doubler):
        def dump_line(self, outputs: JsonDict) -> str:
            return f"{outputs['double']}\n"

    with pytest.raises(ConfigurationError, match="whose answers are lines of JSON"):
        PredictManager(Lines(), "in", None, 2, False, False, skip_bad_lines=True)


def predict(
    archive: Path, folder: Path, *options: str, line: str = '{"tokens": ["Stop", "."]}'
) -> JsonDict:
    (folder / "in.jsonl").write_text(line + "\n")
    output = folder / "out.jsonl"
    files = (str(archive), str(folder / "in.jsonl"), "--output-file", str(output), "--silent")
    args = parse(LisaPredict(), *files, *options)
    args.func(args)
    return json.loads(output.read_text())


@pytest.mark.medium
def test_precision_is_the_models(
    archives: Dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lisa_allennlp.nn.precision.REDUCED_FROM_TOKENS", 1)
    plain = predict(archives["lisa"], tmp_path)
    assert predict(archives["lisa"], tmp_path, "--precision", "float32") == plain
    reduced = predict(archives["lisa"].parent, tmp_path, "--precision", "bfloat16")
    assert reduced["predicate_probabilities"] != plain["predicate_probabilities"]
    assert reduced["predicate_probabilities"] == pytest.approx(
        plain["predicate_probabilities"], abs=0.05
    )
    (tmp_path / "config.json").write_text('{"model": {"type": "simple_tagger"}}')
    with pytest.raises(ConfigurationError, match="of type 'simple_tagger', which has no such"):
        predict(tmp_path, tmp_path, "--precision", "bfloat16")


def test_damaged_weights_of_an_archive(archives: Dict[str, Path], tmp_path: Path) -> None:
    with tarfile.open(archives["lisa"]) as archive:
        archive.extractall(tmp_path, filter="data")
    weights = tmp_path / "weights.th"
    weights.write_bytes(weights.read_bytes()[:2000])
    damaged = tmp_path / "model.tar.gz"
    with tarfile.open(damaged, "w:gz") as archive:
        for name in ("config.json", "vocabulary", "weights.th"):
            archive.add(tmp_path / name, name)
    with pytest.raises(RuntimeError) as error:
        predict(damaged, tmp_path)
    assert user_message(error.value) == f"{damaged}: damaged model archive: weights.th"


def test_beta_is_the_supertaggers(archives: Dict[str, Path], tmp_path: Path) -> None:
    assert "candidates" not in predict(archives["ccg_supertagger"], tmp_path)
    answer = predict(archives["ccg_supertagger"], tmp_path, "--beta", "0.01")
    assert [[category for category, _ in word] for word in answer["candidates"]] == [["N"], ["N"]]
    with pytest.raises(ConfigurationError, match="'lisa' has no argument 'beta'; expected"):
        predict(archives["lisa"], tmp_path, "--beta", "0.01")


def test_processes_answer_as_one_does(archives: Dict[str, Path], tmp_path: Path) -> None:
    words = "Stop , please , and tell them that we have said no more".split()
    lines = [json.dumps({"tokens": words[: 1 + i % len(words)]}) for i in range(50)]
    source, outputs = tmp_path / "in.jsonl", [tmp_path / "one.jsonl", tmp_path / "three.jsonl"]
    source.write_text("\n".join(lines))
    for output, processes in zip(outputs, ("1", "3"), strict=True):
        files = (str(archives["lisa"]), str(source), "--output-file", str(output), "--silent")
        args = parse(LisaPredict(), *files, "--processes", processes, "--batch-size", "6")
        args.func(args)
    of_one, of_three = (list(map(json.loads, path.open())) for path in outputs)
    assert len(of_one) == 50
    for one, other in zip(of_one, of_three, strict=True):
        name = "predicate_probabilities"
        assert other.pop(name) == pytest.approx(one.pop(name), abs=1e-5)
        assert other == one


@pytest.mark.parametrize(
    "options, message",
    [
        (["--processes", "0"], "--processes is 0; expected 1 or more"),
        (["--processes", "2", "--cuda-device", "0"], "--processes is 2; expected 1 with --cuda"),
        (["--predictor-args", '{"max_token": 3}'], "'lisa' has no argument 'max_token'; expected "),
        (["--predictor-args", "{"], "--predictor-args: found '{'; expected JSON"),
        (["--predictor-args", "[]"], "--predictor-args: found '\\[\\]'; expected a JSON object"),
        (["--batch-size", "0"], "--batch-size is 0; expected 1 or more"),
    ],
)
def test_options_that_cannot_be(
    archives: Dict[str, Path], tmp_path: Path, options: List[str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        predict(archives["lisa"], tmp_path, *options)


def test_half_a_surrogate_pair_is_a_bad_line_where_it_cannot_be_written(
    archives: Dict[str, Path], tmp_path: Path
) -> None:
    line = '{"tokens": ["Stop", "\\ud800"]}'
    assert predict(archives["lisa"], tmp_path, line=line)["words"] == ["Stop", "\ud800"]
    with pytest.raises(
        ConfigurationError, match="in.jsonl:1: the words: found .* expected Unicode"
    ):
        predict(archives["ccg_supertagger"], tmp_path, line=line)
