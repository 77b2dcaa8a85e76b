"""
Sends hostile requests to a service, with good ones among them, for `benchmarks.serve --hostile`.
"""

import asyncio
import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from benchmarks.serve_clients import read_answer
from benchmarks.serve_requests import Hostile, Maker

GOOD = "good"
SLOW = "sent slowly"
ANSWERED, CLOSED, FAULT = "answered", "closed", "faults"

SHARE_OF_GOOD = 0.2
SHARE_OF_SLOW = 0.01
AT_ONCE = 24
SLOW_AT_ONCE = 100
PATIENCE = 60.0
PAUSE = 0.02
SAMPLES = 50
TOLERANCE = 0.01


class Outcomes(NamedTuple):
    """
    # Parameters

    numbers : `Dict[str, Counter]`
        For each kind of request, how many had which outcome.
    faults : `List[str]`
        What went wrong.
    memory : `List[float]`
        The memory of the service's processes in MB, at equal numbers of requests.
    """

    numbers: Dict[str, Counter]
    faults: List[str]
    memory: List[float]


class Attack:
    """
    # Parameters

    pid : `int`
        Of the service.
    port : `int`
    max_bytes : `int`
        The service's limit.
    expected : `Dict[str, Any]`
        The answer to each good text.
    seed : `int`
    """

    def __init__(
        self, pid: int, port: int, max_bytes: int, expected: Dict[str, Any], seed: int
    ) -> None:
        self._pid = pid
        self._port = port
        self._expected = expected
        self._texts = list(expected)
        self._maker = Maker(port, self._texts, max_bytes)
        self._rng = random.Random(seed)
        self._outcomes = Outcomes({}, [], [])

    async def run(self, number: int) -> Outcomes:
        """Sends this number of requests."""
        kinds = self._drawn_kinds(number)
        fast = [kind for kind in kinds if kind != SLOW]
        slow = [kind for kind in kinds if kind == SLOW]
        await asyncio.gather(
            self._send_all(fast, AT_ONCE), self._send_all(slow, SLOW_AT_ONCE, samples=False)
        )
        return self._outcomes

    def _drawn_kinds(self, number: int) -> List[str]:
        good, slow = int(number * SHARE_OF_GOOD), int(number * SHARE_OF_SLOW)
        others = list(self._maker.kinds)
        kinds = [GOOD] * good + [SLOW] * slow
        kinds += [others[n % len(others)] for n in range(number - len(kinds))]
        self._rng.shuffle(kinds)
        return kinds

    async def _send_all(self, kinds: Sequence[str], at_once: int, samples: bool = True) -> None:
        waiting = list(enumerate(kinds))
        every = max(1, len(kinds) // SAMPLES)

        async def sender() -> None:
            while waiting:
                number, kind = waiting.pop()
                if samples and number % every == 0:
                    self._outcomes.memory.append(memory_of(self._pid))
                outcome, reason = await self._send(kind)
                self._outcomes.numbers.setdefault(kind, Counter())[outcome] += 1
                if outcome == FAULT:
                    self._outcomes.faults.append(f"{kind}: {reason}")

        await asyncio.gather(*(sender() for _ in range(at_once)))

    async def _send(self, kind: str) -> Tuple[str, str]:
        try:
            if kind == GOOD:
                return await asyncio.wait_for(self._good(), PATIENCE)
            make = self._maker.slow if kind == SLOW else self._maker.kinds[kind]
            return await asyncio.wait_for(self._hostile(make(self._rng)), PATIENCE)
        except asyncio.TimeoutError:
            return FAULT, f"found no answer after {PATIENCE:g} seconds"
        except OSError as error:
            return FAULT, f"{type(error).__name__}: {error}"

    async def _good(self) -> Tuple[str, str]:
        text = self._rng.choice(self._texts)
        request = Hostile([self._maker.post(json.dumps(text).encode())], (200,))
        found = await self._exchange(request)
        if found is None:
            return FAULT, "found no answer"
        status, body = found
        if status != 200:
            return FAULT, f"found {status} {body[:200]!r}"
        if not agree(json.loads(body), self._expected[text]):
            return FAULT, f"found another answer to {text!r}"
        return ANSWERED, ""

    async def _hostile(self, request: Hostile) -> Tuple[str, str]:
        found = await self._exchange(request)
        if found is None:
            return CLOSED, ""
        status, body = found
        if status not in request.statuses:
            return FAULT, f"found {status} {body[:200]!r}; expected {request.statuses}"
        if status >= 400 and list(json.loads(body)) != ["error"]:
            return FAULT, f"found {body[:200]!r}; expected an error"
        return ANSWERED, ""

    async def _exchange(self, request: Hostile) -> Optional[Tuple[int, bytes]]:
        """The answer; `None` if the connection ends without one."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        try:
            for part in request.parts:
                writer.write(part)
                await writer.drain()
                if len(request.parts) > 2:
                    await asyncio.sleep(PAUSE)
            return await read_answer(reader) if request.waits else None
        except (ConnectionError, asyncio.IncompleteReadError):
            return await _rest(reader)
        finally:
            writer.close()


async def _rest(reader: asyncio.StreamReader) -> Optional[Tuple[int, bytes]]:
    """An answer that came before the connection was closed."""
    try:
        return await read_answer(reader)
    except (ConnectionError, asyncio.IncompleteReadError):
        return None


def agree(found: Any, expected: Any) -> bool:
    """Whether two answers are the same, up to the last digits of numbers."""
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(agree(found[k], expected[k]) for k in expected)
    if isinstance(expected, list):
        pairs = zip(found, expected, strict=False)
        return len(found) == len(expected) and all(agree(one, other) for one, other in pairs)
    if isinstance(expected, float):
        return math.isclose(found, expected, abs_tol=TOLERANCE)
    return bool(found == expected)


def memory_of(pid: int) -> float:
    """The resident memory of a process and its children, in MB; shared pages count once each."""
    return sum(_proportional(process) for process in [pid, *children_of(pid)])


def children_of(pid: int) -> List[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(c) for task in tasks for c in (task / "children").read_text().split()]


def _proportional(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, PermissionError, ProcessLookupError):
        return 0.0
    sizes = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return sum(sizes) * 1024 / 1e6
