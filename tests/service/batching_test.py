"""What is labelled next: nothing is lost, and large requests do not delay small ones."""

import asyncio
from typing import Any, Dict, List, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.requests import Request
from lisa_allennlp.service.batching import Batcher, Job, Waiting
from lisa_allennlp.service.metrics import Metrics
from lisa_allennlp.service.processes import Part, Variant


def parts(name: str, lengths: Sequence[int]) -> List[Part]:
    """A part per length, the first word of which tells it from all others."""
    return [
        Part(Request(Sentence([f"{name}{n}"] * length)), Variant())
        for n, length in enumerate(lengths)
    ]


def name_of(part: Part) -> bytes:
    return part.request.sentence.words[0].encode()


class Workers:
    """Labels a part by its name, when it is told to."""

    def __init__(self) -> None:
        self.batches: List[List[bytes]] = []
        self.may_go = asyncio.Event()

    async def label(self, batch: Sequence[Part]) -> List[Any]:
        self.batches.append([name_of(part) for part in batch])
        await self.may_go.wait()
        return [name_of(part) for part in batch]


lengths = st.lists(st.integers(1, 30), min_size=1, max_size=12)


@given(st.lists(lengths, max_size=8), st.integers(1, 60))
def test_each_sentence_is_taken_once_and_in_order(jobs: List[List[int]], max_tokens: int):
    waiting = Waiting()
    made = [Job(parts(f"{n}-", of_job)) for n, of_job in enumerate(jobs)]
    for job in made:
        waiting.add(job)
    assert (waiting.sentences, waiting.tokens) == (sum(map(len, jobs)), sum(map(sum, jobs)))
    taken: Dict[int, List[int]] = {id(job): [] for job in made}
    while waiting.sentences:
        batch = waiting.take(max_tokens)
        assert batch
        sizes = [len(job.parts[n].request.sentence.words) for job, n in batch]
        # Whatever comes before the last sentence leaves room for it.
        assert sum(sizes[:-1]) < max_tokens
        for job, number in batch:
            taken[id(job)].append(number)
    assert waiting.tokens == 0
    assert [taken[id(job)] for job in made] == [list(range(len(of_job))) for of_job in jobs]


@given(st.lists(lengths, min_size=1, max_size=8), st.data())
def test_what_is_removed_is_not_taken(jobs: List[List[int]], data: st.DataObject):
    waiting = Waiting()
    made = [Job(parts(f"{n}-", of_job)) for n, of_job in enumerate(jobs)]
    for job in made:
        waiting.add(job)
    waiting.take(data.draw(st.integers(1, 50)))
    removed = data.draw(st.sampled_from(made))
    waiting.remove(removed)
    waiting.remove(removed)
    rest = waiting.take(10_000)
    assert (waiting.sentences, waiting.tokens) == (0, 0)
    assert all(job is not removed for job, _ in rest)


def test_a_huge_job_shares_the_next_batch_with_small_ones():
    waiting = Waiting()
    huge = Job(parts("huge", [10] * 1000))
    small = [Job(parts(f"small{n}-", [10])) for n in range(7)]
    for job in (huge, *small):
        waiting.add(job)
    batch = waiting.take(400)
    assert {id(job) for job, _ in batch} == {id(job) for job in (huge, *small)}
    # Nothing else waits, so it takes the rest of the batch too.
    assert len(batch) == 40


def test_what_arrives_while_a_batch_is_labelled_becomes_the_next_one():
    async def run() -> None:
        workers = Workers()
        batcher = Batcher(workers.label, 1, Metrics(), max_tokens=100)
        tasks = []
        for n in range(6):
            tasks.append(asyncio.ensure_future(batcher.label(parts(f"{n}-", [5, 5]))))
            await asyncio.sleep(0)
        assert batcher.sentences == 10
        workers.may_go.set()
        assert await asyncio.gather(*tasks) == [
            [f"{n}-0".encode(), f"{n}-1".encode()] for n in range(6)
        ]
        assert [len(batch) for batch in workers.batches] == [2, 10]
        assert batcher.sentences == 0

    asyncio.run(run())


def test_workers_share_what_waits():
    async def run() -> None:
        workers = Workers()
        batcher = Batcher(workers.label, 2, Metrics(), max_tokens=1000)
        first, second, many = (
            asyncio.ensure_future(batcher.label(parts(name, [5] * number)))
            for name, number in (("a", 1), ("b", 1), ("c", 40))
        )
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert batcher.sentences == 40
        workers.may_go.set()
        await asyncio.gather(first, second, many)
        sizes = [len(batch) for batch in workers.batches]
        assert sizes[:3] == [1, 1, 20] and sum(sizes) == 42

    asyncio.run(run())


def test_who_is_cancelled_is_not_labelled():
    async def run() -> None:
        workers = Workers()
        metrics = Metrics()
        batcher = Batcher(workers.label, 1, metrics, max_tokens=100)
        first, gone, last = (
            asyncio.ensure_future(batcher.label(parts(name, [1, 1]))) for name in "abc"
        )
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        workers.may_go.set()
        await asyncio.gather(first, last)
        assert workers.batches == [[b"a0", b"a1"], [b"c0", b"c1"]]
        assert gone.cancelled() and batcher.sentences == 0

    asyncio.run(run())


def test_a_worker_that_fails_fails_only_its_batch():
    async def run() -> None:
        async def label(batch: Sequence[Part]) -> List[Any]:
            if name_of(batch[0]).startswith(b"bad"):
                raise OSError("no memory")
            return [name_of(part) for part in batch]

        batcher = Batcher(label, 1, Metrics())
        assert await batcher.label(parts("bad", [1])) == [
            "cannot label any sentence: OSError: no memory"
        ]
        assert await batcher.label(parts("good", [1])) == [b"good0"]
        assert await batcher.label([]) == []

    asyncio.run(run())


def test_the_time_to_wait_follows_the_rate(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    async def run() -> None:
        may_go = asyncio.Event()

        async def label(batch: Sequence[Part]) -> List[Any]:
            """Labels two sentences a second, and the second batch later."""
            if now[0]:
                await may_go.wait()
            now[0] += len(batch) / 2
            return [name_of(part) for part in batch]

        batcher = Batcher(label, 1, Metrics(), max_tokens=10)
        assert batcher.seconds_to_wait == 1
        first = asyncio.ensure_future(batcher.label(parts("a", [1] * 10)))
        await asyncio.sleep(0)
        rest = asyncio.ensure_future(batcher.label(parts("b", [10] * 30)))
        await first
        assert (batcher.sentences, batcher.seconds_to_wait) == (29, 15)
        may_go.set()
        await rest

    asyncio.run(run())
