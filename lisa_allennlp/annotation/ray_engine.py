"""
Labels shards with Ray Data, on a cluster or on this machine. Ray is an optional requirement.

    >>> result = ShardResult(3, Counts("", 10, 9, 1, 2000, 80), was_finished=False)
    >>> from_batch(to_batch([result])) == [result]
    True
"""

import json
import logging
import traceback
import warnings
from dataclasses import asdict
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import import_module_and_submodules

from lisa_allennlp.annotation.output_folder import Counts
from lisa_allennlp.annotation.parquet import require
from lisa_allennlp.annotation.worker import Job, ShardResult, ShardWorker, open_worker
from lisa_allennlp.common.user_errors import user_message

ATTEMPTS = 3
"""The number of times that Ray tries shards again whose worker was killed."""

_MOST_BLOCKS = 10_000


def on_ray(
    job: Job, shards: Sequence[int], address: str, workers: Optional[int] = None
) -> Iterator[ShardResult]:
    """
    # Parameters

    job : `Job`
    shards : `Sequence[int]`
    address : `str`
        `local` starts a cluster on this machine and ends it; `auto` or an address names one.
    workers : `int`, optional (default = as many as the cluster has CPUs)
        The number of workers, with one CPU each.

    # Returns

    `Iterator[ShardResult]`
        The results, as they are done.

    # Raises

    `ConfigurationError`
        If Ray is missing, there is no such cluster, or a shard cannot be labelled.
    """
    ray = require("ray", "--address")
    require("ray.data", "--address")
    _connect(ray, address, workers)
    try:
        cpus = int(ray.cluster_resources().get("CPU", 1))
        rows = _rows(ray, job, shards, min(workers or cpus, len(shards)))
        for row in rows:
            yield from from_batch({name: [value] for name, value in row.items()})
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ConfigurationError(
            f"--address {address}: found a failure of Ray ({lines[0]}); expected workers that "
            "keep running. Shards that are done are kept"
        ) from error
    finally:
        ray.shutdown()


def _connect(ray: Any, address: str, workers: Optional[int]) -> None:
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    options: Dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == "local":
        options.update(include_dashboard=False, num_cpus=workers)
    try:
        ray.init(address=address, **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigurationError(
            f"--address: found no Ray cluster at '{address}' ({error}); expected auto, local or "
            "the address of a cluster"
        ) from error


def _rows(ray: Any, job: Job, shards: Sequence[int], workers: int) -> Iterator[Mapping[str, Any]]:
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    items = [{"shard": shard} for shard in shards]
    blocks = max(1, min(len(items), _MOST_BLOCKS))
    dataset = ray.data.from_items(items, override_num_blocks=blocks)
    with warnings.catch_warnings():
        # Ray has no other way to limit the attempts, whose number is endless by default.
        warnings.filterwarnings("ignore", message=".*ray_remote_args_fn")
        labelled = dataset.map_batches(
            _Actor,
            fn_constructor_args=(job,),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=workers),
            num_cpus=1,
            ray_remote_args_fn=lambda: {"max_task_retries": ATTEMPTS},
        )
    return labelled.iter_rows()


class _Actor:
    """A worker of the cluster. Errors of its shards are results, since Ray would repeat them."""

    def __init__(self, job: Job) -> None:
        torch.set_num_threads(1)
        self._job = job
        self._worker: Optional[ShardWorker] = None

    def __call__(self, batch: Mapping[str, Any]) -> Dict[str, List[str]]:
        try:
            if self._worker is None:
                for package in self._job.packages:
                    import_module_and_submodules(package)
                self._worker = open_worker(self._job)
            return to_batch([self._worker(int(shard)) for shard in batch["shard"]])
        except Exception as error:
            message = user_message(error) or traceback.format_exc()
            return {"result": [json.dumps({"error": message})]}


def to_batch(results: Sequence[ShardResult]) -> Dict[str, List[str]]:
    """The results as columns of strings, which need no classes to be read."""
    described = [{**result._asdict(), "counts": asdict(result.counts)} for result in results]
    return {"result": [json.dumps(result) for result in described]}


def from_batch(batch: Mapping[str, Sequence[str]]) -> List[ShardResult]:
    """
    The reverse of `to_batch`.

    # Raises

    `ConfigurationError`
        If the batch has an error.
    """
    results = []
    for text in batch["result"]:
        described = json.loads(text)
        if "error" in described:
            raise ConfigurationError(described["error"])
        results.append(ShardResult(**{**described, "counts": Counts(**described["counts"])}))
    return results
