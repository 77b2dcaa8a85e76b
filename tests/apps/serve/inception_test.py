"""Suggestions for INCEpTION, read back by `dkpro-cassis`, against the answers of the model."""

from typing import Any, Dict, Iterator, List, Tuple

import cassis
import pytest

import lisa_allennlp
from lisa_allennlp.sentence.sentence import Sentence
from tests.apps.serve.services import Answer, Running, running

WORDS = "Yesterday the company sold its plant to a rival .".split()
MORE = "We left .".split()
CORE = "de.tudarmstadt.ukp.dkpro.core.api."
SPANS = "webanno.custom.Roles"
POS = f"{CORE}lexmorph.type.pos.POS"
LEMMA = f"{CORE}segmentation.type.Lemma"
DEPENDENCY = f"{CORE}syntax.type.dependency.Dependency"
ARGUMENT = f"{CORE}semantics.type.SemArg"
PREDICATE = f"{CORE}semantics.type.SemPred"

Found = Tuple[str, str]


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    with running(lisa_allennlp.load("english-fast", probabilities=True)) as found:
        yield found


@pytest.fixture(scope="module")
def sentences() -> List[Sentence]:
    lisa = lisa_allennlp.load("english-fast", probabilities=True)
    return [lisa(WORDS), lisa(MORE)]


def document() -> cassis.Cas:
    """Two sentences, in types to which INCEpTION has added features for suggestions."""
    types = cassis.load_dkpro_core_typesystem()
    own = types.create_type(SPANS, "uima.tcas.Annotation")
    types.create_feature(own, "role", "uima.cas.String")
    for layer, feature in ((POS, "PosValue"), (DEPENDENCY, "DependencyType"), (SPANS, "role")):
        types.create_feature(types.get_type(layer), f"{feature}_score", "uima.cas.Double")
    for layer in (POS, LEMMA, DEPENDENCY, PREDICATE, SPANS):
        added = types.get_type(layer), "inception_internal_predicted", "uima.cas.Boolean"
        types.create_feature(*added)
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = " ".join([*WORDS, *MORE]), "text/plain"
    position = 0
    for words in (WORDS, MORE):
        start = position
        for word in words:
            end = position + len(word)
            cas.add(types.get_type(f"{CORE}segmentation.type.Token")(begin=position, end=end))
            position = end + 1
        sentence = types.get_type(f"{CORE}segmentation.type.Sentence")
        cas.add(sentence(begin=start, end=position - 1))
    return cas


def ask(served: Running, layer: str, feature: str, **changes: Any) -> Answer:
    cas = document()
    body: Dict[str, Any] = {
        "metadata": {"layer": layer, "feature": feature, "projectId": 1, "crossSentence": False},
        "document": {"xmi": cas.to_xmi(), "documentId": 1, "userId": "ann"},
        "typeSystem": cas.typesystem.to_xml(),
    }
    return served.ask("POST", "/inception/predict", {**body, **changes})


def suggested(served: Running, layer: str, feature: str) -> List[Any]:
    answer = ask(served, layer, feature)
    cas = cassis.load_cas_from_xmi(answer.json["document"], document().typesystem)
    found = list(cas.select(layer))
    assert all(one.inception_internal_predicted for one in found)
    return found


def texts(served: Running, layer: str, feature: str) -> List[Found]:
    found = suggested(served, layer, feature)
    return [(one.get_covered_text(), getattr(one, feature)) for one in found]


def test_a_label_per_word(served: Running, sentences: List[Sentence]) -> None:
    words = [*WORDS, *MORE]
    for (layer, feature), name in {
        (POS, "PosValue"): "pos",
        (POS, "coarseValue"): "upos",
        (LEMMA, "value"): "lemmas",
    }.items():
        labels = [label for s in sentences for label in getattr(s, name)]
        assert texts(served, layer, feature) == list(zip(words, labels, strict=True))
    scores = [p for s in sentences for p in s.pos_probabilities or ()]
    found = [one.PosValue_score for one in suggested(served, POS, "PosValue")]
    assert found == pytest.approx(scores, abs=1e-3)


def test_trees(served: Running, sentences: List[Sentence]) -> None:
    found = [
        (one.DependencyType, one.Governor.get_covered_text(), one.Dependent.get_covered_text())
        for one in suggested(served, DEPENDENCY, "DependencyType")
    ]
    # The root is its own governor.
    expected = [
        (arc.head_tag, sentence.words[(arc.head or arc.dependent) - 1], word)
        for sentence in sentences
        for word, arc in zip(sentence.words, sentence.arcs or (), strict=True)
    ]
    assert found == expected


def test_predicates_and_roles(served: Running) -> None:
    assert texts(served, PREDICATE, "category") == [("sold", "sell.01"), ("left", "leave.11")]
    assert {*texts(served, SPANS, "role")} >= {
        ("the company", "ARG0"),
        ("its plant", "ARG1"),
        ("to a rival", "ARG2"),
        ("Yesterday", "ARGM-TMP"),
        ("We", "ARG0"),
    }


def test_links_join_annotations_that_are_there(served: Running) -> None:
    cas = document()
    text, types = cas.sofa_string, cas.typesystem
    for layer, words in ((PREDICATE, "sold"), (ARGUMENT, "its plant"), (ARGUMENT, "We")):
        begin = text.index(words)
        cas.add(types.get_type(layer)(begin=begin, end=begin + len(words)))
    answer = ask(served, PREDICATE, "arguments", document={"xmi": cas.to_xmi()})
    assert answer.status == 200, answer.json
    found = cassis.load_cas_from_xmi(answer.json["document"], types).select(PREDICATE)
    (one,) = (one for one in found if one.inception_internal_predicted)
    ((link,), place) = (one.arguments.elements, one.get_covered_text())
    assert (place, link.role, link.target.get_covered_text()) == ("sold", "ARG1", "its plant")


def test_sentences_are_counted_and_share_no_tokens(served: Running) -> None:
    cas = document()
    sentence = cas.typesystem.get_type(f"{CORE}segmentation.type.Sentence")
    for _ in range(500):
        cas.add(sentence(begin=0, end=len(cas.sofa_string)))
    xmi = cas.to_xmi()
    answer = ask(served, POS, "PosValue", document={"xmi": xmi})
    words = [*cassis.load_cas_from_xmi(answer.json["document"], cas.typesystem).select(POS)]
    assert len(words) == len([*WORDS, *MORE])
    more = xmi + "<s:Sentence/>" * 1000
    assert ask(served, POS, "PosValue", document={"xmi": more}).status == 413


def test_faults_have_one_line(served: Running) -> None:
    cas = document()
    odd = cas.typesystem.create_type("webanno.custom.Odd", "uima.cas.TOP")
    cas.typesystem.create_feature(odd, "role", "uima.cas.FSArray")
    asked = {"document": {"xmi": cas.to_xmi()}, "typeSystem": cas.typesystem.to_xml()}
    answer = ask(served, "webanno.custom.Odd", "role", **asked)
    assert answer.status == 422 and "webanno.custom.Odd" in answer.error
    assert "`typeSystem`" in ask(served, "Nothing", "role").error
    broken = ask(served, POS, "PosValue", document={"xmi": "<xmi"})
    assert broken.status == 422 and "`document`" in broken.error
    assert served.ask("POST", "/inception/train", {}).status == 204
