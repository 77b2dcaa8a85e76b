"""
LISA at published size on a GPU, on word vectors and, if given, ELMo and a word-piece encoder:
sentences and words per second in training and labelling, memory, and how often the CPU waits for
the GPU.

"bfloat16" is the precision after the embedder, which the model's option `precision` sets; "bfloat16
throughout" is that of the embedder too. ELMo is fixed, the word-piece encoder is fine-tuned.

A forward pass in training on word vectors must never wait. Labelling waits for the number of
predicates, because the shape of the scores depends on it, and for the answers. AllenNLP's embedders
of ELMo and of word pieces wait too.

    python -m benchmarks.device [--device cuda] [--corpus DIR] [--json FILE] [--check]
"""

import argparse
import math
import statistics
import sys
import warnings
from pathlib import Path
from typing import Callable, List, Sequence, Tuple

import torch
from allennlp.data.data_loaders import TensorDict
from allennlp.nn.util import get_text_field_mask, move_to_device

from benchmarks.common import (
    Cell,
    Report,
    clock,
    make_parser,
    read_with_frames,
    times_in_turns,
)
from benchmarks.systems import WORD_VECTORS, System, Words, elmo, make_lisa, transformer
from lisa_allennlp.nn.precision import PRECISIONS, Precision, weights_converted_once
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.optimization import LazyNadamOptimizer

THROUGHOUT = "bfloat16 throughout"


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
        self._optimizer = self._make_optimizer()

    def _batches(self, max_tokens: int) -> List[TensorDict]:
        return [move_to_device(batch, self._device) for batch in self.system.batches(max_tokens)]

    def _make_optimizer(self) -> torch.optim.Optimizer:
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

    @torch.no_grad()
    def label(self) -> None:
        model = self.system.model.eval()
        with Precision(self._of_embedder)(self._device), weights_converted_once(model):
            for batch in self.labelling:
                for sentence in model.label(**batch):
                    sentence.to_dict()

    def forward(self) -> None:
        self.system.model.train()
        self._loss(self.training[0])

    def _loss(self, batch: TensorDict) -> torch.Tensor:
        with Precision(self._of_embedder)(self._device):
            return self.system.model(**batch)["loss"]


def leave_out_gold(batches: List[TensorDict]) -> None:
    """Keeps only the words and the gold predicates, so that there is no score and no loss."""
    for batch in batches:
        frames = batch.pop("frames")
        given = torch.zeros_like(get_text_field_mask(batch["tokens"]), dtype=torch.long)
        given[frames["sentence_indices"], frames["predicate_indices"]] = 1
        batch["given_predicates"] = given
        for name in ("joint_tags", "head_indices", "head_tags"):
            batch.pop(name, None)
        words = [item["sentence"].words for item in batch["metadata"]]
        batch["metadata"] = [{"sentence": Sentence(sentence)} for sentence in words]


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
    if is_cuda:
        torch.cuda.reset_peak_memory_stats()
    else:
        Path("/proc/self/clear_refs").write_text("5")


def peak_memory(is_cuda: bool) -> float:
    """Returns the peak memory of a GPU's tensors, or of this process if there is no GPU, in MB."""
    if is_cuda:
        return torch.cuda.max_memory_allocated() / 2**20
    # `ru_maxrss` would begin at the memory of the parent.
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024


def measure(
    words: Words, args: argparse.Namespace, sentences: Sequence[Sentence], report: Report
) -> Tuple[List[List[Cell]], List[List[Cell]]]:
    has_gpu, num_words = is_cuda(args), sum(len(sentence.words) for sentence in sentences)
    system = make_lisa(sentences, words=words)
    system.model.to(args.device)
    rates: List[List[Cell]] = []
    memory: List[List[Cell]] = []
    for precision in PRECISIONS if words is WORD_VECTORS else (*PRECISIONS, THROUGHOUT):
        forget_peak(has_gpu)
        lisa = OnDevice(system, args.device, precision, args.max_tokens)
        for what, run in (("training", lisa.train), ("labelling", lisa.label)):
            time = statistics.median(*times_in_turns([run], args.runs))
            rates.append([words.name, precision, what, len(sentences) / time, num_words / time])
        waiting = [waits(lisa.forward), waits(lisa.label)] if has_gpu else [math.nan, math.nan]
        memory.append([words.name, precision, peak_memory(has_gpu), *waiting])
        if has_gpu and words is WORD_VECTORS:
            report.at_most(f"{precision}, waits in a training forward", waiting[0], 0)
    return rates, memory


def is_cuda(args: argparse.Namespace) -> bool:
    return args.device.startswith("cuda")


def main() -> int:
    parser = make_parser(__doc__, max_tokens=5000)
    parser.add_argument("--device", default="cuda", help="cuda (default), or cpu to compare")
    text = "also ELMo: the start of the names of its files, ...options.json and ...weights.hdf5"
    parser.add_argument("--elmo", metavar="START", help=text)
    text = "also a Hugging Face encoder: its name or folder"
    parser.add_argument("--transformer", metavar="NAME", help=text)
    args = parser.parse_args()
    if is_cuda(args) and not torch.cuda.is_available():
        parser.error(f"--device is {args.device}; found no GPU that PyTorch can use")
    report = Report("device", args)
    if is_cuda(args):
        # The CPU mostly waits, so its own seconds would be meaningless.
        clock.threads = 0
    sentences = read_with_frames(args)
    embedders = [WORD_VECTORS]
    embedders += [elmo(args.elmo)] if args.elmo else []
    embedders += [transformer(args.transformer)] if args.transformer else []
    measured = [measure(words, args, sentences, report) for words in embedders]
    rates, memory = (sum(rows, []) for rows in zip(*measured, strict=True))
    of_words, waiting = ["words", "precision"], ["waits in a forward", "waits in labelling all"]
    report.table([*of_words, "", "sentences/s", "words/s"], rates)
    report.table([*of_words, "peak, MB", *waiting], memory)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
