"""The rules of Universal Dependencies, on annotated trees and on trees that break them."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List

import pytest

from lisa_allennlp.apps.serve.tree_rules import broken_rules
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.sentence.sentence import Sentence
from tests import FIXTURES

FILES = [*(FIXTURES / "languages").glob("*.conllup"), *(FIXTURES / "sample").glob("*.conllu")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_annotated_trees_break_none(file: Path) -> None:
    for sentence in read_annotated(file, parses=True).bare_sentences:
        assert broken_rules(sentence) == []


TREE = """\
1	The	the	DET	DT	_	2	det	_	_
2	cat	cat	NOUN	NN	_	4	nsubj	_	_
3	has	have	AUX	VBZ	_	4	aux	_	_
4	slept	sleep	VERB	VBN	_	0	root	_	_
5	and	and	CCONJ	CC	_	6	cc	_	_
6	eaten	eat	VERB	VBN	_	4	conj	_	_
7	.	.	PUNCT	.	_	4	punct	_	_

"""


@pytest.mark.parametrize(
    "heads, labels, expected",
    [
        ({}, {}, []),
        ({1: 1}, {1: "root"}, ["found 2 roots (cat, slept); expected one"]),
        (
            {3: 5},
            {3: "parataxis"},
            ["found a circle: 4 (slept) <- 6 (eaten) <- 4 (slept); expected a tree"],
        ),
        ({0: 2}, {}, ["has (aux) has the dependent The (det); expected none"]),
        ({4: 6}, {}, [". (punct) has the dependent and (cc); expected none"]),
        ({}, {1: "conj"}, ["cat (conj) comes before its head slept; expected it after"]),
        ({}, {0: "case", 2: "cop:own"}, []),
        (
            {},
            {1: "cop"},
            [
                "cat (cop) has the dependent The (det); expected none",
                "cat (cop) is NOUN; expected AUX or DET or PRON or SYM",
            ],
        ),
        ({}, {6: "dep"}, [". (dep) is PUNCT; expected the relation punct"]),
    ],
)
def test_each_rule(
    tmp_path: Path, heads: Dict[int, int], labels: Dict[int, str], expected: List[str]
) -> None:
    file = tmp_path / "tree.conllu"
    file.write_text(TREE)
    (sentence,) = read_annotated(file, parses=True).bare_sentences
    assert broken_rules(changed(sentence, heads, labels)) == expected


def changed(sentence: Sentence, heads: Dict[int, int], labels: Dict[int, str]) -> Sentence:
    parse: Any = sentence.parse
    return replace(
        sentence,
        parse=replace(
            parse,
            head_indices=[heads.get(i, head) for i, head in enumerate(parse.head_indices)],
            head_tags=[labels.get(i, label) for i, label in enumerate(parse.head_tags)],
        ),
    )
