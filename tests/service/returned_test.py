"""Answers that come back to be drawn or converted: those of the service, and damaged ones."""

import copy
import json
import random
from typing import Any, Dict, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.writing import DOCUMENT_FORMATS, FORMATS
from lisa_allennlp.service.conversion import convert
from lisa_allennlp.service.drawing import draw_answer
from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.processes import BatchLabeller, Part, Variant
from lisa_allennlp.visualisation.figures import Pictured, figure_svg, make_figure

LISA_FORMATS = ("json", "conllu", "props", "conll05")


@pytest.fixture(scope="module")
def answer(tiny: Any) -> Dict[str, Any]:
    """An answer with all keys."""
    label = BatchLabeller(tiny, tiny.with_probabilities())
    request = tiny.read({"tokens": ["She", "sold", "<b>", "cars"], "predicates": [1, 3]})
    (found,) = label([Part(request, Variant(probabilities=True, attention=True))])
    return json.loads(found)


def test_pictures_are_those_of_lisa_show(answer: Dict[str, Any]):
    sentence = Sentence.from_dict(answer)
    other = {**answer, "pos": ["X"] * 4}
    for theme in ("auto", "light", "dark", None):
        expected = figure_svg(make_figure(Pictured(sentence)), theme)
        assert draw_answer({"answer": answer, "theme": theme}, 10) == expected
    compared = Pictured(sentence, Sentence.from_dict(other), ("own", "given"))
    asked = {"answer": answer, "other": other, "names": ["own", "given"], "width": 500}
    found = draw_answer(asked, 10)
    assert "own" in found and ">given<" in found
    del asked["width"]
    assert draw_answer(asked, 10) == figure_svg(make_figure(compared))


@pytest.mark.parametrize("attention", [False, True])
def test_pictures_are_no_wider_than_asked(tiny: Any, attention: bool):
    request = tiny.read({"tokens": ["word"] * 30})
    (found,) = BatchLabeller(tiny)([Part(request, Variant(attention=True))])
    asked = {"answer": json.loads(found), "attention": attention}
    widths = [
        float(draw_answer(options, 30).split('width="')[1].split('"')[0])
        for options in (asked, {**asked, "width": 300})
    ]
    assert widths[0] > 400 and widths[1] <= 300


def test_attention_is_drawn_alone(answer: Dict[str, Any]):
    picture = draw_answer({"answer": answer, "attention": True}, 10)
    assert 'class="heat"' in picture and 'class="arc"' not in picture
    without = {key: answer[key] for key in answer if key != "attention"}
    with pytest.raises(RequestError, match="without `attention`"):
        draw_answer({"answer": without, "attention": True}, 10)


@pytest.mark.parametrize("name", LISA_FORMATS)
def test_texts_are_those_of_lisa_predict(answer: Dict[str, Any], name: str):
    sentence = Sentence.from_dict(answer)
    assert convert({"answers": answer}, name, LISA_FORMATS) == FORMATS[name](sentence)
    text = "She sold <b>cars."
    placed = {**answer, "offsets": [[0, 3], [4, 8], [9, 12], [12, 16]]}
    document = {"text": text, "sentences": [placed]}
    read = Document(text, [Sentence.from_dict(placed)])
    expected = DOCUMENT_FORMATS.get(name, lambda d: "".join(map(FORMATS[name], d.sentences)))(read)
    found = convert({"answers": [document, answer]}, name, LISA_FORMATS)
    assert found == expected + FORMATS[name](sentence)


BAD_DRAWINGS: Dict[str, Any] = {
    "found 3; expected an object with `answer`": 3,
    '`answer`: found "Go"; expected an answer of /label': {"answer": "Go"},
    '`answer`: found {"error"': {"answer": {"error": "bad"}},
    "found the key .colour.": {"answer": {"words": ["Go"]}, "colour": 1},
    "`theme`: found .pink.; expected auto, light, dark": {
        "answer": {"words": ["Go"]},
        "theme": "pink",
    },
    "`width`: found 1; expected a number from 100": {"answer": {"words": ["Go"]}, "width": 1},
    "`width`: found true": {"answer": {"words": ["Go"]}, "width": True},
    "`names`: found": {"answer": {"words": ["Go"]}, "names": ["a"]},
    "`attention`: found 1; expected true or false": {"answer": {"words": ["Go"]}, "attention": 1},
    "`answer`: found 11 words; expected at most 10": {"answer": {"words": ["Go"] * 11}},
    "`answer`: found another `attention`; expected 1 lists": {
        "answer": {"words": ["Go"], "attention": [[1, 2]]}
    },
    "ValueError": {"answer": {"words": ["Go"], "attention": [[1], [1, 2]]}},
    "found 0 items in `pos`": {"answer": {"words": ["Go"], "pos": []}},
}


@pytest.mark.parametrize("message", BAD_DRAWINGS)
def test_what_cannot_be_drawn(message: str):
    with pytest.raises(RequestError, match=message) as refused:
        draw_answer(BAD_DRAWINGS[message], 10)
    assert refused.value.status == 422 and "\n" not in refused.value.message


def test_what_cannot_be_converted(answer: Dict[str, Any]):
    for asked, name, message in (
        (answer, "conllu", "expected an object with `answers`"),
        ({"answers": 3}, "conllu", "`answers`: found 3"),
        ({"answers": {"text": "", "sentences": [answer]}}, "json", "offsets null; expected those"),
        ({"answers": {"text": 3, "sentences": []}}, "conllu", "found 3 as `text`"),
        ({"answers": answer}, "pipes", "`format`: found .pipes.; expected one of json, conllu"),
        ({"answers": {"words": ["a\tb"], "pos": ["X"]}}, "conllu", "the output format 'conllu'"),
    ):
        with pytest.raises(RequestError, match=message):
            convert(asked, name, LISA_FORMATS)


def places(value: Any) -> Iterator[Any]:
    """All places in a value of JSON, as the container and the key."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from places(value[key])


@given(st.integers(0, 10**6))
def test_damaged_answers_are_drawn_or_refused(answer: Dict[str, Any], seed: int):
    rng = random.Random(seed)
    damaged = copy.deepcopy(answer)
    for _ in range(rng.randint(1, 2)):
        container, key = rng.choice(list(places(damaged)))
        container[key] = rng.choice(
            [None, True, -1, 99, 1e300, "", "x", "B-ARG0", [], {}, [1], {"a": 1}, [[0.5]]]
        )
    for call in (
        lambda: draw_answer({"answer": damaged, "attention": seed % 2 == 0}, 10),
        lambda: convert({"answers": damaged}, LISA_FORMATS[seed % 4], LISA_FORMATS),
    ):
        try:
            assert isinstance(call(), str)
        except RequestError as refused:
            assert refused.status == 422 and "\n" not in refused.message
