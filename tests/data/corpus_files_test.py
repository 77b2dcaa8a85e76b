import pytest

from lisa_allennlp.data.corpus_files import corpus_files, file_beside
from lisa_allennlp.data.formats.errors import CorpusFormatError


class TestCorpusFiles:
    def test_a_folder_is_searched_at_any_depth_in_order(self, tmp_path):
        for name in ["b.conllu", "a/z.conllu", "a/b/c.conllu", "a/other.txt"]:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        found = [path.removeprefix(f"{tmp_path}/") for path in corpus_files(tmp_path, "*.conllu")]
        assert found == ["a/b/c.conllu", "a/z.conllu", "b.conllu"]

    def test_what_is_missing_is_an_error(self, tmp_path):
        with pytest.raises(CorpusFormatError, match=r"found no \*.conllu file; expected at least"):
            list(corpus_files(tmp_path, "*.conllu"))
        with pytest.raises(CorpusFormatError, match="found no such file or folder"):
            list(corpus_files(tmp_path / "missing.conllu", "*.conllu"))


@pytest.mark.parametrize(
    "path, beside",
    [
        ("a/train.conll", "a/train.conllu"),
        ("a/train.combined.bio", "a/train.conllu"),
        ("a/train.v1.conll", "a/train.v1.conllu"),
        # Not among the suffixes given, so only what follows the last dot.
        ("a/train.v1.txt", "a/train.v1.conllu"),
        ("a.b/train", "a.b/train.conllu"),
    ],
)
def test_file_beside_replaces_the_longest_known_suffix(path, beside):
    assert file_beside(path, [".conll", ".bio", ".combined.bio"], ".conllu") == beside
