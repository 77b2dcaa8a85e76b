"""A model before and after it learned, compared on sentences that it did not learn from."""

from collections import ChainMap
from typing import Dict, List, Sequence

import lisa_allennlp
from lisa_allennlp.data.corrections import annotated_whole
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.scoring import (
    Conll05Evaluation,
    ConllXEvaluation,
    Ratio,
    difference_table,
    paired_bootstrap,
)


def before_and_after(before: str, after: str, gold: Sequence[Sentence]) -> List[str]:
    """
    Labels sentences with two models, and returns a table of their scores and of the differences,
    with the paired bootstrap test. Sentences without tags, roles or a tree are left out of it.
    """
    gold = [sentence for sentence in map(annotated_whole, gold) if _is_whole(sentence)]
    if len(gold) < 2:
        return []
    old, new = (
        sentence_ratios(list(lisa_allennlp.load(model).pipe(s.words for s in gold)), gold)
        for model in (before, after)
    )
    table = difference_table(paired_bootstrap(old, new), "before", "after")
    return ["", f"{len(gold)} sentences that it did not learn from:", "", *table.splitlines()]


def _is_whole(sentence: Sentence) -> bool:
    return None not in (sentence.pos, sentence.frames, sentence.parse)


def sentence_ratios(
    predicted: Sequence[Sentence], gold: Sequence[Sentence]
) -> List[Dict[str, Ratio]]:
    """
    Returns for each sentence the ratios of arguments, as in srl-eval.pl without lemmas, of trees
    without punctuation, as in eval.pl, if the model predicts them, and of parts of speech.
    """
    parts = [Conll05Evaluation(predicted, gold).sentence_ratios()]
    if all(sentence.parse is not None for sentence in predicted):
        parts.append(ConllXEvaluation(predicted, gold).sentence_ratios())
    parts.append([_tags(*pair) for pair in zip(predicted, gold, strict=True)])
    merged = [ChainMap(*of_sentence) for of_sentence in zip(*parts, strict=True)]
    return [{name: row[name] for name in SCORES if name in row} for row in merged]


SCORES = ("arguments precision", "arguments recall", "arguments F1", "UAS", "LAS", "tags")
"""The scores of the table."""


def _tags(predicted: Sentence, gold: Sentence) -> Dict[str, Ratio]:
    pairs = zip(predicted.pos, gold.pos, strict=True)
    return {"tags": (sum(found == tag for found, tag in pairs), len(gold.words))}
