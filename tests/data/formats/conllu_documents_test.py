"""The file has the text, for udtools' scorer and for our own reader."""

import io
from dataclasses import replace
from pathlib import Path

import conllu
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.formats.conllu_documents import write_conllu_document
from lisa_allennlp.data.formats.conllu_roles import parse_conllu_roles
from lisa_allennlp.data.sentence import Frame, Parse, Sentence
from lisa_allennlp.data.tokenizers.english import EnglishTokenizer
from lisa_allennlp.scoring import Conll18Evaluation

TOKENIZER = EnglishTokenizer()


def labelled(text: str) -> Document:
    """The first token of each sentence is its root and predicate."""
    sentences = []
    for offsets in TOKENIZER.sentences(text, 9):
        n = len(offsets)
        parse = Parse([0] * n, ["root"] + ["dep"] * (n - 1))
        frames = [Frame(0, ["B-V"] + ["B-ARG1"] * (n > 1) + ["I-ARG1"] * (n - 2))]
        words = [text[start:end] for start, end in offsets]
        sentences.append(Sentence(words, ["X"] * n, frames, parse, offsets=offsets, text=text))
    return Document(text, sentences, {"id": "a b\n1"})


def written(document: Document) -> str:
    file = io.StringIO()
    write_conllu_document(document, file)
    return file.getvalue()


texts = st.lists(
    st.sampled_from(["She sang.", "Hm...", "don't", "\n\n", "\n", "\t", "A (b)", "é😀", "Go!"]),
    min_size=1,
).map(" ".join)


@settings(deadline=None)
@given(texts.filter(str.strip))
def test_text_and_annotation_are_read_back(text: str) -> None:
    document = labelled(text)
    output = written(document)
    parsed = conllu.parse(output)
    assert [tokens.metadata["text"] for tokens in parsed] == [
        " ".join(document.text_of(sentence).split()) for sentence in document.sentences
    ]
    for number, tokens in enumerate(parsed, start=1):
        words = (t["form"] + " " * ("SpaceAfter" not in (t["misc"] or {})) for t in tokens)
        assert "".join(words).strip() == tokens.metadata["text"]
        assert tokens.metadata["sent_id"] == f"a b 1-{number}"
        assert tokens.metadata.get("newdoc id") == ("a b 1" if number == 1 else None)
    starts = [n for n, tokens in enumerate(parsed) if "newpar" in tokens.metadata]
    assert starts == document.paragraph_starts()
    again = [item.sentence for item in parse_conllu_roles(output.splitlines(), "output")]
    assert again == [replace(s, offsets=None, text=None) for s in document.sentences]


def test_the_scorer_of_conll_2018_reads_it(tmp_path: Path) -> None:
    text = "She didn't sing. He (John) left at 7:30PM...\n\nWhy?!"
    gold = labelled(text)
    path, gold_path = tmp_path / "predicted.conllu", tmp_path / "gold.conllu"
    gold_path.write_text(written(gold))
    path.write_text(written(gold))
    scores = Conll18Evaluation(path, gold_path).to_dict()
    assert {scores[name]["f1"] for name in ("Words", "Sentences", "XPOS", "LAS")} == {100}


def test_a_document_without_sentences() -> None:
    assert written(Document(" ", [])) == ""
