"""Dependency parsing, scored as CoNLL-X's eval.pl does, and with punctuation."""

from typing import Dict

from allennlp.training.metrics import Metric

from lisa_allennlp.data.formats.tokens import is_punctuation
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.training.metrics.sentence_metric import SentenceMetric, per_token, required


@Metric.register("dependency_score")
class DependencyScore(SentenceMetric):
    """
    The share of tokens whose head is right (UAS), and of those whose head and label are (LAS).

    `uas` and `las` leave out the tokens that are punctuation by their gold form, as eval.pl of
    CoNLL-X does by default (see `is_punctuation`); `uas_with_punct` and `las_with_punct` count all
    tokens. Sentences whose gold `parse` is `None` do not count, and scores without any token are
    not reported.
    """

    # Of all tokens, and of those that are not punctuation ("words").
    COUNTS = ("tokens", "heads", "arcs", "words", "word_heads", "word_arcs")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.parse is None:
            return
        parse = required(predicted.parse, "a parse", gold)
        heads = per_token(parse.head_indices, "heads", gold)
        tags = per_token(parse.head_tags, "head tags", gold)
        gold_heads = per_token(gold.parse.head_indices, "heads", gold)
        gold_tags = per_token(gold.parse.head_tags, "head tags", gold)
        for position, word in enumerate(gold.words):
            is_head_right = heads[position] == gold_heads[position]
            is_arc_right = is_head_right and tags[position] == gold_tags[position]
            self._counts["tokens"] += 1
            self._counts["heads"] += is_head_right
            self._counts["arcs"] += is_arc_right
            if not is_punctuation(word):
                self._counts["words"] += 1
                self._counts["word_heads"] += is_head_right
                self._counts["word_arcs"] += is_arc_right

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        scores = {}
        if counts["words"]:
            scores["uas"] = 100 * counts["word_heads"] / counts["words"]
            scores["las"] = 100 * counts["word_arcs"] / counts["words"]
        if counts["tokens"]:
            scores["uas_with_punct"] = 100 * counts["heads"] / counts["tokens"]
            scores["las_with_punct"] = 100 * counts["arcs"] / counts["tokens"]
        return scores
