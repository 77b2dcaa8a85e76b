from collections import Counter
from io import StringIO

from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conllu import parse_conllu_roles, write_conllu_document
from lisa_allennlp.labelling.requests import RequestReader
from lisa_allennlp.sentence.multiword_tokens import (
    MultiwordTokens,
    entries_of,
    forms_of,
    multiword_tokens,
)
from lisa_allennlp.sentence.sentence import Sentence
from tests import FIXTURES

TREEBANK = [
    sentence
    for part in ("train", "dev")
    for sentence in read_annotated(FIXTURES / f"languages/{part}.conllup").bare_sentences
]


def comment(sentence: Sentence, key: str) -> str:
    comments = sentence.extra["conllu"]["comments"]
    return next(line.partition(" = ")[2] for line in comments if line.startswith(f"# {key} "))


def test_raw_text_gets_the_words_and_rows_of_the_treebank() -> None:
    entries = Counter(e for s in TREEBANK for e in entries_of(s, forms_of(TREEBANK)))
    assert [entry for entry, _ in entries.most_common()] == ["del de el", "al a el"]
    texts = [comment(sentence, "text") for sentence in TREEBANK]
    document = RequestReader("es", (), entries).read_document("\n\n".join(texts))
    assert [found.words for found in document] == [sentence.words for sentence in TREEBANK]
    file = StringIO()
    write_conllu_document(document, file)
    written = [s for s, _ in parse_conllu_roles(file.getvalue().splitlines(), "written")]
    for found, gold in zip(written, TREEBANK, strict=True):
        assert comment(found, "text") == comment(gold, "text")
        assert [*multiword_tokens(found)] == [*multiword_tokens(gold)]
        kept = [sentence.extra["conllu"] for sentence in (found, gold)]
        assert kept[0]["misc"][:-1] == kept[1]["misc"][:-1]


def test_a_form_is_split_where_the_treebank_mostly_splits_it() -> None:
    def sentence(words: str, *rows: str) -> Sentence:
        others = [[0, row.replace(" ", "\t")] for row in rows]
        return Sentence(words.split(), extra={"conllu": {"others": others}})

    corpus = [
        sentence("em os nos", "1-2 Nos"),
        sentence("nos de o", "2-3 do"),
        sentence("o do"),
        sentence("de o", "1-2 do"),
    ]
    assert entries_of(corpus[0], forms_of(corpus)) == ["nos em os", "nos nos"]
    counts = Counter(e for s in corpus for e in entries_of(s, forms_of(corpus)))
    tokens = MultiwordTokens([entry for entry, _ in counts.most_common()])
    raw = ["Nos", "Do", "DO", "o"]
    found = tokens.split(Sentence(raw, offsets=[(3 * i, 3 * i + 2) for i in range(4)]))
    assert found.words == ["Nos", "De", "o", "DE", "O", "o"]
    assert found.offsets is not None and found.offsets[1] == found.offsets[2] == (3, 5)
