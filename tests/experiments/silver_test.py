"""Tests of `experiments.silver`."""

from experiments.silver import as_input, mixed, write_corpus
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Frame, Parse, Sentence


def test_a_written_corpus_is_read_as_it_was(tmp_path):
    gold = list(Conll12SrlReader().read_sentences("fixtures/sample/dev.gold_conll"))
    words = ["-LRB-", "Run", "-RRB-"]
    silver = Sentence(
        words,
        pos=["-LRB-", "VB", "-RRB-"],
        frames=[Frame(1, ["O", "B-V", "O"])],
        parse=Parse([1, 1, 1], ["punct", "root", "punct"]),
    )
    without_predicates = Sentence(["No"], pos=["UH"], frames=[], parse=Parse([0], ["root"]))
    sentences = mixed([silver, without_predicates], gold[:20], seed=1)
    assert len(sentences) == 22 and sentences[:2] != [silver, without_predicates]
    path = tmp_path / "silver.gold_conll"
    write_corpus(sentences, path)
    found = list(Conll12SrlReader().read_sentences(path))
    for own, read in zip(sentences, found, strict=True):
        assert (read.words, read.pos, read.parse) == (own.words, own.pos, own.parse)
        assert [f.tags for f in read.frames] == [f.tags for f in own.frames]


def test_a_parsed_sentence_becomes_an_input_with_its_tree():
    parsed = Sentence(["Go", "."], parse=Parse([0, 0], ["root", "punct"]))
    assert as_input(parsed) == {
        "tokens": ["Go", "."],
        "head_indices": [0, 1],
        "head_tags": ["root", "punct"],
    }
