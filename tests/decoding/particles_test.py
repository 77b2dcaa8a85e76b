from typing import List

import numpy
import pytest

from lisa_allennlp.decoding.features import Place
from lisa_allennlp.decoding.frames import Sense, constrain
from lisa_allennlp.decoding.label_names import particle_tokens
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.particles import force_particles
from lisa_allennlp.decoding.role_constraints import RoleConstraints
from lisa_allennlp.sentence.roles import LabelledSpan
from lisa_allennlp.sentence.sentence import GivenFrame, Parse
from tests.decoding.frames_test import make_frames

ROLES = ["O", "B-V", "I-V", "B-C-V", "B-ARG2", "I-ARG2"]
WORDS, TAGS = "They ran out of time".split(), "PRP VBD IN IN NN".split()
PREPOSITION = Parse([1, 1, 4, 4, 1], "nsubj root case case obl".split())


def forced(words: str, parse: Parse, sense: str, *best: str, given: List[GivenFrame]) -> List[str]:
    """The labels with a chosen roleset, of a network for which other labels are best."""
    logits = 2.0 * numpy.array([[[float(own == label) for own in ROLES] for label in best]])
    zeros = numpy.zeros((len(ROLES), len(ROLES)))
    chain = RoleConstraints(ROLES).constrain(LinearChain(zeros[0], zeros, zeros[0]))
    decoder, tags = ChainDecoder(chain), ["RB"] * len(best)
    frames = make_frames(
        logits, None, ROLES, words.split(), tags, parse, given=given, senses=[Sense("", sense)]
    )
    constrain(frames)
    frames.labels = decoder.decode(frames.logits, frames.lengths)
    before = frames.logits.copy()
    assert force_particles(frames).tolist() == [(frames.logits != before).any()]
    frames.labels = decoder.decode(frames.logits, frames.lengths)
    return frames.tags(0)


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
