"""What is refused in distributed training before any data is read."""

from typing import Any, Dict

import pytest
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.common.distributed_checks import check_distributed

TWO = {"cuda_devices": [-1, -1]}

RIGHT: Dict[str, Dict[str, Any]] = {
    "none": {"trainer": {"callbacks": ["gate_recorder"]}, "evaluate_on_test": True},
    "two processes": {"distributed": TWO, "trainer": {"optimizer": "adam"}},
    "two GPUs": {"distributed": {"cuda_devices": [1, 0], "ddp_accelerator": {"type": "torch"}}},
    "two machines": {
        "distributed": {
            "cuda_devices": [0],
            "num_nodes": 2,
            "primary_address": "10.0.0.1",
            "primary_port": 29500,
        }
    },
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_works(name: str) -> None:
    check_distributed(RIGHT[name], "my.jsonnet")


def of_two(**trainer: Any) -> Dict[str, Any]:
    return {"distributed": TWO, "trainer": trainer}


WRONG = [
    ({"distributed": 2}, "distributed: found 2; expected an object with the key cuda_devices"),
    ({"distributed": {**TWO, "devices": [1]}}, 'found "devices"; .*did you mean .cuda_devices'),
    ({"distributed": {}}, "distributed.cuda_devices: found null; expected a list with a GPU"),
    ({"distributed": {"cuda_devices": [0, "1"]}}, r'cuda_devices: found \[0, "1"\]; expected'),
    ({"distributed": {"cuda_devices": [0, True]}}, r"cuda_devices: found \[0, true\]; expected"),
    ({"distributed": {"cuda_devices": [-1]}}, r"found \[-1\]; expected two devices or more"),
    ({"distributed": {"cuda_devices": [0, 0]}}, r"found \[0, 0\]; .* without a GPU twice"),
    ({"distributed": {"cuda_devices": [-1, 0]}}, r"found \[-1, 0\]; expected"),
    ({"distributed": {**TWO, "num_nodes": 0}}, "distributed.num_nodes: found 0; expected"),
    ({"distributed": {**TWO, "num_nodes": 2}}, "distributed.primary_port: found null; expected"),
    ({"distributed": {**TWO, "primary_address": "a.b"}}, "distributed.primary_port: found null"),
    (
        {"distributed": {**TWO, "primary_address": "no.such.host.invalid", "primary_port": 9}},
        "primary_address: found .no.such.host.invalid.; expected the address of the first machine",
    ),
    ({"distributed": {**TWO, "primary_address": 3, "primary_port": 9}}, "address: found 3; expect"),
    ({"distributed": {**TWO, "primary_port": 70000}}, "found 70000; expected a number from 1 to"),
    ({"distributed": {**TWO, "ddp_accelerator": "fairscale_fsdp"}}, "expected 'torch', since"),
    (
        {"distributed": TWO, "evaluate_on_test": True},
        "evaluate_on_test: found true; expected false",
    ),
    (
        of_two(checkpointer={"save_every_num_seconds": 60}),
        "trainer.checkpointer.save_every_num_seconds: found 60; expected null with distributed",
    ),
    (of_two(optimizer={"type": "dense_sparse_adam"}), 'optimizer.type: found "dense_sparse_adam"'),
    (
        of_two(callbacks=["progress", {"type": "gate_recorder", "words": ["that"]}]),
        'trainer.callbacks.1: found "gate_recorder"; expected none with distributed',
    ),
]


@pytest.mark.parametrize("config, message", WRONG)
def test_what_does_not(config: Dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^my.jsonnet: .*{message}"):
        check_distributed(config, "my.jsonnet")
