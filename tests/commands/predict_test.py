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
import torch
from allennlp.commands.predict import Predict
from allennlp.commands.subcommand import Subcommand
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Instance, Token, Vocabulary
from allennlp.models import Model
from allennlp.models.archival import archive_model
from allennlp.predictors import Predictor
from hypothesis import given, settings
from hypothesis import strategies as st

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.commands.predict import LisaPredict, Prediction, Writer
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.labelling.labeller import GROUP_SIZE, Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.writing import to_json


def parse(command: Subcommand, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_subparser(parser.add_subparsers())
    return parser.parse_args(["predict", *arguments])


def test_it_takes_the_place_of_allennlps() -> None:
    assert Subcommand.by_name("predict") is LisaPredict


def test_allennlps_options_are_kept() -> None:
    files = ("model.tar.gz", "in.jsonl")
    ours, theirs = vars(parse(LisaPredict(), *files)), vars(parse(Predict(), *files))
    assert (ours.pop("batch_size"), theirs.pop("batch_size")) == (GROUP_SIZE, 1)
    names = ("precision", "beta", "processes", "input_format", "frames", "min_probability")
    assert [ours.pop(name) for name in names] == [None] * len(names)
    names = ("probabilities", "skip_bad_lines", "force", "resume")
    assert [ours.pop(name) for name in names] == [False] * len(names)
    del ours["func"], theirs["func"]
    assert ours == theirs
    assert parse(LisaPredict(), *files, "--batch-size", "7").batch_size == 7


@pytest.fixture(scope="module")
def supertagger(archives: Dict[str, Path]) -> Labeller:
    return load_labeller(archives["ccg_supertagger"])


GOOD, REFUSED, BROKEN, BLANK = b'{"tokens": ["Go"]}', b'{"token": ["Go"]}', b'{"tokens":,', b" "
NOT_UTF8 = '{"tokens": ["é"]}'.encode("latin-1")
ANSWER = {"words": ["Go"], "supertags": ["N"]}


def run(
    labeller: Labeller,
    source: Path,
    batch_size: int = 4,
    skip: bool = False,
    processes: int = 1,
) -> Tuple[List[Dict[str, Any]], Optional[str]]:
    """The answers, and the error at the end."""
    output = source.with_suffix(".out")
    options = ["--silent", "--output-file", str(output), "--batch-size", str(batch_size)]
    options += ["--processes", str(processes), *["--skip-bad-lines"] * skip]
    args = parse(LisaPredict(), "model.tar.gz", str(source), *options)
    error = None
    try:
        Prediction(args, labeller, Writer(to_json, True)).run()
    except ConfigurationError as raised:
        error = raised.message
    return [json.loads(line) for line in output.read_text().splitlines()], error


@pytest.mark.medium
@settings(max_examples=40, deadline=None)
@given(
    lines=st.lists(st.sampled_from([GOOD, GOOD, REFUSED, BROKEN, BLANK, NOT_UTF8]), max_size=12),
    batch_size=st.integers(1, 13),
    processes=st.sampled_from([1, 1, 1, 2]),
)
def test_all_good_lines_are_answered_in_their_places(
    supertagger: Labeller,
    tmp_path_factory: pytest.TempPathFactory,
    lines: List[bytes],
    batch_size: int,
    processes: int,
) -> None:
    source = tmp_path_factory.mktemp("predict") / "in.jsonl"
    source.write_bytes(b"\n".join(lines))
    numbered = [(i, line) for i, line in enumerate(lines, start=1) if line != BLANK]
    bad = [i for i, line in numbered if line != GOOD]
    answers, error = run(supertagger, source, batch_size, True, processes)
    assert error is None
    assert [answer.get("line", "good") for answer in answers] == [
        i if i in bad else "good" for i, _ in numbered
    ]

    answers, error = run(supertagger, source, batch_size, False, processes)
    before = [i for i, _ in numbered if not bad or i < bad[0]]
    assert answers == [ANSWER] * len(before)
    if bad:
        assert error is not None and error.startswith(f"{source}:{bad[0]}: ")


@pytest.mark.parametrize(
    "line, message",
    [
        (REFUSED, 'the input: found {"token": ["Go"]}; expected either `sentence` or `tokens`'),
        (BROKEN, "cannot read this input line as JSON (Expecting value at character 11): "),
        (NOT_UTF8, "found byte 0xe9 at byte 14; expected UTF-8"),
    ],
)
def test_the_error_names_the_value_and_what_was_expected(
    supertagger: Labeller, tmp_path: Path, line: bytes, message: str
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b"\n".join([GOOD, b"", line, GOOD]))
    _, error = run(supertagger, source)
    assert error is not None and error.startswith(f"{source}:3: {message}")
    first, record, last = run(supertagger, source, skip=True)[0]
    assert first == last == ANSWER
    assert record["line"] == 3 and record["error"].startswith(message)


def test_bad_lines_end_the_command_in_the_end(archives: Dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"\n".join([GOOD, BROKEN, REFUSED]))
    files = (str(archives["ccg_supertagger"]), str(tmp_path / "in.jsonl"))
    args = parse(LisaPredict(), *files, "--silent", "--output-file", str(tmp_path / "out"))
    args.skip_bad_lines = True
    with pytest.raises(ConfigurationError, match="in.jsonl: found 2 bad lines; the output has"):
        args.func(args)


def test_answers_are_there_before_the_next_line_is_given(
    archives: Dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    output = tmp_path / "out.jsonl"

    class Lines(io.BytesIO):
        def readline(self, size: Optional[int] = -1) -> bytes:
            written.append(output.read_text().count("\n"))
            return super().readline(size)

    written: List[int] = []
    standard_input = io.TextIOWrapper(Lines(b"\n".join([GOOD, GOOD, GOOD, BROKEN])))
    monkeypatch.setattr(sys, "stdin", standard_input)
    archive = str(archives["ccg_supertagger"])
    args = parse(LisaPredict(), archive, "-", "--output-file", str(output), "--batch-size", "1")
    with pytest.raises(ConfigurationError, match="^<stdin>:4: cannot read"):
        args.func(args)
    assert written == [0, 1, 2, 3]
    shown = "input {}:  {}\nprediction:  {}\n\n"
    expected = [shown.format(i, GOOD.decode(), json.dumps(ANSWER)) for i in range(3)]
    assert capsys.readouterr().out == "".join(expected)


def test_compressed_input_with_a_byte_order_mark(supertagger: Labeller, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl.gz"
    source.write_bytes(gzip.compress(b"\xef\xbb\xbf" + GOOD + b"\r\n" + GOOD))
    assert run(supertagger, source) == ([ANSWER] * 2, None)


@pytest.mark.medium
@pytest.mark.parametrize("processes", ["1", "2"])
def test_sentences_before_a_malformed_one_are_answered(
    archives: Dict[str, Path], tmp_path: Path, processes: str
) -> None:
    source, output = tmp_path / "corpus.auto", tmp_path / "out.jsonl"
    leaf = "ID=a.{0} PARSER=GOLD NUMPARSE=1\n(<L N NN NN w{0} N>)\n"
    source.write_text("".join(leaf.format(n) for n in range(3)) + "ID=a.3\n(<L N")
    arguments = [str(archives["ccg_supertagger"]), str(source), "--use-dataset-reader", "--silent"]
    arguments += ["--output-file", str(output), "--batch-size", "2", "--processes", processes]
    args = parse(LisaPredict(), *arguments)
    with pytest.raises(ConfigurationError, match=f"^{source}:8: found "):
        args.func(args)
    answers = [json.loads(line) for line in output.read_text().splitlines()]
    assert [answer["words"] for answer in answers] == [["w0"], ["w1"], ["w2"]]
    args.skip_bad_lines = args.force = True
    with pytest.raises(ConfigurationError, match="found --use-dataset-reader"):
        args.func(args)


@pytest.mark.medium
@pytest.mark.parametrize("processes", [1, 2])
def test_lines_before_damaged_data_are_answered(
    supertagger: Labeller, tmp_path: Path, processes: int
) -> None:
    source = tmp_path / "in.jsonl.gz"
    lines = b"\n".join(b'{"tokens": ["Go"], "id": %d}' % n for n in range(2000))
    source.write_bytes(gzip.compress(lines)[:-2000])
    answers, error = run(supertagger, source, 100, processes=processes)
    assert error is not None and error.startswith(f"{source}: damaged data (")
    assert len(answers) > 100
    assert [answer["id"] for answer in answers] == list(range(len(answers)))


def test_records_need_answers_in_json(archives: Dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="found another output_format; expected 'json'"):
        predict(
            archives["ccg_supertagger"],
            tmp_path,
            "--skip-bad-lines",
            "--predictor-args",
            '{"output_format": "pipes"}',
        )


@Predictor.register("words_to_tags")
class WordsToTags(Predictor):
    """What a predictor of another package may be."""

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._dataset_reader.text_to_instance([Token(w) for w in json_dict["words"]])


def test_another_packages_model_is_left_to_allennlp(tmp_path: Path) -> None:
    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}}
    model = {
        "type": "simple_tagger",
        "text_field_embedder": embedder,
        "encoder": {"type": "pass_through", "input_dim": 4},
        "calculate_span_f1": False,
    }
    vocab = Vocabulary(tokens_to_add={"labels": ["X"], "tokens": ["Go"]})
    folder = tmp_path / "tagger"
    folder.mkdir()
    config = {"model": model, "dataset_reader": {"type": "sequence_tagging"}}
    Params(config).to_file(str(folder / "config.json"))
    vocab.save_to_files(str(folder / "vocabulary"))
    built = Model.from_params(Params(dict(model)), vocab=vocab)
    torch.save(built.state_dict(), folder / "best.th")
    archive = Path(archive_model(folder))
    options = "--predictor", "words_to_tags"
    assert predict(archive, tmp_path, *options, line='{"words": ["Go"]}')["tags"] == ["X"]
    for option in (("--processes", "2"), ("--resume",)):
        with pytest.raises(ConfigurationError, match=f"{option[0]}: .* is another package's model"):
            predict(archive, tmp_path, *option)
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"words": ["Go"]}')
    output.write_text("mine")
    for path, message in ((source, "found the input"), (output, "found the existing file")):
        args = parse(LisaPredict(), str(archive), str(source), "--output-file", str(path), *options)
        with pytest.raises(ConfigurationError, match=message):
            args.func(args)
    assert output.read_text() == "mine"
    args = parse(LisaPredict(), str(archive), str(source), "--output-file", "/dev/full", *options)
    with pytest.raises(OSError) as error:
        args.func(args)
    assert user_message(error.value) == "/dev/full: No space left on device"


