"""Labels of words that share a token."""

import spacy

from lisa_allennlp.apps.spacy import doc_frames
from lisa_allennlp.apps.spacy.annotation import (
    doc_sentences,
    set_frames,
    set_parse,
    set_tags,
)
from lisa_allennlp.sentence.multiword_tokens import MultiwordTokens
from lisa_allennlp.sentence.sentence import Frame, Morphology, Parse, Sentence


def test_a_multiword_token_has_the_labels_of_its_highest_word() -> None:
    sentence = Sentence(
        "Da me de el pan".split(),
        ["VERB", "PRON", "ADP", "DET", "NOUN"],
        [Frame(0, ["B-V", "B-ARG2", "B-ARG1", "I-ARG1", "I-ARG1"])],
        Parse([0, 0, 4, 4, 0], ["root", "iobj", "case", "det", "obj"]),
        morphology=Morphology(["VERB", "PRON", "ADP", "DET", "NOUN"]),
    )
    nlp = spacy.blank("es")
    doc = nlp("Dame del pan")
    found = doc_sentences(doc, multiword=MultiwordTokens(["dame da me", "del de el"]))
    assert [s.content["tokens"] for s in found] == [sentence.words]
    for set_labels in (set_tags, set_parse, set_frames):
        set_labels(doc, found, [sentence])
    assert [token.pos_ for token in doc] == ["VERB", "ADP", "NOUN"]
    assert [token.dep_ for token in doc] == ["ROOT", "case", "obj"]
    assert [token.head.i for token in doc] == [0, 2, 0]
    roles = [(span.label_, span.text) for span in doc_frames(doc)[0].roles]
    assert roles == [("V", "Dame"), ("ARG2", "Dame"), ("ARG1", "del pan")]
