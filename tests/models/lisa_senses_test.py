"""LISA with a sense tagger."""

import copy
import dataclasses
from typing import Any, Dict, Iterable, List, cast

import pytest
import torch
from allennlp.common import Params
from allennlp.data import Batch, Instance, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.fields import FramesField
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.predictors.engines import LisaEngine
from tests import FIXTURES

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


def make_instances(sentences: Iterable[Sentence], senses: bool = True) -> List[Instance]:
    reader = Conll12SrlReader(senses=senses)
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return instances


def make_lisa(instances: List[Instance], **options: Any) -> Lisa:
    torch.manual_seed(0)
    vocab = Vocabulary.from_instances(instances)
    model = Model.from_params(Params(copy.deepcopy({**CONFIG, **options})), vocab=vocab)
    assert isinstance(model, Lisa)
    return model


def tensors(instances: List[Instance], model: Lisa) -> Dict[str, Any]:
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    return batch.as_tensor_dict()


def without_senses(sentence: Sentence) -> Sentence:
    frames = [dataclasses.replace(frame, lemma="-", sense="-") for frame in sentence.frames or []]
    return dataclasses.replace(sentence, frames=frames)


@pytest.fixture(scope="module")
def trained() -> Lisa:
    """A model that has learned the senses of its eight sentences, and nothing else."""
    instances = make_instances(SENTENCES)
    options = {"sense_tagger": {"dropout": 0.0}, "sense_loss_weight": 1.0}
    # Every token is a predicate.
    model = make_lisa(instances, predicate_threshold=0.0, **options)
    inputs = tensors(instances, model)
    optimizer = torch.optim.Adam(model._sense_tagger.parameters(), lr=0.3)
    for _ in range(20):
        optimizer.zero_grad()
        model(**inputs)["loss"].backward()
        optimizer.step()
    return model.eval()


@pytest.mark.medium
def test_rolesets_are_learned_and_measured(trained: Lisa) -> None:
    instances = make_instances(SENTENCES)
    gold = [[frame.predicate for frame in sentence.frames or []] for sentence in SENTENCES]
    engine = LisaEngine(trained, READER)
    labeller = LisaLabeller(engine)
    answers = labeller.label([engine.request(instance) for instance in instances])
    given = labeller.pipe(
        {"tokens": sentence.words, "predicates": predicates}
        for sentence, predicates in zip(SENTENCES, gold, strict=True)
    )
    for sentence, answer in zip(SENTENCES, given, strict=True):
        assert isinstance(answer, Sentence)
        assert [(f.lemma, f.sense) for f in answer.frames or []] == [
            (f.lemma, f.sense) for f in sentence.frames or []
        ]
    trained.get_metrics(reset=True)
    trained(**tensors(instances, trained))
    metrics = trained.get_metrics(reset=True)
    found = {
        (place, frame.predicate): frame.sense
        for place, answer in enumerate(answers)
        for frame in answer.frames or []
    }
    right = [
        found[place, frame.predicate] == frame.sense
        for place, sentence in enumerate(SENTENCES)
        for frame in sentence.frames or []
        if (place, frame.predicate) in found
    ]
    assert metrics["sense_accuracy"] == pytest.approx(100 * sum(right) / len(right))
    assert metrics["sense_loss"] > 0


@pytest.mark.medium
def test_unseen_words_and_glosses(trained: Lisa) -> None:
    labeller = LisaLabeller(LisaEngine(trained, READER), frames=FIXTURES / "frames")
    words = ["Litigation", "blorks", "quickly"]
    (first, second) = labeller({"tokens": words, "predicates": [0, 1]}).frames or []
    # The untrained tagger of parts of speech may call it a noun or a verb.
    assert first.sense == "litigate.01" and first.gloss == "go to court"
    assert second.sense.startswith("blork") and second.sense.endswith(".01")
    assert second.gloss is None and second.role_glosses == {}


def test_senses_and_probabilities_together(trained: Lisa) -> None:
    plain, probable = (
        LisaLabeller(LisaEngine(trained, READER), probabilities=wanted)(SENTENCES[0].words)
        for wanted in (False, True)
    )
    assert plain.frames and plain.frames[0].sense != "-"
    for ours, other in zip(probable.frames or [], plain.frames, strict=True):
        assert (ours.lemma, ours.sense, ours.tags) == (other.lemma, other.sense, other.tags)
        assert ours.probability is not None and other.probability is None
        assert len(ours.span_probabilities or []) == len(ours.roles)


