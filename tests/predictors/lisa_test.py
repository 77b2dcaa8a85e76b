"""The predictor, on a model that was trained for a moment on the sample."""

import copy
import json
from pathlib import Path
from typing import Any, Dict, List, Sequence

import pytest
import spacy
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.predictors import Predictor

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.nn import attention, distinct_words, padded_tokens
from lisa_allennlp.nn.precision import Precision
from lisa_allennlp.predictors.sentence_predictor import LisaPredictor
from tests import ROOT
from tests.labelling.parse_sources.spacy_test import attach_to_capital  # noqa: F401
from tests.models.lisa_test import SMALL, read_sample
from tests.nn.precision_test import ConversionsOf

KEYS = [
    "words",
    "pos",
    "predicted_heads",
    "predicted_dependencies",
    "predicates",
    "predicate_probabilities",
    "verbs",
]
SENTENCES = [
    {"sentence": "The dog that she saw chased him, didn't it?"},
    {"tokens": ["Good", "morning", "!"]},
    {"tokens": ["Stop"]},
    {"sentence": ""},
    {"tokens": []},
    {"sentence": "   \t "},
    {"tokens": ["They", "(", "all", ")", "left", "."], "predicates": [4]},
    {"tokens": ["She", "left", "."], "head_indices": [2, 0, 2]},
    {"tokens": ["She", "left"], "head_indices": [2, 0], "head_tags": ["subject", "top"]},
    {"tokens": ["日本", "🙂", "naïve"], "predicates": []},
]

SOME_WEIGHT = "_encoder._layers.0._feedforward.0.weight"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("lisa")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        train_model(
            Params.from_file(ROOT / "training_configs/lisa_small.jsonnet", json.dumps(SMALL)),
            folder / "trained",
        )
        yield folder / "trained" / "model.tar.gz"


@pytest.fixture(scope="module")
def predictor(archive) -> Predictor:
    return Predictor.from_path(archive, "lisa")


