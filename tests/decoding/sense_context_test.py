"""What surrounds a predicate chooses its roleset."""

import numpy

from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.label_names import SenseNames
from lisa_allennlp.decoding.sense_context import SenseContext, sense_features

WORDS = "She has the car in London .".split()
TAGS = "PRP VBZ DT NN IN NNP .".split()
PARSE = Parse([1, 1, 3, 1, 5, 3, 1], "nsubj root det obj case nmod punct".split())
ROLES = "B-ARG0 B-V B-ARG1 I-ARG1 I-ARG1 I-ARG1 O".split()


def test_the_head_of_a_span_is_its_word_that_depends_on_no_other() -> None:
    features = sense_features(WORDS, TAGS, 1, ROLES, PARSE)
    assert "ARG1 car" in features and "obj car" in features and "relation root" in features
    assert not any(feature.startswith("punct") for feature in features)
    # Without a tree, as in SA.
    assert "ARG1 the" in sense_features(WORDS, TAGS, 1, ROLES, None)
    assert "-1 " in sense_features(WORDS, TAGS, 0, ["B-V"] + 6 * ["O"], PARSE)


def test_weights_of_other_rolesets_and_features_do_not_count() -> None:
    context = SenseContext({"obj car": {"have.03": 100, "own.01": 7}, "obj dog": {}}, ["have.03"])
    place = WORDS, TAGS, 1, ROLES, PARSE
    corrected = context.corrected(numpy.array([0.5, 0.25]), numpy.array([0, 1]), *place)
    assert corrected.tolist() == [1.5, 0.25]


def test_the_weights_of_the_package_know_auxiliaries() -> None:
    """EWT has the auxiliary `have` as have.01, and the possession as have.03."""
    senses = ["have.01", "have.03"]
    context = SenseNames(senses, [], context="ewt").context
    parse = Parse([2, 2, 2], ["nsubj", "aux", "root"])
    place = ["She", "has", "left"], ["PRP", "VBZ", "VBN"], 1, ["O", "B-V", "O"], parse
    scores = numpy.zeros(2), numpy.arange(2)
    assert context.corrected(*scores, *place).argmax() == 0
    assert context.corrected(*scores, WORDS, TAGS, 1, ROLES, PARSE).argmax() == 1
