"""Labels shards on a Ray cluster. Ray is an optional requirement."""

import logging
import os
from typing import Any, Dict, Iterator, Optional, Sequence

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.corpora.plan import Plan
from lisa_allennlp.corpora.shards import ShardLabeller
from lisa_allennlp.labelling.pool import ATTEMPTS


def on_ray(
    plan: Plan, shards: Sequence[int], address: str, workers: Optional[int] = None
) -> Iterator[int]:
    """
    Labels shards on the cluster at an address (`local` starts one on this machine and ends it),
    with one CPU per worker. Yields the rows of each shard, as they are done.
    """
    import ray
    from ray.util import ActorPool

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
    try:
        number = min(workers or int(ray.cluster_resources().get("CPU", 1)), len(shards))
        settings = {"num_cpus": 1, "max_restarts": -1, "max_task_retries": ATTEMPTS}
        actor = ray.remote(**settings)(_Worker)
        pool = ActorPool([actor.remote(plan, os.getcwd()) for _ in range(number)])
        yield from pool.map_unordered(lambda worker, shard: worker.label.remote(shard), shards)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ConfigurationError(
            f"--address {address}: found a failure of Ray ({lines[0]}); expected workers that "
            "keep running. Shards that are done are kept"
        ) from error
    finally:
        ray.shutdown()


class _Worker:
    """A worker of the cluster, in the folder that the names of the inputs are relative to."""

    def __init__(self, plan: Plan, folder: str) -> None:
        os.chdir(folder)
        self._digest = plan.options.digest()
        self._plan = plan
        self._label = ShardLabeller(plan)

    def label(self, shard: int) -> int:
        if self._digest != self._plan.conditions["model"]:
            raise ConfigurationError(
                f"{self._plan.options.model['model']}: found another model on {os.uname().nodename}"
                "; expected the same on all machines"
            )
        return self._label(shard)
