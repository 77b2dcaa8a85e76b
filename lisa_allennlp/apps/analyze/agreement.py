"""
How far two people agree in what they corrected: two files of corrections of the same corpus.

    >>> from lisa_allennlp.sentence.sentence import Frame, Sentence
    >>> def reading(tags):
    ...     extra = {"corrections": {"number": 3, "accepted": True}}
    ...     return Sentence(["She", "sang"], frames=[Frame(1, tags)], extra=extra)
    >>> found = agreement([reading(["B-ARG0", "B-V"])], [reading(["B-ARG1", "B-V"])])
    >>> found.scores["roles F1"], found.differing[0].number, found.differing[0].text
    (0.0, 3, '1 span')
"""

from typing import Dict, List, NamedTuple, Sequence

from lisa_allennlp.apps.show.comparison import described, differences
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.corrections import check_corrections, corrections_of, is_accepted
from lisa_allennlp.scoring import score
from lisa_allennlp.sentence.sentence import Sentence


class DifferentSentence(NamedTuple):
    """A sentence that differs: its number in the corpus, the difference, and one reading."""

    number: int
    text: str
    sentence: Sentence


class Agreement(NamedTuple):
    """
    The numbers of sentences that both people have corrected, that both have accepted, and that only
    one has corrected; scores in percent, by name; and the sentences that differ.
    """

    both: int
    accepted: int
    only_first: int
    only_second: int
    scores: Dict[str, float]
    differing: List[DifferentSentence]


def read_corrections(path: str) -> List[Sentence]:
    """Reads a file of corrections. Raises a `CorpusFormatError` for a line without any."""
    annotated = read_annotated(path, "json")
    for sentence, (line, *_) in annotated.sentences:
        check_corrections(path, line, sentence)
        if corrections_of(sentence) is None:
            raise CorpusFormatError(path, line, "no `corrections`", "a file of corrections")
    return annotated.bare_sentences


def agreement(first: Sequence[Sentence], second: Sequence[Sentence]) -> Agreement:
    """
    Compares two people's corrections of a corpus, in the sentences that both have. UAS and LAS
    count punctuation; the F1 of roles counts the arguments of predicates that only one has, so it
    is symmetric. Raises a `ConfigurationError` if the words of a sentence differ.
    """
    one, other = _by_number(first), _by_number(second)
    numbers = sorted(one.keys() & other.keys())
    pairs = [(one[number], other[number]) for number in numbers]
    marked = [(differences(b, a), differences(a, b)) for a, b in pairs]
    differing = [
        DifferentSentence(number, described(*marks), sentence)
        for number, marks, (sentence, _) in zip(numbers, marked, pairs, strict=True)
        if described(*marks)
    ]
    accepted = sum(all(map(is_accepted, pair)) for pair in pairs)
    scores = _scores([a for a, _ in pairs], [b for _, b in pairs])
    only_first, only_second = (len(own.keys() - numbers) for own in (one, other))
    return Agreement(len(pairs), accepted, only_first, only_second, scores, differing)


def _by_number(sentences: Sequence[Sentence]) -> Dict[int, Sentence]:
    pairs = [(corrections_of(sentence), sentence) for sentence in sentences]
    return {known.number: sentence for known, sentence in pairs if known is not None}


def _scores(first: List[Sentence], second: List[Sentence]) -> Dict[str, float]:
    found = score(second, first)
    parts = {"tags": "pos_accuracy", "UAS": "uas_with_punct", "LAS": "las_with_punct"}
    scores = {name: found[key] for name, key in parts.items() if key in found}
    if "srl_f1_strict" in found:
        scores.update({"roles F1": found["srl_f1_strict"], "senses": _senses(first, second)})
    return scores


def _senses(first: List[Sentence], second: List[Sentence]) -> float:
    same = [
        frame.sense == other.sense
        for a, b in zip(first, second, strict=True)
        for frame in a.frames or []
        if (other := b.frame_at(frame.predicate)) is not None
    ]
    return 100 * sum(same) / len(same) if same else 100.0
