"""Frames in a Doc, through everything that spaCy does to Docs."""

from typing import Any, Dict, List, Tuple

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from lisa_allennlp.apps.spacy import remove_frames, store_frame
from lisa_allennlp.apps.spacy.annotation import doc_sentences, set_frames
from lisa_allennlp.sentence.sentence import Frame, Sentence

TEXT = "He left. She sold the old car to him."


@pytest.fixture(scope="module")
def nlp() -> Language:
    return spacy.blank("en")


@pytest.fixture
def doc(nlp: Language) -> Doc:
    doc = nlp(TEXT)
    # Later predicates first: the order is that of the text.
    roles = [("ARG0", 3, 3), ("V", 4, 4), ("ARG1", 5, 7), ("ARG2", 8, 9)]
    store_frame(doc, 4, roles, sense="sell.01", lemma="sell")
    store_frame(doc, 1, [("ARG0", 0, 0), ("V", 1, 1)])
    doc.spans["srl"] = [span for frame in doc._.frames for span in frame.roles]
    return doc


Shown = List[Tuple[str, str, Dict[str, str]]]

LEFT: Tuple[str, str, Dict[str, str]] = ("left", "-", {"ARG0": "He", "V": "left"})
SOLD = ("sold", "sell.01", {"ARG0": "She", "V": "sold", "ARG1": "the old car", "ARG2": "to him"})


def shown(doc: Doc) -> Shown:
    return [
        (f.predicate.text, f.sense, {span.label_: span.text for span in f.roles})
        for f in doc._.frames
    ]


def test_tokens_and_spans(doc: Doc) -> None:
    assert shown(doc) == [LEFT, SOLD]
    left, sold = doc._.frames
    assert (left.lemma, sold.lemma) == ("-", "sell")
    assert doc[4]._.frame.predicate == sold.predicate == doc[4]
    assert doc[3]._.frame is None
    assert {span.id_ for span in sold.roles} == {"4"}
    assert [span.kb_id_ for span in sold.roles] == ["", "sell.01", "", ""]


def test_glosses_and_links(doc: Doc, nlp: Language) -> None:
    left, sold = (frame.explained for frame in doc._.frames)
    assert (left.gloss, sold.verbnet, sold.framenet) == (None, "13.1-1", ["Commerce_sell"])
    roles = [sold.thematic_roles.get(span.label_) for span in sold.roles]
    assert roles == ["Agent", None, "Theme", "Recipient"]
    # Those that a labeller gives are stored with the Doc.
    frame = Frame(1, ["B-ARG0", "B-V", "O"], "sell", "sell.01").explained
    first = doc_sentences(doc)[:1]
    set_frames(doc, first, [Sentence(["He", "left", "."], frames=[frame])])
    (stored,) = Doc(nlp.vocab).from_bytes(doc.to_bytes())._.frames
    names = ("gloss", "role_glosses", "verbnet", "thematic_roles", "framenet")
    assert [getattr(stored, name) for name in names] == [getattr(frame, name) for name in names]
    assert stored.verbnet


def test_other_user_data_stays(doc: Doc) -> None:
    others: Dict[Any, Any] = {"title": 1, ("._.", "frame"): 2, ("._.", "other", 0, None): 3, 4: 5}
    doc.user_data.update(others)
    assert shown(doc) == [LEFT, SOLD]
    remove_frames(doc)
    assert doc._.frames == [] and doc.user_data == others


def test_saved_docs(doc: Doc) -> None:
    binary = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (from_bin,) = DocBin().from_bytes(binary).get_docs(spacy.blank("en").vocab)
    from_bytes = Doc(spacy.blank("en").vocab).from_bytes(doc.to_bytes())
    for copied in (from_bin, from_bytes, doc.copy()):
        assert shown(copied) == [LEFT, SOLD]
        spans = [span for frame in copied._.frames for span in frame.roles]
        assert list(copied.spans["srl"]) == spans


def test_joined_docs(doc: Doc, nlp: Language) -> None:
    joined = Doc.from_docs([doc, nlp("No frame here."), doc])
    assert shown(joined) == [LEFT, SOLD, LEFT, SOLD]
    assert [frame.predicate.i for frame in joined._.frames] == [1, 4, 16, 19]


def test_a_sentence_alone(doc: Doc) -> None:
    assert shown(doc[3:].as_doc(copy_user_data=True)) == [SOLD]
    # Roles outside a Doc are left out.
    cut = doc[4:8].as_doc(copy_user_data=True)
    assert shown(cut) == [("sold", "sell.01", {"V": "sold", "ARG1": "the old car"})]


def test_merged_tokens(doc: Doc) -> None:
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[5:8])
    assert shown(doc) == [LEFT, SOLD]
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[3:5])
    merged = ("She sold", "sell.01", {**SOLD[2], "ARG0": "She sold", "V": "She sold"})
    assert shown(doc) == [LEFT, merged]


def test_events_have_the_positions_of_the_doc(nlp: Language) -> None:
    nlp.add_pipe("lisa", config={"model": "english-fast"})
    doc = nlp("She failed to sell it.  \n Did Ann Lee buy the car?")
    events = {event.name: (event.factuality, doc[event.predicate].text) for event in doc._.events}
    assert events == {
        "fail": ("asserted", "failed"),
        "sell": ("denied", "sell"),
        "buy": ("asked", "buy"),
    }
    assert doc._.events[2].who == "Ann Lee"
