import dataclasses
import shutil
from pathlib import Path
from typing import List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import ConlluParsesReader
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.sentence.sentence import Sentence, one_based_heads
from tests import FIXTURES

FOLDER = FIXTURES / "formats" / "conllu"


@pytest.mark.parametrize(
    "path, use_language_specific_pos",
    [(FOLDER / "sample.conllu", False), (FOLDER / "sample.conll", True)],
)
def test_trees_are_those_of_universal_dependencies(path, use_language_specific_pos):
    module = "allennlp_models.structured_prediction.dataset_readers.universal_dependencies"
    theirs = pytest.importorskip(module).UniversalDependenciesDatasetReader(
        use_language_specific_pos=use_language_specific_pos
    )
    reader = ConlluParsesReader(use_language_specific_pos=use_language_specific_pos)
    for ours, expected in zip(reader.read(path), theirs.read(path), strict=True):
        assert set(ours.fields) == set(expected.fields)
        assert [t.text for t in ours["words"]] == [t.text for t in expected["words"]]
        for name in ["pos_tags", "head_tags"]:
            assert ours[name].labels == expected[name].labels
        assert one_based_heads(ours["head_indices"].labels) == expected["head_indices"].labels


def test_sentences_without_tree_can_be_parsed(tmp_path):
    path = tmp_path / "bare.conllu"
    path.write_text("1\tHm\t_\tINTJ\t_\t_\t_\t_\t_\t_\n\n")
    (instance,) = ConlluParsesReader(requires_parses=False).read(path)
    assert set(instance.fields) == {"words", "pos_tags", "metadata"}
    bare = ConlluParsesReader().text_to_instance(Sentence(["Oh", "no"]))
    assert bare["pos_tags"].labels == ["_", "_"]
    with pytest.raises(ConfigurationError, match="bare.conllu:1: found no head"):
        list(ConlluParsesReader().read(path))


class TestPredictedTags:
    """Parts of speech from a file beside the trees."""

    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Path:
        path = tmp_path / "dev.conllu"
        shutil.copy(FOLDER / "sample.conllu", path)
        return path

    @staticmethod
    def sentences(path: Path, **options: object) -> List[Sentence]:
        return list(ConlluParsesReader(**options).read_sentences(path))

    def write_tags(self, corpus: Path, path: Path, copies: int = 1) -> List[Sentence]:
        """Writes the corpus with made-up tags and without trees."""
        tagged = [
            Sentence(s.words, pos=[f"T{t}" for t in range(len(s.words))])
            for s in self.sentences(corpus)
        ]
        with open(path, "w") as file:
            write_conllu(tagged * copies, file)
        return tagged

    def test_they_replace_the_tags_of_the_corpus_and_nothing_else(self, corpus: Path) -> None:
        tagged = self.write_tags(corpus, corpus.with_suffix(".lisa.conllu"))
        gold = self.sentences(corpus)
        expected = [
            dataclasses.replace(tree, pos=tags.pos) for tree, tags in zip(gold, tagged, strict=True)
        ]
        reader = ConlluParsesReader(pos_suffix=".lisa.conllu")
        for _ in range(2):
            assert list(reader.read_sentences(corpus)) == expected
        instances = list(reader.read(corpus))
        assert [i["pos_tags"].labels for i in instances] == [s.pos for s in expected]

    def test_they_can_be_in_another_folder(self, corpus: Path, tmp_path: Path) -> None:
        (tmp_path / "tags").mkdir()
        tagged = self.write_tags(corpus, tmp_path / "tags" / f"{corpus.stem}.lisa.conllu")
        options = {"pos_suffix": ".lisa.conllu", "pos_folder": str(tmp_path / "tags")}
        assert [s.pos for s in self.sentences(corpus, **options)] == [s.pos for s in tagged]

    def test_a_folder_has_one_file_of_tags_beside_it(self, corpus: Path) -> None:
        folder = corpus.parent / "v1.0" / "train"
        for name in ["a.conllu", "b/c.conllu"]:
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            shutil.copy(corpus, folder / name)
        tagged = self.write_tags(corpus, folder.with_name("train.lisa.conllu"), copies=2)
        for path in (folder, f"{folder}/"):
            read = self.sentences(path, pos_suffix=".lisa.conllu")
            assert [s.pos for s in read] == [s.pos for s in tagged * 2]

    def test_they_are_from_the_column_of_the_reader(self, corpus: Path) -> None:
        corpus.write_text("1\tGo\t_\tX\tX\t_\t0\troot\t_\t_\n")
        corpus.with_suffix(".tags").write_text("1\tGo\t_\tVERB\tVB\t_\t_\t_\t_\t_\n")
        for specific, tag in ((True, "VB"), (False, "VERB")):
            options = {"use_language_specific_pos": specific, "pos_suffix": ".tags"}
            assert self.sentences(corpus, **options)[0].pos == [tag]

    def test_missing_tags(self, corpus: Path) -> None:
        with pytest.raises(ConfigurationError, match="dev.tags: .* option `pos_suffix`"):
            self.sentences(corpus, pos_suffix=".tags")
        path = corpus.with_suffix(".tags")
        self.write_tags(corpus, path)
        path.write_text(path.read_text().replace("\tT3\t", "\t_\t"))
        with pytest.raises(ConfigurationError, match=r"tags:4: found no part of speech"):
            self.sentences(corpus, pos_suffix=".tags")
        # A column and a file exclude each other.
        with pytest.raises(ConfigurationError, match="pos_suffix '.x'"):
            ConlluParsesReader(use_predicted_pos=True, pos_suffix=".x")
