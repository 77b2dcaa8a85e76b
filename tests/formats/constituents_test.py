"""Constituent trees, with nltk's reader as a second opinion."""

import io
from typing import List

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

from lisa_allennlp.formats.constituents import (
    ConstituentTree,
    bracketed_tree,
    constituents,
    flat_tree,
    parse_trees,
)

LABELS = st.sampled_from(["S", "NP-SBJ-1", "VP", "ADVP|PRT", "-LRB-"])
LEAVES = st.builds(
    lambda tag, word: f"({tag} {word})", LABELS, st.sampled_from(["a", "#", "1\\/2"])
)
TRACES = st.just("(-NONE- *T*-1)")
TREES = st.recursive(
    LEAVES | TRACES,
    lambda children: st.builds(
        lambda label, inner: f"({label} {' '.join(inner)})",
        LABELS,
        st.lists(children, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


def parse(text: str) -> List[ConstituentTree]:
    return list(parse_trees(io.StringIO(text), "text"))


def test_trees_know_their_lines():
    # The Brown Corpus begins with a notice.
    trees = parse("*x* (a notice) *x*\n(S (A a))\n( (S\n (B b)))(S (C c))")
    assert [tree.line for tree in trees] == [2, 3, 4]


def without_traces(tree: Tree) -> Tree:
    """Deletes traces, then whatever has become empty, from below."""
    children = [child for child in tree if isinstance(child, str) or child.label() != "-NONE-"]
    children = [c if isinstance(c, str) else without_traces(c) for c in children]
    return Tree(tree.label(), [child for child in children if isinstance(child, str) or len(child)])


@pytest.mark.medium
@given(st.lists(TREES, min_size=1, max_size=3))
def test_brackets_of_the_bits_are_the_tree(inner: List[str]):
    text = f"( (S {' '.join(inner)}))"
    expected = without_traces(Tree.fromstring(text)[0])
    if not expected.leaves():
        return
    (tree,) = parse(text)
    assert tree.words == expected.leaves()
    assert list(zip(tree.words, tree.pos, strict=True)) == expected.pos()
    bracketed = bracketed_tree(tree.words, tree.pos, tree.bits)
    assert bracketed is not None
    assert Tree.fromstring(bracketed) == expected


def test_bracketed_trees():
    for bits in (["(S*", "*"], ["(S*", "*))"], ["*)", "(S*"], ["(S*", "-"]):
        assert bracketed_tree(["a", "b"], ["A", "B"], bits) is constituents(bits) is None
    assert bracketed_tree(["a", "b"], ["A", "B"], ["(X*)", "*"]) == "(ROOT (X (A a)) (B b))"
    escaped = bracketed_tree(["(", ":-)"], ["(", "X"], ["(S*", "*)"])
    assert escaped == "(S (-LRB- -LRB-) (X :--RRB-))"
    assert flat_tree(["a", ")"], ["A", "B"]) == "(TOP (A a) (B -RRB-))"


def test_constituents_end_in_order():
    assert constituents(["(S(NP*)", "(VP*", "(PP(NP*))))"]) == [
        ("NP", 0, 0),
        ("NP", 2, 2),
        ("PP", 2, 2),
        ("VP", 1, 2),
        ("S", 0, 2),
    ]


def test_trees_may_be_nested_deeply():
    depth = 2000
    tree = parse("(A" * depth + " (B b) (C c)" + ")" * depth)[0]
    assert tree.bits == ["(A" * depth + "*", "*" + ")" * depth]
