import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
from lisa_allennlp.sentence.sentence import Sentence
from tests import FIXTURES

FOLDER = FIXTURES / "ccg"


def count(path, **options):
    return len(list(CcgbankReader(**options).read_sentences(path)))


@pytest.mark.parametrize(
    "path, corpus_format, expected",
    [
        ("AUTO", "auto", 67),
        ("AUTO#02-03", "auto", 48),
        ("AUTO#00,23", "auto", 19),
        ("sample.pipe", "pipes", 3),
        ("sample.tsv", "columns", 2),
        ("sample.conllu", "dependencies", 2),
    ],
)
def test_sections_and_formats(path, corpus_format, expected):
    assert count(FOLDER / path, corpus_format=corpus_format) == expected


def test_wrong_sections_and_formats():
    with pytest.raises(CorpusFormatError, match="found no section 04, 05"):
        count(f"{FOLDER}/AUTO#02-05")
    with pytest.raises(CorpusFormatError, match="the sections '03-02'"):
        count(f"{FOLDER}/AUTO#03-02")
    with pytest.raises(ConfigurationError, match="corpus_format: found 'xml'"):
        CcgbankReader(corpus_format="xml")


def test_fields():
    instance = next(iter(CcgbankReader().read(f"{FOLDER}/AUTO/02/wsj_0202.auto")))
    assert [str(token) for token in instance["tokens"]][:2] == ["the", "shares"]
    assert instance["supertags"].labels[:2] == ["NP[nb]/N", "N"]
    assert instance["frequent_supertags"].labels == instance["supertags"].labels
    assert instance["training_words"].labels[:2] == ["the", "shares"]
    assert instance["metadata"]["sentence"].pos[:2] == ["DT", "NNS"]
    bare = CcgbankReader().text_to_instance(Sentence(["Yes"]))
    assert set(bare.fields) == {"tokens", "metadata"}
