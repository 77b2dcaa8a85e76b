import copy
import dataclasses
from typing import Any, Dict, Iterable, List

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Instance, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.models.engines import LisaEngine
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.sentence.sentence import Sentence
from tests import FIXTURES
from tests.models.batches import make_instances, make_tensors

READER = Conll12SrlReader(senses=True)
SENTENCES = list(READER.read_sentences(FIXTURES / "sample" / "dev.gold_conll"))[:8]
CONFIG: Dict[str, Any] = {
    "type": "lisa",
    "text_field_embedder": {
        "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}
    },
    "encoder": {
        "type": "syntactically_informed_self_attention",
        "num_layers": 2,
        "num_heads": 2,
        "predicate_layer": 1,
        "parse_layer": 2,
    },
}


def make_senses(sentences: Iterable[Sentence], senses: bool = True) -> List[Instance]:
    return make_instances(Conll12SrlReader(senses=senses), sentences)


def make_lisa(instances: List[Instance], **options: Any) -> Lisa:
    torch.manual_seed(0)
    vocab = Vocabulary.from_instances(instances)
    model = Model.from_params(Params(copy.deepcopy({**CONFIG, **options})), vocab=vocab)
    assert isinstance(model, Lisa)
    return model


def without_senses(sentence: Sentence) -> Sentence:
    frames = [dataclasses.replace(frame, lemma="-", sense="-") for frame in sentence.frames or []]
    return dataclasses.replace(sentence, frames=frames)


@pytest.fixture(scope="module")
def trained() -> Lisa:
    """A model that has learned the senses of its eight sentences, and nothing else."""
    instances = make_senses(SENTENCES)
    options = {"sense_tagger": {"dropout": 0.0}, "sense_loss_weight": 1.0}
    # Every token is a predicate.
    model = make_lisa(instances, predicate_threshold=0.0, **options)
    inputs = make_tensors(model.vocab, instances)
    optimizer = torch.optim.Adam(model._sense_tagger.parameters(), lr=0.3)
    for _ in range(40):
        optimizer.zero_grad()
        model(**inputs)["loss"].backward()
        optimizer.step()
    return model.eval()


def senses(sentences: Iterable[Any]) -> List[List[Any]]:
    return [[(f.predicate, f.lemma, f.sense) for f in s.frames or []] for s in sentences]


@pytest.mark.medium
def test_rolesets_are_learned_and_measured(trained: Lisa) -> None:
    labeller = LisaLabeller(LisaEngine(trained, READER))
    requests = [{"tokens": s.words, "predicates": s.predicates} for s in SENTENCES]
    assert senses(labeller.pipe(requests)) == senses(SENTENCES)
    trained.get_metrics(reset=True)
    answers = trained(**make_tensors(trained.vocab, make_senses(SENTENCES)))["sentences"]
    metrics = trained.get_metrics(reset=True)
    # Every token is a predicate here, whose sense depends on its predicted part of speech.
    found = [set(frames) for frames in senses(answers)]
    gold = [(n, frame) for n, frames in enumerate(senses(SENTENCES)) for frame in frames]
    right = [frame in found[n] for n, frame in gold]
    assert metrics["sense_accuracy"] == pytest.approx(100 * sum(right) / len(right))
    assert metrics["sense_loss"] >= 0


def test_frames_need_senses(monkeypatch: pytest.MonkeyPatch) -> None:
    lisa = make_lisa(make_senses(SENTENCES)).eval()
    with pytest.raises(ConfigurationError, match="frames: found a model that predicts no senses"):
        LisaLabeller(LisaEngine(lisa, READER), frames=FIXTURES / "frames")
    # The environment may have frames for other models.
    monkeypatch.setenv("LISA_FRAMES", str(FIXTURES / "frames"))
    assert LisaLabeller(LisaEngine(lisa, READER))(SENTENCES[0].words).frames is not None


def test_a_corpus_without_senses_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="found no roleset in the vocabulary; expected"):
        make_lisa(make_senses(SENTENCES, senses=False), sense_tagger={})
    model = make_lisa(make_senses(SENTENCES), sense_tagger={})
    with pytest.raises(ConfigurationError, match=r"missing: senses \(set the reader's option sen"):
        model(**make_tensors(model.vocab, make_senses(SENTENCES, senses=False)))


def test_sentences_without_senses_train_the_other_tasks_only() -> None:
    model = make_lisa(make_senses(SENTENCES), sense_tagger={})
    bare = make_senses(map(without_senses, SENTENCES))
    loss = model(**make_tensors(model.vocab, bare))["loss"]
    assert model.get_metrics(reset=True)["sense_loss"] == 0
    loss.backward()
    assert not any(p.grad is not None and p.grad.any() for p in model._sense_tagger.parameters())
    mixed = make_senses([without_senses(SENTENCES[0]), *SENTENCES[1:]])
    model(**make_tensors(model.vocab, mixed))
    assert model.get_metrics()["sense_loss"] > 0
