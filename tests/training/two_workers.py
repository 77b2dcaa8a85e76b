"""Metrics in distributed training: two processes that reduce over gloo."""

import socket
from typing import Any, Callable

import torch
from allennlp.common.testing.distributed_test import init_process


def run_on_two_workers(function: Callable[..., None], *arguments: Any) -> None:
    """Calls `function(rank, world_size, device, *arguments)` in each; both must return."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.start_processes(
        init_process,
        args=(2, [-1, -1], function, arguments, {}, "127.0.0.1", port),
        nprocs=2,
        start_method="fork",
    )
