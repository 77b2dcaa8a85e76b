import pytest
from allennlp.data.dataset_readers.dataset_utils.span_utils import bio_tags_to_spans
from allennlp.modules.conditional_random_field.conditional_random_field import (
    allowed_transitions as allennlp_transitions,
)
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.sentence.roles import (
    BracketError,
    LabelledSpan,
    allowed_starts,
    allowed_transitions,
    bio_to_brackets,
    bio_to_spans,
    brackets_to_bio,
    join_roleset,
    join_tag,
    spans_to_bio,
    split_roleset,
    split_tag,
    without_arguments,
)
from tests.sentence.sentences import known_values, values

ROLES = ["A0", "A1", "C-A1", "R-A1", "ARGM-TMP", "V"]
LABELS = ["O"] + [f"{prefix}-{role}" for role in ROLES for prefix in "BI"]

any_tags = st.lists(st.sampled_from(LABELS), max_size=12)


@st.composite
def sentence_spans(draw):
    """Spans that do not overlap, in text order, and the length of their sentence."""
    spans, position = [], 0
    for role in draw(st.lists(st.sampled_from(ROLES), max_size=5)):
        first = position + draw(st.integers(0, 2))
        last = first + draw(st.integers(0, 3))
        spans.append(LabelledSpan(role, first, last))
        position = last + 1
    return spans, position + draw(st.integers(0, 2))


@given(sentence_spans())
def test_spans_survive_labels_and_brackets(case):
    spans, length = case
    tags = spans_to_bio(spans, length)
    assert spans_to_bio(spans[::-1], length) == tags
    assert bio_to_spans(tags) == spans
    assert brackets_to_bio(bio_to_brackets(tags)) == tags


@given(any_tags)
def test_spans_are_those_of_allennlp(tags):
    expected = sorted((first, last, role) for role, (first, last) in bio_tags_to_spans(tags))
    assert [(first, last, role) for role, first, last in bio_to_spans(tags)] == expected


@given(st.lists(st.sampled_from(["*", "(A1*", "*)", "(A1*)", "(A0*", "*A0)", "(V*)"]), max_size=8))
def test_a_column_is_read_whole_or_refused(column):
    written = [cell.replace("A0)", ")") for cell in column]
    try:
        tags = brackets_to_bio(column)
    except BracketError as error:
        assert 0 <= error.args[0] < len(column)
    else:
        assert bio_to_brackets(tags) == written


def in_three(spans):
    return spans_to_bio(spans, 3)


@pytest.mark.parametrize(
    "convert, value, message",
    [
        (bio_to_spans, ["B"], "expected a BIO label"),
        (bio_to_brackets, ["O", "B-A(1"], "expected a role that is not empty"),
        (in_three, [LabelledSpan("A0", 0, 1), LabelledSpan("A1", 1, 2)], "overlaps"),
        (in_three, [LabelledSpan("A0", 2, 3)], "expected a span within a sentence of 3 tokens"),
    ],
)
def test_labels_and_spans_that_are_refused(convert, value, message):
    with pytest.raises(ValueError, match=message):
        convert(value)


def test_transitions_are_those_of_allennlp():
    numbered = dict(enumerate(LABELS))
    start, end = len(LABELS), len(LABELS) + 1
    expected = set(allennlp_transitions("BIO", numbered))
    table, starts = allowed_transitions(LABELS), allowed_starts(LABELS)
    pairs = {(i, j) for i in numbered for j in numbered if table[i][j]}
    assert pairs == {(i, j) for i, j in expected if i != start and j != end}
    assert {j for j in numbered if starts[j]} == {j for i, j in expected if i == start}


@pytest.mark.parametrize(
    "firsts, expected",
    [
        ([0], ["O", "O", "B-V", "O", "O", "O"]),
        ([3], ["B-A1", "I-A1", "B-V", "O", "O", "B-R-A1"]),
        ([1, 2, 4], ["B-A1", "I-A1", "B-V", "B-C-A1", "O", "B-R-A1"]),
    ],
)
def test_continuations_go_with_their_argument(firsts, expected):
    tags = ["B-A1", "I-A1", "B-V", "B-C-A1", "O", "B-R-A1"]
    assert without_arguments(tags, [t in firsts for t in range(6)]) == expected


@given(known_values, values)
def test_parts_of_rolesets_are_kept(lemma: str, number: str) -> None:
    assert split_roleset(lemma, join_roleset(lemma, number)) == (lemma, number)


@pytest.mark.parametrize(
    "lemma, sense, expected",
    [
        ("U.S.", "U.S..01", ("U.S.", "01")),
        ("-", "01", ("-", "01")),
        # Not written by this package: the lemma of the token, and none at all.
        ("better", "good.02", ("good", "02")),
        ("-", "good.02", ("good", "02")),
    ],
)
def test_rolesets_are_split(lemma: str, sense: str, expected: tuple) -> None:
    assert split_roleset(lemma, sense) == expected


def test_joint_tags_of_colons():
    assert split_tag(join_tag(":", True)) == (":", True)
    assert split_tag(join_tag(":", False)) == (":", False)
