"""Corrected sentences teach rolesets and roles at once."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy
import pytest
from scipy.optimize import minimize

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.adaptation import (
    UNIT,
    Adaptation,
    Example,
    Examples,
    adapt_roles,
    adapt_senses,
    examples_of,
    fit_adaptation,
    open_adaptation,
)
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.frames import Sense, choose_senses, constrain, score_senses
from lisa_allennlp.decoding.linear_chain import ChainDecoder
from lisa_allennlp.decoding.options import Choice
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Parse, Sentence
from tests.decoding.frames_test import ROLES, SENSES, make_frames
from tests.decoding.linear_chain_test import random_chain, total

TEACHER = "She filed the complaint in court."
LIKE = "He filed the papers in court."
OTHERS = [
    "She sold him the old car.",
    "They waited for hours on Monday.",
    "It was filled with sand.",
]


@pytest.fixture(scope="module")
def lisa() -> Any:
    return lisa_allennlp.load("english-fast")


def taught(lisa: Any, *sentences: Sentence) -> Adaptation:
    return fit_adaptation(examples_of(lisa.label, sentences, lisa.options), len(sentences))


def labels(lisa: Any, text: str, adaptation: Any = None) -> Dict[str, Any]:
    options = replace(lisa.options, adaptation=adaptation, probabilities=True)
    (found,) = lisa.label([Request(lisa.read(text).sentence)], options)
    return dict(found.to_dict())


def with_frame(sentence: Sentence, **changes: Any) -> Sentence:
    """A sentence whose first frame is changed."""
    first, *others = sentence.frames or []
    return replace(sentence, frames=[replace(first, **changes), *others])


def test_a_corrected_roleset_counts_for_its_lemma_alone(lisa: Any) -> None:
    raised, also, like = "She raised the issue.", "They raised an issue.", "He raised the question."
    readings = [with_frame(lisa(text), sense="raise.03") for text in (raised, also)]
    assert lisa(raised).frames[0].sense == lisa(like).frames[0].sense == "raise.01"
    # One example overrules nothing, not even twice, nor one that others contradict.
    for others in ([], [readings[0]], [lisa(also), lisa(like)]):
        (frame, *_) = labels(lisa, like, taught(lisa, readings[0], *others))["verbs"]
        assert frame["sense"] == "raise.01" and frame["sense_probability"] > 0.5
    adaptation = taught(lisa, *readings)
    assert labels(lisa, raised, adaptation)["verbs"][0]["sense"] == "raise.03"
    assert labels(lisa, like, adaptation)["verbs"][0]["sense"] == "raise.03"
    for text in OTHERS:
        assert labels(lisa, text, adaptation) == labels(lisa, text)


def test_a_corrected_role_counts_for_its_roleset(lisa: Any) -> None:
    readings = [lisa(text) for text in (TEACHER, TEACHER.replace("She", "They"))]
    own = readings[0].frames[0].tags
    tags = [tag.replace("ARGM-LOC", "ARG2") for tag in own]
    assert tags != own
    taught_ones = [with_frame(reading, tags=tags) for reading in readings]
    for text in (TEACHER, LIKE):
        assert labels(lisa, text, taught(lisa, taught_ones[0]))["verbs"][0]["tags"] == own
    adaptation = taught(lisa, *taught_ones)
    assert labels(lisa, TEACHER, adaptation)["verbs"][0]["tags"] == tags
    assert labels(lisa, LIKE, adaptation)["verbs"][0]["tags"] == tags
    for text in OTHERS:
        assert labels(lisa, text, adaptation) == labels(lisa, text)


def test_what_was_right_stays(lisa: Any) -> None:
    for text in (TEACHER, *OTHERS):
        adaptation = taught(lisa, lisa(text))
        before, after = (Sentence.from_dict(labels(lisa, text, own)) for own in (None, adaptation))
        assert [(f.sense, f.tags) for f in after.frames or []] == [
            (f.sense, f.tags) for f in before.frames or []
        ]


@pytest.mark.parametrize("seed", range(4))
def test_scores_of_roles_are_those_of_paths(seed: int) -> None:
    class Noted(Examples):
        def scores(self, choices: Sequence[Choice]) -> List[numpy.ndarray]:
            noted.extend(choices)
            return super().scores(choices)

    noted: List[Choice] = []
    rng = numpy.random.default_rng(seed)
    decoder = ChainDecoder(RoleConstraints(ROLES).constrain(random_chain(rng, len(ROLES))))
    frames = make_frames(
        rng.normal(size=(1, 4, len(ROLES))),
        words="Ann sold old cars".split(),
        tags="NNP VBD JJ NNS".split(),
        parse=Parse([1, 1, 3, 1], "nsubj root amod obj".split()),
        senses=[Sense("sell", "sell.01")],
    )
    constrain(frames)
    frames.labels = decoder.decode(frames.logits, frames.lengths)
    assert not adapt_roles(frames, Noted(), decoder).any() and noted
    for choice in noted:
        paths = numpy.repeat(frames.labels, len(choice.names), 0)
        for path, begin in zip(paths, choice.columns, strict=True):
            path[choice.first : choice.last + 1] = begin
            if begin != 0:
                inside = frames.names.role_constraints.continuing[begin]
                path[choice.first + 1 : choice.last + 1] = inside
        expected = [total(frames.logits[0], decoder.chain(), path) for path in paths]
        assert numpy.allclose(choice.scores, expected, atol=1e-6)


@pytest.mark.parametrize("added, chosen", [(0.0, "raise.02"), (3.0, "raise.02"), (5.0, "raise.01")])
def test_lessons_know_rolesets_that_the_network_does_not(
    added: float, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class First(Examples):
        def scores(self, choices: Sequence[Choice]) -> List[numpy.ndarray]:
            return [numpy.array([added * (n == "raise.01") for n in c.names]) for c in choices]

    monkeypatch.setitem(SENSES, "sense_labels", ["raise.02"])
    words = "Ann raised cars".split()
    zeros = numpy.zeros((1, 3, len(ROLES)))
    frames = make_frames(zeros, words=words, scores=[[7.0]], lexicon="english")
    score_senses(frames, temperature=1.0)
    adapt_senses(frames, First())
    choose_senses(frames)
    assert frames.senses[0].name == chosen


def test_weights_have_the_highest_penalised_likelihood() -> None:
    """Against scipy's minimiser, on choices that share a feature."""
    place = Place(["go"], ["VB"], Parse([0], ["root"]), 0)
    names, columns, lemmas = ["go.01", "go.02"], numpy.arange(2), frozenset(["go"])
    alone, both = ([[f"{name} {x}" for x in own] for name in names] for own in ([""], ["", "x"]))
    rows = [
        ([4.0, 0.5], both, 0),
        ([0.5, 0.0], both, 1),
        ([0.5, 0.1], alone, 1),
        ([0.0, 0.9], alone, 1),
    ]
    examples = [
        Example(
            Choice(
                *(0, Sentence(["go", str(number)]), place, 0, 0, names, columns),
                *(numpy.array(scores, float), features, lemmas),
            ),
            right,
        )
        for number, (scores, features, right) in enumerate([*rows, *rows[1:3]])
    ]
    known = ["go.01 ", "go.01 x", "go.02 ", "go.02 x"]

    def loss(weights: numpy.ndarray) -> float:
        total = 0.7 / 2 * numpy.square(weights).sum()
        for choice, right in examples:
            scores = choice.scores + [
                sum(weights[known.index(f)] for f in own) for own in choice.features
            ]
            total -= scores[right] - numpy.log(numpy.exp(scores).sum())
        return float(total)

    adaptation = fit_adaptation(examples, 6, penalty=0.7)
    found = adaptation.weights.scores([[name] for name in known])
    assert numpy.allclose(found, minimize(loss, numpy.zeros(4)).x, atol=UNIT)
    assert adaptation.lemmas == {"go"} and adaptation.sentences == 6
    # A mistake that does not come again teaches nothing.
    assert fit_adaptation(examples[:2], 2, penalty=0.7).lemmas == set()


def test_files(lisa: Any, tmp_path: Path) -> None:
    tags = lisa(TEACHER).frames[0].tags
    adaptation = taught(lisa, with_frame(lisa(TEACHER), tags=["B-ARG1", *tags[1:]]))
    path = tmp_path / "own.adaptation"
    adaptation.save(path)
    again = open_adaptation(path)
    assert (again.lemmas, again.sentences) == (adaptation.lemmas, 1)
    loaded = lisa_allennlp.load("english-fast", adaptation=path, probabilities=True)
    assert loaded(TEACHER).to_dict() == labels(lisa, TEACHER, adaptation)
    whole = path.read_bytes()
    # Of a file in the ZIP, as its directory has them: its flags, and its method.
    start = whole.index(b"PK\x01\x02")
    damaged = [
        bytes([*whole[:place], value, *whole[place + 1 :]])
        for place, value in ((start + 8, 1), (start + 10, 99))
    ]
    for content in (
        *(b"", b"text", whole[: len(whole) // 2], whole.replace(b"lemmas", b"emmals")),
        *damaged,
    ):
        path.write_bytes(content)
        with pytest.raises(ConfigurationError, match="own.adaptation: found no adaptation"):
            open_adaptation(path)
