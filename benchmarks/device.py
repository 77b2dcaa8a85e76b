"""
LISA at published size on a GPU, on word vectors, ELMo and a word-piece encoder: sentences and words
per second in training and labelling, the embedder's share of the time, memory, and how often the
CPU waits for the GPU.

"bfloat16" is the precision after the embedder, which the model's option `precision` sets; "bfloat16
throughout" is that of the embedder too. ELMo is fixed, the word-piece encoder is fine-tuned.
Without --elmo and --transformer their weights are random and have the sizes of the original ELMo
and of BERT-base.

A forward pass in training on word vectors must never wait. Labelling waits for the number of
predicates, because the shape of the scores depends on it, and for the answers. AllenNLP's embedders
of ELMo and of word pieces wait too.

    python -m benchmarks.device [--device cuda] [--corpus DIR] [--json FILE] [--check]
"""

import argparse
import functools
import math
import statistics
import sys
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple

import torch
from allennlp.common import cached_transformers
from allennlp.data import TextFieldTensors
from allennlp.data.data_loaders import TensorDict
from allennlp.nn.util import get_text_field_mask, move_to_device

from benchmarks.common import (
    Cell,
    Report,
    clock,
    make_parser,
    ratios,
    read_train,
    read_with_frames,
    times_in_turns,
)
from benchmarks.inference import label, leave_out_gold
from benchmarks.systems import (
    WORD_VECTORS,
    System,
    Words,
    elmo,
    make_lisa,
    random_elmo,
    random_transformer,
    transformer,
)
from benchmarks.wings import peak_megabytes
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.nn.precision import PRECISIONS, Precision
from lisa_allennlp.training.optimization import LazyNadamOptimizer

EMBEDDERS = ("vectors", "elmo", "transformer")
THROUGHOUT = "bfloat16 throughout"


class Costs(NamedTuple):
    """The median seconds of a run, and the embedder's share in %: what given vectors save."""

    time: float
    share: float


class GivenVectors(torch.nn.Module):
    """In place of an embedder: random vectors, which cost nothing."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._dim = dim
        self._made: Dict[torch.Size, torch.Tensor] = {}

    def forward(self, tokens: TextFieldTensors) -> torch.Tensor:
        """Shape `(batch_size, length, dim)`; batches of the same shape get the same vectors."""
        mask = get_text_field_mask(tokens)
        if mask.shape not in self._made:
            self._made[mask.shape] = torch.randn(*mask.shape, self._dim, device=mask.device)
        return self._made[mask.shape]


class OnDevice:
    """
    LISA and its batches on a device. The precision is that of the network after the embedder (one
    of `PRECISIONS`), or `THROUGHOUT`; `max_tokens` includes padding.
    """

    def __init__(self, system: System, device: str, precision: str, max_tokens: int) -> None:
        self.system, self._device = system, torch.device(device)
        self._precision = precision.split()[0]
        self._of_embedder = "bfloat16" if precision == THROUGHOUT else "float32"
        system.model._precision = Precision(self._precision)
        self.training = self._batches(max_tokens)
        self.labelling = self._batches(max_tokens)
        leave_out_gold(self.labelling)
        self._embedder = system.model._text_field_embedder
        self._given = GivenVectors(self._embedder.get_output_dim())
        self._optimizer = self._make_optimizer()

    def _batches(self, max_tokens: int) -> List[TensorDict]:
        return [move_to_device(batch, self._device) for batch in self.system.batches(max_tokens)]

    def _make_optimizer(self) -> torch.optim.Optimizer:
        """Returns the optimizer of the training configs."""
        trained = [(n, p) for n, p in self.system.model.named_parameters() if p.requires_grad]
        layers = (m for m in self._embedder.modules() if isinstance(m, torch.nn.Linear))
        if any(layer.weight.requires_grad for layer in layers):
            return torch.optim.AdamW([p for _, p in trained], lr=2e-5, weight_decay=0.01)
        return LazyNadamOptimizer(trained, lr=1e-4)

    def train(self) -> None:
        self.system.model.train()
        for batch in self.training:
            self._optimizer.zero_grad()
            self._loss(batch).backward()
            self._optimizer.step()

    def label(self) -> None:
        """Labels all sentences and reads the answers."""
        with Precision(self._of_embedder)(self._device):
            label(self.system, self.labelling)

    def forward(self) -> None:
        """The forward pass of a training step."""
        self.system.model.train()
        self._loss(self.training[0])

    def _loss(self, batch: TensorDict) -> torch.Tensor:
        with Precision(self._of_embedder)(self._device):
            return self.system.model(**batch)["loss"]

    def costs(self, run: Callable[[], None], runs: int) -> Costs:
        """Returns what `train` or `label` costs."""
        without = functools.partial(self._with_given_vectors, run)
        times, others = times_in_turns([run, without], runs)
        share = 100 * (1 - statistics.median(ratios(others, times)))
        return Costs(statistics.median(times), share)

    def _with_given_vectors(self, run: Callable[[], None]) -> None:
        self.system.model._text_field_embedder = self._given
        try:
            run()
        finally:
            self.system.model._text_field_embedder = self._embedder


def waits(function: Callable[[], object]) -> int:
    """Returns how often the CPU waits for the GPU in a call."""
    function()
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return sum("synchroniz" in str(warning.message) for warning in caught)


def forget_peak(is_cuda: bool) -> None:
    """Lets `peak_memory` begin now."""
    if is_cuda:
        torch.cuda.reset_peak_memory_stats()
    else:
        Path("/proc/self/clear_refs").write_text("5")


def peak_memory(is_cuda: bool) -> float:
    """Returns the peak memory of a GPU's tensors, or of this process if there is no GPU, in MB."""
    return torch.cuda.max_memory_allocated() / 2**20 if is_cuda else peak_megabytes()


