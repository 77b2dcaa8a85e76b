"""
Inference speed at published sizes: LISA, which finds its predicates, against allennlp-models'
`srl`, which is given the gold ones. Both turn tensors into labels, decoding included.

    python -m benchmarks.inference [--corpus DIR] [--threads N] [--check]
"""

import sys
from typing import List

import torch
from allennlp.data.data_loaders import TensorDict
from allennlp.nn.util import get_text_field_mask

from benchmarks.common import describe_machine, make_parser, print_table, read_sentences, seconds
from benchmarks.systems import System, make_lisa, make_peer

BAR = 4.0


@torch.inference_mode()
def label(system: System, batches: List[TensorDict]) -> None:
    """Labels all batches and makes the labels readable."""
    system.model.eval()
    for batch in batches:
        system.model.make_output_human_readable(system.model(**batch))


def add_gold_predicates(batches: List[TensorDict]) -> int:
    """
    Hands LISA as many predicates as the peer has: an untrained model would find too few or too
    many. Gold labels are taken away, so that no loss is computed. Returns their number.
    """
    num_predicates = 0
    for batch in batches:
        frames = batch.pop("frames")
        given = torch.zeros_like(get_text_field_mask(batch["tokens"]), dtype=torch.long)
        given[frames["sentence_indices"], frames["predicate_indices"]] = 1
        num_predicates += int(given.sum())
        batch["given_predicates"] = given
        for name in ("joint_tags", "head_indices", "head_tags"):
            batch.pop(name, None)
    return num_predicates


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--max-tokens", type=int, default=1500, help="tokens a batch")
    args = parser.parse_args()
    describe_machine(args.threads)
    sentences = read_sentences(args.corpus, args.sentences)
    tokens = sum(len(sentence.words) for sentence in sentences)
    rates = []
    rows = []
    for system in (make_lisa(sentences), make_peer(sentences)):
        batches = system.batches(args.max_tokens)
        num_frames = add_gold_predicates(batches) if not rates else len(system.instances)
        time = seconds(lambda s=system, b=batches: label(s, b), args.runs)
        rates.append(len(sentences) / time)
        rows.append([system.name, str(num_frames), f"{rates[-1]:.1f}", f"{tokens / time:.0f}"])
    print_table(["inference", "predicates", "sentences/s", "tokens/s"], rows)
    ratio = rates[0] / rates[1]
    print(f"LISA labels {ratio:.1f} times as fast (bar: {BAR}).")
    return int(args.check and ratio < BAR)


if __name__ == "__main__":
    sys.exit(main())
