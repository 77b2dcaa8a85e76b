"""
What each fast path for CPUs gains end to end, in labelling (as `lisa predict` does it) and in
training steps. The small config's untrained network runs with all fast paths, and with one of them
replaced by the plain form of the same function. Times are CPU seconds of a forked process per turn,
so that no turn can use products that PyTorch compiled in another.

    python -m benchmarks.ablation [--corpus DIR] [--precision bfloat16] [--json FILE]
"""

import contextlib
import functools
import multiprocessing
import os
import statistics
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Callable, Dict, List, Optional
from unittest import mock

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import Report, in_turns, make_parser, median_ratio
from benchmarks.inference import json_line, lisa_end_to_end
from benchmarks.systems import System
from lisa_allennlp.models import engines
from lisa_allennlp.nn import attention, distinct_words, dropout, padded_tokens
from lisa_allennlp.nn.cpu import packed_tokens
from lisa_allennlp.nn.precision import PRECISIONS

CONFIG = "training_configs/lisa_small.jsonnet"
Patch = Callable[[], contextlib.AbstractContextManager]


def without_cpu_form(module: object) -> Patch:
    """Replaces the fast form for CPUs by the plain form in a module of the package."""
    return lambda: mock.patch.object(module, "is_on_cpu", lambda tensor: False)


LABELLING: Dict[str, Patch] = {
    "packed tokens": without_cpu_form(padded_tokens),
    "spare rows": lambda: mock.patch.object(packed_tokens, "COMPILED_ROWS", 1),
    "distinct words": without_cpu_form(distinct_words),
    "attention written out": without_cpu_form(attention),
    "weights converted once": lambda: mock.patch.object(
        engines, "weights_converted_once", lambda model: contextlib.nullcontext()
    ),
}
TRAINING: Dict[str, Patch] = {
    **{name: LABELLING[name] for name in list(LABELLING)[:4]},
    "compiled dropout": without_cpu_form(dropout),
}


def make_small(corpus: Optional[Path], limit: int, precision: str) -> System:
    """The small config's network, with sentences spread over the corpus."""
    if corpus is not None:
        os.environ.update(LISA_DATA="ewt", LISA_CORPUS=str(corpus))
    params = Params.from_file(CONFIG)
    reader = DatasetReader.from_params(params["dataset_reader"])
    instances = list(reader.read(params["train_data_path"]))
    for instance in instances:
        reader.apply_token_indexers(instance)
    model_params = params["model"].as_dict()
    model_params["text_field_embedder"]["token_embedders"]["tokens"].pop("pretrained_file")
    model_params["precision"] = precision
    system = System("small", reader, instances, model_params)
    return system.with_instances(instances[:: max(1, len(instances) // limit)][:limit])


def label(system: System) -> None:
    """Labels the sentences, as `lisa predict` does."""
    sentences = [instance["metadata"]["sentence"] for instance in system.instances]
    run = lisa_end_to_end(system, processes=1)
    run([json_line(sentence) for sentence in sentences])


def train(system: System, max_tokens: int) -> None:
    """Forward and backward passes through the sentences."""
    model = system.model.train()
    for batch in system.batches(max_tokens):
        model.zero_grad()
        model(**batch)["loss"].backward()


def load_loops() -> None:
    """Loads the loop that Numba compiles, once per process."""
    dropout.dropout(torch.ones(4), 0.5)


def cpu_seconds(run: Callable[[], None], patch: Patch) -> float:
    """The time of a call in a process forked from this one."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_measure, args=(run, patch, theirs))
    process.start()
    theirs.close()
    seconds = ours.recv()
    process.join()
    return seconds


def _measure(run: Callable[[], None], patch: Patch, connection: Connection) -> None:
    torch.set_num_threads(1)
    with patch():
        start = time.process_time()
        run()
        connection.send(time.process_time() - start)


def compare(run: Callable[[], None], patches: Dict[str, Patch], runs: int) -> List[list]:
    """The median time without each fast path, and how many % it exceeds the time with all."""
    names = ["(all of them)", *patches]
    turns = [contextlib.nullcontext, *patches.values()]
    times = in_turns([functools.partial(cpu_seconds, run, patch) for patch in turns], runs)
    return [
        [
            name,
            statistics.median(of_one),
            100 * median_ratio(of_one, times[0]) - 100,
        ]
        for name, of_one in zip(names, times, strict=True)
    ]


def main() -> int:
    """Prints the tables; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--precision", choices=PRECISIONS, default=PRECISIONS[0])
    parser.add_argument("--step-tokens", type=int, default=1500, help="tokens per training batch")
    args = parser.parse_args()
    report = Report("ablation", args)
    load_loops()
    system = make_small(args.corpus, args.sentences, args.precision)
    few = system.with_instances(system.instances[:300])
    for what, run, patches in (
        ("labelling without", functools.partial(label, system), LABELLING),
        ("training without", functools.partial(train, few, args.step_tokens), TRAINING),
    ):
        rows = compare(run, patches, args.runs)
        report.table([what, "CPU seconds", "% more"], rows)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
