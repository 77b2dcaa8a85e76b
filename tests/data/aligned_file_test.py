"""One file with the trees of a corpus of several files."""

import dataclasses
from pathlib import Path
from typing import List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.formats.conll12 import write_conll12
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.sentence import Parse, Sentence
from tests.data.sentences import SAMPLE, chain

FILES = {"a": SAMPLE[:2], "nw/b": SAMPLE[2:], "nw/c": SAMPLE[:1]}


CHAINS = [chain(sentence) for sentences in FILES.values() for sentence in sentences]


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


def write_trees(path: Path, sentences: List[Sentence]) -> Path:
    with open(path, "w") as file:
        write_conllu(sentences, file)
    return path


def test_the_sentences_of_all_files_take_the_trees_in_order(corpus: Path, tmp_path: Path):
    path = write_trees(tmp_path / "trees.conllu", CHAINS)
    sentences = list(Conll12SrlReader(injected_parses_path=str(path)).read_sentences(corpus))
    assert [s.injected_parse for s in sentences] == [s.parse for s in CHAINS]
    assert [s.parse for s in sentences] == [s.parse for ss in FILES.values() for s in ss]
    # A second reading begins again.
    assert len(list(Conll12SrlReader(injected_parses_path=str(path)).read_sentences(corpus))) == 4


@pytest.mark.parametrize(
    "trees, message",
    [
        (
            CHAINS[:-1],
            r"only 3 sentences; expected a tree for the sentence at .*/c.gold_conll:2 too",
        ),
        ([*CHAINS, CHAINS[0]], "sentence 5; expected the end of the file after 4 sentences, as in"),
    ],
)
def test_a_tree_too_few_or_too_many(
    corpus: Path, tmp_path: Path, trees: List[Sentence], message: str
):
    path = write_trees(tmp_path / "trees.conllu", trees)
    with pytest.raises(ConfigurationError, match=f"trees.conllu.*: found {message}"):
        list(Conll12SrlReader(injected_parses_path=str(path)).read_sentences(corpus))


def test_a_cycle_is_refused_unless_it_is_allowed(corpus: Path):
    first, second, *others = CHAINS
    heads = [0, 2, 1, *range(2, len(second.words) - 1)]
    second = dataclasses.replace(second, parse=Parse(heads, second.parse.head_tags))
    path = write_trees(corpus.parent / "trees.conllu", [first, second, *others])
    options = {"injected_parses_path": str(path)}
    line = len(first.words) + 3
    with pytest.raises(ConfigurationError) as error:
        list(Conll12SrlReader(**options).read_sentences(corpus))
    assert str(error.value).startswith(
        f"{path}:{line}: found the cycle 2 ({second.words[1]}) <- 3 ({second.words[2]}) <- 2 ("
    )
    assert str(error.value).endswith("expected a tree, or the reader's option `allow_cycles`")
    sentences = list(Conll12SrlReader(**options, allow_cycles=True).read_sentences(corpus))
    assert sentences[1].injected_parse.head_indices == heads


def test_a_path_and_a_suffix_exclude_each_other():
    with pytest.raises(ConfigurationError, match="expected only one of them"):
        Conll12SrlReader(injected_parses_suffix=".conllu", injected_parses_path="x.conllu")
