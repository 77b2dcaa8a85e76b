import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence
from tests import FIXTURES

FOLDER = FIXTURES / "ccg"


def count(path, **options):
    return len(list(CcgbankReader(**options).read_sentences(path)))


@pytest.mark.parametrize(
    "sections, expected",
    [("", 67), ("#00", 13), ("#02-03", 48), ("#00,23", 19), ("#00,02-03,23", 67)],
)
def test_sections(sections, expected):
    assert count(f"{FOLDER}/AUTO{sections}") == expected


@pytest.mark.parametrize(
    "corpus_format, name, expected",
    [
        ("pipes", "sample.pipe", 3),
        ("columns", "sample.tsv", 2),
        ("dependencies", "sample.conllu", 2),
    ],
)
def test_formats(corpus_format, name, expected):
    assert count(FOLDER / name, corpus_format=corpus_format) == expected


def test_unknown_format():
    with pytest.raises(
        ConfigurationError, match="corpus_format: found 'xml'; expected one of auto, "
    ):
        CcgbankReader(corpus_format="xml")


@pytest.mark.parametrize(
    "sections, message",
    [
        ("02-05", "found no section 04, 05; expected folders"),
        ("03-02", "the sections '03-02'; exp"),
    ],
)
def test_wrong_sections(sections, message):
    with pytest.raises(CorpusFormatError, match=message):
        count(f"{FOLDER}/AUTO#{sections}")


def test_fields():
    instance = next(iter(CcgbankReader().read(f"{FOLDER}/AUTO/02/wsj_0202.auto")))
    assert [str(token) for token in instance["tokens"]][:2] == ["the", "shares"]
    assert instance["supertags"].labels[:2] == ["NP[nb]/N", "N"]
    assert instance["frequent_supertags"].labels == instance["supertags"].labels
    assert instance["training_words"].labels[:2] == ["the", "shares"]
    assert instance["metadata"]["sentence"].pos[:2] == ["DT", "NNS"]


def test_sentences_without_supertags():
    instance = CcgbankReader().text_to_instance(Sentence(["Yes"]))
    assert set(instance.fields) == {"tokens", "metadata"}
