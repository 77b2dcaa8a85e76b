from dataclasses import replace
from pathlib import Path
from typing import Dict, List

import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.formats.conll12 import write_conll12
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.formats.corpus_files import corpus_files
from lisa_allennlp.sentence.sentence import Parse, Sentence
from tests.sentence.sentences import SAMPLE, chain

FILES = {"a": SAMPLE[:2], "nw/b": SAMPLE[2:], "nw/c": SAMPLE[:1]}
CHAINS = [chain(sentence) for sentences in FILES.values() for sentence in sentences]


def test_a_folder_is_searched_at_any_depth_in_order(tmp_path: Path) -> None:
    for name in ["b.conllu", "a/z.conllu", "a/b/c.conllu", "a/other.txt"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = [path.removeprefix(f"{tmp_path}/") for path in corpus_files(tmp_path, "*.conllu")]
    assert found == ["a/b/c.conllu", "a/z.conllu", "b.conllu"]
    with pytest.raises(CorpusFormatError, match=r"found no \*.bio file; expected at least"):
        list(corpus_files(tmp_path, "*.bio"))
    with pytest.raises(CorpusFormatError, match="found no such file or folder"):
        list(corpus_files(tmp_path / "missing.conllu", "*.conllu"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    for name, sentences in FILES.items():
        path = folder / f"{name}.gold_conll"
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w") as file:
            write_conll12(sentences, file, path.stem)
        write_trees(path.with_suffix(".conllu"), sentences)
    return folder


def write_trees(path: Path, sentences: List[Sentence]) -> Dict[str, str]:
    """Writes trees, and returns the reader's option that injects them."""
    with open(path, "w") as file:
        write_conllu(sentences, file)
    return {"injected_parses_path": str(path)}


def test_the_sentences_of_all_files_take_the_trees_in_order(corpus: Path) -> None:
    reader = Conll12SrlReader(**write_trees(corpus.parent / "trees.conllu", CHAINS))
    # A second reading begins again.
    for _ in range(2):
        sentences = list(reader.read_sentences(corpus))
        assert [s.injected_parse for s in sentences] == [s.parse for s in CHAINS]
        assert [s.parse for s in sentences] == [s.parse for ss in FILES.values() for s in ss]


def other_words(words: str) -> List[Sentence]:
    length = len(words.split())
    other = Sentence(words.split(), parse=Parse([0] * length, ["x"] * length))
    return [CHAINS[0], other, *CHAINS[2:]]


@pytest.mark.parametrize(
    "trees, message",
    [
        (CHAINS[:-1], ": found only 3 sentences; expected a tree for the sentence at .*c.gold_c"),
        ([*CHAINS, CHAINS[0]], ".*: found sentence 5; expected the end of the file after 4 sente"),
        (other_words("# 6 ."), ":13: found the word '6'; expected the word '5', as in .*/a.gold_"),
        (other_words("# 5 . !"), ":15: found the word '!'; expected the end of the sentence, as "),
    ],
)
def test_trees_of_other_sentences(corpus: Path, trees: List[Sentence], message: str) -> None:
    options = write_trees(corpus.parent / "trees.conllu", trees)
    with pytest.raises(ConfigurationError, match=f"trees.conllu{message}"):
        list(Conll12SrlReader(**options).read_sentences(corpus))


def test_a_cycle_is_refused_unless_it_is_allowed(corpus: Path) -> None:
    first, second, *others = CHAINS
    second = replace(second, parse=Parse([0, 2, 1], second.parse.head_tags))
    options = write_trees(corpus.parent / "trees.conllu", [first, second, *others])
    place = f"trees.conllu:{len(first.words) + 3}: "
    with pytest.raises(ConfigurationError, match=rf"{place}found the cycle 2 \(5\) <- 3 \(.\) <-"):
        list(Conll12SrlReader(**options).read_sentences(corpus))
    sentences = list(Conll12SrlReader(**options, allow_cycles=True).read_sentences(corpus))
    assert sentences[1].injected_parse.head_indices == [0, 2, 1]
