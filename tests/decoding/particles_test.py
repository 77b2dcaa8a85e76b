"""Particles of rolesets become words of V."""

import itertools
from typing import List

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.roles import LabelledSpan
from lisa_allennlp.data.sentence import GivenFrame, Parse
from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.frames import Sense, decode, force_given
from lisa_allennlp.decoding.label_names import particle_tokens
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.particles import PATH_FACTOR, ParticlesOfRolesets
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from tests.decoding.frames_test import make_frames
from tests.decoding.linear_chain_test import random_chain, total

ROLES = ["O", "B-V", "I-V", "B-C-V", "B-ARG2", "I-ARG2"]
WORDS, TAGS = "They ran out of time".split(), "PRP VBD IN IN NN".split()
PREPOSITION = Parse([1, 1, 4, 4, 1], "nsubj root case case obl".split())
ADVERB = Parse([1, 1, 1, 4, 1], "nsubj root advmod case obl".split())


@given(st.integers(0, 2**32 - 1), st.sampled_from([PREPOSITION, ADVERB]))
def test_rolesets_lose_what_the_path_with_their_particle_loses(seed: int, parse: Parse) -> None:
    """Against all paths. An argument `out of time` may become `of time` at no cost."""
    rng = numpy.random.default_rng(seed)
    chain = RoleConstraints(ROLES).constrain(random_chain(rng, len(ROLES)))
    logits = 3 * rng.normal(size=(1, len(WORDS), len(ROLES)))
    paths = list(itertools.product(range(len(ROLES)), repeat=len(WORDS)))
    best = max(paths, key=lambda path: total(logits[0], chain, path))
    others = logits[0].copy()
    if best[2:4] == (4, 5):
        others[3, 4] = others[3, 5]
    with_verb = [path for path in paths if path[1:3] == (1, 2) and path[3] != 2]
    loss = total(logits[0], chain, best) - max(total(others, chain, own) for own in with_verb)
    # A path that begins an argument later may score above the best one.
    if parse is ADVERB or ROLES[best[2]].endswith("V") or loss < 0.0:
        loss = 0.0

    frames = make_frames(
        logits,
        [ROLES[label] for label in best],
        ROLES,
        WORDS,
        TAGS,
        parse,
        candidates=numpy.array([[0, 1, 2, -1]]),
        sense_scores=numpy.array([[1.0, 2.0, 0.0, -9.0]]),
    )
    frames.names.senses.names = ["run.02", "run_out.05", "run_out.06"]
    weighed = ParticlesOfRolesets(ChainDecoder(chain)).weigh(frames).sense_scores
    expected = [1.0, 2.0 - PATH_FACTOR * loss, -PATH_FACTOR * loss, -9.0]
    assert weighed[0] == pytest.approx(expected)


def forced(words: str, parse: Parse, sense: str, *best: str, given: List[GivenFrame]) -> List[str]:
    """The labels with a chosen roleset, of a network for which other labels are best."""
    logits = 2.0 * numpy.array([[[float(own == label) for own in ROLES] for label in best]])
    zeros = numpy.zeros((len(ROLES), len(ROLES)))
    chain = RoleConstraints(ROLES).constrain(LinearChain(zeros[0], zeros, zeros[0]))
    decoder, tags = ChainDecoder(chain), ["RB"] * len(best)
    frames = make_frames(
        logits, None, ROLES, words.split(), tags, parse, given=given, senses=[Sense("", sense)]
    )
    frames = decode(force_given(frames), decoder)
    return decode(ParticlesOfRolesets(decoder).force(frames), decoder).tags[0]


@pytest.mark.parametrize(
    "words, parse, sense, best, expected",
    [
        # What is left of an argument keeps its role.
        (
            "They ran out of time",
            PREPOSITION,
            "run_out.05",
            "O B-V B-ARG2 I-ARG2 I-ARG2",
            "O B-V I-V B-ARG2 I-ARG2",
        ),
        (
            "They ran out of time",
            PREPOSITION,
            "run.02",
            "O B-V B-ARG2 I-ARG2 I-ARG2",
            "O B-V B-ARG2 I-ARG2 I-ARG2",
        ),
        (
            "He threw it away",
            Parse([1, 1, 1, 1], "nsubj root obj advmod".split()),
            "throw_away.07",
            "O B-V B-ARG2 I-ARG2",
            "O B-V B-ARG2 B-C-V",
        ),
        # The word is neither beside the predicate nor its adverb.
        (
            "He threw it away from her",
            Parse([1, 1, 1, 5, 5, 1], "nsubj root obj case case obl".split()),
            "throw_away.07",
            "O B-V O B-ARG2 I-ARG2 I-ARG2",
            "O B-V O B-ARG2 I-ARG2 I-ARG2",
        ),
        # Without a particle, V is one word; a preposition goes to its argument.
        (
            "They ran by a river",
            Parse([1, 1, 4, 4, 1], "nsubj root case det obl".split()),
            "run.02",
            "O B-V I-V B-ARG2 I-ARG2",
            "O B-V B-ARG2 I-ARG2 I-ARG2",
        ),
        (
            "They ran out today",
            Parse([1, 1, 1, 1], "nsubj root advmod advmod".split()),
            "run.02",
            "O B-V B-C-V B-ARG2",
            "O B-V O B-ARG2",
        ),
        # What has no roleset stays.
        (
            "They ran out today",
            Parse([1, 1, 1, 1], "nsubj root advmod advmod".split()),
            "-",
            "O B-V I-V B-ARG2",
            "O B-V I-V B-ARG2",
        ),
    ],
)
def test_the_words_of_v_are_predicate_and_particle(
    words: str, parse: Parse, sense: str, best: str, expected: str
) -> None:
    assert forced(words, parse, sense, *best.split(), given=[{}]) == expected.split()


def test_given_spans_stay() -> None:
    given: GivenFrame = {"index": 1, "spans": [LabelledSpan("ARG2", 2, 4)]}
    best = "O B-V I-V B-ARG2 I-ARG2".split()
    labels = forced("They ran out of time", PREPOSITION, "run_out.05", *best, given=[given])
    assert labels == "O B-V B-ARG2 I-ARG2 I-ARG2".split()
    given = {"index": 1, "spans": [LabelledSpan("V", 1, 2)]}
    best = "O B-V I-V B-ARG2 B-C-V".split()
    labels = forced("They ran out of time", PREPOSITION, "run.02", *best, given=[given])
    assert labels == "O B-V I-V B-ARG2 O".split()


def test_all_particles_of_a_roleset_are_found_or_none() -> None:
    words = "He put the old red coat of his on again with care".split()
    relations = "nsubj root det amod amod obj case nmod compound:prt advmod case obl".split()
    tree = Parse([1, 1, 5, 5, 5, 1, 7, 5, 1, 1, 11, 1], relations)
    place = Place(words, ["RB"] * len(words), tree, token=1)
    # Only adverbs have to be near.
    assert particle_tokens(place, "put_on.08") == [8]
    assert particle_tokens(place, "put_again.01") == []
    assert particle_tokens(place, "put_on_with.01") == []
    assert particle_tokens(place, "put.01") == []