def predict(
    archive: Path, folder: Path, *options: str, line: str = '{"tokens": ["Stop", "."]}'
) -> JsonDict:
    (folder / "in.jsonl").write_text(line + "\n")
    output = folder / "out.jsonl"
    output.unlink(missing_ok=True)
    files = (str(archive), str(folder / "in.jsonl"), "--output-file", str(output), "--silent")
    args = parse(LisaPredict(), *files, *options)
    args.func(args)
    return json.loads(output.read_text())


def test_the_input_is_not_overwritten(archives: Dict[str, Path], tmp_path: Path) -> None:
    source, link = tmp_path / "in.jsonl", tmp_path / "link.jsonl"
    source.write_bytes(GOOD)
    link.symlink_to(source)
    args = parse(LisaPredict(), str(archives["lisa"]), str(source), "--output-file", str(link))
    with pytest.raises(ConfigurationError, match="--output-file: found the input, .*in.jsonl"):
        args.func(args)
    assert source.read_bytes() == GOOD


def test_words_that_the_format_cannot_hold(archives: Dict[str, Path], tmp_path: Path) -> None:
    good, output = '{"tokens": ["Stop"], "pos": ["VB"]}', tmp_path / "out.jsonl"
    bad = '{"tokens": ["a\\tb"], "pos": ["NN"]}'
    message = "in.jsonl:2: the output format 'conllu': found 'a\\\\tb'; expected a value that"
    with pytest.raises(ConfigurationError, match=message):
        predict(archives["deep_biaffine_parser"], tmp_path, line=f"{good}\n{bad}\n{good}")
    assert output.read_text().count("Stop") == 1


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


