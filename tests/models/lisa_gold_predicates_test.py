"""The setting with gold predicates: what is scored, and what the predictor makes of it."""

from typing import Any, Dict, Iterable, List, Tuple

import pytest
import torch
from allennlp.data import Instance
from allennlp.models import Model
from allennlp.predictors import Predictor

import lisa_allennlp
import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.labelling.groups import InputError
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.metrics import DependencyScore, PosAccuracy
from tests.inference.model_test import Parts, random_archive
from tests.models.batches import make_tensors
from tests.models.lisa_test import read_sample
from tests.training.metrics_test import as_printed, srl_eval

pytestmark = pytest.mark.medium


@pytest.fixture(scope="module")
def predictor(tmp_path_factory: pytest.TempPathFactory) -> Predictor:
    """Of a model that was not trained."""
    parts = Parts("authors", "shallow_biaffine", "greedy", 3, factuality_loss_weight=None)
    folder = tmp_path_factory.mktemp("gold_predicates")
    return Predictor.from_path(str(random_archive(folder, 29, parts)))


def make_batch(predictor: Predictor, instances: Iterable[Instance]) -> Dict[str, Any]:
    instances = list(instances)
    for instance in instances:
        predictor._dataset_reader.apply_token_indexers(instance)
    return make_tensors(predictor._model.vocab, instances)


def noisy_scores(model: Model, roles: torch.Tensor) -> torch.Tensor:
    """Scores of shape `(num_frames, length, num_roles)` by which most roles are the gold ones."""
    num_roles = model.vocab.get_vocab_size("role_labels")
    is_gold = torch.nn.functional.one_hot(roles.clamp(min=0), num_roles)
    return 3 * is_gold + torch.randn(is_gold.shape)


@torch.no_grad()
def label(
    predictor: Predictor, gold: List[Sentence], monkeypatch: pytest.MonkeyPatch
) -> Tuple[List[Sentence], Dict[str, float]]:
    """
    The readings of all sentences merged, and the model's own scores of them. It has not been
    trained, so its scores of roles are replaced.
    """
    torch.manual_seed(3)
    model, reader = predictor._model, Conll12SrlReader(senses=True)
    readings = [list(reader.by_predicate(sentence)) for sentence in gold]
    instances = [instance for group in readings for instance in group]
    model.get_metrics(reset=True)
    labelled: List[Sentence] = []
    for start in range(0, len(instances), 7):
        batch = make_batch(predictor, instances[start : start + 7])
        scores = noisy_scores(model, batch["frames"]["roles"])
        monkeypatch.setattr(model._role_scorer, "forward", lambda *_, scores=scores: scores)
        labelled += model(**batch)["sentences"]
    merged = []
    for group in readings:
        parts, labelled = labelled[: len(group)], labelled[len(group) :]
        frames = [frame for part in parts for frame in part.frames or []]
        merged.append(Sentence(parts[0].words, parts[0].pos, frames, parts[0].parse))
    return merged, model.get_metrics(reset=True)


def test_scores_are_those_of_whole_sentences(
    predictor: Predictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = read_sample()[:60]
    assert any(len(s.frames or []) > 1 for s in gold) and any(not s.frames for s in gold)
    merged, scores = label(predictor, gold, monkeypatch)
    for found, wanted in zip(merged, gold, strict=True):
        assert [f.predicate for f in found.frames or []] == [f.predicate for f in wanted.frames]
    official = as_printed(scores["srl_precision"], scores["srl_recall"], scores["srl_f1"])
    assert official == srl_eval(merged, gold)
    assert 20 < scores["srl_f1"] < 80
    assert scores["srl_f1"] == scores["srl_f1_strict"]
    # Tags and trees of each sentence once, also of those without a predicate.
    for metric in (PosAccuracy(), DependencyScore()):
        metric(merged, gold)
        for name, value in metric.get_metric().items():
            assert scores[name] == value
    assert not any(name.startswith("predicate_") for name in scores)


def test_an_answer_has_the_frames_of_all_readings(predictor: Predictor) -> None:
    tokens = "The senator who left saw him".split()
    together = predictor.predict_json({"tokens": tokens, "predicates": [4, 3]})
    apart = [predictor.predict_json({"tokens": tokens, "predicates": [p]}) for p in (3, 4)]
    assert together["predicates"] == [3, 4]
    assert together["verbs"] == [answer["verbs"][0] for answer in apart]
    for key in ("words", "pos", "predicted_heads", "predicted_dependencies"):
        assert together[key] == apart[0][key]
    own = next(tag[2:] for tag in together["verbs"][0]["tags"] if tag not in ("O", "B-V"))
    given = {"tokens": tokens, "given_roles": [{"index": 4, "spans": [[own, 0, 0]]}]}
    changed = predictor.predict_json({**given, "predicates": [3, 4]})
    assert changed["verbs"][0] == together["verbs"][0]
    assert [own, 0, 0] in changed["verbs"][1]["spans"]
    with pytest.raises(InputError, match="expected also `predicates`"):
        predictor.predict_json(given)


def test_reader_and_model_have_to_agree(predictor: Predictor) -> None:
    whole = make_batch(predictor, [Conll12SrlReader().text_to_instance(read_sample()[0])])
    with pytest.raises(ConfigurationError, match="per_instance: found False; expected True"):
        predictor._model(**whole)


@torch.no_grad()
def test_the_network_sees_which_predicate_it_is(predictor: Predictor) -> None:
    model = predictor._model
    batch = make_batch(predictor, Conll12SrlReader().by_predicate(read_sample()[0]))
    other = {**batch, "predicate_indicator": 1 - batch["predicate_indicator"]}
    assert model(**batch)["loss"] != model(**other)["loss"]
