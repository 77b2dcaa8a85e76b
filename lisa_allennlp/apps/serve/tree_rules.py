"""
What Universal Dependencies allows of a tree, as far as words, tags and relations tell: hints for a
person who corrects one. https://universaldependencies.org/guidelines.html has the guidelines.

    >>> from lisa_allennlp.sentence.sentence import Parse, Sentence
    >>> tree = Parse([1, 1, 1, 2], ["nsubj", "root", "punct", "det"])
    >>> bad = Sentence(["She", "sang", ".", "the"], pos=["PRP", "VBD", ".", "DT"], parse=tree)
    >>> broken_rules(bad)
    ['. (punct) has the dependent the (det); expected none']
"""

from typing import Dict, FrozenSet, List

from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.sentence.roles import UNKNOWN
from lisa_allennlp.sentence.sentence import Sentence

_DEPENDENTS: Dict[str, FrozenSet[str]] = {
    "punct": frozenset(["punct"]),
    **dict.fromkeys(
        ["aux", "case", "cc", "cop", "mark"],
        frozenset(["advmod", "cc", "conj", "fixed", "goeswith", "obl", "punct", "reparandum"]),
    ),
    **dict.fromkeys(["fixed", "goeswith"], frozenset(["fixed", "goeswith", "punct"])),
}

_TAGS: Dict[str, FrozenSet[str]] = {
    "aux": frozenset(["AUX"]),
    "cop": frozenset(["AUX", "PRON", "DET", "SYM"]),
    "det": frozenset(["DET", "PRON"]),
    "expl": frozenset(["PRON", "DET", "PART"]),
    "nummod": frozenset(["NUM", "NOUN", "SYM"]),
    "advmod": frozenset(["ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"]),
    "punct": frozenset(["PUNCT"]),
}

_RELATIONS: Dict[str, FrozenSet[str]] = {"PUNCT": frozenset(["punct", "root"])}

_AFTER_HEAD = ("appos", "conj", "fixed", "flat", "goeswith")


def broken_rules(sentence: Sentence) -> List[str]:
    """
    Returns a line for each broken rule of Universal Dependencies: one root and no circle, words
    without dependents, and relations that fit the tags and the order of words.
    """
    if sentence.parse is None or not sentence.words:
        return []
    words, heads, labels = sentence.words, sentence.parse.head_indices, sentence.parse.head_tags
    bases = [label.partition(":")[0] for label in labels]
    upos = sentence.upos or [UNKNOWN] * len(words)
    # The tag of a fixed expression, such as "of course", is that of its first word.
    is_fixed = {head for head, relation in zip(heads, bases, strict=True) if relation == "fixed"}
    shown = [f"{word} ({label})" for word, label in zip(words, labels, strict=True)]
    found = []
    roots = [token for token, head in enumerate(heads) if head == token]
    # Without a root, there is a circle.
    if len(roots) > 1:
        named = ", ".join(words[root] for root in roots)
        found.append(f"found {len(roots)} roots ({named}); expected one")
    cycle = find_cycle(heads)
    if cycle is not None:
        found.append(f"found a circle: {shown_cycle(cycle, words)}; expected a tree")
    for token, (head, relation) in enumerate(zip(heads, bases, strict=True)):
        if head != token and relation not in _DEPENDENTS.get(bases[head], {relation}):
            found.append(f"{shown[head]} has the dependent {shown[token]}; expected none")
        if relation in _AFTER_HEAD and head > token:
            found.append(f"{shown[token]} comes before its head {words[head]}; expected it after")
        if token in is_fixed or upos[token] in ("X", UNKNOWN):
            continue
        if upos[token] not in _TAGS.get(relation, {upos[token]}):
            expected = " or ".join(sorted(_TAGS[relation]))
            found.append(f"{shown[token]} is {upos[token]}; expected {expected}")
        elif relation not in _RELATIONS.get(upos[token], {relation}):
            found.append(f"{shown[token]} is {upos[token]}; expected the relation punct")
    return found