def test_frames_need_senses(monkeypatch: pytest.MonkeyPatch) -> None:
    lisa = make_lisa(make_instances(SENTENCES)).eval()
    with pytest.raises(ConfigurationError, match="frames: found a model that predicts no senses"):
        LisaLabeller(LisaEngine(lisa, READER), frames=FIXTURES / "frames")
    # The environment may have frames for other models.
    monkeypatch.setenv("LISA_FRAMES", str(FIXTURES / "frames"))
    assert LisaLabeller(LisaEngine(lisa, READER))(SENTENCES[0].words).frames is not None


def test_a_model_without_a_tagger_stays_as_it_is() -> None:
    plain = make_lisa(make_instances(SENTENCES, senses=False))
    assert not [name for name in plain.vocab.get_namespaces() if "sense" in name]
    tagged = make_lisa(make_instances(SENTENCES), sense_tagger={})
    added = set(tagged.state_dict()) - set(plain.state_dict())
    assert added and all(name.startswith("_sense_tagger.") for name in added)
    assert set(plain.state_dict()) < set(tagged.state_dict())
    answers = plain.eval().label(**tensors(make_instances(SENTENCES), plain))
    assert {frame.sense for answer in answers for frame in answer.frames or []} <= {"-"}


def test_a_corpus_without_senses_is_refused() -> None:
    bare = make_instances(map(without_senses, SENTENCES))
    for instances in (bare, make_instances(SENTENCES, senses=False)):
        with pytest.raises(
            ConfigurationError, match="found no roleset in the vocabulary; expected"
        ):
            make_lisa(instances, sense_tagger={})
    model = make_lisa(make_instances(SENTENCES), sense_tagger={})
    with pytest.raises(
        ConfigurationError, match=r"missing: senses \(set the reader's option senses"
    ):
        model(**tensors(make_instances(SENTENCES, senses=False), model))


def test_sentences_without_senses_train_the_other_tasks_only() -> None:
    model = make_lisa(make_instances(SENTENCES), sense_tagger={})
    bare = make_instances(map(without_senses, SENTENCES))
    loss = model(**tensors(bare, model))["loss"]
    assert model.get_metrics(reset=True)["sense_loss"] == 0
    loss.backward()
    assert not any(p.grad is not None and p.grad.any() for p in model._sense_tagger.parameters())
    mixed = make_instances([without_senses(SENTENCES[0]), *SENTENCES[1:]])
    model(**tensors(mixed, model))
    assert model.get_metrics()["sense_loss"] > 0


def test_a_sentence_without_predicates() -> None:
    model = make_lisa(make_instances(SENTENCES), sense_tagger={})
    sentence = Sentence(["Hm", "."], ["UH", "."], [], SENTENCES[0].parse)
    sentence = dataclasses.replace(sentence, parse=None)
    model.eval()(**tensors(make_instances([sentence]), model))
    assert (
        LisaLabeller(LisaEngine(model, READER))({"tokens": ["Hm"], "predicates": []}).frames == []
    )


def test_the_vocabulary_has_the_rolesets_of_each_form() -> None:
    sentence = Sentence(
        ["Sold", "out"], ["VBD", "RP"], [Frame(0, ["B-V", "O"], "sell_out", "sell_out.02")]
    )
    vocab = Vocabulary.from_instances(make_instances([sentence]))
    assert vocab.get_token_to_index_vocabulary("sense_labels") == {"sell_out.02": 0}
    assert vocab.get_token_to_index_vocabulary("form_sense_labels") == {"sold sell_out.02": 0}


def test_every_instance_of_a_sentence_has_the_sense_of_its_own_frame() -> None:
    sentence = next(s for s in SENTENCES if len(s.frames or []) > 1)
    instances = list(READER.by_predicate(sentence))
    vocab = Vocabulary.from_instances(make_instances([sentence]))
    frames = [cast(FramesField, instance["frames"]) for instance in instances]
    for field in frames:
        field.index(vocab)
    senses = [field.as_tensor({"num_tokens": 1})["senses"].tolist() for field in frames]
    names = vocab.get_index_to_token_vocabulary("sense_labels")
    assert [[names[sense] for sense in of_frame] for of_frame in senses] == [
        [frame.sense] for frame in sentence.frames or []
    ]
