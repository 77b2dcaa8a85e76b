"""Metrics registered as AllenNLP's `Metric`: scores that match the official scorers."""

from operator import eq
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import torch
from allennlp.common.util import is_distributed
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric

from lisa_allennlp.data.sentence import UNKNOWN, Sentence
from lisa_allennlp.scoring.conllx import count_attachments
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.scoring.propositions import count_propositions


class SentenceMetric(Metric):
    """
    A metric that compares predicted sentences with gold sentences by counting. Counts are integers,
    summed over sentences and over the workers of distributed training, so scores depend neither on
    the batches nor on the number of workers. Sentences without the gold annotation are skipped, and
    a score without counts is not reported: a reported 0 is always a measured 0.

    A subclass names its counts in `COUNTS`, counts a pair of sentences in `_count` and converts the
    sums into scores in `_scores`.
    """

    supports_distributed = True

    COUNTS: Tuple[str, ...] = ()

    def __init__(self) -> None:
        self.reset()

    def __call__(  # type: ignore[override]
        self, predicted: Sequence[Sentence], gold: Sequence[Sentence]
    ) -> None:
        """Counts predictions for gold sentences in the same order, with all that gold has."""
        for pair in zip(predicted, gold, strict=True):
            self._count(*pair)

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """Returns scores from 0 to 100 over the sentences of all workers."""
        sums = dist_reduce_sum(torch.tensor(list(self._counts.values()), dtype=torch.long))
        if reset:
            self.reset()
        return self._scores(dict(zip(self.COUNTS, sums.tolist(), strict=True)))

    def reset(self) -> None:
        """Discards all counts."""
        self._counts = dict.fromkeys(self.COUNTS, 0)

    def _add(self, *numbers: int) -> None:
        """Adds a number to each count, in the order of `COUNTS`."""
        for name, number in zip(self.COUNTS, numbers, strict=True):
            self._counts[name] += number

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        raise NotImplementedError

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        raise NotImplementedError


@Metric.register("pos_accuracy")
class PosAccuracy(SentenceMetric):
    """
    The percentage of tokens with the right part-of-speech tag, `pos_accuracy`.
    """

    COUNTS = ("tokens", "correct")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.pos is not None:
            self._add(len(gold.pos), sum(map(eq, predicted.pos, gold.pos)))

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        return _share("pos_accuracy", counts["correct"], counts["tokens"])


@Metric.register("dependency_score")
class DependencyScore(SentenceMetric):
    """
    The percentage of tokens with the right head (UAS), and with the right head and label (LAS).

    `uas` and `las` skip tokens that are punctuation (see `is_punctuation`), as eval.pl of CoNLL-X
    does by default. `uas_with_punct` and `las_with_punct` count all tokens.
    """

    # The counts "words..." leave out punctuation.
    COUNTS = ("words", "word_heads", "word_arcs", "tokens", "heads", "arcs")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.parse is not None:
            words, others = count_attachments(predicted, gold)
            tokens = words.tokens + others.tokens, words.heads + others.heads
            self._add(words.tokens, words.heads, words.arcs, *tokens, words.arcs + others.arcs)

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        return {
            **_share("uas", counts["word_heads"], counts["words"]),
            **_share("las", counts["word_arcs"], counts["words"]),
            **_share("uas_with_punct", counts["heads"], counts["tokens"]),
            **_share("las_with_punct", counts["arcs"], counts["tokens"]),
        }


@Metric.register("predicate_score")
class PredicateScore(SentenceMetric):
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
        if gold.frames is not None:
            counts = count_propositions(predicted, gold)
            found = counts.propositions - counts.unpredicted
            verbs = counts.verbs()
            positions = found, counts.not_in_gold, counts.unpredicted
            self._add(1, *positions, verbs.correct, verbs.excess, verbs.missed)

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
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


@Metric.register("srl_score")
class SrlScore(SentenceMetric):
    """
    Precision, recall and F1 of arguments over all frames, in percent.

    `srl_precision`, `srl_recall` and `srl_f1` match the "Overall" row of srl-eval.pl, the official
    scorer of CoNLL-2005 (Carreras and Màrquez 2005), which produced LISA's Tables 1 to 3. V is
    ignored. X and its continuations C-X form one argument, which is right only if all its pieces
    are. If a gold predicate is not predicted, all its arguments are missed. If a predicted
    predicate is not in gold, its frame is ignored and does not lower precision.

    `srl_precision_strict` and `srl_f1_strict` count the arguments of such frames as excess, as He
    et al. (2018) do. Recall is the same for both.

    Frames are matched only by the position of the predicate. srl-eval.pl also compares lemmas,
    which are gold in the CoNLL-2005 task. The command `score` can compare them, too.

    After a sentence with gold frames, all five scores are reported.
    """

    COUNTS = ("sentences", "correct", "excess", "missed", "spurious")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        if gold.frames is not None:
            counts = count_propositions(predicted, gold)
            overall = counts.overall()
            spurious = counts.overall(strict=True).excess - overall.excess
            self._add(1, overall.correct, overall.excess, overall.missed, spurious)

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
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


