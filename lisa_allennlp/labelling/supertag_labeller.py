"""Labels sentences with the CCG supertagger."""

from dataclasses import replace
from typing import Any, List, Optional, Sequence

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.confidence import check_share
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import Request


class SupertagLabeller(Labeller):
    """
    Supertags sentences with a `ccg_supertagger`, which `models.engines.SupertaggerEngine` runs.
    The optional key `pos` of an input has tags that are copied to the output.

    # Parameters

    beta : `float`, optional
        A number from 0 to 1, with which each word gets `candidates`: all categories with a
        probability of at least `beta` times that of the best one.
    **options
        As for `Labeller`.
    """

    keys = ("pos",)
    reads_tags = True
    output_formats = ("json", "pipes", "multitags")

    def __init__(self, engine: Any, beta: Optional[float] = None, **options: Any) -> None:
        super().__init__(engine, **options)
        self._beta = None if beta is None else check_share("beta", beta)

    def label_words(self, requests: Sequence[Request], details: bool = False) -> List[Sentence]:
        sentences = [request.sentence for request in requests]
        return self.engine.label(sentences, details=details, beta=self._beta)

    def nothing(self, sentence: Sentence, details: bool = False) -> Sentence:
        candidates: Optional[List] = None if self._beta is None else []
        return replace(sentence, supertags=[], candidates=candidates)
