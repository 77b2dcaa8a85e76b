"""
Labels batches in processes beside the one that speaks HTTP, so that neither waits until the other
releases Python's interpreter.

    >>> import asyncio
    >>> from lisa_allennlp.labelling.requests import RequestReader
    >>> class NounTagger:
    ...     def label(self, requests, details=False):
    ...         words = [request.sentence.words for request in requests]
    ...         return [Sentence(w, pos=["NN"] * len(w)) for w in words]
    ...
    ...     def simplest_request(self):
    ...         return Request(Sentence(["."]))
    ...
    ...     def check(self):
    ...         pass
    >>> workers = Workers(BatchLabeller(NounTagger()), 0)
    >>> asyncio.run(workers.label([Part(RequestReader("en").read(["Rain"]), Variant())]))
    [b'{"words": ["Rain"], "pos": ["NN"]}']
    >>> workers.close()
"""

import asyncio
import dataclasses
import json
import multiprocessing
import os
import signal
import stat
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import InputError, ModelError
from lisa_allennlp.labelling.groups import GroupLabeller, Item
from lisa_allennlp.labelling.processes import begin_worker
from lisa_allennlp.labelling.requests import Request
from lisa_allennlp.service.errors import shortened
from lisa_allennlp.visualisation.attention import own_attention

DECIMALS = 4
"""The decimals of attention weights in answers."""

_PREDICATE = "sold"
_WORDS = ["She", _PREDICATE, "him", "the", "car", "."]
_MANY = 64


class Variant(NamedTuple):
    """
    What an answer has beside the labels.

    # Parameters

    probabilities : `bool`, optional (default = `False`)
    attention : `bool`, optional (default = `False`)
    """

    probabilities: bool = False
    attention: bool = False


class Part(NamedTuple):
    """
    A sentence to label.

    # Parameters

    request : `Request`
    variant : `Variant`
    """

    request: Request
    variant: Variant


Labelled = Union[bytes, str]
"""The JSON of a labelled sentence, or the reason why it cannot be labelled."""


class BatchLabeller:
    """
    Labels sentences together, and reports each that cannot be labelled.

    # Parameters

    labeller : `Labeller`
        As `lisa_allennlp.load` returns it.
    with_probabilities : `Labeller`, optional
        The same with probabilities.
    """

    def __init__(self, labeller: Any, with_probabilities: Any = None) -> None:
        self._labellers: Dict[bool, Any] = {False: labeller, True: with_probabilities}

    def warm_up(self) -> None:
        """Labels something of each kind, since first calls compile code and read files."""
        simplest = self._labellers[False].simplest_request()
        known = Request(Sentence(_WORDS), predicates=[int(word == _PREDICATE) for word in _WORDS])
        for probabilities, labeller in self._labellers.items():
            for requests in ([simplest], [known], [known] * _MANY) if labeller is not None else ():
                self([Part(request, Variant(probabilities)) for request in requests])

    def __call__(self, parts: Sequence[Part]) -> List[Labelled]:
        """
        # Returns

        `List[Union[bytes, str]]`
            The JSON of each sentence, or the reason why it cannot be labelled.
        """
        labelled: Dict[int, Labelled] = {}
        for variant in dict.fromkeys(part.variant for part in parts):
            numbers = [n for n, part in enumerate(parts) if part.variant == variant]
            answers = self._label([parts[n].request for n in numbers], variant)
            labelled.update(zip(numbers, answers, strict=True))
        return [labelled[n] for n in range(len(parts))]

    def _label(self, requests: Sequence[Request], variant: Variant) -> List[Labelled]:
        labeller = self._labellers[variant.probabilities]
        groups: GroupLabeller = GroupLabeller(
            read=lambda request: request,
            label=lambda some: labeller.label(some, details=variant.attention),
            finish=lambda sentence, _: sentence_json(sentence, variant.attention),
            stops=False,
            check=labeller.check,
        )
        try:
            results = groups([Item(request, "", n) for n, request in enumerate(requests, 1)])
        except ModelError as error:
            return [shortened(error.message)] * len(requests)
        return [shortened(r.reason) if isinstance(r, InputError) else r for r in results]


def sentence_json(sentence: Sentence, attention: bool = False) -> bytes:
    """
    The JSON of `Sentence.to_dict`, with the syntactic head's own attention if wanted.

    >>> sentence_json(Sentence(["Go"], attention=numpy.array([[1.0]])), attention=True)
    b'{"words": ["Go"], "attention": [[1.0]]}'
    """
    bare = dataclasses.replace(sentence, arc_scores=None, attention=None)
    described = bare.to_dict()
    if attention:
        described["attention"] = numpy.round(own_attention(sentence), DECIMALS).tolist()
    return to_bytes(described)


def to_bytes(value: Any) -> bytes:
    """JSON in UTF-8; lone surrogates, which UTF-8 cannot encode, are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


class Workers:
    """
    # Parameters

    label : `BatchLabeller`
    number : `int`
        The number of forked processes, with one thread each; with 0, a thread of this process
        labels.
    """

    def __init__(self, label: BatchLabeller, number: int) -> None:
        self._label = label
        self._number = number
        label.warm_up()
        self._executor = self._begun()

    @property
    def number(self) -> int:
        """The number of batches that are labelled at once."""
        return max(1, self._number)

    def _begun(self) -> Executor:
        if not self._number:
            return ThreadPoolExecutor(1, "label")
        context = multiprocessing.get_context("fork")
        executor = ProcessPoolExecutor(self._number, context, _begin, (self._label,))
        # All processes are forked with the first task, and share the memory of this moment.
        executor.submit(_nothing).result()
        return executor

    async def label(self, parts: Sequence[Part]) -> List[Labelled]:
        """
        Labels sentences together. Sentences whose process dies, for example for lack of memory, are
        labelled again in halves, until each that kills its process is found.
        """
        executor, loop = self._executor, asyncio.get_running_loop()
        try:
            if not self._number:
                return await loop.run_in_executor(executor, self._label, parts)
            return await loop.run_in_executor(executor, _call, parts)
        except BrokenProcessPool:
            if self._executor is executor:
                self._executor = await loop.run_in_executor(None, self._begun)
                executor.shutdown(wait=False)
        if len(parts) == 1:
            return ["the process that labelled the sentence died; expected enough memory for it"]
        middle = len(parts) // 2
        return await self.label(parts[:middle]) + await self.label(parts[middle:])

    def close(self) -> None:
        """Ends the processes, after what they are labelling."""
        self._executor.shutdown(wait=True, cancel_futures=True)


_of_process: Optional[BatchLabeller] = None


def _begin(label: BatchLabeller) -> None:
    global _of_process
    _of_process = label
    begin_worker()
    _close_sockets()
    # The service finishes what it took when all processes of its group are told to end.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _close_sockets() -> None:
    """
    Closes the connections of the service, which a process that replaces another one inherits:
    clients would not see their end.
    """
    for name in os.listdir("/dev/fd"):
        number = int(name)
        try:
            is_socket = stat.S_ISSOCK(os.fstat(number).st_mode)
        except OSError:
            # That of the folder itself.
            continue
        # Standard output may be a socket, too.
        if is_socket and number > 2:
            os.close(number)


def _nothing() -> None:
    """The first task, which forks the processes."""


def _call(parts: Sequence[Part]) -> List[Labelled]:
    assert _of_process is not None
    return _of_process(parts)
