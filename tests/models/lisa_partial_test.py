"""The loss of sentences that are annotated in part: what is unknown contributes nothing."""

import math
from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pytest
import torch
from allennlp.models import Model

from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.models_on_disk.archives.opening import open_archive
from lisa_allennlp.sentence.roles import split_tag
from lisa_allennlp.sentence.sentence import Parse, Sentence
from tests.models.batches import make_tensors
from tests.sentence.sentences import SAMPLE, in_conll12

WHOLE = [in_conll12(sentence) for sentence in SAMPLE]
SENTENCE = WHOLE[0]

Gradients = Dict[str, torch.Tensor]


@pytest.fixture
def lisa(archives: Dict[str, Any]) -> Model:
    return open_archive(archives["lisa"]).model


def learnt(
    model: Model, sentences: Sequence[Sentence], in_part: bool = True
) -> Tuple[float, Gradients]:
    """The loss of a batch, summed over the tokens, and its gradients."""
    torch.manual_seed(1)
    model.train()
    model.zero_grad()
    output = model(**tensors(model, sentences, in_part))
    loss = output["loss"] * sum(len(sentence) for sentence in sentences)
    loss.backward()
    weights = model.named_parameters()
    return float(loss), {name: w.grad.clone() for name, w in weights if w.grad is not None}


def tensors(model: Model, sentences: Sequence[Sentence], in_part: bool) -> Dict[str, Any]:
    reader = Conll12SrlReader()
    instances = [reader.text_to_instance(sentence, in_part) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return make_tensors(model.vocab, instances)


def corrected(sentence: Sentence = SENTENCE, **corrections: Any) -> Sentence:
    return replace(sentence, extra={"corrections": {"number": 1, **corrections}})


def same(first: Gradients, second: Gradients) -> bool:
    names = first.keys() | second.keys()
    zero = torch.zeros(())
    return all(
        torch.allclose(first.get(n, zero), second.get(n, zero), rtol=1e-4, atol=1e-6) for n in names
    )


def test_a_whole_sentence_teaches_the_same_as_anywhere(lisa: Model) -> None:
    expected, gradients = learnt(lisa, WHOLE, in_part=False)
    for sentences in (WHOLE, [corrected(sentence, accepted=True) for sentence in WHOLE]):
        loss, found = learnt(lisa, sentences)
        assert loss == pytest.approx(expected, rel=1e-5)
        assert same(found, gradients)


def test_a_sentence_of_which_nothing_is_known_changes_nothing(lisa: Model) -> None:
    bare = Sentence(SENTENCE.words)
    for unknown in (corrected(), bare):
        loss, gradients = learnt(lisa, [unknown])
        assert loss == 0.0
        assert same(gradients, {})


def test_the_loss_of_single_corrections_in_closed_form(lisa: Model) -> None:
    corrections: Dict[str, Any] = {
        "heads": {"3": 2, "5": 0},
        "labels": {"0": "det", "3": "obj"},
        "pos": {"1": "NN", "3": "VBD"},
        "predicates": {"3": True, "4": False},
    }
    sentence = corrected(**corrections)
    loss, _ = learnt(lisa, [sentence])
    expected = 0.0
    torch.manual_seed(1)
    batch = tensors(lisa, [sentence], in_part=True)
    encoded = lisa.encode(batch["tokens"], head_indices=batch["head_indices"])
    heads = torch.tensor([SENTENCE.parse.head_indices])  # type: ignore[union-attr]
    # With the frames, so that dropout draws the same numbers.
    scores = lisa.score(encoded, heads, batch["frames"], [sentence])
    arcs = scores.arc_scores[0].log_softmax(-1)
    expected -= float(arcs[3, 1] + arcs[5, 5])
    relations = scores.head_tag_logits[0].log_softmax(-1)
    names = lisa.vocab.get_token_to_index_vocabulary("head_tags")
    expected -= 0.1 * float(relations[0, names["det"]] + relations[3, names["obj"]])
    joint = lisa.vocab.get_token_to_index_vocabulary("joint_tags")

    def nats(token: int, pos: Optional[str], is_predicate: Optional[bool]) -> float:
        chances = scores.joint_logits[0, token].softmax(-1).tolist()
        right = [
            chances[number]
            for name, number in joint.items()
            if pos in (None, split_tag(name)[0]) and is_predicate in (None, split_tag(name)[1])
        ]
        return -math.log(sum(right))

    expected += nats(1, "NN", None) + nats(3, "VBD", True) + nats(4, None, False)
    assert loss == pytest.approx(expected, rel=1e-4)


def test_what_nobody_set_may_be_anything(lisa: Model) -> None:
    corrections = {"heads": {"3": 2}, "labels": {"0": "det"}, "predicates": {"3": True}}
    expected = learnt(lisa, [corrected(**corrections), WHOLE[1]])
    parse = SENTENCE.parse
    assert parse is not None
    other_heads = [1, *[8] * (len(SENTENCE) - 1)]
    others: List[Sentence] = [
        replace(SENTENCE, parse=Parse(other_heads, ["dep"] * len(SENTENCE))),
        replace(SENTENCE, frames=[], pos=["NN"] * len(SENTENCE)),
    ]
    for other in others:
        loss, gradients = learnt(lisa, [corrected(other, **corrections), WHOLE[1]])
        assert loss == pytest.approx(expected[0], rel=1e-6)
        assert same(gradients, expected[1])


@pytest.mark.parametrize("part", ["pos", "frames", "parse"])
def test_a_corpus_without_a_part(lisa: Model, part: str) -> None:
    """A treebank without roles, for example: its trees and tags are learnt."""
    without = [replace(sentence, **{part: None}) for sentence in WHOLE]
    loss, gradients = learnt(lisa, without)
    assert math.isfinite(loss) and loss > 0
    touched = {name for name, gradient in gradients.items() if gradient.any()}
    of_part = {"pos": "_joint_tagger", "frames": "_role_scorer", "parse": "_head_tagger"}
    is_touched = any(name.startswith(of_part[part]) for name in touched)
    # Without tags, whether words are predicates is still known.
    assert is_touched == (part == "pos")
