"""Decides what is labelled next."""

import asyncio
import heapq
import math
import time
from itertools import count
from typing import Awaitable, Callable, List, Sequence, Set, Tuple

from lisa_allennlp.apps.serve.counters import Metrics
from lisa_allennlp.apps.serve.workers import Labelled, Part

MAX_TOKENS = 1500

SECONDS_PER_SENTENCE = 0.02
"""Delays the turn of a request by so much per sentence."""


class Job:
    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.rank = time.monotonic() + SECONDS_PER_SENTENCE * len(parts)
        self.results: List[Labelled] = [""] * len(parts)
        self.missing = len(parts)
        self.is_wanted = True
        self.done = asyncio.Event()


class Batcher:
    """
    Dynamic batching: a free worker takes its share of the waiting sentences, at most `max_tokens`.
    So nothing waits while a worker is free, and batches grow under load. Short requests come first,
    but none waits for ever.
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
        self._waiting: List[Tuple[float, int, Job, int]] = []
        self._numbers = count()
        self._running: Set[asyncio.Task[None]] = set()

    def waiting_before(self, job: Job) -> int:
        return sum(rank <= job.rank for rank, *_ in self._waiting)

    async def label(self, job: Job) -> List[Labelled]:
        """Labels a job. If the caller is cancelled, its waiting sentences are dropped."""
        for position in range(len(job.parts)):
            heapq.heappush(self._waiting, (job.rank, next(self._numbers), job, position))
        self._dispatch()
        try:
            if job.parts:
                await job.done.wait()
        finally:
            job.is_wanted = False
        return job.results

    def _dispatch(self) -> None:
        while self._free and (batch := self._take()):
            self._free -= 1
            task = asyncio.ensure_future(self._label_batch(batch))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        self._metrics.waiting.set(len(self._waiting))

    def _take(self) -> List[Tuple[Job, int]]:
        """Takes what is next: at most a batch, or one longer sentence."""
        tokens = sum(_tokens_of(job.parts[n]) for *_, job, n in self._waiting if job.is_wanted)
        room = min(math.ceil(tokens / self._workers), self._max_tokens)
        batch: List[Tuple[Job, int]] = []
        while self._waiting and room > 0:
            *_, job, position = heapq.heappop(self._waiting)
            if job.is_wanted:
                batch.append((job, position))
                room -= _tokens_of(job.parts[position])
        return batch

    async def _label_batch(self, batch: List[Tuple[Job, int]]) -> None:
        parts = [job.parts[position] for job, position in batch]
        try:
            results = await self._label(parts)
        except Exception as error:
            results = [f"cannot label any sentence: {type(error).__name__}: {error}"] * len(parts)
        self._free += 1
        for (job, position), result in zip(batch, results, strict=True):
            job.results[position] = result
            job.missing -= 1
            if not job.missing:
                job.done.set()
        pairs = zip(parts, results, strict=True)
        good = [part for part, result in pairs if not isinstance(result, str)]
        tokens = sum(len(part.request.sentence.words) for part in good)
        self._metrics.labelled(len(parts), tokens, len(parts) - len(good))
        self._dispatch()


def _tokens_of(part: Part) -> int:
    return max(1, len(part.request.sentence.words))
