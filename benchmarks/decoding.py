"""
Decoding roles: our batched Viterbi against AllenNLP's `viterbi_decode`, one sequence per call, and
its `ConditionalRandomField.viterbi_tags`, on the same random scores. All three must give the same
labels.

    python -m benchmarks.decoding [--threads N] [--json FILE] [--check]
"""

import statistics
import sys
from typing import Callable, Dict, List

import numpy
import torch
from allennlp.modules import ConditionalRandomField
from allennlp.nn.util import viterbi_decode

from benchmarks.common import Report, make_parser, ratios, times_in_turns
from lisa_allennlp.decoding.linear_chain import ChainDecoder, LinearChain
from lisa_allennlp.decoding.role_constraints import RoleConstraints

NUM_ROLES = 53
"""These give 107 BIO labels with O, as in the English Web Treebank."""

SPREAD = 10.0
"""The standard deviation of the scores. A trained network is about as certain."""

FRAMES, LENGTH = 200, 30
"""The number of frames, and of the tokens of each."""

OURS, PEER = "ours", "viterbi_decode"
BAR = 20.0


def make_decoders(
    num_frames: int, length: int, dtype: torch.dtype
) -> Dict[str, Callable[[], List[List[int]]]]:
    """Returns the decoders on the same scores, by name."""
    labels = ["O", *(f"{prefix}-{role}" for role in range(NUM_ROLES) for prefix in "BI")]
    size = len(labels)
    constraints = RoleConstraints(labels)
    torch.manual_seed(0)
    scores = SPREAD * torch.randn(num_frames, length, size).to(dtype)
    mask = torch.ones(num_frames, length, dtype=torch.bool)

    legal = [*map(tuple, numpy.argwhere(constraints.transitions).tolist())]
    legal += [(size, j) for j in numpy.flatnonzero(constraints.starts).tolist()]
    crf = ConditionalRandomField(size, legal + [(i, size + 1) for i in range(size)]).to(dtype)
    crf.end_transitions.data.zero_()
    weights = crf.start_transitions, crf.transitions, crf.end_transitions
    chain = constraints.constrain(LinearChain(*(weight.detach().numpy() for weight in weights)))
    ours, lengths = ChainDecoder(chain), numpy.full(num_frames, length)
    first, moves = torch.from_numpy(chain.start), torch.from_numpy(chain.transitions)
    return {
        OURS: lambda: ours.decode(scores.numpy(), lengths).tolist(),
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
    args = make_parser(__doc__).parse_args()
    report = Report("decoding", args, needs_corpus=False)
    decoders = make_decoders(FRAMES, LENGTH, torch.float)
    check_answers(make_decoders(FRAMES, LENGTH, torch.double))
    runs = times_in_turns(list(decoders.values()), args.runs)
    times = dict(zip(decoders, map(statistics.median, runs), strict=True))
    of_runs = dict(zip(decoders, runs, strict=True))
    ours = times[OURS]
    rows = [[name, time * 1e3, FRAMES / time, time / ours] for name, time in times.items()]
    report.table(["decoder", "ms", "frames/s", "times ours"], rows)
    report.at_least("times as fast as viterbi_decode", ratios(of_runs[PEER], of_runs[OURS]), BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
