"""
Decoding roles: our batched Viterbi against AllenNLP's `viterbi_decode`, one sequence per call, and
its `ConditionalRandomField.viterbi_tags`, on the same random scores. All three must give the same
labels.

    python -m benchmarks.decoding [--threads N] [--frames N] [--json FILE] [--check]
"""

import statistics
import sys
from typing import Callable, Dict, List

import torch
from allennlp.modules import ConditionalRandomField
from allennlp.nn.util import viterbi_decode

from benchmarks.common import Report, make_parser, ratios, times_in_turns
from lisa_allennlp.data.formats.roles import allowed_starts, allowed_transitions
from lisa_allennlp.modules.role_decoders.linear_chain import (
    Chain,
    Predecessors,
    viterbi_by_operators,
)
from lisa_allennlp.nn.cpu import viterbi_loop

NUM_ROLES = 53
"""These give 107 BIO labels with O, as in the English Web Treebank."""

OURS, PEER = "ours, compiled", "viterbi_decode"
BAR = 50.0


def make_decoders(
    num_frames: int, length: int, dtype: torch.dtype
) -> Dict[str, Callable[[], List[List[int]]]]:
    """The decoders on the same scores, by name."""
    labels = ["O", *(f"{prefix}-{role}" for role in range(NUM_ROLES) for prefix in "BI")]
    size = len(labels)
    allowed = torch.tensor(allowed_transitions(labels))
    starts = torch.tensor(allowed_starts(labels))
    torch.manual_seed(0)
    scores = torch.randn(num_frames, length, size).to(dtype)
    mask = torch.ones(num_frames, length, dtype=torch.bool)
    moves = torch.randn(size, size).to(dtype).masked_fill(~allowed, float("-inf"))
    first = torch.randn(size).to(dtype).masked_fill(~starts, float("-inf"))
    predecessors = Predecessors(allowed)

    constraints = allowed.nonzero().tolist() + [[size, j] for (j,) in starts.nonzero().tolist()]
    constraints += [[i, size + 1] for i in range(size)]
    crf = ConditionalRandomField(size, [(i, j) for i, j in constraints]).to(dtype)
    crf.transitions.data.copy_(moves.masked_fill(~allowed, 0.0))
    crf.start_transitions.data.copy_(first.masked_fill(~starts, 0.0))
    crf.end_transitions.data.zero_()

    chain = Chain(moves, first, torch.zeros_like(first), *predecessors.buffers())
    any_before = Predecessors(torch.ones_like(allowed))
    unaware = Chain(*chain[:3], *any_before.buffers())
    return {
        OURS: lambda: viterbi_loop.viterbi(scores, mask, *chain).tolist(),
        "ours, compiled, without knowledge of BIO": lambda: viterbi_loop.viterbi(
            scores, mask, *unaware
        ).tolist(),
        "ours, in PyTorch's operators": lambda: viterbi_by_operators(scores, mask, chain).tolist(),
        "ours, in PyTorch's operators, without it": lambda: viterbi_by_operators(
            scores, mask, unaware
        ).tolist(),
        PEER: lambda: [
            viterbi_decode(frame, moves, allowed_start_transitions=first)[0] for frame in scores
        ],
        "viterbi_tags": lambda: [tags for tags, _ in crf.viterbi_tags(scores, mask)],
    }


def check_answers(decoders: Dict[str, Callable[[], List[List[int]]]]) -> None:
    """
    Asserts that all decoders give the same labels. The scores must be in double precision:
    AllenNLP's functions add large sentinels, and in single precision miss the best path of some
    frames.
    """
    expected = decoders[PEER]()
    for name, decode in decoders.items():
        assert decode() == expected, f"{name} decodes to other labels than {PEER}"


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--frames", type=int, default=200, help="number of frames (default: 200)")
    parser.add_argument("--length", type=int, default=30, help="tokens per frame (default: 30)")
    args = parser.parse_args()
    report = Report("decoding", args, needs_corpus=False)
    decoders = make_decoders(args.frames, args.length, torch.float)
    check_answers(make_decoders(args.frames, args.length, torch.double))
    runs = times_in_turns(list(decoders.values()), args.runs)
    times = dict(zip(decoders, map(statistics.median, runs), strict=True))
    of_runs = dict(zip(decoders, runs, strict=True))
    ours = times[OURS]
    rows = [[name, time * 1e3, args.frames / time, time / ours] for name, time in times.items()]
    report.table(["decoder", "ms", "frames/s", "times ours"], rows)
    report.at_least("times as fast as viterbi_decode", ratios(of_runs[PEER], of_runs[OURS]), BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
