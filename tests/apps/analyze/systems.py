"""Gold sentences, and predictions that differ from them, for the tests of the analyses."""

import dataclasses
from typing import List, Optional, Sequence

from hypothesis import strategies as st

from lisa_allennlp.sentence.sentence import Frame, Sentence
from tests.sentence.sentences import SAMPLE, parses, role_labels


def sentence(*tags: str, predicate: int = 0, pos: Optional[Sequence[str]] = None) -> Sentence:
    """A sentence of the words `w0 w1 ...` with one frame."""
    words = [f"w{number}" for number in range(len(tags))]
    return Sentence(words, None if pos is None else list(pos), [Frame(predicate, list(tags))])


def predict(gold: Sentence, frames: Sequence[Frame]) -> Sentence:
    return dataclasses.replace(gold, frames=list(frames))


GOLD: List[Sentence] = SAMPLE
"""Three sentences; the first has the frames of `cut` and `left`."""

WORSE: List[Sentence] = [
    predict(SAMPLE[0], [Frame(3, "B-A0 I-A0 B-R-A0 B-V B-A2 O O O O O".split())]),
    predict(SAMPLE[1], [Frame(1, "B-A1 B-V O".split())]),
    predict(SAMPLE[2], [Frame(3, "B-A1 O B-A0 B-V O O O".split()), SAMPLE[2].frames[1]]),
]
"""
`left` is not predicted, an `A1` is taken for `A2`, there is a predicate that is not in gold, and an
`A1` lacks its continuation.
"""


@st.composite
def gold_and_predicted(draw: st.DrawFn) -> List[List[Sentence]]:
    """A few gold sentences and predictions; not every gold predicate is predicted."""
    gold, predicted = [], []
    for _ in range(draw(st.integers(1, 3))):
        length = draw(st.integers(1, 8))
        predicates = draw(st.lists(st.integers(0, length - 1), unique=True, max_size=2))
        found = draw(st.lists(st.integers(0, length - 1), unique=True, max_size=2))
        words, pos = [f"w{number}" for number in range(length)], ["X"] * length
        for sentences, positions in ((gold, predicates), (predicted, found)):
            frames = [Frame(p, draw(role_labels(length, p))) for p in sorted(positions)]
            sentences.append(Sentence(words, pos, frames, draw(parses(length))))
    return [gold, predicted]
