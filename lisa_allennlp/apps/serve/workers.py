"""Labels in other processes than the HTTP server's, so that neither waits for the other's GIL."""

import asyncio
import logging
import multiprocessing
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy

from lisa_allennlp.apps.serve.counters import Metrics
from lisa_allennlp.common.threads import available_cores
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.decoding.trees import softmax
from lisa_allennlp.labelling.groups import ModelError, each_or_error, reason_of
from lisa_allennlp.labelling.pool import ATTEMPTS, Pool, ProcessError
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence

DECIMALS = 4

MOST_CHARACTERS = 500
"""Longer messages are shortened."""

_LOGGER = logging.getLogger(__name__)

_MANY = 64
_WORDS = ["She", "sold", "him", "the", "car", "."]
_DIED = "the processes that labelled the sentence died; expected enough memory for it"


class Part(NamedTuple):
    """A sentence to label, as a record of JSON or, for programs, as a `Sentence`."""

    request: Request
    options: LabelOptions
    as_record: bool = True


Labelled = Union[Dict[str, Any], str]


class BatchLabeller:
    def __init__(self, labeller: Any) -> None:
        self._labeller = labeller

    def warm_up(self) -> None:
        """Labels an input of each kind, since first calls compile code and read files."""
        simplest = self._labeller.simplest_request()
        known = Request(Sentence(_WORDS), predicates=[int(word == "sold") for word in _WORDS])
        for probabilities in {False, self._labeller.has_probabilities}:
            options = self._labeller.options_of(False, probabilities)
            for requests in ([simplest], [known], [known] * _MANY):
                self([Part(request, options) for request in requests])

    def __call__(self, parts: Sequence[Part]) -> List[Any]:
        labelled: Dict[int, Any] = {}
        for options in dict.fromkeys(part.options for part in parts):
            numbers = [n for n, part in enumerate(parts) if part.options == options]
            answers = self._label([parts[n].request for n in numbers], options)
            labelled.update(zip(numbers, answers, strict=True))
        for number, part in enumerate(parts):
            if part.as_record and not isinstance(labelled[number], str):
                labelled[number] = answer_of(labelled[number], part.options.details)
        return [labelled[n] for n in range(len(parts))]

    def _label(self, requests: Sequence[Request], options: LabelOptions) -> List[Any]:
        def label(some: List[Request]) -> List[Sentence]:
            return self._labeller.label(some, options)

        found: List[Any]
        try:
            found = each_or_error(label, list(requests), self._labeller.check)
        except ModelError as error:
            found = [error] * len(requests)
        return [reason_of(e)[:MOST_CHARACTERS] if isinstance(e, Exception) else e for e in found]


def answer_of(sentence: Sentence, attention: bool = False) -> Dict[str, Any]:
    """
    Returns `Sentence.to_dict`, on request with the syntactic head's own attention, even if a tree
    is injected, to which the head attends instead (LISA section 2.2).
    """
    described = replace(sentence, arc_scores=None, attention=None).to_dict()
    if attention:
        scores = numpy.asarray(sentence.arc_scores, dtype=float)
        weights = softmax(scores) if sentence.words else scores
        described["attention"] = numpy.round(weights, DECIMALS).tolist()
    return described


def number_of_processes(wanted: Optional[int], device: Union[str, int]) -> int:
    """Returns at most one per core, and 0 on a GPU or where processes cannot be forked."""
    if device not in ("cpu", -1) or "fork" not in multiprocessing.get_all_start_methods():
        return 0
    cores = available_cores()
    return cores if wanted is None else min(wanted, cores)


class Workers:
    """Labels in forked processes, or for 0 in a thread. Replaces, logs and counts dead ones."""

    def __init__(self, label: BatchLabeller, number: int, metrics: Metrics) -> None:
        self._label = label
        self.number = max(1, number)
        label.warm_up()

        def replaced(how: str) -> None:
            _LOGGER.warning("a process that labels died (%s) and was replaced", how)
            metrics.replaced_workers.inc()

        self._pool = Pool([label] * number, ATTEMPTS, replaced) if number else None
        self._thread = ThreadPoolExecutor(1, "label")

    async def label(self, parts: Sequence[Part]) -> List[Labelled]:
        """
        Labels sentences together. Sentences whose process dies, for example of lack of memory, are
        labelled again in halves, until the culprits are found.
        """
        future: Future[List[Labelled]]
        if self._pool is None:
            future = self._thread.submit(self._label, parts)
        else:
            future = self._pool.submit(parts)
        try:
            return await asyncio.wrap_future(future)
        except ProcessError:
            if len(parts) == 1:
                return [_DIED]
        middle = len(parts) // 2
        return await self.label(parts[:middle]) + await self.label(parts[middle:])

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()
        self._thread.shutdown(wait=True, cancel_futures=True)
