"""Small trainings, of which some are killed."""

import json
import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any, Callable, Dict, List

import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.params import with_overrides
from allennlp.training.callbacks import TrainerCallback

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.models_on_disk.model_folder import BEST_NAME, read_safetensors
from tests import FIXTURES

SAMPLE = FIXTURES / "sample"

LISA: Dict[str, Any] = {
    "dataset_reader": {"type": "conll12_srl", "max_instances": 20},
    "train_data_path": str(SAMPLE / "train.gold_conll"),
    "validation_data_path": str(SAMPLE / "dev.gold_conll"),
    "model": {
        "type": "lisa",
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 16}}
        },
        "encoder": {
            "type": "syntactically_informed_self_attention",
            "num_layers": 2,
            "predicate_layer": 1,
            "parse_layer": 2,
            "num_heads": 2,
            "head_dim": 8,
            "input_dim": 16,
            "feedforward_hidden_dim": 16,
            "arc_dim": 8,
            "label_dim": 4,
            "input_dropout": 0.2,
        },
        "predicate_dim": 8,
        "role_dim": 8,
    },
    "data_loader": {
        "batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 90, "padding_noise": 0.3}
    },
    "trainer": {
        "type": "recoverable",
        "num_epochs": 3,
        "validation_metric": "+uas",
        "optimizer": {"type": "lazy_nadam", "lr": 0.02},
        "learning_rate_scheduler": {"type": "linear_with_warmup", "warmup_steps": 4},
        "moving_average": {"type": "exponential", "decay": 0.9},
        "checkpointer": {"type": "complete", "keep_most_recent_by_count": 1},
        "callbacks": ["role_statistics", "kill_at"],
    },
}
"""LISA on twenty sentences, with a dropout, a moving average and noise in the order of the data."""


def config(**changes: Any) -> Params:
    """The training of `LISA`, with keys changed; a dot in a key is written `__`."""
    overrides = {key.replace("__", "."): value for key, value in changes.items()}
    return Params(with_overrides(json.loads(json.dumps(LISA)), overrides))


def train(folder: Path, recover: bool = False, **changes: Any) -> None:
    """Trains in this process, on one thread like the forked processes, whose sums are the same."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        train_model(config(**changes), folder, recover=recover)
    finally:
        torch.set_num_threads(threads)


def train_and_kill(folder: Path, arrange: Callable[[], None], **changes: Any) -> None:
    """
    Trains in another process, which kills itself.

    # Parameters

    arrange : `Callable[[], None]`
        Called in the other process before the training; makes it call `kill_itself` some time.
    """

    def run() -> None:
        arrange()
        train(folder, **changes)

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


@TrainerCallback.register("kill_at", exist_ok=True)
class KillAt(TrainerCallback):
    """Kills the process after a batch: of an epoch, by its number, of the training or not."""

    moment: Any = None

    def on_batch(self, *args: Any, **kwargs: Any) -> None:
        if (*args[4:6], kwargs["is_training"]) == self.moment:
            kill_itself()


def kill_itself(*args: Any, **kwargs: Any) -> Any:
    """Ends this process at once, as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


def results(folder: Path) -> List[Any]:
    """What two equal trainings share: metrics but no durations and memory, and the best weights."""
    metrics = json.loads((folder / "metrics.json").read_text())
    kept = {k: v for k, v in metrics.items() if "duration" not in k and "memory" not in k}
    weights = torch.load(folder / "best.th", weights_only=True)
    same = read_safetensors(folder / BEST_NAME)
    assert {name: weight.tolist() for name, weight in same.items()} == {
        name: weight.tolist() for name, weight in weights.items()
    }
    return [kept, {name: weight.tolist() for name, weight in weights.items()}]
