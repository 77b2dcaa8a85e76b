"""Answers that come back to be drawn or converted: those of the service, and damaged ones."""

import copy
import random
from typing import Any, Dict, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.apps.serve.app import convert, draw
from lisa_allennlp.apps.serve.schemas import ConvertInput, DrawInput
from lisa_allennlp.apps.serve.workers import BatchLabeller, Part
from lisa_allennlp.apps.show.figures import Pictured, figures_svg, make_figure
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.labelling.writing import DOCUMENT_FORMATS, FORMATS
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Sentence
from tests.apps.serve.services import Running

LISA_FORMATS = ("json", "conllu", "props")


@pytest.fixture(scope="module")
def answer(tiny: Any) -> Dict[str, Any]:
    """An answer with all keys."""
    request = tiny.read({"tokens": ["She", "sold", "<b>", "cars"], "predicates": [1, 3]})
    (found,) = BatchLabeller(tiny)([Part(request, LabelOptions(probabilities=True, details=True))])
    assert isinstance(found, dict)
    return found


def test_pictures_are_those_of_lisa_show(answer: Dict[str, Any]):
    sentence = Sentence.from_dict(answer)
    other = {**answer, "pos": ["X"] * 4}
    for theme in ("auto", "light", "dark", None):
        expected = figures_svg([make_figure(Pictured(sentence))], theme)
        assert draw(DrawInput.model_validate({"answer": answer, "theme": theme})) == expected
    compared = Pictured(sentence, Sentence.from_dict(other), ("own", "given"))
    asked = {"answer": answer, "other": other, "names": ["own", "given"], "width": 100}
    assert draw(DrawInput.model_validate(asked)) == figures_svg([make_figure(compared, 100)])


@pytest.mark.parametrize("name", LISA_FORMATS)
def test_texts_are_those_of_lisa_predict(answer: Dict[str, Any], name: str):
    sentence = Sentence.from_dict(answer)
    asked = ConvertInput.model_validate({"answers": answer})
    assert convert(asked, name) == FORMATS[name](sentence)
    text = "She sold <b>cars."
    placed = {**answer, "offsets": [[0, 3], [4, 8], [9, 12], [12, 16]]}
    document = {"text": text, "sentences": [placed]}
    read = Document(text, [Sentence.from_dict(placed)])
    expected = DOCUMENT_FORMATS.get(name, lambda d: "".join(map(FORMATS[name], d.sentences)))(read)
    found = convert(ConvertInput.model_validate({"answers": [document, answer]}), name)
    assert found == expected + FORMATS[name](sentence)


BAD: Dict[str, Any] = {
    "`answer.words`": {"answer": {"error": "bad"}},
    "`colour`": {"answer": {"words": ["Go"]}, "colour": 1},
    "41 words": {"answer": {"words": ["Go"] * 41}},
    "`answers.0.document`: found the offsets": {
        "answers": {"text": "", "sentences": [{"words": ["Go"], "offsets": [[0, 2]]}]}
    },
    "the output format 'props'": {"answers": {"words": ["Go"]}},
}


@pytest.mark.parametrize("message", BAD)
def test_what_is_refused(served: Running, message: str):
    path = f"/convert?format={'props' if 'props' in message else 'conllu'}"
    found = served.ask("POST", path if "answers" in BAD[message] else "/draw", BAD[message])
    assert found.status == 422
    assert message in found.error


def places(value: Any) -> Iterator[Any]:
    """All places in a value of JSON, as the container and the key."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from places(value[key])


@pytest.mark.medium
@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_damaged_answers_are_drawn_or_refused(served: Running, answer: Dict[str, Any], seed: int):
    rng = random.Random(seed)
    damaged = copy.deepcopy(answer)
    for _ in range(rng.randint(1, 2)):
        container, key = rng.choice(list(places(damaged)))
        container[key] = rng.choice(
            [None, True, -1, 99, 1e300, "", "x", "B-ARG0", [], {}, [1], {"a": 1}, [[0.5]]]
        )
    for path, asked in (
        ("/draw", {"answer": damaged}),
        (f"/convert?format={LISA_FORMATS[seed % 3]}", {"answers": damaged}),
    ):
        assert served.ask("POST", path, asked).status in (200, 422)
