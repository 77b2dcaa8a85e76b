"""Labels sentences with the CCG supertagger."""

import dataclasses
from typing import Any, Dict, List, Optional

from allennlp.data import DatasetReader, Instance
from allennlp.models import Model

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import Request
from lisa_allennlp.models.ccg_supertagger import check_beta


@Labeller.register("ccg_supertagger")
class SupertagLabeller(Labeller):
    """
    Supertags sentences with a `ccg_supertagger`. The optional key `pos` of an input has tags that
    are copied to the output.

    >>> import lisa_allennlp.plugin
    >>> from allennlp.common import Params
    >>> from allennlp.data import Vocabulary
    >>> from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
    >>> embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    >>> config = {
    ...     "type": "ccg_supertagger",
    ...     "text_field_embedder": embedder,
    ...     "encoder": {"type": "pass_through", "input_dim": 8},
    ... }
    >>> vocab = Vocabulary(tokens_to_add={"supertag_labels": ["N"]})
    >>> model = Model.from_params(Params(config), vocab=vocab).eval()
    >>> supertagger = SupertagLabeller(model, CcgbankReader())
    >>> supertagger("Rain").supertags
    ['N']

    # Parameters

    model, dataset_reader, **options :
        As for `Labeller`. The reader is a `ccgbank_supertags`.
    beta : `float`, optional (default = `None`)
        If given, each word gets `candidates`: all categories with a probability of at least `beta`
        times that of the best one.

    # Raises

    `ConfigurationError`
        If `beta` is not a number from 0 to 1.
    """

    keys = ("pos",)
    output_formats = ("json", "pipes", "multitags")

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        beta: Optional[float] = None,
        **options: Any,
    ) -> None:
        super().__init__(model, dataset_reader, **options)
        self._beta = None if beta is None else check_beta(beta)

    def options(self) -> Dict[str, Any]:
        return {"beta": self._beta}

    def instances(self, request: Request) -> List[Instance]:
        return [self.instance(request.sentence)]

    def nothing(self, sentence: Sentence, details: bool = False) -> Sentence:
        candidates: Optional[List] = None if self._beta is None else []
        return dataclasses.replace(sentence, supertags=[], candidates=candidates)
