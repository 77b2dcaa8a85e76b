"""
Constituent trees in two notations: the nested brackets of the Penn Treebank's `.mrg` files, and the
bits of the CoNLL shared tasks, such as `(NP*` and `*)`, one per word.

    >>> mrg = ["( (S (NP-SBJ (PRP She)) (VP (VBD sang) (NP (-NONE- *T*-1)))) )"]
    >>> tree = next(parse_trees(mrg, "wsj_0001.mrg"))
    >>> tree.bits
    ['(S(NP-SBJ*)', '(VP*))']
    >>> bracketed_tree(tree.words, tree.pos, tree.bits)
    '(S(NP-SBJ (PRP She)) (VP (VBD sang)))'
    >>> constituents(tree.bits)[0]
    Constituent(label='NP-SBJ', first=0, last=0)
"""

import re
from dataclasses import dataclass, field
from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import PathName, at_least_one
from lisa_allennlp.text.tokens import escape_parentheses

_TRACE = "-NONE-"
# Each line of the Brown Corpus' copyright notice begins with this.
_NOTICE = "*x*"
_TREE_TOKEN = re.compile(r"[()]|[^()\s]+")
_BIT = re.compile(r"(?P<opened>(?:\([^()*\s]+)*)\*(?P<closed>\)*)")


class ConstituentTree(NamedTuple):
    """
    The constituents of a sentence, without traces, and the 1-based line of their start. Words are
    the treebank's (`-LRB-`). Each has the bits around it, such as `(S(NP-SBJ*`.
    """

    words: List[str]
    pos: List[str]
    bits: List[str]
    line: int


class Constituent(NamedTuple):
    """A label, such as `NP-SBJ`, and the 0-based positions of the first and last word."""

    label: str
    first: int
    last: int


@dataclass
class _Node:
    line: int
    label: Optional[str] = None
    word: Optional[str] = None
    children: List["_Node"] = field(default_factory=list)


def parse_trees(lines: Iterable[str], path: PathName) -> Iterator[ConstituentTree]:
    """Reads a `.mrg` file without traces, constituents of traces, and unlabelled brackets."""
    trees = (_without_traces(root) for root in _roots(lines, path))
    return at_least_one((tree for tree in trees if tree.words), path)


def _roots(lines: Iterable[str], path: PathName) -> Iterator[_Node]:
    open_nodes: List[_Node] = []
    for number, line in enumerate(lines, start=1):
        if not open_nodes and line.startswith(_NOTICE):
            continue
        for token in _TREE_TOKEN.findall(line):
            if token == "(":
                node = _Node(number)
                if open_nodes:
                    _check_not_a_leaf(path, number, token, open_nodes[-1])
                    open_nodes[-1].children.append(node)
                open_nodes.append(node)
            elif not open_nodes:
                raise CorpusFormatError(path, number, f"'{token}' outside any tree", "'('")
            elif token == ")":
                node = open_nodes.pop()
                if not node.children and node.word is None:
                    found = f"an empty bracket, opened in line {node.line}"
                    raise CorpusFormatError(path, number, found, "a word or constituents in it")
                if not open_nodes:
                    yield node
            else:
                _add_text(path, number, token, open_nodes[-1])
    if open_nodes:
        found = f"the end of the file inside the tree that begins in line {open_nodes[0].line}"
        raise CorpusFormatError(path, open_nodes[-1].line, found, "a ')' for this bracket")


def _check_not_a_leaf(path: PathName, number: int, token: str, parent: _Node) -> None:
    if parent.word is not None:
        expected = f"')' after the word '{parent.word}'"
        raise CorpusFormatError(path, number, f"'{token}'", expected)


def _add_text(path: PathName, number: int, token: str, node: _Node) -> None:
    _check_not_a_leaf(path, number, token, node)
    if node.label is None and not node.children:
        node.label = token
    elif node.label is not None and not node.children:
        node.word = token
    else:
        raise CorpusFormatError(path, number, f"'{token}' after a constituent", "'(' or ')'")


def _without_traces(root: _Node) -> ConstituentTree:
    words: List[str] = []
    pos: List[str] = []
    # The labels of the brackets that open before each word, the innermost first, and the number of
    # those that close after it.
    opened: List[List[str]] = []
    closed: List[int] = []
    # Without recursion, since damaged files can be nested deeply. A node whose children are done
    # has the number of words before them.
    stack: List[Tuple[_Node, Optional[int]]] = [(root, None)]
    while stack:
        node, first = stack.pop()
        if node.word is not None:
            if node.label is not None and node.label != _TRACE:
                words.append(node.word)
                pos.append(node.label)
                opened.append([])
                closed.append(0)
        elif first is None:
            stack.append((node, len(words)))
            stack.extend((child, None) for child in reversed(node.children))
        elif node.label is not None and len(words) > first:
            opened[first].append(f"({node.label}")
            closed[-1] += 1
    bits = [
        f"{''.join(reversed(labels))}*{')' * number}"
        for labels, number in zip(opened, closed, strict=True)
    ]
    return ConstituentTree(words, pos, bits, root.line)


def bracketed_tree(words: Sequence[str], pos: Sequence[str], bits: Sequence[str]) -> Optional[str]:
    """
    Writes a tree in nested brackets, `-LRB-` for `(`, with a `ROOT` if there are several trees.
    Returns `None` if a bit is malformed or the brackets do not match.
    """
    found = constituents(bits)
    if found is None:
        return None
    leaves = []
    for word, tag, bit in zip(words, pos, bits, strict=True):
        opened, _, closed = bit.partition("*")
        leaves.append(" ".join(filter(None, (opened, _leaf(word, tag)))) + closed)
    tree = " ".join(leaves)
    whole = (0, len(bits) - 1)
    is_one = len(bits) == 1 or any((first, last) == whole for _, first, last in found)
    return tree if is_one else f"(ROOT {tree})"


def flat_tree(words: Sequence[str], pos: Sequence[str]) -> str:
    return f"(TOP {' '.join(map(_leaf, words, pos))})"


def _leaf(word: str, tag: str) -> str:
    return f"({escape_parentheses(tag)} {escape_parentheses(word)})"


def constituents(bits: Sequence[str]) -> Optional[List[Constituent]]:
    """Finds constituents in the order of their ends, inner ones first; `None` if malformed."""
    found: List[Constituent] = []
    open_brackets: List[Tuple[str, int]] = []
    for position, bit in enumerate(bits):
        match = _BIT.fullmatch(bit)
        if match is None or len(match.group("closed")) > len(open_brackets) + bit.count("("):
            return None
        labels = match.group("opened").split("(")[1:]
        open_brackets.extend((label, position) for label in labels)
        for _ in match.group("closed"):
            found.append(Constituent(*open_brackets.pop(), position))
    return None if open_brackets else found