@Metric.register("sense_accuracy")
class SenseAccuracy(SentenceMetric):
    """
    `sense_accuracy` is the percentage of the found predicates with the roleset of gold: of the gold
    frames whose roleset is known and whose predicate is predicted.
    """

    COUNTS = ("frames", "correct")

    def _count(self, predicted: Sentence, gold: Sentence) -> None:
        found = {frame.predicate: frame.sense for frame in predicted.frames or []}
        for frame in gold.frames or []:
            if frame.sense != UNKNOWN and frame.predicate in found:
                self._add(1, found[frame.predicate] == frame.sense)

    def _scores(self, counts: Dict[str, int]) -> Dict[str, float]:
        return _share("sense_accuracy", counts["correct"], counts["frames"])


def _share(name: str, part: int, whole: int) -> Dict[str, float]:
    """A percentage by its name; nothing if it is one of nothing."""
    return {name: 100 * part / whole} if whole else {}


@Metric.register("supertag_accuracy")
class SupertagAccuracy(Metric):
    """
    The percentage of tokens with the right supertag. `accuracy` counts all tokens;
    `top<k>_accuracy` counts a token as right if the gold supertag is among the k best;
    `unseen_word_accuracy` counts words that are not in the training data; and
    `rare_supertag_accuracy` counts tokens whose gold supertag is rare in the training data.
    Accuracies over no tokens are not reported. A gold supertag missing from the model's vocabulary
    counts as wrong, as in the paper (Wu, Zhang and Zong 2016). Counts are summed over the workers
    of distributed training.
    """

    supports_distributed = True

    def __init__(self, top_k: int = 5) -> None:
        others = ("unseen_word_accuracy", "rare_supertag_accuracy")
        self._names = ("accuracy", f"top{top_k}_accuracy", *others)
        self.top_k = top_k
        self.reset()

    def __call__(
        self,
        ranked: torch.Tensor,
        gold: torch.Tensor,
        is_unseen_word: Optional[torch.Tensor] = None,
        is_rare_supertag: Optional[torch.Tensor] = None,
    ) -> None:
        """
        Counts tokens. `ranked`, shape `(num_tokens, k)`, has their labels from the best to the k-th
        best, `gold`, shape `(num_tokens,)`, a negative number for labels missing from the model's
        vocabulary. The masks have the shape of `gold`.
        """
        hits = (ranked == gold.unsqueeze(-1)) & (gold >= 0).unsqueeze(-1)
        is_right = hits[:, 0]
        parts = [is_right, hits.any(-1)]
        for mask in (is_unseen_word, is_rare_supertag):
            parts.append(is_right[:0] if mask is None else is_right[mask])
        for i, part in enumerate(parts):
            self._right[i] += int(part.sum())
            self._all[i] += part.numel()

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """Returns accuracies from 0 to 100."""
        sums = dist_reduce_sum(torch.tensor([self._right, self._all], dtype=torch.long)).tolist()
        if reset:
            self.reset()
        scores: Dict[str, float] = {}
        for name, right, total in zip(self._names, *sums, strict=True):
            scores.update(_share(name, right, total))
        return scores

    def reset(self) -> None:
        """Discards all counts."""
        self._right = [0] * len(self._names)
        self._all = [0] * len(self._names)


@Metric.register("mean_losses")
class MeanLosses(Metric):
    """
    The mean of the losses of all batches, for each task. AllenNLP's `average` copies every loss to
    the host, and the training step waits for it. This metric sums losses on their device.
    """

    supports_distributed = True

    def __init__(self) -> None:
        self._totals: Dict[str, torch.Tensor] = {}
        self._counts: Dict[str, int] = {}

    def __call__(self, losses: Mapping[str, torch.Tensor]) -> None:  # type: ignore[override]
        """Adds scalars by the names of tasks. A batch need not have the losses of all tasks."""
        for name, loss in losses.items():
            is_first = self._counts.get(name, 0) == 0
            self._totals[name] = loss.detach() if is_first else self._totals[name] + loss.detach()
            self._counts[name] = self._counts.get(name, 0) + 1

    def get_metric(self, reset: bool = False) -> Dict[str, float]:
        """
        Returns the means over the losses of all workers, by name; 0 if there are none since a
        reset. A worker may have seen no batch with the losses of a task.
        """
        sums = {n: (float(self._totals.get(n, 0)), k) for n, k in self._counts.items()}
        workers: List[Any] = [sums]
        if is_distributed():
            workers = [None] * torch.distributed.get_world_size()
            torch.distributed.all_gather_object(workers, sums)
        means = {}
        for name in dict.fromkeys(name for sums in workers for name in sums):
            totals, counts = zip(*(sums[name] for sums in workers if name in sums), strict=True)
            means[name] = sum(totals) / sum(counts) if any(counts) else 0.0
        if reset:
            self.reset()
        return means

    def reset(self) -> None:
        """Discards all losses, but not the names of the tasks."""
        self._totals = {}
        self._counts = dict.fromkeys(self._counts, 0)
