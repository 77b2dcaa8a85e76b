"""
Checks the section `distributed` of a config, and what does not work in several processes, before
any data is read.
"""

import difflib
import json
import socket
from typing import Any, Iterator, Mapping, Tuple

from allennlp.common.checks import ConfigurationError

LOCAL_ADDRESSES = ("127.0.0.1", "0.0.0.0", "localhost")
"""The addresses for which AllenNLP finds a free port."""

_KEYS = ("cuda_devices", "ddp_accelerator", "num_nodes", "primary_address", "primary_port")

_DEVICES = "a list with a GPU for each process, such as [0, 1], or with -1 for each on the CPU"

_FOR_SPARSE_GRADIENTS = ("dense_sparse_adam", "sparse_adam")

_HIGHEST_PORT = 65535


def check_distributed(config: Mapping[str, Any], source: str) -> None:
    """
    >>> check_distributed({"distributed": {"cuda_devices": [0, 0]}}, "my.jsonnet")
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: my.jsonnet: distributed.cuda_devices: found [0, 0]...

    # Parameters

    config : `Mapping[str, Any]`
        The config of an experiment.
    source : `str`
        The name of the config's file, with which messages begin.

    # Raises

    `ConfigurationError`
        For the first value that cannot work.
    """
    if config.get("distributed") is None:
        return
    for key, found, expected in _mistakes(config):
        raise ConfigurationError(f"{source}: {key}: found {json.dumps(found)}; expected {expected}")


Mistake = Tuple[str, Any, str]
"""A key, its value, and what was expected."""


def _mistakes(config: Mapping[str, Any]) -> Iterator[Mistake]:
    section = config["distributed"]
    if not isinstance(section, Mapping):
        yield "distributed", section, "an object with the key cuda_devices"
        return
    for key in section:
        if key not in _KEYS:
            similar = difflib.get_close_matches(key, _KEYS, n=1)
            guess = f" (did you mean '{similar[0]}'?)" if similar else ""
            yield "distributed", key, f"one of the keys {', '.join(_KEYS)}{guess}"
    yield from _wrong_nodes(section)
    yield from _wrong_accelerator(section.get("ddp_accelerator"))
    yield from _one_process_only(config)


def _wrong_nodes(section: Mapping[str, Any]) -> Iterator[Mistake]:
    nodes = section.get("num_nodes", 1)
    if not _is_number(nodes) or nodes < 1:
        yield "distributed.num_nodes", nodes, "a whole number of machines, at least 1"
        return
    devices = section.get("cuda_devices")
    key = "distributed.cuda_devices"
    if not isinstance(devices, list) or not devices or not all(map(_is_number, devices)):
        yield key, devices, _DEVICES
    elif nodes == 1 and len(devices) == 1:
        yield key, devices, "two devices or more. For one process, leave out distributed"
    elif set(devices) != {-1} and (min(devices) < 0 or len(set(devices)) < len(devices)):
        yield key, devices, f"{_DEVICES}, without a GPU twice"
    port = section.get("primary_port")
    address = section.get("primary_address", LOCAL_ADDRESSES[0])
    is_local = address in LOCAL_ADDRESSES
    if port is None and (nodes > 1 or not is_local):
        yield "distributed.primary_port", port, "the same free port for all machines"
    elif port is not None and not (_is_number(port) and 0 < port <= _HIGHEST_PORT):
        yield "distributed.primary_port", port, f"a number from 1 to {_HIGHEST_PORT}"
    if not is_local and not _is_known(address):
        yield "distributed.primary_address", address, "the address of the first machine"


def _wrong_accelerator(accelerator: Any) -> Iterator[Mistake]:
    kind = accelerator.get("type", "torch") if isinstance(accelerator, Mapping) else accelerator
    if kind == "fairscale_fsdp":
        yield (
            "distributed.ddp_accelerator",
            kind,
            "'torch', since sharded weights cannot be saved in a model of this package",
        )


def _one_process_only(config: Mapping[str, Any]) -> Iterator[Mistake]:
    trainer = config.get("trainer") or {}
    if config.get("evaluate_on_test"):
        yield (
            "evaluate_on_test",
            True,
            "false with distributed, since each process has its share of the test data only. `lisa "
            "evaluate` scores the trained model",
        )
    optimizer = trainer.get("optimizer")
    kind = optimizer.get("type") if isinstance(optimizer, Mapping) else optimizer
    if kind in _FOR_SPARSE_GRADIENTS:
        yield (
            "trainer.optimizer.type",
            kind,
            "another one with distributed, such as 'lazy_nadam', since PyTorch adds up dense "
            "gradients of the processes",
        )
    checkpointer = trainer.get("checkpointer") or {}
    key = "save_every_num_seconds"
    if isinstance(checkpointer, Mapping) and checkpointer.get(key) is not None:
        yield (
            f"trainer.checkpointer.{key}",
            checkpointer[key],
            "null with distributed, since the processes have to save at the same batch. "
            "save_every_num_batches can be used instead",
        )
    for number, callback in enumerate(trainer.get("callbacks") or []):
        kind = callback.get("type") if isinstance(callback, Mapping) else callback
        if kind == "gate_recorder":
            yield (
                f"trainer.callbacks.{number}",
                kind,
                "none with distributed, since each process has its share of the words only",
            )


def _is_known(address: Any) -> bool:
    """Whether this machine can look up an address. PyTorch would try for half an hour."""
    try:
        return isinstance(address, str) and bool(socket.getaddrinfo(address, None))
    except (OSError, UnicodeError):
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
