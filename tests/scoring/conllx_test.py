from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.parse import DependencyEvaluator, DependencyGraph

from lisa_allennlp.scoring import ConllXEvaluation
from lisa_allennlp.sentence.sentence import Parse, Sentence

WORDS = ["cat", "U.S.", "'s", ",", "--", "(", "“", "``", "''", "?!", "$", "+", "-LRB-"]
TAGS = ["root", "nsubj", "nsubj:pass", "punct"]


@st.composite
def sentence_pairs(draw):
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
    length = len(words)

    def sentence():
        heads = st.lists(st.integers(0, length - 1), min_size=length, max_size=length)
        tags = st.lists(st.sampled_from(TAGS), min_size=length, max_size=length)
        return Sentence(words, parse=Parse(draw(heads), draw(tags)))

    return sentence(), sentence()


def graph(sentence):
    rows = zip(sentence.words, sentence.parse.heads, sentence.parse.head_tags, strict=True)
    return DependencyGraph(
        "".join(f"{word}\tX\t{head}\t{tag}\n" for word, head, tag in rows),
        top_relation_label="root",
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(st.lists(sentence_pairs(), min_size=1, max_size=4))
def test_scores_without_punctuation_are_nltks(pairs):
    predicted, gold = zip(*pairs, strict=True)
    scores = ConllXEvaluation(predicted, gold).to_dict()
    if scores["tokens"]:
        las, uas = DependencyEvaluator([*map(graph, predicted)], [*map(graph, gold)]).eval()
        assert (scores["las"], scores["uas"]) == pytest.approx((100 * las, 100 * uas))


EXAMPLE = ["It", "cost", "$", "5", "."]
GOLD = Sentence(EXAMPLE, parse=Parse([1, 1, 3, 1, 1], ["nsubj", "root", "dep", "obj", "punct"]))
PREDICTED = replace(GOLD, parse=Parse([1, 1, 1, 1, 0], ["nsubj", "root", "dep", "dep", "punct"]))


def test_punctuation_counts_or_is_noted():
    evaluation = ConllXEvaluation([PREDICTED], [GOLD])
    assert "  Unlabeled attachment score: 3 / 4 * 100 = 75.00 %" in evaluation.table()
    assert evaluation.notes()[0].startswith("1 tokens of punctuation are left out")
    evaluation = ConllXEvaluation([PREDICTED], [GOLD], punctuation=True)
    assert evaluation.table().splitlines() == [
        "  Labeled   attachment score: 2 / 5 * 100 = 40.00 %",
        "  Unlabeled attachment score: 3 / 5 * 100 = 60.00 %",
        "  Label accuracy score:       4 / 5 * 100 = 80.00 %",
    ]
    assert evaluation.notes() == []


def test_sums_of_the_ratios_are_the_scores():
    evaluation = ConllXEvaluation([PREDICTED, GOLD], [GOLD, GOLD])
    for name, score in [("LAS", "las"), ("UAS", "uas"), ("label accuracy", "label_accuracy")]:
        right, total = map(sum, zip(*(r[name] for r in evaluation.sentence_ratios()), strict=True))
        assert 100 * right / total == pytest.approx(evaluation.to_dict()[score])
