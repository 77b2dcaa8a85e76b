"""The stages of frames, each by itself."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Optional, Sequence, cast

import numpy
import pytest

from lisa_allennlp.data.formats.roles import LabelledSpan
from lisa_allennlp.data.sentence import GivenFrame, Parse, Sentence
from lisa_allennlp.decoding.confidence import Confidence
from lisa_allennlp.decoding.frames import (
    Frames,
    Sense,
    choose_senses,
    decode,
    force_given,
    force_verbs,
    keep_given_senses,
    leave_out,
    score_senses,
    weigh_spans,
)
from lisa_allennlp.decoding.label_names import NO_CANDIDATE, LabelNames
from lisa_allennlp.decoding.linear_chain import FORBIDDEN, ChainDecoder, LinearChain
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.tokens import Tokens

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
    probabilities = numpy.array([[[float(tag == own) for own in names.pos] for tag in tags]])
    encoded: Any = SimpleNamespace(lengths=numpy.array([len(words)]), **parts)
    predicates = numpy.full((1, len(words)), 0.5)
    sources = [Sentence(list(words))]
    return Tokens(names, encoded, sources, LabelOptions(), [parse], probabilities, predicates)


def make_frames(
    logits: numpy.ndarray,
    labels: Optional[Sequence[str]] = None,
    roles: Sequence[str] = ROLES,
    words: Sequence[str] = WORDS,
    tags: Sequence[str] = TAGS,
    parse: Optional[Parse] = None,
    predicate: int = 1,
    given: Sequence[GivenFrame] = (),
    options: LabelOptions = LabelOptions(),  # noqa: B008
    **changes: Any,
) -> Frames:
    """Frames of one predicate, with these logits and, if there are some, labels."""
    names = LabelNames({"joint_tags": list(dict.fromkeys(tags)), "role_labels": roles, **SENSES})
    scores = changes.pop("scores", None)
    tokens = make_tokens(
        names,
        words,
        tags,
        parse,
        score_roles=lambda *_: logits,
        score_senses=lambda sentences, predicates, candidates: numpy.array(scores),
    )
    number, frames = numpy.zeros(len(logits), int), list(given) or [{}] * len(logits)
    begun = Frames.begin(replace(tokens, options=options), number, number + predicate, frames)
    if labels is not None:
        changes["labels"] = numpy.array([[roles.index(label) for label in labels]] * len(logits))
    return replace(begun, **changes)


def free_decoder(size: int = len(ROLES)) -> ChainDecoder:
    return ChainDecoder(
        LinearChain(numpy.zeros(size), numpy.zeros((size, size)), numpy.zeros(size))
    )


def logits(*best: str) -> numpy.ndarray:
    """Those of one frame in which these labels are by 2 more probable."""
    return 2.0 * numpy.array([[[float(own == label) for own in ROLES] for label in best]])


def test_v_is_forced_unless_the_options_say_otherwise() -> None:
    frames = decode(force_verbs(make_frames(logits("B-V", "B-ARG0", "O"))), free_decoder())
    assert frames.tags == [["O", "B-V", "O"]]
    free = make_frames(logits("B-V", "B-ARG0", "O"), options=LabelOptions(force_verb=False))
    assert decode(force_verbs(free), free_decoder()).tags == [["B-V", "B-ARG0", "O"]]


def test_given_spans_are_forced_as_a_whole() -> None:
    given: GivenFrame = {"index": 1, "spans": [LabelledSpan("ARG0", 0, 0)]}
    frames = force_given(make_frames(logits("O", "I-ARG0", "O"), given=[given]))
    assert frames.is_given.tolist() == [[True, False, False]]
    assert frames.logits[0, 1, ROLES.index("I-ARG0")] == FORBIDDEN
    assert decode(frames, free_decoder()).tags[0][0] == "B-ARG0"


def test_only_frames_whose_logits_have_changed_are_decoded_again() -> None:
    both = numpy.concatenate([logits("O", "B-V", "B-ARG0")] * 2)
    frames = make_frames(both, ["O", "O", "O"], is_stale=numpy.array([False, True]))
    frames = decode(frames, free_decoder())
    assert frames.tags == [["O", "O", "O"], ["O", "B-V", "B-ARG0"]]
    assert not frames.is_stale.any()


def test_senses_have_the_softmax_of_their_scores() -> None:
    frames = make_frames(logits("O", "B-V", "O"), scores=[[1.0, 2.0]])
    frames = choose_senses(score_senses(frames, temperature=2.0))
    share = 1 / (1 + numpy.exp(-0.5))
    assert frames.senses == [Sense("sell", "sell.03", pytest.approx(share))]
    assert keep_given_senses(frames).senses == frames.senses
    given = replace(frames, given=[{"index": 1, "sense": "sell.01"}])
    assert keep_given_senses(given).senses == [Sense("sell", "sell.01", pytest.approx(1 - share))]
    other = replace(frames, given=[{"index": 1, "sense": "buy.01"}])
    assert keep_given_senses(other).senses == [Sense("buy", "buy.01", None)]


def test_words_without_a_candidate_have_the_first_sense_of_their_lemma() -> None:
    none = numpy.full((1, 1), NO_CANDIDATE)
    frames = make_frames(
        logits("O", "B-V", "O"), words="Ann litigated cars".split(), candidates=none
    )
    assert choose_senses(frames).senses == [Sense("litigate", "litigate.01", None)]


def test_spans_have_probabilities_if_they_are_asked_for_or_may_go() -> None:
    frames = make_frames(logits("B-ARG0", "B-V", "O"), "B-ARG0 B-V O".split())
    confidence, decoder = Confidence(role_temperature=2.0), free_decoder()
    assert weigh_spans(frames, decoder, confidence).span_probabilities is None
    asked = replace(frames, tokens=replace(frames.tokens, options=LabelOptions(probabilities=True)))
    share = numpy.exp(1) / (numpy.exp(1) + len(ROLES) - 1)
    found = weigh_spans(asked, decoder, confidence).span_probabilities
    # No I-ARG0 may follow B-ARG0, for it would be the same span.
    own = share * (1 - 1 / (numpy.exp(1) + len(ROLES) - 1))
    assert numpy.allclose(found, [[own, share, share]], atol=1e-5)
    limited = Confidence(role_temperature=2.0, min_probability=0.1)
    assert numpy.allclose(weigh_spans(frames, decoder, limited).span_probabilities, found)


def test_improbable_arguments_are_left_out_with_their_continuations() -> None:
    tags = "B-ARG0 B-V B-C-ARG0 B-ARGM-TMP".split()
    frames = make_frames(
        numpy.zeros((1, 4, len(ROLES))),
        tags,
        words=["a"] * 4,
        tags=["X"] * 4,
        span_probabilities=numpy.array([[0.3, 1.0, 0.9, 0.3]]),
    )
    confidence = Confidence(min_probability=0.4, min_core_probability=0.2)
    assert leave_out(frames, confidence).tags == [["B-ARG0", "B-V", "B-C-ARG0", "O"]]
    higher = Confidence(min_probability=0.4)
    assert leave_out(frames, higher).tags == [["O", "B-V", "O", "O"]]
    given = replace(frames, is_given=numpy.array([[False, False, True, True]]))
    assert leave_out(given, higher).tags == [["O", "B-V", "B-C-ARG0", "B-ARGM-TMP"]]


@pytest.mark.parametrize("relation, is_kept", [("obj", True), ("nsubj", True), ("obl", False)])
def test_improbable_core_subjects_and_objects_stay(relation: str, is_kept: bool) -> None:
    frames = make_frames(
        numpy.zeros((1, 3, len(ROLES))),
        "B-ARGM-TMP B-V B-ARG0".split(),
        parse=Parse([1, 1, 1], ["obj", "root", relation]),
        span_probabilities=numpy.array([[0.1, 1.0, 0.1]]),
    )
    limits = Confidence(min_probability=0.4)
    assert leave_out(frames, limits).tags == [["O", "B-V", "O"]]
    frames.names.lexicon = cast(Any, "english")
    assert leave_out(frames, limits).tags == [["O", "B-V", "B-ARG0" if is_kept else "O"]]
    options = LabelOptions(min_probability=0.4)
    asked = replace(frames, tokens=replace(frames.tokens, options=options))
    assert leave_out(asked, limits).tags == [["O", "B-V", "O"]]
