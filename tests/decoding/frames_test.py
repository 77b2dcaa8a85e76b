"""The steps in which frames are decoded, each by itself."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, List, Optional, Sequence

import numpy
import pytest

from lisa_allennlp.decoding.frames import (
    Frames,
    Sense,
    Tokens,
    choose_senses,
    leave_out,
    score_senses,
)
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.sentence.sentence import GivenFrame, Parse, Sentence

WORDS = "Ann sold cars".split()
TAGS = "NNP VBD NNS".split()
ROLES = ["O", "B-V", "B-ARG0", "I-ARG0", "B-C-ARG0", "B-ARGM-TMP"]
SENSES = {
    "sense_labels": ["sell.01", "sell.03"],
    "form_sense_labels": ["sold sell.01"],
}


def make_tokens(
    names: LabelNames,
    words: Sequence[str],
    tags: Sequence[str],
    parse: Optional[Parse],
    **parts: Any,
) -> Tokens:
    """One sentence with these best tags; `parts` are those of an `EncodedBatch`."""
    encoded: Any = SimpleNamespace(lengths=numpy.array([len(words)]), **parts)
    sources, shares = [Sentence(list(words))], numpy.full((1, len(words)), 0.5)
    return Tokens(names, encoded, sources, LabelOptions(), [[*tags]], [parse], shares, shares)


def make_frames(
    logits: numpy.ndarray,
    labels: Optional[Sequence[str]] = None,
    roles: Sequence[str] = ROLES,
    words: Sequence[str] = WORDS,
    tags: Sequence[str] = TAGS,
    parse: Optional[Parse] = None,
    predicate: int = 1,
    given: Sequence[GivenFrame] = (),
    **changes: Any,
) -> Frames:
    """Frames of one predicate, with these logits and, if there are some, labels."""
    labels_of = {"joint_tags": list(dict.fromkeys(tags)), "role_labels": roles, **SENSES}
    names = LabelNames(labels_of, changes.pop("lexicon", None))
    scores = changes.pop("scores", None)
    tokens = make_tokens(
        names,
        words,
        tags,
        parse,
        score_roles=lambda *_: logits,
        factuality_logits=None,
        score_senses=lambda sentences, predicates, candidates: numpy.array(scores),
    )
    number, frames = numpy.zeros(len(logits), int), list(given) or [{}] * len(logits)
    begun = Frames.begin(tokens, number, number + predicate, frames)
    if labels is not None:
        changes["labels"] = numpy.array([[roles.index(label) for label in labels]] * len(logits))
    return replace(begun, **changes)


def logits(*best: str) -> numpy.ndarray:
    """Those of one frame in which these labels are by 2 more probable."""
    return 2.0 * numpy.array([[[float(own == label) for own in ROLES] for label in best]])


@pytest.mark.parametrize(
    "trained, expected",
    [
        ("raise.02", Sense("raise", "raise.02", pytest.approx(1))),
        # The network knows none of them: the first one of the inventory, without a probability.
        ("sell.01", Sense("raise", "raise.01", None)),
    ],
)
def test_rolesets_that_the_network_knows_win(
    trained: str, expected: Sense, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SENSES, "sense_labels", [trained])
    words = "Ann raised cars".split()
    frames = make_frames(logits("O", "B-V", "O"), words=words, scores=[[-9.0]], lexicon="english")
    score_senses(frames, temperature=1.0)
    assert len(frames.candidates[0]) > 2
    choose_senses(frames)
    assert frames.senses == [expected]


def test_words_without_a_candidate_have_the_first_sense_of_their_lemma() -> None:
    frames = make_frames(logits("O", "B-V", "O"), words="Ann litigated cars".split())
    choose_senses(frames)
    assert frames.senses == [Sense("litigate", "litigate.01", None)]


def left(frames: Frames, least: float, least_core: float, **changes: Any) -> List[str]:
    own = replace(frames, labels=frames.labels.copy(), **changes)
    leave_out(own, least, least_core)
    return own.tags(0)


def test_improbable_arguments_are_left_out_with_their_continuations() -> None:
    tags = "B-ARG0 B-V B-C-ARG0 B-ARGM-TMP".split()
    frames = make_frames(
        numpy.zeros((1, 4, len(ROLES))),
        tags,
        words=["a"] * 4,
        tags=["X"] * 4,
        span_probabilities=numpy.array([[0.3, 1.0, 0.9, 0.3]]),
    )
    assert left(frames, 0.4, 0.2) == ["B-ARG0", "B-V", "B-C-ARG0", "O"]
    assert left(frames, 0.4, 0.4) == ["O", "B-V", "O", "O"]
    is_given = numpy.array([[False, False, True, True]])
    assert left(frames, 0.4, 0.4, is_given=is_given) == ["O", "B-V", "B-C-ARG0", "B-ARGM-TMP"]
