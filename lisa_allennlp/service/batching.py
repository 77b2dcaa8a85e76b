"""
Decides what is labelled next.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> from lisa_allennlp.labelling.requests import Request
    >>> from lisa_allennlp.service.processes import Variant
    >>> waiting = Waiting()
    >>> for word, number in (("huge", 9), ("small", 1)):
    ...     waiting.add(Job([Part(Request(Sentence([word])), Variant())] * number))
    >>> [job.parts[index].request.sentence.words[0] for job, index in waiting.take(max_tokens=4)]
    ['huge', 'small', 'huge', 'huge']
"""

import asyncio
import math
import time
from collections import deque
from typing import Awaitable, Callable, Deque, List, Optional, Sequence, Set, Tuple

from lisa_allennlp.service.metrics import Metrics
from lisa_allennlp.service.processes import Labelled, Part

MAX_TOKENS = 1500
"""The number of tokens at which a batch is full."""

TURNS = 8
"""The number of jobs that can share a full batch; each takes as many tokens in its turn."""

MOST_SECONDS_TO_RETRY = 60

Place = Tuple["Job", int]
"""A job, and the position of one of its sentences."""


class Job:
    """
    The sentences of a request.

    # Parameters

    parts : `Sequence[Part]`
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.results: List[Labelled] = [b""] * len(parts)
        self.taken = 0
        """The number of sentences that wait no longer."""
        self.missing = len(parts)
        """The number of sentences without a result."""
        self.done = asyncio.Event()

    @property
    def waiting(self) -> int:
        """The number of sentences that wait."""
        return len(self.parts) - self.taken


class Waiting:
    """The jobs that wait. They take turns, so that a large one does not delay small ones."""

    def __init__(self) -> None:
        self._jobs: Deque[Job] = deque()
        self.sentences = 0
        """The number of sentences that wait."""
        self.tokens = 0
        """The number of their tokens, where an empty sentence counts as one."""

    def add(self, job: Job) -> None:
        """Adds a job, which has at least one sentence."""
        self._jobs.append(job)
        self._count(job, 1)

    def remove(self, job: Job) -> None:
        """Removes what waits of a job."""
        if job.waiting:
            self._jobs.remove(job)
            self._count(job, -1)
            job.taken = len(job.parts)

    def _count(self, job: Job, sign: int) -> None:
        self.sentences += sign * job.waiting
        self.tokens += sign * sum(map(_tokens_of, job.parts[job.taken :]))

    def take(self, max_tokens: int) -> List[Place]:
        """
        Takes sentences of at most `max_tokens` in all, or one longer sentence. A job may take
        another turn when all have had theirs.
        """
        batch: List[Place] = []
        left = max_tokens
        while self._jobs and (left > 0 or not batch):
            job = self._jobs.popleft()
            left -= self._take_turn(job, batch, min(left, max_tokens // TURNS))
            if job.waiting:
                self._jobs.append(job)
        return batch

    def _take_turn(self, job: Job, batch: List[Place], tokens: int) -> int:
        """Takes one sentence, and more while they fit. Returns the number of tokens."""
        taken = 0
        while job.waiting and (not taken or taken < tokens):
            batch.append((job, job.taken))
            taken += _tokens_of(job.parts[job.taken])
            job.taken += 1
            self.sentences -= 1
        self.tokens -= taken
        return taken


def _tokens_of(part: Part) -> int:
    return max(1, len(part.request.sentence.words))


class Batcher:
    """
    Labels what waits, as soon as a worker is free: the longer the workers are busy, the larger the
    next batch. A worker takes its share only, so that another that is free soon has as much to do.

    # Parameters

    label : `Callable[[Sequence[Part]], Awaitable[List[Labelled]]]`
        Labels a batch.
    workers : `int`
        The number of batches to label at once.
    metrics : `Metrics`
    max_tokens : `int`, optional (default = `1500`)
        The size of a batch.
    """

    def __init__(
        self,
        label: Callable[[Sequence[Part]], Awaitable[List[Labelled]]],
        workers: int,
        metrics: Metrics,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        self._label = label
        self._workers = self._free = workers
        self._metrics = metrics
        self._max_tokens = max_tokens
        self._waiting = Waiting()
        self._running: Set[asyncio.Task] = set()
        self._rate: Optional[float] = None

    @property
    def sentences(self) -> int:
        """The number of sentences that wait."""
        return self._waiting.sentences

    @property
    def seconds_to_wait(self) -> int:
        """About the time in which what waits now is labelled, at least one second."""
        seconds = math.ceil(self.sentences / self._rate) if self._rate else 1
        return max(1, min(seconds, MOST_SECONDS_TO_RETRY))

    async def label(self, parts: Sequence[Part]) -> List[Labelled]:
        """
        # Returns

        `List[Union[bytes, str]]`
            As `BatchLabeller`, for the sentences in their order. If the caller is cancelled, what
            waits of them is not labelled.
        """
        if not parts:
            return []
        job = Job(parts)
        self._waiting.add(job)
        self._dispatch()
        try:
            await job.done.wait()
        finally:
            self._waiting.remove(job)
        return job.results

    def _dispatch(self) -> None:
        while self._free and self._waiting.sentences:
            self._free -= 1
            share = math.ceil(self._waiting.tokens / self._workers)
            batch = self._waiting.take(min(share, self._max_tokens))
            task = asyncio.ensure_future(self._label_batch(batch))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        self._metrics.waiting.set(self._waiting.sentences)

    async def _label_batch(self, batch: List[Place]) -> None:
        parts = [job.parts[index] for job, index in batch]
        start = time.monotonic()
        try:
            results = await self._label(parts)
        except Exception as error:
            results = [f"cannot label any sentence: {type(error).__name__}: {error}"] * len(parts)
        self._free += 1
        for (job, index), result in zip(batch, results, strict=True):
            job.results[index] = result
            job.missing -= 1
            if not job.missing:
                job.done.set()
        self._count(parts, results, time.monotonic() - start)
        self._dispatch()

    def _count(self, parts: Sequence[Part], results: Sequence[Labelled], seconds: float) -> None:
        tokens = sum(
            len(part.request.sentence.words)
            for part, result in zip(parts, results, strict=True)
            if isinstance(result, bytes)
        )
        errors = sum(isinstance(result, str) for result in results)
        self._metrics.labelled(len(parts), tokens, errors)
        rate = len(parts) / max(seconds, 1e-6)
        self._rate = rate if self._rate is None else 0.8 * self._rate + 0.2 * rate
