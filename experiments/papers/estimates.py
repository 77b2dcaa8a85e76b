"""
Estimates how long trainings will take, from a few steps of each on this machine.

`lisa reproduce` runs this module in a process of its own, with a JSON file of the configs:

    python -m experiments.papers.estimates CONFIGS.json ESTIMATES.json
"""

import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

from experiments.jobs import Training, run_module
from lisa_allennlp.common.tables import format_table

SECONDS_OF_STEPS = 10.0
"""How long to train each network for an estimate; validation gets a third of it."""


@dataclass(frozen=True)
class Estimate:
    """
    What a training needs: its trainable weights, its instances (sentences or, with given
    predicates, frames) and their tokens, and the largest number of epochs.
    """

    parameters: int
    instances: int
    tokens: int
    epochs: int
    can_stop_early: bool
    # Training and validation, extrapolated by tokens.
    seconds_per_epoch: float
    # The number of training steps that were timed.
    steps: int


Estimates = Dict[str, Union[Estimate, str]]
"""For each network, the estimate or why it cannot be trained."""


def measure(config: str, overrides: Dict[str, Any], seconds: float = SECONDS_OF_STEPS) -> Estimate:
    """Builds a network with its data and times some training steps and some validation batches."""
    from allennlp.commands.train import TrainModel
    from allennlp.common import Params
    from allennlp.common.util import prepare_environment

    params = Params.from_file(config, json.dumps(overrides))
    prepare_environment(params)
    params.pop("include_in_archive", None)
    with tempfile.TemporaryDirectory() as folder:
        loop: Any = TrainModel.from_params(params=params, serialization_dir=folder, local_rank=0)
    trainer = loop.trainer
    training, validation = trainer.data_loader, trainer._validation_data_loader
    instances, tokens = _sizes(training)
    per_token, steps = _time(training, lambda batch: _step(trainer, batch), seconds)
    per_epoch = per_token * tokens
    if validation is not None:
        per_token, _ = _time(validation, lambda batch: _validate(trainer, batch), seconds / 3)
        per_epoch += per_token * _sizes(validation)[1]
    return Estimate(
        parameters=sum(p.numel() for p in trainer.model.parameters() if p.requires_grad),
        instances=instances,
        tokens=tokens,
        epochs=trainer._num_epochs,
        can_stop_early=trainer._metric_tracker._patience is not None,
        seconds_per_epoch=per_epoch,
        steps=steps,
    )


def _sizes(loader: Any) -> Tuple[int, int]:
    from allennlp.data.fields import TextField

    lengths = [
        next(
            len(field.tokens) for field in instance.fields.values() if isinstance(field, TextField)
        )
        for instance in loader.iter_instances()
    ]
    return len(lengths), sum(lengths)


def _time(loader: Any, run: Callable[[Any], None], seconds: float) -> Tuple[float, int]:
    """
    Returns the seconds per token of some batches, and their number. The first batch of several is
    not timed, because libraries prepare themselves in it.
    """
    from allennlp.nn.util import get_text_field_mask

    times: List[float] = []
    tokens: List[int] = []
    end = time.monotonic() + seconds
    for batch in loader:
        started = time.monotonic()
        run(batch)
        times.append(time.monotonic() - started)
        text = batch["tokens"] if "tokens" in batch else batch["words"]
        tokens.append(int(get_text_field_mask(text).sum()))
        if time.monotonic() > end:
            break
    timed = slice(1 if len(times) > 1 else 0, None)
    return sum(times[timed]) / max(1, sum(tokens[timed])), len(times[timed])


def _step(trainer: Any, batch: Any) -> None:
    import torch

    trainer._pytorch_model.train()
    trainer.optimizer.zero_grad()
    with torch.autocast(trainer.cuda_device.type, enabled=trainer._use_amp):
        loss = trainer.batch_outputs(batch, for_training=True)["loss"]
    loss.backward()
    trainer.rescale_gradients()
    trainer.optimizer.step()
    # Waits for the GPU, as the trainer does at each step.
    loss.item()
    trainer.model.get_metrics()


def _validate(trainer: Any, batch: Any) -> None:
    import torch

    trainer._pytorch_model.eval()
    with torch.no_grad(), torch.autocast(trainer.cuda_device.type, enabled=trainer._use_amp):
        trainer.batch_outputs(batch, for_training=False)
    trainer.model.get_metrics()


