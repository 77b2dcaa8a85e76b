"""
Scores of roles in raw text, where prediction and gold may have other tokens and sentences.

    >>> from lisa_allennlp.data.sentence import Frame, Sentence
    >>> text = "We re-opened it."
    >>> gold = Sentence(
    ...     ["We", "re-opened", "it", "."],
    ...     frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1", "O"])],
    ...     offsets=[(0, 2), (3, 12), (13, 15), (15, 16)],
    ... )
    >>> predicted = Sentence(
    ...     ["We", "re-opened", "it."],
    ...     frames=[Frame(1, ["B-ARG0", "B-V", "B-ARG1"])],
    ...     offsets=[(0, 2), (3, 12), (13, 16)],
    ... )
    >>> documents = [Document(text, [predicted])], [Document(text, [gold])]
    >>> CharacterSpanEvaluation(*documents).counts.overall()
    Counts(correct=1, excess=1, missed=1)
"""

from typing import Dict, Sequence, Tuple

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.formats.roles import joined_spans
from lisa_allennlp.scoring.annotation import quote, required
from lisa_allennlp.scoring.conll05 import Conll05Evaluation
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.scoring.propositions import Proposition, PropositionCounts, count_matched

CharacterSpan = Tuple[int, int]


class CharacterSpanEvaluation(Conll05Evaluation):
    """
    Counts propositions as srl-eval.pl does, except that predicates and the pieces of arguments are
    the same if they start and end at the same characters of the text. If the tokens are those of
    gold, the scores are those of `Conll05Evaluation`.

    # Parameters

    predicted, gold : `Sequence[Document]`
        The same texts in the same order. All sentences have frames and offsets.
    strict : `bool`, optional (default = `False`)
        As in `Conll05Evaluation`.

    # Raises

    `ValueError`
        If texts differ, a sentence lacks frames or offsets, or two frames of a document have the
        same predicate.
    """

    def __init__(
        self, predicted: Sequence[Document], gold: Sequence[Document], strict: bool = False
    ) -> None:
        super().__init__([], [], strict)
        self._set_counts([_count(*pair) for pair in zip(predicted, gold, strict=True)])

    def predicates(self) -> Counts:
        """The counts of predicates."""
        correct = self.counts.propositions - self.counts.unpredicted
        return Counts(correct, self.counts.not_in_gold, self.counts.unpredicted)


def _count(predicted: Document, gold: Document) -> PropositionCounts:
    if predicted.text != gold.text:
        raise ValueError(f"found {predicted}; expected the text of {gold}")
    counts = count_matched(_propositions(predicted), _propositions(gold))
    counts.sentences = len(gold.sentences)
    return counts


def _propositions(document: Document) -> Dict[CharacterSpan, Proposition]:
    """The propositions of a document by the start and the end of their predicates."""
    propositions: Dict[CharacterSpan, Proposition] = {}
    for sentence in document.sentences:
        offsets = required(sentence.offsets, "offsets", sentence)
        for frame in required(sentence.frames, "frames", sentence):
            start, end = offsets[frame.predicate]
            if (start, end) in propositions:
                found = f"two frames for the predicate at {start}"
                raise ValueError(f"{quote(sentence)}: found {found}; expected one per predicate")
            roles = {
                tuple((offsets[first][0], offsets[last][1]) for first, last in pieces): role
                for role, pieces in joined_spans(frame.tags)
            }
            propositions[start, end] = Proposition(frame.lemma, roles)
    return propositions
