"""
Scores of sentences by the names of `lisa evaluate`, as sums of counts that match the official
scorers.

    >>> from lisa_allennlp.sentence.sentence import Sentence
    >>> gold = Sentence(["He", "sang"], ["PRP", "VBD"])
    >>> score([Sentence(gold.words, ["PRP", "NN"])], [gold])
    {'pos_accuracy': 50.0}
"""

from operator import eq
from typing import Dict, Iterable, Sequence, Tuple

from lisa_allennlp.scoring.conllx import count_attachments
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.scoring.propositions import count_propositions, named_as
from lisa_allennlp.sentence.sentence import UNKNOWN, Sentence


class Measure:
    """
    Compares predicted sentences with gold sentences by counting. Counts are integers, summed over
    sentences, so scores do not depend on batches. Sentences without the gold annotation are
    skipped, and a score without counts is not reported: a reported 0 is always a measured 0.

    A subclass names its counts in `COUNTS`, counts a pair of sentences in `_count` and converts the
    sums into scores, from 0 to 100, in `scores_of`.
    """

    COUNTS: Tuple[str, ...] = ()

    def __init__(self) -> None:
        self.counts = dict.fromkeys(self.COUNTS, 0)

    def __call__(self, predicted: Sequence[Sentence], gold: Sequence[Sentence]) -> None:
        for pair in zip(predicted, gold, strict=True):
            self._count(*pair)

    def _add(self, *numbers: int) -> None:
        for name, number in zip(self.COUNTS, numbers, strict=True):
            self.counts[name] += number

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        raise NotImplementedError

    def scores_of(self, counts: Dict[str, int]) -> Dict[str, float]:
        raise NotImplementedError


class PosAccuracy(Measure):
    """The percentage of tokens with the right part-of-speech tag, `pos_accuracy`."""

    COUNTS = ("tokens", "correct")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.pos is not None and predicted.pos is not None:
            self._add(len(gold.pos), sum(map(eq, predicted.pos, gold.pos)))

    def scores_of(self, counts: Dict[str, int]) -> Dict[str, float]:
        return share("pos_accuracy", counts["correct"], counts["tokens"])


class DependencyScore(Measure):
    """
    The percentage of tokens with the right head (UAS), and with the right head and label (LAS).

    `uas` and `las` skip tokens that are punctuation (see `is_punctuation`), as eval.pl of CoNLL-X
    does by default. `uas_with_punct` and `las_with_punct` count all tokens.
    """

    # The counts "words..." leave out punctuation.
    COUNTS = ("words", "word_heads", "word_arcs", "tokens", "heads", "arcs")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.parse is not None and predicted.parse is not None:
            words, others = count_attachments(predicted, gold)
            tokens = words.tokens + others.tokens, words.heads + others.heads
            self._add(words.tokens, words.heads, words.arcs, *tokens, words.arcs + others.arcs)

    def scores_of(self, counts: Dict[str, int]) -> Dict[str, float]:
        return {
            **share("uas", counts["word_heads"], counts["words"]),
            **share("las", counts["word_arcs"], counts["words"]),
            **share("uas_with_punct", counts["heads"], counts["tokens"]),
            **share("las_with_punct", counts["arcs"], counts["tokens"]),
        }