@pytest.mark.medium
def test_what_makes_it_fast_changes_no_answer(
    predictor: Predictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    All sentences at once without padding, against one at a time with PyTorch's attention and
    operators.
    """
    inputs = [
        {"tokens": s.words, "predicates": [frame.predicate for frame in s.frames or []]}
        for s in read_sample()
    ]
    fast = predictor.predict_batch_json(inputs)
    assert any(answer["verbs"] for answer in fast)

    for module in (attention, distinct_words, padded_tokens):
        monkeypatch.setattr(module, "is_on_cpu", lambda tensor: False)
    for quick, item in zip(fast, inputs, strict=True):
        slow = predictor.predict_json(item)
        probabilities = quick.pop("predicate_probabilities")
        assert probabilities == pytest.approx(slow.pop("predicate_probabilities"), abs=1e-5)
        assert quick == slow


def test_batches_share_weights_in_reduced_precision(
    predictor: Predictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "The dog that she saw chased him .".split()
    inputs = [{"tokens": [*words, str(number)]} for number in range(100)]
    monkeypatch.setattr(predictor._model, "_precision", Precision("bfloat16"))
    monkeypatch.setattr(predictor.engine, "_max_tokens", 50 * len(inputs[0]["tokens"]))
    first, second = inputs[:50], inputs[50:]
    expected = predictor.predict_batch_json(first) + predictor.predict_batch_json(second)
    with ConversionsOf(dict(predictor._model.named_parameters())[SOME_WEIGHT]) as conversions:
        assert predictor.predict_batch_json(inputs) == expected
    assert conversions.number == 1


@pytest.mark.medium
def test_it_is_the_models_default_predictor(archive) -> None:
    assert isinstance(Predictor.from_path(archive), LisaPredictor)


@pytest.mark.parametrize("inputs", SENTENCES, ids=json.dumps)
def test_every_answer_is_complete(predictor: Predictor, inputs: Dict[str, Any]) -> None:
    output = predictor.predict_json(inputs)
    assert list(output)[: len(KEYS)] == KEYS
    assert ("offsets" in output) == ("sentence" in inputs)
    words = output["words"]
    for key in ("pos", "predicted_heads", "predicted_dependencies", "predicate_probabilities"):
        assert len(output[key]) == len(words)
    assert all(0 <= head <= len(words) for head in output["predicted_heads"])
    assert [verb["index"] for verb in output["verbs"]] == output["predicates"]
    for verb in output["verbs"]:
        assert verb["verb"] == words[verb["index"]]
        assert len(verb["tags"]) == len(words)
        for role, first, last in verb["spans"]:
            assert verb["tags"][first] == f"B-{role}"
            assert f"[{role}: {' '.join(words[first : last + 1])}]" in verb["description"]
    json.loads(predictor.dump_line(output))


def test_raw_text_is_tokenised_as_treebanks_do(predictor: Predictor) -> None:
    output = predictor.predict("She didn't (really) know.")  # type: ignore[attr-defined]
    assert output["words"] == ["She", "did", "n't", "(", "really", ")", "know", "."]


def test_batched_equals_one_by_one(predictor: Predictor) -> None:
    batched = predictor.predict_batch_json(SENTENCES)
    for inputs, together in zip(SENTENCES, batched, strict=True):
        alone = predictor.predict_json(inputs)
        assert together.pop("predicate_probabilities") == pytest.approx(
            alone.pop("predicate_probabilities"), abs=1e-5
        )
        assert together == alone


def test_given_annotation_is_kept(predictor: Predictor) -> None:
    output = predictor.predict_json(
        {
            "tokens": ["He", "saw", "cats"],
            "head_indices": [2, 0, 2],
            "head_tags": ["a", "b", "c"],
            "predicates": [0, 2],
        }
    )
    assert output["predicted_heads"] == [2, 0, 2]
    assert output["predicted_dependencies"] == ["a", "b", "c"]
    assert output["predicates"] == [0, 2]


def test_injecting_the_models_own_tags_changes_no_words(predictor: Predictor) -> None:
    own = predictor.predict_json({"tokens": ["He", "saw", "them", "yesterday"]})
    assert own["words"] == ["He", "saw", "them", "yesterday"]


@pytest.mark.parametrize(
    "inputs, message",
    [
        (3, "the input: found 3; expected raw text, a list of words, or an object with"),
        ({}, "expected either `sentence` or `tokens`"),
        ({"sentence": "a", "tokens": ["a"]}, "expected either `sentence` or `tokens`"),
        ({"sentence": 3}, "`sentence`: found 3; expected a string"),
        ({"tokens": ["a", ""]}, "expected a list of non-empty strings"),
        ({"tokens": "a b"}, "expected a list of non-empty strings"),
        (
            {"tokens": ["a", "b"], "head_indices": [0]},
            "a list of integers with one item for each of the 2 tokens",
        ),
        (
            {"tokens": ["a", "b"], "head_indices": [0, 3]},
            r"`head_indices` at token 2 \('b'\): found 3; expected 0 for the root",
        ),
        ({"tokens": ["a", "b"], "head_indices": [0, 2]}, "found 2; expected 0 for the root"),
        ({"tokens": ["a"], "head_indices": [True]}, "a list of integers"),
        ({"tokens": ["a"], "head_tags": ["x"]}, "expected `head_indices` as well"),
        ({"tokens": ["a"], "predicates": [1]}, "`predicates`: found 1; expected 0-based"),
    ],
)
def test_bad_input_is_explained(predictor: Predictor, inputs: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        predictor.predict_json(inputs)


class RootOnLeft(ParseSource):
    """Attaches every word to the first one, and remembers what it was given."""

    def __init__(self) -> None:
        self.seen: List[List[str]] = []

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        self.seen += [sentence.words for sentence in sentences]
        return [[0] * len(sentence.words) for sentence in sentences]


@pytest.mark.medium
def test_another_parser_gives_the_trees_that_are_missing(archive) -> None:
    parser = RootOnLeft()
    predictor = Predictor.from_path(archive, "lisa", parser=parser)
    inputs: List[Dict[str, Any]] = [
        {"sentence": "She left (early)."},
        {"tokens": ["She", "left"], "head_indices": [2, 0]},
        {"tokens": []},
        {"tokens": ["-LRB-", "so"]},
    ]
    answers = predictor.predict_batch_json(inputs)
    assert parser.seen == [["She", "left", "(", "early", ")", "."], ["(", "so"]]
    assert [answer["predicted_heads"] for answer in answers] == [
        [0, 1, 1, 1, 1, 1],
        [2, 0],
        [],
        [0, 1],
    ]
    # As when the tree is part of the input.
    own = Predictor.from_path(archive, "lisa")
    for given, answer in zip(inputs, answers, strict=True):
        expected = own.predict_json({**given, "head_indices": answer["predicted_heads"]})
        probabilities = expected.pop("predicate_probabilities")
        assert answer.pop("predicate_probabilities") == pytest.approx(probabilities, abs=1e-5)
        assert answer == expected


@pytest.mark.medium
def test_another_parser_gives_trees_to_sentences_of_a_corpus(archive) -> None:
    predictor = Predictor.from_path(archive, "lisa", parser=RootOnLeft())
    instances = list(predictor._dataset_reader.read(ROOT / "fixtures/sample/dev.gold_conll"))[:3]
    for answer in predictor.predict_batch_instance(instances):
        assert answer["predicted_heads"] == [0] + [1] * (len(answer["words"]) - 1)


@pytest.mark.medium
def test_another_parser_can_be_described(archive, tmp_path: Path) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("attach_to_capital")
    pipeline.to_disk(tmp_path / "parser")
    description = {"type": "spacy", "model": str(tmp_path / "parser")}
    predictor = Predictor.from_path(archive, "lisa", parser=description)
    answer = predictor.predict_json({"tokens": "we saw Mr. X .".split()})
    assert answer["predicted_heads"] == [3, 3, 0, 3, 3]
    assert list(description) == ["type", "model"]


@pytest.mark.medium
@pytest.mark.parametrize(
    "parser, message",
    [
        ({"type": "sppacy"}, "sppacy"),
        ({"model": "en"}, "type"),
        (
            ["spacy"],
            '`parser`: found \\["spacy"\\]; expected a trained parser, or an object with a type',
        ),
        ("spacy", "parser: found no such file or folder, 'spacy'; expected a trained parser"),
        ({"type": "archive", "path": "no.tar.gz"}, "parser: found no such file .*'no.tar.gz'"),
    ],
)
def test_a_parser_that_is_described_badly_is_refused(archive, parser: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Predictor.from_path(archive, "lisa", parser=parser)


def syntax_free(predictor: Predictor) -> Any:
    """What a predictor asks of a model without syntax before it predicts."""
    model: Any = copy.deepcopy(predictor._model)
    model._head_tagger = None
    return model


def test_a_model_without_syntax_takes_no_parser(predictor: LisaPredictor) -> None:
    with pytest.raises(ConfigurationError, match="parser: found a model without a syntactic head"):
        LisaPredictor(syntax_free(predictor), predictor._dataset_reader, parser=RootOnLeft())


def test_a_model_without_syntax_takes_no_tree(predictor: LisaPredictor) -> None:
    of_sa = LisaPredictor(syntax_free(predictor), predictor._dataset_reader)
    with pytest.raises(
        ConfigurationError, match=r"`head_indices`: found \[2, 0\]; expected no tree"
    ):
        of_sa.predict_json({"tokens": ["She", "left"], "head_indices": [2, 0]})


def test_a_line_that_is_not_json_is_quoted(predictor: Predictor) -> None:
    with pytest.raises(ConfigurationError, match="cannot read this input line as JSON.*She saw"):
        predictor.load_line("She saw him .")


def test_sentences_of_a_corpus_can_be_labelled(predictor: Predictor) -> None:
    reader = predictor._dataset_reader
    path = ROOT / "fixtures" / "sample" / "dev.gold_conll"
    instances = list(reader.read(path))[:4]
    for instance, output in zip(
        instances, predictor.predict_batch_instance(instances), strict=True
    ):
        assert output["words"] == instance["metadata"]["sentence"].words  # type: ignore[index]


@pytest.mark.medium
@pytest.mark.parametrize("max_tokens", [1, 7, 20, 2000])
def test_batches_change_neither_the_answers_nor_their_order(archive, max_tokens: int) -> None:
    words = "The dog that she saw chased him .".split()
    inputs = [{"tokens": words[:length]} for length in (3, 8, 0, 1, 5, 8, 2, 1)]
    predictor = Predictor.from_path(archive, "lisa", max_tokens=max_tokens)
    alone = [predictor.predict_json(item) for item in inputs]
    for answer, expected in zip(predictor.predict_batch_json(inputs), alone, strict=True):
        probabilities = answer.pop("predicate_probabilities")
        assert probabilities == pytest.approx(expected.pop("predicate_probabilities"), abs=1e-5)
        assert answer == expected


def test_answers_are_plain_json(predictor: Predictor) -> None:
    answer = predictor.predict_json({"tokens": ["She", "left", "."], "predicates": [1]})
    assert json.loads(json.dumps(answer)) == answer