def estimate_trainings(trainings: Sequence[Training], file: Path) -> Estimates:
    """
    Measures the networks of trainings of the same environment in another process, to free its
    memory afterwards. Estimates of the same configs in `file` are kept.
    """
    known = json.loads(file.read_text()) if file.exists() else {}
    networks = {training.network: training for training in trainings}
    configs = {name: [job.config, _before_tagging(job.overrides)] for name, job in networks.items()}
    missing = {
        name: config
        for name, config in configs.items()
        if known.get(name, {}).get("config") != config or "estimate" not in known[name]
    }
    if missing:
        file.parent.mkdir(parents=True, exist_ok=True)
        known.update(_in_own_process(missing, trainings[0].environment))
        file.write_text(json.dumps(known, indent=2) + "\n")
    answers = {name: known.get(name, {}) for name in networks}
    return {
        name: Estimate(**answer["estimate"])
        if "estimate" in answer
        else answer.get("error", "the measurement failed")
        for name, answer in answers.items()
    }


def _before_tagging(overrides: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns overrides with gold tags instead of those that no LISA has predicted yet."""
    if "dataset_reader.pos_folder" not in overrides:
        return dict(overrides)
    rest = {key: value for key, value in overrides.items() if key != "dataset_reader.pos_folder"}
    return {**rest, "dataset_reader.pos_suffix": None}


def _in_own_process(configs: Dict[str, Any], environment: Mapping[str, str]) -> Dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder, "configs.json"), Path(folder, "estimates.json")
        questions.write_text(json.dumps(configs))
        files = [str(questions), str(answers)]
        run_module("experiments.papers.estimates", files, environment, Path(folder, "log"))
        return json.loads(answers.read_text()) if answers.exists() else {}


def main(arguments: Sequence[str]) -> None:
    import experiments.papers.gate_recorder  # noqa: F401
    import lisa_allennlp.plugin  # noqa: F401
    from lisa_allennlp.common.threads import set_thread_numbers
    from lisa_allennlp.common.user_errors import user_message

    set_thread_numbers()
    answers: Dict[str, Any] = {}
    for name, (config, overrides) in json.loads(Path(arguments[0]).read_text()).items():
        answers[name] = {"config": [config, overrides]}
        try:
            answers[name]["estimate"] = asdict(measure(config, overrides))
        except Exception as error:  # noqa: BLE001
            # The training will end in the same error.
            answers[name]["error"] = user_message(error) or f"{type(error).__name__}: {error}"
        Path(arguments[1]).write_text(json.dumps(answers))


def describe(trainings: Sequence[Training], estimates: Estimates) -> str:
    """Returns what the trainings will take, as a table with sentences below it."""
    rows, total, lines = [], 0.0, []
    found = {name: e for name, e in estimates.items() if isinstance(e, Estimate)}
    for name, estimate in found.items():
        jobs = [training for training in trainings if training.network == name]
        hours = sum(_hours(job, estimate) for job in jobs)
        total += hours
        sizes = (estimate.parameters, estimate.instances, estimate.tokens)
        epochs = f"{estimate.epochs} of {format_hours(estimate.seconds_per_epoch / 3600)}"
        rows.append(
            [name, *(f"{size:,}" for size in sizes), epochs, str(len(jobs)), format_hours(hours)]
        )
    headings = ["network", "weights", "instances", "tokens", "epochs", "trainings", "time"]
    if rows:
        may_stop = any(estimate.can_stop_early for estimate in found.values())
        lines += [
            format_table(rows, headings),
            "",
            f"All trainings: about {format_hours(total)}"
            + ", less if early stopping ends some" * may_stop
            + f". Estimated from about {SECONDS_OF_STEPS:g} s of training steps of each network on "
            "this machine, as busy as it is now; reading the data, predictions and evaluations are "
            "not included.",
        ]
    for name, reason in estimates.items():
        if isinstance(reason, str):
            lines.append(f"Not estimated: {name}, {reason}")
    return "\n".join(lines)


def _hours(job: Training, estimate: Estimate) -> float:
    epochs = max(0, estimate.epochs - job.epochs_done())
    hours = epochs * estimate.seconds_per_epoch / 3600
    return hours if job.max_hours is None else min(hours, job.max_hours)


def format_hours(hours: float) -> str:
    """Returns a time to read, such as `4 s`, `6 min` or `1.5 h`."""
    if hours * 3600 < 1:
        return "< 1 s"
    if hours * 3600 < 100:
        return f"{hours * 3600:.0f} s"
    if hours < 1.5:
        return f"{hours * 60:.0f} min"
    return f"{hours:.1f} h" if hours < 100 else f"{hours:.0f} h"


if __name__ == "__main__":
    main(sys.argv[1:])
