"""What is labelled next: nothing is lost, and large requests do not delay small ones."""

import asyncio
from typing import Any, List, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.apps.serve.batching import SECONDS_PER_SENTENCE, Batcher, Job
from lisa_allennlp.apps.serve.counters import Metrics
from lisa_allennlp.apps.serve.workers import Part
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence


def job(name: str, lengths: Sequence[int]) -> Job:
    """A sentence per length, the first word of which tells it from all others."""
    words = [[f"{name}{n}"] * length for n, length in enumerate(lengths)]
    return Job([Part(Request(Sentence(some)), LabelOptions()) for some in words])


def name_of(part: Part) -> str:
    return part.request.sentence.words[0]


class Workers:
    """Labels a part by its name, when it is told to."""

    def __init__(self) -> None:
        self.batches: List[List[str]] = []
        self.tokens: List[int] = []
        self.may_go = asyncio.Event()

    async def label(self, batch: Sequence[Part]) -> List[Any]:
        self.batches.append([name_of(part) for part in batch])
        self.tokens.append(sum(len(part.request.sentence.words) for part in batch[:-1]))
        await self.may_go.wait()
        return [{"name": name_of(part)} for part in batch]


async def labelled(workers: Workers, batcher: Batcher, *jobs: Job) -> List[Any]:
    """The results of jobs that arrive at the same time."""
    tasks = [asyncio.ensure_future(batcher.label(one)) for one in jobs]
    await asyncio.sleep(0)
    workers.may_go.set()
    return await asyncio.gather(*tasks)


lengths = st.lists(st.integers(1, 30), max_size=12)


@settings(deadline=None)
@given(st.lists(lengths, max_size=8), st.integers(1, 60), st.integers(1, 3))
def test_each_sentence_is_labelled_once(jobs: List[List[int]], max_tokens: int, number: int):
    async def test() -> None:
        workers = Workers()
        batcher = Batcher(workers.label, number, Metrics(), max_tokens)
        made = [job(f"{n}-", some) for n, some in enumerate(jobs)]
        for n, found in enumerate(await labelled(workers, batcher, *made)):
            assert found == [{"name": f"{n}-{k}"} for k in range(len(jobs[n]))]
        assert sum(map(len, workers.batches)) == sum(map(len, jobs))
        # Whatever comes before the last sentence of a batch leaves room for it.
        assert all(tokens < max_tokens for tokens in workers.tokens)

    asyncio.run(test())


def test_workers_share_what_waits():
    async def test() -> None:
        workers = Workers()
        batcher = Batcher(workers.label, 2, Metrics(), max_tokens=1000)
        made = [job(f"{n}-", [5] * size) for n, size in enumerate([1, 1, 40])]
        await labelled(workers, batcher, *made)
        assert [len(batch) for batch in workers.batches][:3] == [1, 1, 20]

    asyncio.run(test())


def test_short_requests_come_first_but_long_ones_do_not_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch,
):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    async def test() -> None:
        workers = Workers()
        batcher = Batcher(workers.label, 1, Metrics(), max_tokens=30)
        tasks = [asyncio.ensure_future(batcher.label(job("first", [10])))]
        await asyncio.sleep(0)
        long = job("long", [10] * 500)
        tasks.append(asyncio.ensure_future(batcher.label(long)))
        for name, seconds in (("early", 1.0), ("late", 500 * SECONDS_PER_SENTENCE)):
            now[0] += seconds
            short = job(name, [10])
            assert batcher.waiting_before(short) == (1 + 500) * (name == "late")
            tasks.append(asyncio.ensure_future(batcher.label(short)))
            await asyncio.sleep(0)
        workers.may_go.set()
        await asyncio.gather(*tasks)
        order = [name for batch in workers.batches for name in batch]
        assert order.index("early0") == 1 and order.index("late0") == len(order) - 1

    asyncio.run(test())


def test_a_worker_that_fails_fails_only_its_batch():
    async def label(batch: Sequence[Part]) -> List[Any]:
        if name_of(batch[0]) == "bad0":
            raise OSError("no memory")
        return [{"name": name_of(part)} for part in batch]

    async def test() -> None:
        batcher = Batcher(label, 1, Metrics())
        found = await batcher.label(job("bad", [1]))
        assert found == ["cannot label any sentence: OSError: no memory"]
        assert await batcher.label(job("good", [1])) == [{"name": "good0"}]

    asyncio.run(test())
