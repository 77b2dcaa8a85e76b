"""The predictor, on a model that was trained for a moment on the fixtures."""

import json
from typing import Any

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.models.archival import Archive, load_archive
from allennlp.predictors import Predictor

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.__main__ import main
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.ccg.pipes import parse_pipes
from lisa_allennlp.predictors.sentence_predictor import CcgSupertaggerPredictor
from tests import ROOT

TOKENS = ["Traders", "(", "all", ")", "sold", "bonds", "."]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("ccg") / "trained"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        overrides = json.dumps({"trainer.num_epochs": 3})
        params = Params.from_file(ROOT / "training_configs/ccg/mlp.jsonnet", overrides)
        train_model(params, folder)
        yield folder / "model.tar.gz"


@pytest.fixture(scope="module")
def trained(archive) -> Archive:
    return load_archive(archive)


def load(trained: Archive, **options: Any) -> Predictor:
    return Predictor.from_archive(trained, extra_args=options)


@pytest.mark.medium
def test_it_is_the_models_default_predictor(archive) -> None:
    predictor = Predictor.from_path(archive, beta=0.5)
    assert isinstance(predictor, CcgSupertaggerPredictor)
    assert "candidates" in predictor.predict("Traders fell.")


def test_one_category_a_word(trained) -> None:
    predictor = load(trained)
    output = predictor.predict_tokenized(TOKENS)
    assert list(output) == ["words", "supertags"]
    # The user's own brackets, not the treebank's.
    assert output["words"] == TOKENS and len(output["supertags"]) == len(TOKENS)
    raw = predictor.predict("Traders (all) sold bonds.")
    assert raw.pop("offsets")[1] == [8, 9]
    assert raw == output
    assert json.loads(predictor.dump_line(output)) == output


def test_beta(trained) -> None:
    best = load(trained).predict_tokenized(TOKENS)["supertags"]
    few = load(trained, beta=0.5).predict_tokenized(TOKENS)
    many = load(trained, beta=0.001).predict_tokenized(TOKENS)
    for supertag, some, more in zip(best, few["candidates"], many["candidates"], strict=True):
        assert supertag == some[0][0] == more[0][0]
        assert some == more[: len(some)]
        assert all(p >= 0.001 * more[0][1] for _, p in more)
    assert sum(map(len, many["candidates"])) > sum(map(len, few["candidates"]))
    json.dumps(many)


def test_pipes(trained) -> None:
    predictor = load(trained, output_format="pipes")
    pos = "NNS -LRB- DT -RRB- VBD NNS .".split()
    output = predictor.predict_json({"tokens": TOKENS, "pos": pos})
    line = predictor.dump_line(output)
    (sentence,) = parse_pipes([line], "output")
    assert (sentence.words, sentence.pos) == (TOKENS, pos)
    assert sentence.supertags == output["supertags"]
    assert predictor.dump_line(predictor.predict_tokenized(["Yes"])).startswith("Yes|-|")


def test_multitags(trained) -> None:
    predictor = load(trained, output_format="multitags", beta=0.01)
    output = predictor.predict_json({"tokens": ["Traders", "fell"], "pos": ["NNS", "VBD"]})
    text = predictor.dump_line(output)
    assert text.endswith("\n\n")
    for line, word, tag, ranked in zip(
        text.splitlines(), output["words"], output["pos"], output["candidates"], strict=False
    ):
        columns = line.split("\t")
        assert columns[:3] == [word, tag, str(len(ranked))]
        assert columns[3::2] == [supertag for supertag, _ in ranked]
        assert [float(p) for p in columns[4::2]] == pytest.approx([p for _, p in ranked], rel=1e-5)


def test_empty_sentences(trained) -> None:
    predictor = load(trained, beta=0.1)
    outputs = predictor.predict_batch_json(
        [{"sentence": ""}, {"tokens": ["Yes"]}, {"tokens": []}, {"sentence": " \t"}]
    )
    assert [output["words"] for output in outputs] == [[], ["Yes"], [], []]
    assert [len(output["candidates"]) for output in outputs] == [0, 1, 0, 0]
    assert predictor.predict_batch_json([]) == []


