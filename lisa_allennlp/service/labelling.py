"""
What the service knows about its model, and the labelling of bodies, without HTTP.

    >>> from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
    >>> from lisa_allennlp.data.sentence import Sentence
    >>> from lisa_allennlp.models.sentence_model import SentenceModel
    >>> from allennlp.data import Vocabulary
    >>> class NounTagger(Labeller):
    ...     def label(self, requests, details=False):
    ...         words = [request.sentence.words for request in requests]
    ...         return [Sentence(w, pos=["NN"] * len(w)) for w in words]
    >>> tagger = NounTagger(SentenceModel(Vocabulary()), Conll12SrlReader())
    >>> service = LabellingService(tagger, "nouns", Limits(), Metrics(), processes=0)
    >>> asyncio.run(service.label(b'{"tokens": ["Rain"]}', Variant()))
    b'{"words": ["Rain"], "pos": ["NN"]}'
    >>> service.close()
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, TypeVar

from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.models.label_names import label_strings
from lisa_allennlp.service.answers import answers_to, body_of, parts_of
from lisa_allennlp.service.batching import Batcher
from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.limits import Limits
from lisa_allennlp.service.metrics import Metrics
from lisa_allennlp.service.processes import BatchLabeller, Variant, Workers
from lisa_allennlp.service.reading import Inputs, read_inputs
from lisa_allennlp.version import VERSION

Result = TypeVar("Result")


class LabellingService:
    """
    # Parameters

    labeller : `Labeller`
    name : `str`
        The name of the model.
    limits : `Limits`
    metrics : `Metrics`
    processes : `int`
        The number of processes that label, as for `Workers`.
    """

    def __init__(
        self, labeller: Labeller, name: str, limits: Limits, metrics: Metrics, processes: int
    ) -> None:
        self._labeller = labeller
        self._name = name
        self.limits = limits
        self.metrics = metrics
        self._has_probabilities = isinstance(labeller, LisaLabeller)
        with_probabilities = (
            labeller.with_probabilities() if isinstance(labeller, LisaLabeller) else None
        )
        self._workers = Workers(BatchLabeller(labeller, with_probabilities), processes)
        self._batcher = Batcher(self._workers.label, self._workers.number, metrics)
        self._reading = 0
        # Tokenisation and pictures do not wait for each other.
        self._readers = ThreadPoolExecutor(1, "read")
        self._drawers = ThreadPoolExecutor(1, "draw")

    @property
    def has_attention(self) -> bool:
        """Whether the model has a syntactic head."""
        return self._has_probabilities and self._labeller.has_parse

    @property
    def formats(self) -> List[str]:
        """The formats in which answers can be written."""
        return list(self._labeller.output_formats)

    def info(self) -> Dict[str, Any]:
        """What `/info` says."""
        model, has_parse = self._labeller.model, self._labeller.has_parse
        return {
            "model": self._name,
            "version": VERSION,
            "has_parse": has_parse,
            "has_attention": self.has_attention,
            "has_probabilities": self._has_probabilities,
            "predicts_senses": bool(getattr(model, "predicts_senses", False)),
            "formats": self.formats,
            "head_tags": label_strings(model.vocab, "head_tags") if has_parse else [],
            "max_words": self.limits.max_words,
            "max_bytes": self.limits.max_bytes,
        }

    def check_queue(self) -> None:
        """
        # Raises

        `RequestError`
            If no more requests can wait.
        """
        waiting = self._batcher.sentences + self._reading
        if waiting >= self.limits.max_queue:
            expected = f"fewer than {self.limits.max_queue:,} (lisa serve --max-queue)"
            message = f"found {waiting:,} sentences waiting; expected {expected}"
            raise RequestError(429, message, self._batcher.seconds_to_wait)

    async def label(self, body: bytes, variant: Variant) -> bytes:
        """
        # Parameters

        body : `bytes`
            The body of `/label`.
        variant : `Variant`

        # Returns

        `bytes`
            The answer.

        # Raises

        `RequestError`
            If there is no answer.
        """
        self._check_variant(variant)
        self.check_queue()
        self._reading += 1
        try:
            inputs = await self._read(body)
        finally:
            self._reading -= 1
        labelled = await self._batcher.label(parts_of(inputs, variant))
        answers = answers_to(inputs, labelled)
        if inputs.are_many:
            return body_of(answers)
        (answer,) = answers
        if isinstance(answer, str):
            raise RequestError(422, answer)
        return answer

    def _check_variant(self, variant: Variant) -> None:
        if variant.probabilities and not self._has_probabilities:
            raise RequestError(
                422, "found probabilities=true; expected a LISA or SA model for them"
            )
        if variant.attention and not self.has_attention:
            raise RequestError(422, "found attention=true; expected a LISA model for it")

    async def _read(self, body: bytes) -> Inputs:
        inputs = await self._in_thread(
            self._readers, read_inputs, body, self._labeller.read_any, self.limits.max_words
        )
        for asked in inputs.asked:
            if isinstance(asked, str):
                self.metrics.failed()
        return inputs

    async def draw(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Calls a function that draws or converts answers, beside labelling."""
        return await self._in_thread(self._drawers, function, *arguments)

    async def _in_thread(
        self, executor: ThreadPoolExecutor, function: Callable[..., Result], *arguments: Any
    ) -> Result:
        return await asyncio.get_running_loop().run_in_executor(executor, function, *arguments)

    def close(self) -> None:
        """Ends the processes and threads."""
        self._readers.shutdown()
        self._drawers.shutdown()
        self._workers.close()
