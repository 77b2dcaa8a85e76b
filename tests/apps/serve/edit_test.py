"""Sentences with corrections, as clients of `/edit` see them."""

from typing import Any, Dict

import pytest

from lisa_allennlp.labelling.labeller import Labeller
from tests.apps.serve.services import Answer, Running, assert_close

TOKENS = ["She", "sold", "him", "cars"]


@pytest.fixture(scope="module")
def own(served: Running) -> Dict[str, Any]:
    return served.label({"tokens": TOKENS, "id": 7}, "?probabilities=true").json


def edit(served: Running, own: Any, corrections: Dict[str, Any], **picture: Any) -> Answer:
    body = {"sentence": own, "corrections": corrections, "picture": picture or None}
    return served.ask("POST", "/edit", body)


def test_what_is_set_stays_and_the_model_labels_the_rest(
    served: Running, tiny: Labeller, own: Dict[str, Any]
) -> None:
    heads = [*own["predicted_heads"][:3], 1]
    corrections = {
        "heads": {"3": 1},
        "labels": {"0": "det"},
        "pos": {"0": "NN"},
        "predicates": {"1": True},
        "roles": {"1": [["ARG1", 2, 3]]},
    }
    found = edit(served, own, corrections).json
    assert found["picture"] is None
    asked = {
        "tokens": TOKENS,
        "id": 7,
        "head_indices": heads,
        "allow_cycles": True,
        "predicates": sorted({*own["predicates"], 1}),
        "given_roles": [{"index": 1, "spans": [["ARG1", 2, 3]]}],
    }
    expected = tiny(asked, probabilities=True).to_dict()
    expected["pos"][0], expected["predicted_dependencies"][0] = "NN", "det"
    for key in ("pos_probabilities", "head_probabilities"):
        expected.pop(key)
    assert_close(
        {**found["answer"], "upos": [], "lemmas": []}, {**expected, "upos": [], "lemmas": []}
    )


def test_frames_are_told_in_words(served: Running) -> None:
    own = {
        "words": ["Cars", "-LRB-", "that", "-RRB-", "sold", "fast"],
        "verbs": [{"index": 4, "sense": "sell.01", "lemma": "sell"}],
    }
    own["verbs"][0]["tags"] = ["B-ARG1", "O", "B-R-ARG1", "O", "B-V", "B-ARGM-MNR"]
    (line,) = edit(served, own, {}).json["frames"]
    assert (line["predicate"], line["word"], line["sense"]) == (4, "sold", "sell.01")
    # Without a tree, nothing is known of its truth.
    assert line["truth"] == ""
    assert line["gloss"].startswith("commerce: seller")
    told = [(role["name"], role["text"], role["kind"], role["spans"]) for role in line["roles"]]
    assert told == [
        ("thing sold", "Cars", "a1", [["ARG1", 0, 0]]),
        ("how", "fast", "am", [["ARGM-MNR", 5, 5]]),
    ]


def test_the_model_is_not_asked_for_tags_and_relations(
    served: Running, own: Dict[str, Any]
) -> None:
    before = served.metric("lisa_sentences_total")
    assert edit(served, own, {}).json["answer"] == own
    assert edit(served, own, {"pos": {"0": "NN"}, "labels": {"0": "det"}}).status == 200
    assert served.metric("lisa_sentences_total") == before
    edit(served, own, {"heads": {"0": 0}})
    assert served.metric("lisa_sentences_total") == before + 1


def test_pictures_are_those_of_draw(served: Running, own: Dict[str, Any]) -> None:
    picture: Any = {"overlay": True, "theme": None, "width": 200}
    found = edit(served, own, {"pos": {"0": "NN"}}, **picture).json
    asked = {"answer": found["answer"], "other": own, **picture}
    assert found["picture"] == served.ask("POST", "/draw", asked).body.decode()


@pytest.mark.parametrize(
    "sentence, corrections, message",
    [
        (None, {"heads": {"4": 0}}, '"4" in `corrections.heads`'),
        (None, {"roles": {"1": [["ARG8", 2, 2]]}}, "`corrections.roles`"),
        (None, {"heads": {"3": 1}, "pos": {"0": "NONE"}}, "`corrections.pos`"),
        (None, {"heads": {"3": 1}, "labels": {"0": "bogus"}}, "`corrections.labels`"),
        (None, {"senses": {"1": "sell"}}, "`corrections.senses`"),
        ({"words": TOKENS}, {"pos": {"0": "NN"}}, "pos"),
        ({"words": ["a"] * 41}, {}, "41 words"),
        ({"words": ["a"], "pos": []}, {}, "`sentence.answer`"),
        (1, {}, "no corpus"),
    ],
)
def test_corrections_that_do_not_fit_are_refused(
    served: Running, own: Dict[str, Any], sentence: Any, corrections: Any, message: str
) -> None:
    before = served.metric("lisa_sentences_total")
    found = edit(served, sentence or own, corrections)
    assert found.status == 422
    assert message in found.error
    assert served.metric("lisa_sentences_total") == before
