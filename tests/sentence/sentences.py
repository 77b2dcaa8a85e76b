"""The sentences of `fixtures/formats/conll{05,12}/sample.*`, and strategies that make others."""

import dataclasses
from typing import List

from hypothesis import strategies as st

from lisa_allennlp.sentence.roles import join_roleset
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence

SAMPLE: List[Sentence] = [
    Sentence(
        words="The clerk who cut costs left -LRB- early -RRB- .".split(),
        pos="DT NN WP VBD NNS VBD -LRB- RB -RRB- .".split(),
        frames=[
            Frame(3, "B-A0 I-A0 B-R-A0 B-V B-A1 O O O O O".split(), "cut", "cut.01"),
            Frame(5, "B-A0 I-A0 I-A0 I-A0 I-A0 B-V O B-AM-TMP O O".split(), "leave", "leave.01"),
        ],
        parse=Parse(
            [1, 5, 3, 1, 3, 5, 7, 5, 7, 5],
            "det nsubj nsubj acl:relcl obj root punct advmod punct punct".split(),
        ),
    ),
    Sentence(
        words="# 5 .".split(),
        pos="# CD .".split(),
        frames=[],
        parse=Parse([1, 1, 1], "dep root punct".split()),
    ),
    Sentence(
        words="Prices , he said , fell .".split(),
        pos="NNS , PRP VBD , VBD .".split(),
        frames=[
            Frame(3, "B-A1 O B-A0 B-V O B-C-A1 O".split(), "say", "-"),
            Frame(5, "B-A1 O O O O B-V O".split(), "fall", "fall.01"),
        ],
        parse=Parse([5, 3, 3, 5, 3, 5, 5], "nsubj punct nsubj parataxis punct root punct".split()),
    ),
]


def without_parse(sentence: Sentence) -> Sentence:
    return dataclasses.replace(sentence, parse=None)


def chain(sentence: Sentence) -> Sentence:
    """The sentence with a tree in which the head of each token is the one before."""
    heads = [max(0, t - 1) for t in range(len(sentence.words))]
    return dataclasses.replace(sentence, parse=Parse(heads, ["x"] * len(heads)))


def in_conll12(sentence: Sentence) -> Sentence:
    """The sentence with PropBank's own names of roles, as `conll12/sample.gold_conll` has them."""
    renamed = [
        dataclasses.replace(
            frame,
            tags=[
                role.replace("AM-", "ARGM-").replace("A0", "ARG0").replace("A1", "ARG1")
                for role in frame.tags
            ],
        )
        for frame in sentence.frames or []
    ]
    # The last sentence is in another document.
    is_last = sentence.words == SAMPLE[-1].words
    number = {"document": f"nw/wsj/00/wsj_000{1 + is_last}", **({"part": 1} if is_last else {})}
    return dataclasses.replace(sentence, frames=renamed, extra=number)


values = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n"), min_size=1, max_size=6
).filter(lambda value: value[0] != "\ufeff")
"""
What a column can hold: no blank, no byte order mark at its start, and no lone surrogate, which
UTF-8 does not have.
"""

known_values = values.filter(lambda value: value != "-")
role_names = st.sampled_from(["A0", "A1", "C-A1", "R-A0", "AM-TMP"])


@st.composite
def role_labels(draw: st.DrawFn, length: int, predicate: int) -> List[str]:
    labels: List[str] = []
    for position in range(length):
        role = draw(st.none() | role_names)
        if position == predicate:
            labels.append("B-V")
        elif role is None:
            labels.append("O")
        else:
            inside = [label for label in labels[-1:] if label[2:] == role]
            labels.append(f"I-{role}" if inside and draw(st.booleans()) else f"B-{role}")
    return labels


@st.composite
def parses(draw: st.DrawFn, length: int) -> Parse:
    """Trees, and graphs with several roots or with cycles."""
    heads = draw(st.lists(st.integers(0, length - 1), min_size=length, max_size=length))
    root = draw(st.integers(0, length - 1))
    heads[root] = root
    return Parse(heads, draw(st.lists(known_values, min_size=length, max_size=length)))


@st.composite
def sentences(draw: st.DrawFn, with_parse: bool) -> Sentence:
    """Sentences whose every lemma and sense is known."""
    length = draw(st.integers(1, 6))
    columns = st.lists(values, min_size=length, max_size=length)
    predicates = draw(st.lists(st.integers(0, length - 1), unique=True, max_size=length))
    lemmas = draw(st.lists(known_values, min_size=length, max_size=length))
    frames = [
        Frame(p, draw(role_labels(length, p)), lemma, join_roleset(lemma, draw(known_values)))
        for p, lemma in zip(sorted(predicates), lemmas, strict=False)
    ]
    parse = draw(parses(length)) if with_parse else None
    return Sentence(draw(columns), draw(columns), frames, parse)
