"""The attack on the service finds what is wrong, and nothing else."""

import asyncio
import json
import os
from typing import Any, Dict

import pytest

from benchmarks import serve_attack
from benchmarks.serve_attack import ANSWERED, FAULT, GOOD, Attack, agree, memory_of
from benchmarks.serve_clients import measure
from lisa_allennlp.service.limits import DEFAULTS, Limits
from tests.service.services import running, tiny  # noqa: F401

TEXTS = ["She sold him the car.", "It rained."]
# The clients share a process with the service, and are slow themselves on a busy machine.
LIMITS = Limits(sender_time=5)


@pytest.fixture
def expected(tiny: Any) -> Dict[str, Any]:  # noqa: F811
    return {text: tiny(text).to_dict() for text in TEXTS}


def attack(port: int, expected: Dict[str, Any], number: int) -> serve_attack.Outcomes:
    return asyncio.run(Attack(os.getpid(), port, DEFAULTS.max_bytes, expected, 1).run(number))


def test_a_sound_service_has_no_faults(tiny: Any, expected: Dict[str, Any]):  # noqa: F811
    with running(tiny, LIMITS) as service:
        outcomes = attack(service.port, expected, 100)
    assert outcomes.faults == [], outcomes.faults
    assert outcomes.numbers[GOOD] == {ANSWERED: 20}
    assert sum(sum(numbers.values()) for numbers in outcomes.numbers.values()) == 100
    assert len(outcomes.numbers) == 16 and min(outcomes.memory) > 50


def test_wrong_answers_and_a_missing_service_are_faults(
    tiny: Any,  # noqa: F811
    expected: Dict[str, Any],
):
    wrong = json.loads(json.dumps(expected))
    wrong[TEXTS[0]]["pos"][0] = "X"
    with running(tiny, LIMITS) as service:
        outcomes = attack(service.port, wrong, 60)
    assert 0 < outcomes.numbers[GOOD][FAULT] < 12
    assert all("good: found another answer to 'She sold" in f for f in outcomes.faults), outcomes
    gone = attack(service.port, expected, 20)
    assert {fault.partition(": ")[2][:22] for fault in gone.faults} == {"ConnectionRefusedError"}


def test_answers_agree_up_to_the_last_digits():
    answer = {"words": ["a"], "p": [0.5, None]}
    assert agree({"words": ["a"], "p": [0.5001, None]}, answer)
    others: Any = ({"words": ["b"], "p": [0.5, None]}, {"words": ["a"], "p": [0.6, None]})
    for other in (*others, {"words": ["a"]}, {"words": ["a"], "p": [0.5]}):
        assert not agree(other, answer)


def test_the_memory_counts_this_process():
    before = memory_of(os.getpid())
    held = bytearray(os.urandom(1 << 20) * 64)
    assert 50 < memory_of(os.getpid()) - before < 90
    del held


def test_clients_measure_every_request(tiny: Any):  # noqa: F811
    with running(tiny) as service:
        bodies = [json.dumps(text).encode() for text in TEXTS]
        found = asyncio.run(measure(service.port, 3, 1.3, bodies))
        assert 0 < len(found) <= service.metric("lisa_sentences_total")
        assert all(0 < latency < 1.3 for latency in found)
        with pytest.raises(RuntimeError, match="found 422"):
            asyncio.run(measure(service.port, 1, 1, [b"3"]))
