"""
Training speed at published sizes: LISA against allennlp-models' `srl` on the same sentences.

    python -m benchmarks.training [--corpus DIR] [--threads N] [--check]
"""

import sys
from typing import List

import torch
from allennlp.data.data_loaders import TensorDict

from benchmarks.common import describe_machine, make_parser, print_table, read_sentences, seconds
from benchmarks.systems import System, make_lisa, make_peer
from lisa_allennlp.training.optimizers.lazy_nadam import LazyNadamOptimizer

BAR = 3.0


def train_epoch(
    system: System, batches: List[TensorDict], optimizer: torch.optim.Optimizer
) -> None:
    """One pass over the batches: forward, backward, clipping, update."""
    system.model.train()
    for batch in batches:
        optimizer.zero_grad()
        system.model(**batch)["loss"].backward()
        torch.nn.utils.clip_grad_norm_(system.model.parameters(), 1.0)
        optimizer.step()


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--max-tokens", type=int, default=1500, help="tokens a batch")
    args = parser.parse_args()
    describe_machine(args.threads)
    sentences = read_sentences(args.corpus, args.sentences)
    rates = []
    rows = []
    for system in (make_lisa(sentences), make_peer(sentences)):
        parameters = list(system.model.named_parameters())
        # Each with the optimizer of its published config.
        optimizer = (
            LazyNadamOptimizer(parameters, lr=1e-4)
            if not rates
            else torch.optim.Adadelta(system.model.parameters(), rho=0.95)
        )
        batches = system.batches(args.max_tokens)
        time = seconds(lambda s=system, b=batches, o=optimizer: train_epoch(s, b, o), args.runs)
        rates.append(len(sentences) / time)
        millions = f"{system.num_parameters / 1e6:.1f} M"
        rows.append([system.name, millions, str(len(system.instances)), f"{rates[-1]:.1f}"])
    print_table(["training", "parameters", "instances", "sentences/s"], rows)
    ratio = rates[0] / rates[1]
    print(f"LISA trains {ratio:.1f} times as fast (bar: {BAR}).")
    return int(args.check and ratio < BAR)


if __name__ == "__main__":
    sys.exit(main())
