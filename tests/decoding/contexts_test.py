"""The words and the tree help to choose tags, predicates, rolesets and roles."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy
import pytest
import scipy.special

from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.decoding.contexts import (
    LARGEST_ARC_GAP,
    LARGEST_GAP,
    LARGEST_SENSE_GAP,
    LEAST_OF_ARC,
    PredicateContext,
    RoleContext,
    SenseContext,
    TagContext,
    TreeContext,
)
from lisa_allennlp.decoding.frames import Frames, Sense
from lisa_allennlp.decoding.label_names import LabelNames
from lisa_allennlp.decoding.lexicon import open_lexicon
from lisa_allennlp.decoding.log_linear import LEAST, UNIT, LogLinear
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.tokens import Tokens, attend_to_trees
from lisa_allennlp.decoding.trees import decode_head_tags, decode_heads
from lisa_allennlp.decoding.well_formed import RolesOfRolesets
from tests.decoding.features_test import PARSE, TAGS, WORDS
from tests.decoding.frames_test import make_frames, make_tokens
from tests.decoding.log_linear_test import log_linear
from tests.decoding.trees_test import best_tree_by_enumeration

TALK = "They talked about it".split()
TALK_PARSE = Parse([1, 1, 3, 1], "nsubj root case obl".split())
POS = ["VBN", "VBD", "XX"]
OF_TAGS = TagContext(log_linear(["NN", "VBD", "VBN"], {"word talked": [0, 20, 60]}))
OF_PREDICATES = PredicateContext(
    log_linear(["no", "yes"], {"lemma talk VB": [10, 30], "case about VB": [0, 20]})
)


def corrected(
    tags: Any, predicate: float, parse: Optional[Parse] = TALK_PARSE
) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """Corrects probabilities of the second token; the others are certain."""
    of_tags = numpy.tile([0.0, 1.0, 0.0], (1, 4, 1))
    of_tags[0, 1] = tags
    tokens = make_tokens(LabelNames({"joint_tags": POS}), TALK, ["VBD"] * 4, parse)
    of_predicates = numpy.array([[0.0, predicate, 0.0, 1.0]])
    tokens = Tokens(
        tokens.names,
        tokens.encoded,
        tokens.sources,
        tokens.options,
        [parse],
        of_tags,
        of_predicates,
    )
    tokens = OF_PREDICATES(OF_TAGS(tokens))
    assert (tokens.tags[0, [0, 2, 3]] == [0, 1, 0]).all()
    assert tokens.predicates[0, [0, 2, 3]].tolist() == [0, 0, 1]
    return tokens.tags[0, 1], tokens.predicates[0, 1]


@pytest.mark.parametrize("parse_decoder", ["mst", "argmax"])
def test_trees_are_the_best_ones_with_the_scores_of_both(parse_decoder: str) -> None:
    """By enumeration, with features that do not depend on the rest of the tree."""
    names = LabelNames({"joint_tags": ["NN"], "head_tags": ["obj", "root", "nsubj"]})
    options = LabelOptions(parse_decoder)
    num_changed = 0
    for seed in range(40):
        random = numpy.random.default_rng(seed)
        arcs = random.normal(0, 1.5, (1, 4, 4))
        labels = random.normal(0, 2, (4, 4, 3))

        def score_head_tags(heads: numpy.ndarray, labels: numpy.ndarray = labels) -> numpy.ndarray:
            return labels[numpy.arange(4), heads[0]][None]

        weights = {
            f"{label} {side} NN NN": [random.integers(-80, 80)]
            for label in ("obj", "nsubj")
            for side in "<>"
        }
        heads = decode_heads(arcs, numpy.array([4]), parse_decoder)
        root = 1 if parse_decoder == "mst" else None
        logits = score_head_tags(heads)
        tags = decode_head_tags(logits, heads, root)
        before = Parse(heads[0].tolist(), [names.head_tags[tag] for tag in tags[0]])
        parts = {
            "arc_scores": arcs,
            "head_indices": None,
            "score_head_tags": score_head_tags,
        }
        tokens = make_tokens(names, TALK, ["NN"] * 4, before, **parts)
        tokens = replace(
            tokens,
            options=options,
            head_tag_logits=logits,
            root_label=root,
            arcs=numpy.full((1, 4), 0.5),
        )
        found = TreeContext(log_linear([""], weights), 2.0)(tokens)
        (parse,) = found.parses
        assert parse is not None and found.arcs is not None
        expected, labelled, probabilities = scores_of_both(
            arcs[0], labels, weights, names.head_tags, before, root
        )
        best = best_tree_by_enumeration(expected)
        if parse_decoder == "argmax":
            best = expected.argmax(1).tolist()
        assert parse.head_indices == best
        assert parse.head_tags == [labelled[arc] for arc in enumerate(best)]
        numpy.testing.assert_allclose(
            found.arcs[0], [probabilities.get(arc, 0.5) for arc in enumerate(best)], rtol=1e-5
        )
        num_changed += parse != before
        tokens.encoded.head_indices = heads
        assert TreeContext(log_linear([""], weights), 2.0)(tokens).parses == [before]
    assert 10 < num_changed < 40


@pytest.mark.parametrize(
    ("heads", "expected"),
    [([1, 1, 1, 3], [-1, -1, 0, -1]), ([1, 1, 3, 1], [1, 1, 3, 1]), ([1, 1, 0, 1], [1, 1, 0, 1])],
)
def test_the_syntactic_head_attends_to_trees_that_are_not_the_best_heads(
    heads: List[int], expected: List[int]
) -> None:
    """The third token attends to the first one before."""
    arcs = numpy.eye(4)[None, [1, 1, 1, 3]]
    tokens = make_tokens(
        LabelNames({"joint_tags": POS}),
        TALK,
        POS[:1] * 4,
        Parse(heads, ["dep"] * 4),
        arc_scores=arcs,
        head_indices=numpy.array([[-1, -1, 0, -1]]),
        attending=lambda heads: SimpleNamespace(head_indices=heads),
    )
    assert attend_to_trees(tokens).encoded.head_indices.tolist() == [expected]


def scores_of_both(
    arcs: numpy.ndarray,
    labels: numpy.ndarray,
    weights: Dict[str, List[int]],
    names: Sequence[str],
    before: Parse,
    root: Optional[int],
) -> Tuple[numpy.ndarray, Dict[Tuple[int, int], str], Dict[Tuple[int, int], float]]:
    """The scores of arcs, the best label of each, and the probabilities of those that compete."""
    size = len(arcs)
    found = scipy.special.log_softmax(arcs / 2, axis=1)
    labelled, probabilities = {}, {}
    for token in range(size):
        own: List[Tuple[float, float, int, str]] = []
        for head in range(size):
            is_root = [number == root for number in range(len(names))]
            allowed = [r == (head == token) or root is None for r in is_root]
            logits = numpy.where(allowed, labels[token, head], -numpy.inf)
            labelled[token, head] = names[logits.argmax()]
            if head != before.head_indices[token] and (
                arcs[token, head] <= arcs[token].max() - LARGEST_ARC_GAP
            ):
                continue
            logs = scipy.special.log_softmax(logits / 2) + found[token, head]
            for number in (-logits).argsort()[:2]:
                if logits[number] > logits.max() - LARGEST_ARC_GAP:
                    side = "<" if token < head else ">"
                    unit = weights.get(f"{names[number]} {side} NN NN", [0])[0] * (head != token)
                    own.append((logs[number], UNIT * unit, head, names[number]))
        if len(own) < 2:
            continue
        of_network, of_weights = numpy.array([arc[:2] for arc in own]).T
        of_weights = numpy.maximum(scipy.special.log_softmax(of_weights), LEAST_OF_ARC)
        both = of_network + of_weights / 2
        shares = scipy.special.softmax(both) * numpy.exp(of_network).sum()
        found[token] -= 20
        for score, share, (_, _, head, label) in sorted(zip(both, shares, own, strict=True)):
            found[token, head] = score
            labelled[token, head], probabilities[token, head] = label, share
    return found, labelled, probabilities


def test_probabilities_of_tokens_are_geometric_means() -> None:
    """By hand; the tag `XX` is none that the context knows."""
    tags, predicate = corrected([0.3, 0.4, 0.3], 0.4)
    scores = UNIT * numpy.array([0, 20, 60])
    factors = numpy.exp(scores) / numpy.exp(scores).sum()
    means = (numpy.array([0.3, 0.4, 0.3]) * [factors[2], factors[1], numpy.exp(LEAST)]) ** 0.5
    assert numpy.allclose(tags, means / means.sum())
    yes, no = (0.4 * numpy.exp(UNIT * 50)) ** 0.5, (0.6 * numpy.exp(UNIT * 10)) ** 0.5
    assert numpy.isclose(predicate, yes / (yes + no))


def test_tokens_that_are_certain_or_without_a_tree_stay() -> None:
    tags, predicate = corrected([0.97, 0.02, 0.01], 0.03)
    assert tags.tolist() == [0.97, 0.02, 0.01] and predicate == 0.03
    tags, predicate = corrected([0.3, 0.4, 0.3], 0.4, None)
    assert tags.tolist() == [0.3, 0.4, 0.3] and predicate == 0.4


def test_candidates_whose_scores_are_near_get_the_sum_of_their_weights() -> None:
    weights = log_linear(["score"], {"sell.01 obl man": [30], "sell.03 obl dog": [90]})
    bio = "B-ARG1 O B-V B-ARG2 I-ARG2 I-ARG2 O O".split()

    def scores(margin: float) -> List[float]:
        frames = make_frames(
            numpy.zeros((1, 8, len(LABELS))),
            bio,
            LABELS,
            WORDS,
            TAGS,
            PARSE,
            predicate=2,
            candidates=numpy.array([[0, 1]]),
            sense_scores=numpy.array([[1.0, 1.0 + margin]]),
        )
        return SenseContext(weights)(frames).sense_scores[0].tolist()

    assert numpy.allclose(scores(0.5), [1.0 + 30 * UNIT, 1.5])
    assert scores(LARGEST_SENSE_GAP + 1) == [1.0, 2.0 + LARGEST_SENSE_GAP]


LABELS = "O B-V I-V B-ARG1 I-ARG1 B-ARG2 I-ARG2 B-ARG5 I-ARG5 B-ARGM-TMP I-ARGM-TMP".split()
BIO = "B-ARG1 O B-V B-ARG1 I-ARG1 I-ARG1 B-ARGM-TMP O".split()
COLUMNS = ["ARG1", "ARG2", "ARG5", "ARGM-TMP", "GOL"]


def correct_roles(
    weights: LogLinear,
    logits: numpy.ndarray,
    labels: Sequence[str] = LABELS,
    bio: Sequence[str] = BIO,
    parse: Optional[Parse] = PARSE,
    **changes: Any,
) -> Frames:
    frames = make_frames(logits, bio, labels, WORDS, TAGS, parse, predicate=2, **changes)
    changes = {"senses": [Sense("sell", "sell.01")], "is_stale": numpy.array([False])}
    context = RoleContext(weights, RolesOfRolesets(labels))
    return context(Frames(**{**vars(frames), **changes}))


def test_a_role_gets_how_much_more_probable_it_is_than_the_present_one() -> None:
    """The closed form of a log-linear model with two features, of which one counts for GOL."""
    logits = numpy.zeros((1, len(WORDS), len(LABELS)), numpy.float32)
    weights = log_linear(
        COLUMNS, {"marker to >obl": [20, 0, 0, 0, 40], "head man": [20, 0, 0, 0, 40]}
    )
    assert correct_roles(weights, logits).is_stale.tolist() == [True]
    # PropBank calls the ARG2 of sell.01, the buyer, a goal; there is no ARG5.
    scores = numpy.array([2 * 20, 2 * 40, 0]) * UNIT
    log_probabilities = scores - numpy.log(numpy.exp(scores).sum())
    added = logits[0, 3, [LABELS.index(f"B-{role}") for role in ("ARG1", "ARG2", "ARGM-TMP")]]
    assert numpy.allclose(added, log_probabilities - log_probabilities[0], atol=1e-5)
    assert logits[0, 3, LABELS.index("B-ARG5")] < added.min()
    # The label that a span has gets nothing, nor does any other label or token.
    assert not logits[..., [0, 1, 2, 4, 6, 8, 10]].any() and not logits[0, [1, 2, 4, 5, 7]].any()


def test_roles_that_are_given_or_certain_or_without_a_tree_stay() -> None:
    weights = log_linear(COLUMNS, {"head man": [0, 100, 0, 0, 0]})
    empty = numpy.zeros((1, len(WORDS), len(LABELS)), numpy.float32)
    certain = empty.copy()
    certain[0, numpy.arange(8), [LABELS.index(label) for label in BIO]] = LARGEST_GAP + 1
    given = numpy.ones((1, len(WORDS)), bool)
    for logits, changes in (
        (empty, {"is_given": given}),
        (empty, {"parse": None}),
        (certain, {}),
    ):
        before = logits.copy()
        assert not correct_roles(weights, logits, **changes).is_stale.any()
        assert (logits == before).all()


def test_the_weights_of_the_package_know_participles_and_nouns_of_events() -> None:
    words, tags = "I have known about their decision".split(), "PRP VBP VBD IN PRP$ NN".split()
    parse = Parse([2, 2, 2, 5, 5, 2], "nsubj aux root case nmod:poss obl".split())
    lexicon, pos = open_lexicon("english"), [*tags, "VBN"]
    tokens = make_tokens(LabelNames({"joint_tags": pos}), words, tags, parse)
    tokens.tags[0, 2, [2, 6]] = 0.6, 0.4
    tokens = PredicateContext(lexicon.predicates)(TagContext(lexicon.tags)(tokens))
    assert pos[tokens.tags[0, 2].argmax()] == "VBN"
    assert (tokens.predicates[0] > 0.5).tolist() == [False, True, True, False, False, True]


def test_the_weights_of_the_package_know_dates_and_passives() -> None:
    roles = ["ARG0", "ARG1", "ARG2", "ARGM-TMP", "ARGM-LOC"]
    labels = ["O", "B-V", "I-V", *(f"{prefix}-{role}" for role in roles for prefix in "BI")]
    bio = "B-ARG0 O B-V B-ARG0 I-ARG0 I-ARG0 B-ARG0 O".split()
    logits = numpy.zeros((1, len(WORDS), len(labels)), numpy.float32)
    correct_roles(open_lexicon("english").roles, logits, labels, bio)
    best = [labels[number] for number in logits[0, [0, 3, 6]].argmax(1)]
    assert best == ["B-ARG1", "B-ARG2", "B-ARGM-TMP"]