def test_damaged_weights_of_an_archive(archives: Dict[str, Path], tmp_path: Path) -> None:
    with tarfile.open(archives["lisa"]) as archive:
        archive.extractall(tmp_path, filter="data")
    weights = tmp_path / "weights.th"
    weights.write_bytes(weights.read_bytes()[:2000])
    damaged = tmp_path / "model.tar.gz"
    with tarfile.open(damaged, "w:gz") as archive:
        for name in ("config.json", "vocabulary", "weights.th"):
            archive.add(tmp_path / name, name)
    with pytest.raises(ConfigurationError, match=f"^{damaged}: weights.th: damaged data "):
        predict(damaged, tmp_path)


def test_beta_is_the_supertaggers(archives: Dict[str, Path], tmp_path: Path) -> None:
    assert "candidates" not in predict(archives["ccg_supertagger"], tmp_path)
    answer = predict(archives["ccg_supertagger"], tmp_path, "--beta", "0.01")
    assert [[category for category, _ in word] for word in answer["candidates"]] == [["N"], ["N"]]
    with pytest.raises(
        ConfigurationError, match="beta: found an option that the labeller 'lisa' does"
    ):
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


def test_no_more_processes_than_cores(
    archives: Dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("lisa_allennlp.labelling.processes.available_cores", lambda: 1)
    caplog.set_level("WARNING")
    predict(archives["ccg_supertagger"], tmp_path, "--processes", "100000")
    note = "note: --processes is 100000; using 1, the number of available cores\n"
    assert capsys.readouterr().err == note
    assert not caplog.messages
    labeller = load_labeller(archives["ccg_supertagger"], processes=100_000)
    assert labeller.processes == 1
    assert len(list(labeller.pipe(["Go.", "Stop."], processes=100_000))) == 2
    message = "processes is 100000; using 1, the number of available cores"
    assert caplog.messages == [message] * 2


@pytest.mark.parametrize(
    "options, message",
    [
        (["--processes", "0"], "--processes is 0; expected 1 or more"),
        (["--processes", "2", "--cuda-device", "0"], "--processes is 2; expected 1 with --cuda"),
        (["--predictor-args", '{"max_token": 3}'], "max_token: found an option that the labeller "),
        (["--predictor-args", "{"], "--predictor-args: found '{'; expected JSON"),
        (["--predictor-args", "[]"], "--predictor-args: found '\\[\\]'; expected a JSON object"),
        (["--predictor-args", '{"device": 1}'], "--predictor-args: found `device`; expected it as"),
        (["--predictor-args", '{"language": "x"}'], "language is 'x'; expected one of spaCy's"),
        (["--predictor-args", '{"output_format": []}'], r"output_format is '\[\]'; expected one"),
        (["--batch-size", "0"], "--batch-size is 0; expected 1 or more"),
    ],
)
def test_options_that_cannot_be(
    archives: Dict[str, Path], tmp_path: Path, options: List[str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        predict(archives["lisa"], tmp_path, *options)


def test_half_a_surrogate_pair_is_a_bad_line(archives: Dict[str, Path], tmp_path: Path) -> None:
    line = '{"tokens": ["Stop", "\\ud800"]}'
    for name in ("lisa", "ccg_supertagger"):
        with pytest.raises(ConfigurationError, match="in.jsonl:1: `tokens`: .* expected Unicode"):
            predict(archives[name], tmp_path, line=line)


def test_probabilities_on_request(archives: Dict[str, Path], tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(b'{"tokens": ["She", "left", "him"], "predicates": [1]}')

    def answer(*options: str) -> Dict[str, Any]:
        output.unlink(missing_ok=True)
        files = (str(archives["lisa"]), str(source), "--silent", "--output-file", str(output))
        args = parse(LisaPredict(), *files, *options)
        args.func(args)
        return json.loads(output.read_text())

    plain, full = answer(), answer("--probabilities")
    assert not set(plain) & {"pos_probabilities", "head_probabilities"}
    assert len(full["pos_probabilities"]) == len(full["head_probabilities"]) == 3
    [verb] = full["verbs"]
    assert verb.keys() - plain["verbs"][0].keys() == {"probability", "span_probabilities"}
    assert len(verb["span_probabilities"]) == len(verb["spans"])
    # The scores of the untrained model are so large that its probabilities are 1 otherwise.
    flat = ("-o", '{"model.confidence": {"role_temperature": 1e6}}')
    [few] = answer("--min-probability", "0.5", *flat)["verbs"]
    assert few["spans"] == [["V", 1, 1]] and "probability" not in few
    with pytest.raises(ConfigurationError, match="min_probability is -1.0; expected a number from"):
        answer("--min-probability", "-1")
    with pytest.raises(ConfigurationError, match="--probabilities: found the output_format 'props"):
        answer("--probabilities", "--predictor-args", '{"output_format": "props"}')


@pytest.mark.parametrize(
    "name, options, expected",
    [
        ("in.txt", [], [["Go", "On"]]),
        ("in.txt", ["--input-format", "lines"], [["Go"], ["On"]]),
        ("in", ["--input-format", "text"], [["Go", "On"]]),
    ],
)
def test_plain_text(
    archives: Dict[str, Path], tmp_path: Path, name: str, options: List[str], expected: List
) -> None:
    source, output = tmp_path / name, tmp_path / "out.jsonl"
    source.write_text("Go\n\nOn\n")
    files = [str(archives["ccg_supertagger"]), str(source), "--silent"]
    args = parse(LisaPredict(), *files, "--output-file", str(output), *options)
    args.func(args)
    documents = [json.loads(line) for line in output.read_text().splitlines()]
    found = [[s["words"][0] for s in document["sentences"]] for document in documents]
    assert found == expected


def test_json_is_not_labelled_as_text(archives: Dict[str, Path], tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text('{"tokens": ["Go"]}\n')
    args = parse(LisaPredict(), str(archives["ccg_supertagger"]), str(source))
    with pytest.raises(ConfigurationError, match="in.txt: found JSON in a file .* --input-format"):
        args.func(args)


def test_documents_and_sentences_in_one_file(archives: Dict[str, Path], tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"text": "Go. On.", "id": 1}\n{"sentence": "Go. On."}\n')
    files = [str(archives["ccg_supertagger"]), str(source), "--silent"]
    args = parse(LisaPredict(), *files, "--output-file", str(output))
    args.func(args)
    document, sentence = map(json.loads, output.read_text().splitlines())
    assert (document["id"], document["text"]) == (1, "Go. On.")
    assert [s["offsets"] for s in document["sentences"]] == [[[0, 2], [2, 3]], [[4, 6], [6, 7]]]
    assert sentence["words"] == ["Go", ".", "On", "."]
