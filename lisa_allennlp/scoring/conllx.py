"""Attachment scores, as eval.pl of CoNLL-X computes them (Buchholz and Marsi 2006)."""

from dataclasses import dataclass
from operator import eq
from typing import Any, Dict, List, Sequence, Tuple

from lisa_allennlp.common.tables import Cell, Table
from lisa_allennlp.scoring.counts import Evaluation, Ratio, Summed
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import is_punctuation


@dataclass
class AttachmentCounts(Summed):
    """The numbers of tokens, and of tokens with the right head, label, or both (`arcs`)."""

    tokens: int = 0
    heads: int = 0
    labels: int = 0
    arcs: int = 0

    def scores(self) -> Dict[str, float]:
        """In percent; 0 without tokens."""
        counts = {"las": self.arcs, "uas": self.heads, "label_accuracy": self.labels}
        if not self.tokens:
            return dict.fromkeys(counts, 0.0)
        # From the errors, as eval.pl, so that the last digit is the same.
        return {
            name: 100 - 100 * (self.tokens - right) / self.tokens for name, right in counts.items()
        }


def count_attachments(
    predicted: Sentence, gold: Sentence
) -> Tuple[AttachmentCounts, AttachmentCounts]:
    """Returns the counts of words and of punctuation (see `is_punctuation`)."""
    assert predicted.parse is not None and gold.parse is not None
    heads = map(eq, predicted.parse.head_indices, gold.parse.head_indices)
    labels = map(eq, predicted.parse.head_tags, gold.parse.head_tags)
    words, punctuation = AttachmentCounts(), AttachmentCounts()
    for word, is_head_right, is_label_right in zip(gold.words, heads, labels, strict=True):
        counts = punctuation if is_punctuation(word) else words
        counts.tokens += 1
        counts.heads += is_head_right
        counts.labels += is_label_right
        counts.arcs += is_head_right and is_label_right
    return words, punctuation


class ConllXEvaluation(Evaluation):
    """Scores trees as eval.pl of CoNLL-X, with `punctuation` (option `-p`) on all tokens."""

    def __init__(
        self, predicted: Sequence[Sentence], gold: Sequence[Sentence], punctuation: bool = False
    ) -> None:
        self.punctuation = punctuation
        self.left_out = 0
        self.sentences: List[AttachmentCounts] = []
        self.counts = AttachmentCounts()
        for pair in zip(predicted, gold, strict=True):
            counts, marks = count_attachments(*pair)
            if punctuation:
                counts.add(marks)
            else:
                self.left_out += marks.tokens
            self.sentences.append(counts)
            self.counts.add(counts)

    def table(self, style: str = "text") -> str:
        if style != "text":
            return super().table(style)
        names = ("Labeled   attachment", "Unlabeled attachment", "Label accuracy")
        (table,) = self.tables()
        return "\n".join(
            f"  {f'{name} score:':27} {right} / {tokens} * 100 = {score:.2f} %"
            for name, (_, right, tokens, score) in zip(names, table.rows, strict=True)
        )

    def tables(self) -> List[Table]:
        counts, scores = self.counts, self.counts.scores()
        rows: List[List[Cell]] = [
            ["LAS", counts.arcs, counts.tokens, scores["las"]],
            ["UAS", counts.heads, counts.tokens, scores["uas"]],
            ["label accuracy", counts.labels, counts.tokens, scores["label_accuracy"]],
        ]
        return [Table(["", "right", "tokens", "%"], rows)]

    def to_dict(self) -> Dict[str, Any]:
        counts = self.counts
        return {
            "sentences": len(self.sentences),
            "punctuation": self.punctuation,
            "tokens": counts.tokens,
            "right_heads": counts.heads,
            "right_labels": counts.labels,
            "right_arcs": counts.arcs,
            **counts.scores(),
        }

    def sentence_ratios(self) -> List[Dict[str, Ratio]]:
        return [
            {
                "LAS": (counts.arcs, counts.tokens),
                "UAS": (counts.heads, counts.tokens),
                "label accuracy": (counts.labels, counts.tokens),
            }
            for counts in self.sentences
        ]

    def notes(self) -> List[str]:
        if self.punctuation:
            return []
        return [
            f"{self.left_out} tokens of punctuation are left out, as in eval.pl; --punctuation "
            "counts them"
        ]
