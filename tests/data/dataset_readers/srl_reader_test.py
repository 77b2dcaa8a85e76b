import dataclasses
import gzip
import shutil

import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll05SrlReader, Conll12SrlReader
from lisa_allennlp.data.formats.conll12 import write_conll12
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.sentence import Parse, Sentence
from tests import FIXTURES
from tests.data.sentences import SAMPLE, chain, in_conll12, without_parse

CONLL05 = FIXTURES / "formats" / "conll05"
PATH = FIXTURES / "formats" / "conll12" / "sample.gold_conll"
EXPECTED = [in_conll12(sentence) for sentence in SAMPLE]


@pytest.fixture
def corpus(tmp_path):
    """Writes a corpus and its trees, which may differ, and gives the corpus' path."""

    def write(sentences, trees=None):
        path = tmp_path / "corpus.gold_conll"
        with open(path, "w", encoding="utf-8") as file:
            write_conll12(sentences, file)
        with open(tmp_path / "corpus.conllu", "w", encoding="utf-8") as file:
            write_conllu(sentences if trees is None else trees, file)
        return path

    return write


class TestInstances:
    def test_fields(self):
        reader = Conll12SrlReader()
        instance = reader.text_to_instance(EXPECTED[2])
        assert [token.text for token in instance["tokens"]] == "Prices , he said , fell .".split()
        assert instance["joint_tags"].labels == "NNS , PRP VBD:predicate , VBD:predicate .".split()
        assert instance["head_indices"].labels == [5, 3, 3, 5, 3, 5, 5]
        assert instance["head_tags"].labels == SAMPLE[2].parse.head_tags
        assert instance["frames"].frames == EXPECTED[2].frames
        assert instance["metadata"].metadata == {"sentence": EXPECTED[2]}
        assert "injected_head_indices" not in instance.fields
        # Words alone are enough to predict.
        assert set(reader.text_to_instance(Sentence(["Hm"])).fields) == {"tokens", "metadata"}
        sentence = Sentence(["Hm", "."], injected_parse=Parse([0, 0], ["root", "punct"]))
        assert reader.text_to_instance(sentence)["injected_head_indices"].labels == [0, 0]


class TestParses:
    def test_trees_to_inject_come_from_a_third_file(self, corpus):
        path = corpus(SAMPLE)
        chains = list(map(chain, SAMPLE))
        reader = Conll12SrlReader(injected_parses_suffix=".parser.conllu")
        with pytest.raises(ConfigurationError, match="option `injected_parses_suffix` sets"):
            list(reader.read(path))
        with open(path.with_suffix(".parser.conllu"), "w") as file:
            write_conllu(chains, file)
        sentences = list(reader.read_sentences(path))
        assert [s.parse for s in sentences] == [s.parse for s in SAMPLE]
        assert [s.injected_parse for s in sentences] == [s.parse for s in chains]

    def test_brackets_may_be_escaped_in_one_file_only(self, corpus):
        sentence = Sentence(["-LRB-"], ["-LRB-"], [], Parse([0], ["root"]))
        path = corpus([sentence], [dataclasses.replace(sentence, words=["("])])
        assert list(Conll12SrlReader().read_sentences(path)) == [sentence]

    def test_a_missing_file_is_an_error_that_says_how_to_go_on(self, corpus):
        path = corpus(SAMPLE)
        path.with_suffix(".conllu").unlink()
        with pytest.raises(ConfigurationError, match="conllu: .* option `parses_suffix` sets"):
            list(Conll12SrlReader().read(path))

    @pytest.mark.parametrize(
        "words, line, message",
        [
            ("# 6 .", 13, "found the word '6'; expected the word '5', as in {path}:14"),
            ("# 5", 13, "found the end of the sentence after '5'; expected the word '.', as in"),
            ("# 5 . !", 15, "found the word '!'; expected the end of the sentence, as after"),
        ],
    )
    def test_other_words_are_an_error_that_names_both_lines(self, corpus, words, line, message):
        length = len(words.split())
        other = Sentence(words.split(), parse=Parse([0] * length, ["x"] * length))
        path = corpus(SAMPLE, [SAMPLE[0], other, SAMPLE[2]])
        with pytest.raises(ConfigurationError) as error:
            list(Conll12SrlReader().read(path))
        place = f"{path.with_suffix('.conllu')}:{line}"
        assert str(error.value).startswith(f"{place}: {message.format(path=path)}")


class TestOnePredicatePerInstance:
    def test_fields(self):
        first, second = Conll12SrlReader().by_predicate(EXPECTED[2])
        assert first["predicate_indicator"].labels == [0, 0, 0, 1, 0, 0, 0]
        assert second["predicate_indicator"].labels == [0, 0, 0, 0, 0, 1, 0]
        whole = Conll12SrlReader().text_to_instance(EXPECTED[2])
        for instance, frame in zip([first, second], EXPECTED[2].frames, strict=True):
            assert instance["frames"].frames == [frame]
            for name in ("tokens", "joint_tags", "head_indices", "head_tags"):
                assert instance[name] == whole[name]
        scored = [instance["metadata"]["sentence"] for instance in (first, second)]
        assert scored[0] == dataclasses.replace(EXPECTED[2], frames=EXPECTED[2].frames[:1])
        sentence = Sentence(EXPECTED[2].words, frames=EXPECTED[2].frames[1:])
        assert scored[1] == dataclasses.replace(sentence, extra=EXPECTED[2].extra)

    def test_the_vocabulary_is_that_of_the_sentences(self):
        readers = [Conll12SrlReader(one_predicate_per_instance=is_set) for is_set in (True, False)]
        many, one = (list(reader.read(FIXTURES / "sample/dev.gold_conll")) for reader in readers)
        assert len(many) > len(one)
        vocabularies = [
            Vocabulary.from_instances(instances, min_count={"tokens": 2})
            for instances in (many, one)
        ]
        for namespace in ("tokens", "joint_tags", "role_labels", "head_tags"):
            by_predicate, whole = (v.get_token_to_index_vocabulary(namespace) for v in vocabularies)
            assert by_predicate == whole


def test_variants_of_conll05(tmp_path):
    # The preparation scripts of CoNLL-2005 make train-set.gz.
    path = tmp_path / "train-set.gz"
    path.write_bytes(gzip.compress((CONLL05 / "sample.conll").read_bytes()))
    (tmp_path / "train-set.conllu").write_bytes((CONLL05 / "sample.conllu").read_bytes())
    assert list(Conll05SrlReader().read_sentences(path)) == SAMPLE
    # Trees of its own, without a file beside it.
    combined = shutil.copy(CONLL05 / "sample.combined.bio", tmp_path)
    assert list(Conll05SrlReader().read_sentences(combined)) == SAMPLE


@pytest.mark.parametrize("name, parses_suffix", [("conll12_srl", None), ("annotated_srl", "x")])
def test_registered_names_and_trees(name, parses_suffix):
    reader = DatasetReader.from_params(Params({"type": name, "parses_suffix": parses_suffix}))
    expected = EXPECTED if parses_suffix else [without_parse(s) for s in EXPECTED]
    assert list(reader.read_sentences(PATH)) == expected