def test_answers_keep_the_order_of_the_input(trained) -> None:
    words = "the board approved a new plan yesterday .".split()
    inputs = [{"tokens": words[: n % 8]} for n in (3, 8, 1, 5, 2, 7, 3)]
    predictor = load(trained, max_tokens=12)
    outputs = predictor.predict_batch_json(inputs)
    assert outputs == [predictor.predict_json(json_dict) for json_dict in inputs]


def test_precision(archive, trained) -> None:
    reduced = load_archive(archive, overrides={"model.precision": "bfloat16"})
    exact = load(trained, beta=0.01).predict_tokenized(TOKENS)["candidates"]
    short = load(reduced, beta=0.01).predict_tokenized(TOKENS)["candidates"]
    assert exact != short
    for ranked, others in zip(exact, short, strict=True):
        assert others[0][1] == pytest.approx(ranked[0][1], abs=0.02)
    with pytest.raises(ConfigurationError, match="precision is 'half'; expected one of float32"):
        load_archive(archive, overrides={"model.precision": "half"})


@pytest.mark.medium
def test_the_flags_of_predict(archive, tmp_path, capsys) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"tokens": TOKENS}) + "\n")
    output = tmp_path / "out.jsonl"
    arguments = ["predict", str(archive), str(lines), "--silent", "--output-file", str(output)]
    assert main([*arguments, "--beta", "0.2", "--precision", "bfloat16"]) == 0
    (answer,) = map(json.loads, output.read_text().splitlines())
    for supertag, ranked in zip(answer["supertags"], answer["candidates"], strict=True):
        assert ranked[0][0] == supertag
        assert all(probability >= 0.2 * ranked[0][1] for _, probability in ranked)


@pytest.mark.medium
@pytest.mark.parametrize(
    "inputs, message",
    [
        (True, "the input: found true; expected raw text, a list of words, or an object"),
        ({}, "expected either `sentence` or `tokens`"),
        ({"sentence": "a", "tokens": ["a"]}, "expected either `sentence` or `tokens`"),
        ({"sentence": 3}, "`sentence`: found 3; expected a string"),
        ({"tokens": "a b"}, '`tokens`: found "a b"; expected a list of non-empty strings'),
        ({"tokens": ["a", ""]}, "expected a list of non-empty strings"),
        (
            {"tokens": ["a"], "pos": ["DT", "NN"]},
            "`pos`: .*; expected a list of non-empty strings with one",
        ),
    ],
)
def test_bad_input(trained, inputs, message) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load(trained).predict_json(inputs)


def test_lines_that_are_not_json(trained) -> None:
    with pytest.raises(ConfigurationError, match="cannot read this input line as JSON"):
        load(trained).load_line("Traders fell .\n")


def test_options_are_checked(trained) -> None:
    with pytest.raises(ConfigurationError, match="output_format is 'xml'; expected one of json"):
        load(trained, output_format="xml")
    with pytest.raises(ConfigurationError, match="beta is 2; expected a number from 0 to 1"):
        load(trained, beta=2)
    predictor = load(trained, output_format="multitags")
    with pytest.raises(ConfigurationError, match="expected the option `beta`"):
        predictor.dump_line(predictor.predict_tokenized(["Yes"]))


@pytest.mark.medium
def test_command_line(archive, tmp_path, monkeypatch) -> None:
    """A corpus in, C&C's lines out."""
    monkeypatch.chdir(ROOT)
    output = tmp_path / "out.pipe"
    arguments = ["predict", str(archive), "fixtures/ccg/AUTO#00", "--use-dataset-reader"]
    arguments += ["--predictor-args", '{"output_format": "pipes"}', "--silent"]
    assert main([*arguments, "--output-file", str(output)]) == 0
    with output.open() as lines:
        sentences = list(parse_pipes(lines, output))
    assert len(sentences) == 13
    assert sentences[0].words[0] == "IBM" and sentences[0].pos[0] == "NNP"
