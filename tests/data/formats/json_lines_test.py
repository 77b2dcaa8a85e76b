import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.json_lines import parse_json_lines, write_json_lines
from lisa_allennlp.data.sentence import Parse, RankedSupertag, Sentence
from tests.data.sentences import sentences

VERB = {"index": 1, "tags": ["B-A0", "B-V"]}


def parse(text):
    return [sentence for sentence, _ in parse_json_lines(io.StringIO(text), "text")]


@given(st.lists(st.booleans().flatmap(sentences), min_size=1, max_size=3))
def test_is_read_back(items):
    file = io.StringIO()
    write_json_lines(items, file)
    assert parse(file.getvalue()) == items


def test_other_annotation_is_read_back():
    sentence = Sentence(
        ["Go", "on"],
        supertags=["S[b]", "N/N"],
        candidates=[[RankedSupertag("S[b]", 0.9)], [RankedSupertag("N/N", 0.5)]],
        predicate_probabilities=None,
        offsets=[(0, 2), (3, 5)],
        extra={"id": 7},
    )
    file = io.StringIO()
    write_json_lines([sentence], file)
    assert parse(file.getvalue()) == [sentence]


def test_answers_to_requests_with_cycles_are_read_back():
    for heads in ([1, 0], [1, 2, 0], [1, 0, 2]):
        sentence = Sentence(["w"] * len(heads), parse=Parse(heads, ["dep"] * len(heads)))
        file = io.StringIO()
        write_json_lines([sentence], file)
        assert parse(file.getvalue()) == [sentence]


@pytest.mark.parametrize(
    "changes, found",
    [
        ({"words": None}, "`words`: null"),
        ({"words": []}, "a sentence without words"),
        ({"words": ["She", ""]}, '"" in `words`'),
        ({"words": ["She", "\ud800"]}, '"\\ud800" in `words`'),
        ({"pos": ["PRP"]}, "1 items in `pos`"),
        ({"pos_probabilities": [0.5]}, "1 items in `pos_probabilities`"),
        ({"head_probabilities": 0.5}, "`head_probabilities`: 0.5"),
        (
            {"verbs": [{"index": 1, "tags": ["B-A0", "B-V"], "span_probabilities": [0.5]}]},
            "1 items in `span_probabilities`",
        ),
        ({"pos": ["PRP", 1]}, "1 in `pos`"),
        ({"predicted_heads": [2, 0]}, "only one of heads=[2, 0] and head_tags=None"),
        ({"predicted_heads": [3, 0], "predicted_dependencies": ["a", "b"]}, "head '3'"),
        (
            {"predicted_heads": [True, 0], "predicted_dependencies": ["a", "b"]},
            "true in `predicted_heads`",
        ),
        (
            {"predicted_heads": [2, "0"], "predicted_dependencies": ["a", "b"]},
            '"0" in `predicted_heads`',
        ),
        ({"verbs": 3}, "`verbs`: 3"),
        ({"verbs": [{"verb": "sang"}]}, '{"verb": "sang"} in `verbs`'),
        ({"verbs": [{**VERB, "index": 2}]}, "the predicate 2"),
        ({"verbs": [{**VERB, "index": True}]}, "the predicate True"),
        ({"verbs": [{**VERB, "tags": ["B-V"]}]}, "1 labels for the predicate 1"),
        ({"verbs": [{**VERB, "tags": ["A0", "B-V"]}]}, "'A0' at token 0 of the predicate 1"),
        ({"verbs": [{**VERB, "tags": ["B-V", "O"]}]}, "the V of the predicate 1 at token 0"),
        ({"verbs": [VERB, VERB]}, "two frames of the predicate 1"),
        ({"verbs": [{**VERB, "lemma": 3}]}, "3 in `lemma`"),
        ({"offsets": [[0, 1], 3]}, "TypeError: cannot unpack non-iterable int object"),
    ],
)
def test_errors_name_the_line(changes, found):
    record = {"words": ["She", "sang"], **changes}
    with pytest.raises(CorpusFormatError) as error:
        parse('{"words": ["Go"]}\n\n' + json.dumps(record) + "\n")
    assert (error.value.line, error.value.found) == (3, found)


@pytest.mark.parametrize(
    "line, found",
    [
        ("She sang", "'She sang', which is not JSON (Expecting value"),
        ("[" * 100_000, "'[["),
        ('["She"]', "'[\"She\"]'"),
        ('{"tokens": ["She"]}', "an object without `words` (its keys are tokens)"),
        ('{"line": 2, "error": "no JSON"}', "a sentence that was not labelled (no JSON)"),
    ],
)
def test_lines_that_are_no_records(line, found):
    with pytest.raises(CorpusFormatError) as error:
        parse(line)
    assert error.value.line == 1 and error.value.found.startswith(found)


def test_documents_are_read_as_their_sentences():
    document = {"text": "any", "sentences": [{"words": ["Go"], "verbs": []}, {"words": ["On"]}]}
    lines = [json.dumps(document), json.dumps({"words": ["Stop"], "sentences": 3})]
    found = list(parse_json_lines(lines, "text"))
    assert [item.sentence.words for item in found] == [["Go"], ["On"], ["Stop"]]
    assert [item.line_numbers for item in found] == [[1], [1], [2]]
    for bad in (3, [3], [{"pos": []}], [{"words": []}]):
        with pytest.raises(CorpusFormatError) as raised:
            parse(json.dumps({"text": "a", "sentences": bad}))
        assert raised.value.line == 1


def test_other_keys_may_hold_what_utf8_cannot_encode():
    line = '{"words": ["Go"], "note": "a \\ud800 b"}'
    file = io.StringIO()
    write_json_lines(parse(line), file)
    assert file.getvalue().encode() and parse(file.getvalue()) == parse(line)


def test_values_of_any_depth():
    """The values that are just flat enough to be read can be too deep for an error message."""
    for depth in range(850, 1000):
        bad = '{"words": ' + '{"a": ' * depth + "1" + "}" * depth + "}"
        with pytest.raises(CorpusFormatError, match="text:1: found"):
            parse(bad)
