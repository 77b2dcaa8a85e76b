import dataclasses
import gzip
import shutil

import pytest
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import (
    AnnotatedSrlReader,
    Conll05SrlReader,
    Conll12SrlReader,
)
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.sentence.sentence import Parse, Sentence
from tests import FIXTURES
from tests.sentence.sentences import SAMPLE, chain, in_conll12, without_parse

CONLL05 = FIXTURES / "formats" / "conll05"
CONLL12 = FIXTURES / "formats" / "conll12"
EXPECTED = [in_conll12(sentence) for sentence in SAMPLE]


def test_fields():
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


def test_trees_of_files_beside_the_corpus(tmp_path):
    path = shutil.copy(CONLL12 / "sample.gold_conll", tmp_path / "corpus.gold_conll")
    reader = Conll12SrlReader(injected_parses_suffix=".parser.conllu")
    trees, injected = tmp_path / "corpus.conllu", tmp_path / "corpus.parser.conllu"
    for file, sentences, option in [
        (trees, SAMPLE, "parses_suffix"),
        (injected, map(chain, SAMPLE), "injected_parses_suffix"),
    ]:
        with pytest.raises(ConfigurationError, match=f"{file}: .* option `{option}` sets"):
            list(reader.read(path))
        with open(file, "w") as opened:
            write_conllu(sentences, opened)
    read = list(reader.read_sentences(path))
    assert [s.parse for s in read] == [s.parse for s in SAMPLE]
    annotated = AnnotatedSrlReader(injected_parses_suffix=".parser.conllu").read_sentences(path)
    for found in (read, annotated):
        assert [s.injected_parse for s in found] == [chain(s).parse for s in SAMPLE]
    with pytest.raises(ConfigurationError, match="expected only one of them"):
        Conll12SrlReader(injected_parses_suffix=".conllu", injected_parses_path="x.conllu")


def test_the_fields_of_one_predicate():
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


def test_the_vocabulary_of_one_predicate_per_instance_is_that_of_the_sentences():
    readers = [Conll12SrlReader(one_predicate_per_instance=is_set) for is_set in (True, False)]
    many, one = (list(reader.read(FIXTURES / "sample/dev.gold_conll")) for reader in readers)
    assert len(many) > len(one)
    vocabularies = [
        Vocabulary.from_instances(instances, min_count={"tokens": 2}) for instances in (many, one)
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
    assert list(reader.read_sentences(CONLL12 / "sample.gold_conll")) == expected


def test_unmarked_verbs_may_teach_nothing_but_their_tag():
    path = FIXTURES / "languages/train.conllup"
    found = {}
    for learns in (True, False):
        reader = AnnotatedSrlReader(learn_unmarked_verbs=learns, use_language_specific_pos=False)
        *_, instance = reader.read(path)
        found[learns] = instance
    whole, part = found[True]["joint_tags"].labels, found[False]["joint_tags"]
    assert whole == "VERB VERB:predicate DET NOUN ADJ PUNCT".split()
    assert part.pos == "VERB VERB DET NOUN ADJ PUNCT".split()
    assert part.predicates == [None, True, False, False, False, False]
