import gzip

from allennlp.common import Params
from allennlp.data import DatasetReader

from lisa_allennlp.data.dataset_readers import Conll05SrlReader
from tests import FIXTURES
from tests.data.sentences import SAMPLE, without_parse

FOLDER = FIXTURES / "formats" / "conll05"


class TestConll05SrlReader:
    def test_is_registered(self):
        reader = DatasetReader.from_params(Params({"type": "conll05_srl", "max_instances": 2}))
        assert isinstance(reader, Conll05SrlReader)
        assert len(list(reader.read(FOLDER / "sample.conll"))) == 2

    def test_official_columns_take_trees_from_the_file_beside(self):
        assert list(Conll05SrlReader().read_sentences(FOLDER / "sample.conll")) == SAMPLE

    def test_gzipped_files_are_read(self, tmp_path):
        # The preparation scripts of CoNLL-2005 make train-set.gz.
        path = tmp_path / "train-set.gz"
        path.write_bytes(gzip.compress((FOLDER / "sample.conll").read_bytes()))
        (tmp_path / "train-set.conllu").write_bytes((FOLDER / "sample.conllu").read_bytes())
        assert list(Conll05SrlReader().read_sentences(path)) == SAMPLE

    def test_combined_bio_has_trees_of_its_own(self, tmp_path):
        # No file stands beside it there.
        path = tmp_path / "sample.combined.bio"
        path.write_bytes((FOLDER / "sample.combined.bio").read_bytes())
        assert list(Conll05SrlReader().read_sentences(path)) == SAMPLE

    def test_null_leaves_out_trees_of_combined_bio_too(self):
        reader = Conll05SrlReader(parses_suffix=None)
        sentences = list(reader.read_sentences(FOLDER / "sample.combined.bio"))
        assert sentences == [without_parse(sentence) for sentence in SAMPLE]

    def test_trees_are_injected_into_combined_bio(self):
        reader = Conll05SrlReader(injected_parses_suffix=".conllu")
        for sentence in reader.read_sentences(FOLDER / "sample.combined.bio"):
            assert sentence.injected_parse == sentence.parse