class PredicateScore(Measure):
    """
    Precision, recall and F1 of predicates, in percent.

    `predicate_precision`, `predicate_recall` and `predicate_f1` compare positions: a predicate is
    right if it has the position of a gold predicate.

    `srl_v_precision`, `srl_v_recall` and `srl_v_f1` are the V row of srl-eval.pl, which LISA's
    Table 5 reports. They compare the spans labelled V (with C-V, the particle of a verb such as
    "take ... off"), and only for predicates that are in gold. Other predicates do not lower this
    precision.

    Lemmas and senses are not compared. After a sentence with gold frames, all six are reported; a
    score with a zero denominator is 0.
    """

    COUNTS = ("sentences", "correct", "excess", "missed", "v_correct", "v_excess", "v_missed")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.frames is not None and predicted.frames is not None:
            counts = count_propositions(predicted, gold)
            found = counts.propositions - counts.unpredicted
            verbs = counts.verbs()
            positions = found, counts.not_in_gold, counts.unpredicted
            self._add(1, *positions, verbs.correct, verbs.excess, verbs.missed)

    def scores_of(self, counts: Dict[str, int]) -> Dict[str, float]:
        if not counts["sentences"]:
            return {}
        positions = Counts(counts["correct"], counts["excess"], counts["missed"])
        verbs = Counts(counts["v_correct"], counts["v_excess"], counts["v_missed"])
        return {
            "predicate_precision": positions.precision,
            "predicate_recall": positions.recall,
            "predicate_f1": positions.f1,
            "srl_v_precision": verbs.precision,
            "srl_v_recall": verbs.recall,
            "srl_v_f1": verbs.f1,
        }


class SrlScore(Measure):
    """
    Precision, recall and F1 of arguments over all frames, in percent.

    `srl_precision`, `srl_recall` and `srl_f1` match the "Overall" row of srl-eval.pl, the official
    scorer of CoNLL-2005 (Carreras and Màrquez 2005), which produced LISA's Tables 1 to 3. V is
    ignored. X and its continuations C-X form one argument, which is right only if all its pieces
    are. If a gold predicate is not predicted, all its arguments are missed. If a predicted
    predicate is not in gold, its frame is ignored and does not lower precision.

    `srl_precision_strict` and `srl_f1_strict` count the arguments of such frames as excess, as He
    et al. (2018) do. Recall is the same for both.

    Roles get the names of gold, `A0` or `ARG0`. Frames are matched only by the position of the
    predicate. srl-eval.pl also compares lemmas, which are gold in the CoNLL-2005 task. The command
    `score` can compare them, too.

    After a sentence with gold frames, all five scores are reported.
    """

    COUNTS = ("sentences", "correct", "excess", "missed", "spurious")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.frames is not None and predicted.frames is not None:
            (predicted,) = named_as([predicted], [gold])
            counts = count_propositions(predicted, gold)
            overall = counts.overall()
            spurious = counts.overall(strict=True).excess - overall.excess
            self._add(1, overall.correct, overall.excess, overall.missed, spurious)

    def scores_of(self, counts: Dict[str, int]) -> Dict[str, float]:
        if not counts["sentences"]:
            return {}
        overall = Counts(counts["correct"], counts["excess"], counts["missed"])
        strict = Counts(overall.correct, overall.excess + counts["spurious"], overall.missed)
        return {
            "srl_precision": overall.precision,
            "srl_recall": overall.recall,
            "srl_f1": overall.f1,
            "srl_precision_strict": strict.precision,
            "srl_f1_strict": strict.f1,
        }


class SenseAccuracy(Measure):
    """
    `sense_accuracy` is the percentage of right rolesets among gold frames whose roleset is known
    and whose predicate is predicted.
    """

    COUNTS = ("frames", "correct")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        found = {frame.predicate: frame.sense for frame in predicted.frames or []}
        for frame in gold.frames or []:
            if frame.sense != UNKNOWN and frame.predicate in found:
                self._add(1, found[frame.predicate] == frame.sense)

    def scores_of(self, counts: Dict[str, int]) -> Dict[str, float]:
        return share("sense_accuracy", counts["correct"], counts["frames"])


def share(name: str, part: int, whole: int) -> Dict[str, float]:
    return {name: 100 * part / whole} if whole else {}


def score(predicted: Iterable[Sentence], gold: Iterable[Sentence]) -> Dict[str, float]:
    """
    Scores predictions against gold in the same order, by the names of `lisa evaluate`. Annotation
    that either side lacks is left out.
    """
    pairs = list(zip(predicted, gold, strict=True))
    found: Dict[str, float] = {}
    for kind in (SrlScore, PredicateScore, SenseAccuracy, PosAccuracy, DependencyScore):
        measure: Measure = kind()
        measure([one for one, _ in pairs], [other for _, other in pairs])
        found.update(measure.scores_of(measure.counts))
    return found
