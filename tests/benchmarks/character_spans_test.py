from typing import List, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.character_spans import CharacterSpanEvaluation
from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.scoring import Conll05Evaluation, Counts

TEXT = "It can't re-open. Bo sang and left"


def sentence(words: str, *frames: Frame, start: int = 0) -> Sentence:
    offsets = []
    for word in words.split():
        start = TEXT.index(word, start)
        offsets.append((start, start + len(word)))
        start += len(word)
    return Sentence(words.split(), frames=list(frames), offsets=offsets, text=TEXT)


def frame(predicate: int, tags: str) -> Frame:
    return Frame(predicate, tags.split())


def scored(*predicted: Sentence, strict: bool = False) -> CharacterSpanEvaluation:
    gold = [
        sentence("It ca n't re-open .", frame(3, "B-ARG1 B-ARGM-MOD B-ARGM-NEG B-V O")),
        sentence(
            "Bo sang and left",
            frame(1, "B-ARG0 B-V O O"),
            frame(3, "B-ARG0 O O B-V"),
            start=18,
        ),
    ]
    return CharacterSpanEvaluation(
        [Document(TEXT, list(predicted))], [Document(TEXT, gold)], strict
    )


def test_other_tokens() -> None:
    # "can't" is one token, and the predicate has two.
    first = sentence("It can't re - open .", frame(4, "B-ARG1 B-ARGM-MOD O O B-V O"))
    second = sentence("Bo sang and left", frame(1, "B-ARG0 B-V O O"), start=18)
    evaluation = scored(first, second)
    assert evaluation.predicates() == Counts(correct=1, excess=1, missed=2)
    assert evaluation.counts.overall() == Counts(correct=1, excess=0, missed=4)
    assert scored(first, second, strict=True).counts.overall(strict=True).excess == 2


def test_other_sentences() -> None:
    # One sentence instead of two, and an argument that reaches over the end of the first.
    merged = sentence(
        "It ca n't re-open . Bo sang and left",
        frame(3, "B-ARG1 B-ARGM-MOD B-ARGM-NEG B-V O O O O O"),
        frame(6, "O O O O B-ARG0 I-ARG0 B-V O O"),
        frame(8, "O O O O O B-ARG0 O O B-V"),
    )
    evaluation = scored(merged)
    assert evaluation.predicates() == Counts(correct=3)
    assert evaluation.counts.overall() == Counts(correct=4, excess=1, missed=1)
    assert evaluation.counts.sentences == 2
    assert "Number of Propositions :           3" in evaluation.table()


def test_a_piece_elsewhere_makes_the_argument_wrong() -> None:
    gold = sentence("Bo sang and left", frame(1, "B-ARG1 B-V O B-C-ARG1"), start=18)
    other = sentence("Bo sang and left", frame(1, "B-ARG1 B-V B-C-ARG1 O"), start=18)
    documents = [Document(TEXT, [other])], [Document(TEXT, [gold])]
    assert CharacterSpanEvaluation(*documents).counts.overall() == Counts(excess=1, missed=1)


tags = st.sampled_from(["O", "O", "B-ARG0", "I-ARG0", "B-ARG1", "I-ARG1", "B-C-ARG1", "B-R-ARG0"])


@st.composite
def pairs(draw: st.DrawFn) -> Tuple[List[Document], List[Document]]:
    """Predicted and gold documents with the same tokens."""
    predicted, gold = [], []
    for lengths in draw(st.lists(st.lists(st.integers(1, 6), max_size=3), max_size=3)):
        text, sides = "", ([], [])
        for length in lengths:
            words = [draw(st.sampled_from(["a", "bc", "d-e"])) for _ in range(length)]
            offsets = []
            for word in words:
                text += draw(st.sampled_from(["", " ", "\n"]))
                offsets.append((len(text), len(text) + len(word)))
                text += word
            for side in sides:
                frames = []
                for predicate in sorted(draw(st.sets(st.integers(0, length - 1), max_size=2))):
                    labels = draw(st.lists(tags, min_size=length, max_size=length))
                    labels[predicate] = "B-V"
                    frames.append(Frame(predicate, labels))
                side.append(Sentence(words, frames=frames, offsets=offsets))
        predicted.append(Document(text, sides[0]))
        gold.append(Document(text, sides[1]))
    return predicted, gold


@pytest.mark.medium
@given(pairs(), st.booleans())
def test_with_the_tokens_of_gold_it_is_srl_eval(
    documents: Tuple[List[Document], List[Document]], strict: bool
) -> None:
    predicted, gold = ([s for d in side for s in d.sentences] for side in documents)
    by_characters = CharacterSpanEvaluation(*documents, strict)
    by_tokens = Conll05Evaluation(predicted, gold, strict)
    assert by_characters.table() == by_tokens.table()
    assert by_characters.to_dict() == by_tokens.to_dict()
    positions = [
        {(n, p) for n, s in enumerate(side) for p in s.predicates} for side in (predicted, gold)
    ]
    common = positions[0] & positions[1]
    counts = Counts(len(common), len(positions[0] - common), len(positions[1] - common))
    assert by_characters.predicates() == counts


def test_what_cannot_be_scored() -> None:
    whole = sentence("Bo sang and left", frame(1, "B-ARG0 B-V O O"), start=18)
    gold = [Document(TEXT, [whole])]
    with pytest.raises(ValueError, match="expected the text of"):
        CharacterSpanEvaluation([Document("Bo", [])], gold)
    with pytest.raises(ValueError, match="without offsets"):
        CharacterSpanEvaluation([Document(TEXT, [Sentence(["Bo"], frames=[])])], gold)
    with pytest.raises(ValueError, match="two frames for the predicate at 21"):
        CharacterSpanEvaluation([Document(TEXT, [whole, whole])], gold)
