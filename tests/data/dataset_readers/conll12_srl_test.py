import shutil

import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from tests import FIXTURES
from tests.data.corpora import CORPUS, needs_ewt
from tests.data.sentences import SAMPLE, in_conll12

FOLDER = FIXTURES / "formats" / "conll12"
EXPECTED = [in_conll12(sentence) for sentence in SAMPLE]


class TestConll12SrlReader:
    def test_is_registered(self):
        reader = DatasetReader.from_params(Params({"type": "conll12_srl", "max_instances": 1}))
        assert isinstance(reader, Conll12SrlReader)
        assert len(list(reader.read(FOLDER / "sample.gold_conll"))) == 1

    @pytest.mark.parametrize("suffix", [".gold_conll", ".v4_gold_conll"])
    def test_reads_a_folder(self, tmp_path, suffix):
        for name in ["nw/b", "bc/a"]:
            (tmp_path / name).parent.mkdir()
            shutil.copy(FOLDER / "sample.gold_conll", tmp_path / f"{name}{suffix}")
            shutil.copy(FOLDER / "sample.conllu", tmp_path / f"{name}.conllu")
        assert list(Conll12SrlReader().read_sentences(tmp_path)) == EXPECTED * 2

    def test_errors_name_the_file_of_the_folder(self, tmp_path):
        path = tmp_path / "a.gold_conll"
        shutil.copy(FOLDER / "broken" / "unbalanced.gold_conll", path)
        with pytest.raises(ConfigurationError, match=f"{path}:3: found"):
            list(Conll12SrlReader(parses_suffix=None).read(tmp_path))


@needs_ewt
@pytest.mark.parametrize("part, num_sentences", [("train", 12504), ("dev", 1937)])
def test_reads_the_english_web_treebank(part, num_sentences):
    sentences = list(Conll12SrlReader().read_sentences(CORPUS / f"ewt-{part}.gold_conll"))
    assert len(sentences) == num_sentences
    assert all(len(s.parse.head_indices) == len(s.words) for s in sentences)
    if part == "train":
        # The root's label among them.
        assert len({tag for s in sentences for tag in s.parse.head_tags}) == 51
