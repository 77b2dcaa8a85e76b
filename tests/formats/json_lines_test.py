import io
import json

import numpy
import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.json_lines import parse_json_lines, write_json_lines
from lisa_allennlp.sentence.sentence import Frame, Parse, RankedSupertag, Sentence


def parse(text):
    return [sentence for sentence, _ in parse_json_lines(io.StringIO(text), "text")]


def written(items):
    file = io.StringIO()
    write_json_lines(items, file)
    return file.getvalue()


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence(
            ["Go", "on"],
            supertags=["S[b]", "N/N"],
            candidates=[[RankedSupertag("S[b]", 0.9)], [RankedSupertag("N/N", 0.5)]],
            frames=[
                Frame(0, ["B-V", "I-V"], role_glosses={"ARG0": "goer"}, span_probabilities=[1.0])
            ],
            predicate_probabilities=[0.9, 0.1],
            pos_probabilities=[0.5, 1.0],
            head_probabilities=[0.5, 1.0],
            offsets=[(0, 2), (3, 5)],
            extra={"id": 7},
        ),
        # Requests with `allow_cycles` have answers with cycles.
        Sentence(["a", "b", "c"], parse=Parse([1, 2, 0], ["dep"] * 3)),
        # What UTF-8 cannot encode is escaped.
        Sentence(["Go"], extra={"note": "a \ud800 b"}),
    ],
)
def test_other_annotation_is_read_back(sentence):
    assert written([sentence]).encode() and parse(written([sentence])) == [sentence]


def test_frames_of_allennlp_have_their_predicates_at_v_or_at_the_word() -> None:
    words = ["He", "had", "had", "it"]
    verbs = [
        {"verb": "had", "tags": ["O"] * 4, "description": "He had had it"},
        {"verb": "had", "tags": ["B-ARG0", "O", "B-V", "B-ARG1"]},
    ]
    (located,) = parse_json_lines([json.dumps({"verbs": verbs, "words": words})], "a")
    assert located.sentence.predicates == [1, 2]
    verbs[0]["verb"] = "has"
    with pytest.raises(CorpusFormatError, match="a:1: found .* in `verbs`; expected .*`index`"):
        list(parse_json_lines([json.dumps({"verbs": verbs, "words": words})], "a"))


def test_matrices_are_read_back():
    (sentence,) = parse(written([Sentence(["a", "b"], attention=numpy.eye(2))]))
    numpy.testing.assert_array_equal(sentence.attention, numpy.eye(2))


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