@contextmanager
def words_of(name: str, args: argparse.Namespace) -> Iterator[Words]:
    """Yields a way to embed words, with given or random weights, to build a model with."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, name)
        folder.mkdir()
        if name == "elmo":
            yield elmo(args.elmo) if args.elmo else random_elmo(folder)
        elif name == "transformer" and args.transformer:
            yield transformer(args.transformer)
        elif name == "transformer":
            yield random_transformer(folder, read_train(args.corpus))
        else:
            yield WORD_VECTORS
        cached_transformers._clear_caches()


def measure(
    name: str, args: argparse.Namespace, sentences: Sequence[Sentence], report: Report
) -> Tuple[List[List[Cell]], List[List[Cell]]]:
    """
    Measures LISA on one of `EMBEDDERS`. Returns the rows of the rates and of the memory, and adds
    the bars to the report.
    """
    has_gpu, num_words = is_cuda(args), sum(len(sentence.words) for sentence in sentences)
    with words_of(name, args) as words:
        system = make_lisa(sentences, words=words)
    system.model.to(args.device)
    rates: List[List[Cell]] = []
    memory: List[List[Cell]] = []
    for precision in PRECISIONS if name == "vectors" else (*PRECISIONS, THROUGHOUT):
        forget_peak(has_gpu)
        lisa = OnDevice(system, args.device, precision, args.max_tokens)
        for what, run in (("training", lisa.train), ("labelling", lisa.label)):
            time, share = lisa.costs(run, args.runs)
            row = len(sentences) / time, num_words / time, share
            rates.append([words.name, precision, what, *row])
        waiting = [waits(lisa.forward), waits(lisa.label)] if has_gpu else [math.nan, math.nan]
        memory.append([words.name, precision, peak_memory(has_gpu), *waiting])
        if has_gpu and name == "vectors":
            report.at_most(f"{precision}, waits in a training forward", waiting[0], 0)
    return rates, memory


def is_cuda(args: argparse.Namespace) -> bool:
    return args.device.startswith("cuda")


def main() -> int:
    parser = make_parser(__doc__, max_tokens=5000)
    parser.add_argument("--device", default="cuda", help="cuda (default), or cpu to compare")
    parser.add_argument(
        "--elmo",
        metavar="START",
        help="the start of the names of ELMo's two files, which end in options.json and "
        "weights.hdf5 (default: random weights)",
    )
    parser.add_argument(
        "--transformer",
        metavar="NAME",
        help="the name or folder of a Hugging Face encoder (default: random weights)",
    )
    args = parser.parse_args()
    if is_cuda(args) and not torch.cuda.is_available():
        parser.error(f"--device is {args.device}; found no GPU that PyTorch can use")
    report = Report("device", args)
    if is_cuda(args):
        # The CPU mostly waits, so its own seconds would be meaningless.
        clock.start(threads=0)
    sentences = read_with_frames(args)
    measured = [measure(name, args, sentences, report) for name in EMBEDDERS]
    rates, memory = (sum(rows, []) for rows in zip(*measured, strict=True))
    of_words, waiting = ["words", "precision"], ["waits in a forward", "waits in labelling all"]
    report.table([*of_words, "", "sentences/s", "words/s", "embedder, %"], rates)
    report.table([*of_words, "peak, MB", *waiting], memory)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
