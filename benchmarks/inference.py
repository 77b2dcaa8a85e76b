"""
Labelling speed at published sizes: LISA in ONNX Runtime, in single precision, against
allennlp-models' `srl`, the peer. Both are given the gold predicates, because an untrained LISA
would predict too few or too many. `benchmarks.device` measures LISA in PyTorch.

Model only: from words to readable labels, the peer's from tensors. End to end: from JSON lines to
JSON lines, with the default options of `lisa predict`; the peer's instances are sorted and batched
in the same way. Latency: the median time of one sentence, end to end, in one process.

    python -m benchmarks.inference [--corpus DIR] [--threads N] [--json FILE] [--check]
"""

import json
import statistics
import sys
from functools import partial
from typing import Any, Callable, List, Sequence

import torch
from allennlp.common.util import sanitize
from allennlp.data.data_loaders import TensorDict
from allennlp.data.tokenizers import Token

from benchmarks.common import Report, make_parser, ratios, read_with_frames, times_in_turns
from benchmarks.systems import (
    System,
    group_by_length,
    in_onnx,
    make_lisa,
    make_peer,
    spread_role_scores,
)
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.writing import to_json
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence

BARS = {
    "model only, times the peer's sentences/s": 7.0,
    "end to end, times the peer's sentences/s": 8.0,
    "single sentence, times shorter than the peer's": 4.0,
}
LATENCY_SENTENCES = 50

LabelLines = Callable[[Sequence[str]], List[str]]


def main() -> int:
    args = make_parser(__doc__, max_tokens=2000).parse_args()
    report = Report("inference", args)
    sentences = read_with_frames(args)
    num_tokens = sum(len(sentence.words) for sentence in sentences)
    lines = [
        json.dumps({"tokens": s.words, "predicates": [f.predicate for f in s.frames or []]})
        for s in sentences
    ]
    lisa, peer = make_lisa(sentences), make_peer(sentences)
    spread_role_scores(lisa)
    engine = in_onnx(lisa, args.max_tokens)
    batches = peer.batches(args.max_tokens)
    for batch in batches:
        batch.pop("tags")
    names = f"{lisa.name}, ONNX Runtime", peer.name
    models: List[Callable[[], Any]] = [
        partial(label_requests, engine, list(map(request_of, sentences))),
        partial(label_batches, peer, batches),
    ]
    wholes = [lisa_end_to_end(engine), peer_end_to_end(peer, args.max_tokens)]
    model_times = times_in_turns(models, args.runs)
    whole_times = times_in_turns([partial(whole, lines) for whole in wholes], args.runs)
    delays = latencies(wholes, lines[:LATENCY_SENTENCES])
    rows = []
    for name, *times in zip(names, model_times, whole_times, delays, strict=True):
        model, whole, one = map(statistics.median, times)
        rates = [number / time for time in (model, whole) for number in (len(lines), num_tokens)]
        rows.append([name, *rates, one * 1e3])
    header = ["system", "model only, sentences/s", "model only, tokens/s"]
    header += ["end to end, sentences/s", "end to end, tokens/s", "latency, ms"]
    report.table(header, rows)
    for (what, bar), times in zip(BARS.items(), (model_times, whole_times, delays), strict=True):
        report.at_least(what, ratios(times[1], times[0]), bar)
    return report.finish()


def label_requests(engine: Engine, requests: Sequence[Request]) -> None:
    for sentence in engine.label(requests):
        sentence.to_dict()


@torch.no_grad()
def label_batches(peer: System, batches: Sequence[TensorDict]) -> None:
    """The same for the batches of the peer, whose predicates are part of the input."""
    peer.model.eval()
    for batch in batches:
        peer.model.make_output_human_readable(peer.model(**batch))


def request_of(sentence: Sentence) -> Request:
    predicates = {frame.predicate for frame in sentence.frames or []}
    marks = [int(token in predicates) for token in range(len(sentence.words))]
    return Request(Sentence(sentence.words), predicates=marks)


def lisa_end_to_end(engine: Engine) -> LabelLines:
    labeller = LisaLabeller(engine)

    def run(lines: Sequence[str]) -> List[str]:
        return [to_json(sentence) for sentence in labeller.pipe(map(json.loads, lines))]

    return run


def peer_end_to_end(system: System, max_tokens: int) -> LabelLines:
    """Returns the same with one instance per predicate."""
    system.model.eval()

    def run(lines: Sequence[str]) -> List[str]:
        instances = []
        for item in map(json.loads, lines):
            tokens = [Token(word) for word in item["tokens"]]
            for predicate in item["predicates"]:
                indicator = [int(t == predicate) for t in range(len(tokens))]
                instance = system.reader.text_to_instance(tokens, indicator)
                system.reader.apply_token_indexers(instance)
                instances.append(instance)
        return [
            json.dumps(sanitize(output))
            for group in group_by_length(instances, max_tokens)
            for output in system.model.forward_on_instances(group)
        ]

    return run


def latencies(runs: Sequence[LabelLines], lines: Sequence[str]) -> List[List[float]]:
    """For each system, the seconds that each line takes on its own; the systems take turns."""
    of_lines = [times_in_turns([partial(run, [line]) for run in runs], 1) for line in lines]
    return [[times[number][0] for times in of_lines] for number in range(len(runs))]


if __name__ == "__main__":
    sys.exit(main())
