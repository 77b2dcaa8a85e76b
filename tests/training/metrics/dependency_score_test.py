import pytest
import torch
from allennlp.training.metrics import AttachmentScores, Metric
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.training.metrics import DependencyScore

# What is punctuation to eval.pl, and what is not although it looks so.
PUNCTUATION = [".", ",", "--", "''", "?!", "(", "“"]
OTHERS = ["cat", "sat", "$", "``", "-LRB-", "+", "U.S.", "'s"]
TAGS = ["root", "nsubj", "punct"]


def score(predicted, gold):
    metric = DependencyScore()
    metric(predicted, gold)
    return metric.get_metric()


@st.composite
def sentence_pairs(draw):
    words = draw(st.lists(st.sampled_from(PUNCTUATION + OTHERS), min_size=1, max_size=8))

    def parse():
        length = len(words)
        heads = st.lists(st.integers(0, min(3, length - 1)), min_size=length, max_size=length)
        tags = st.lists(st.sampled_from(TAGS), min_size=length, max_size=length)
        return Parse(draw(heads), draw(tags))

    return Sentence(words, parse=parse()), Sentence(words, parse=parse())


def allennlp_scores(pairs, is_counted):
    metric = AttachmentScores()
    for predicted, gold in pairs:
        tensors = [
            torch.tensor([row])
            for parse in (predicted.parse, gold.parse)
            for row in (parse.head_indices, [TAGS.index(tag) for tag in parse.head_tags])
        ]
        metric(*tensors, torch.tensor([[is_counted(word) for word in gold.words]]))
    scores = metric.get_metric()
    return 100 * scores["UAS"], 100 * scores["LAS"]


@settings(deadline=None, max_examples=60)
@given(st.lists(sentence_pairs(), min_size=1, max_size=4))
def test_scores_are_those_of_allennlp_with_a_mask(pairs):
    predicted, gold = zip(*pairs, strict=True)
    scores = score(predicted, gold)
    all_tokens = allennlp_scores(pairs, lambda word: True)
    assert (scores["uas_with_punct"], scores["las_with_punct"]) == pytest.approx(all_tokens)
    if all(word in PUNCTUATION for sentence in gold for word in sentence.words):
        assert len(scores) == 2
    else:
        words = allennlp_scores(pairs, lambda word: word not in PUNCTUATION)
        assert (scores["uas"], scores["las"]) == pytest.approx(words)


def test_an_example():
    words = ["It", "cost", "$", "5", "."]
    gold = Sentence(words, parse=Parse([1, 1, 3, 1, 1], ["nsubj", "root", "dep", "obj", "punct"]))
    heads, tags = [1, 1, 1, 1, 0], ["nsubj", "root", "dep", "dep", "punct"]
    assert score([Sentence(words, parse=Parse(heads, tags))], [gold]) == {
        "uas": 75,
        "las": 50,
        "uas_with_punct": 60,
        "las_with_punct": 40,
    }


def test_punctuation_is_told_by_the_gold_form():
    parse = Parse([0], ["root"])
    scores = score([Sentence(["x"], parse=parse)], [Sentence(["."], parse=parse)])
    assert scores == {"uas_with_punct": 100, "las_with_punct": 100}


def test_sentences_without_gold_parse_do_not_count():
    parsed, unparsed = Sentence(["a"], parse=Parse([0], ["root"])), Sentence(["a"])
    assert score([parsed], [unparsed]) == {}
    assert score([parsed, parsed], [unparsed, parsed])["las"] == 100


def test_a_parse_of_another_length_is_refused():
    gold = Sentence(["a", "b"], parse=Parse([0, 0], ["root", "dep"]))
    for parse, name in [(Parse([0], ["root", "dep"]), "heads"), (Parse([0, 0], []), "head tags")]:
        with pytest.raises(ValueError, match=f'{name} for "a b"; expected 2'):
            score([Sentence(["a", "b"], parse=parse)], [gold])


def test_it_is_registered():
    assert isinstance(Metric.by_name("dependency_score")(), DependencyScore)
