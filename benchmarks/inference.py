"""
Labelling speed at published sizes: LISA against allennlp-models' `srl`, the peer. Both are given
the gold predicates, because an untrained LISA would predict too few or too many.

LISA runs in ONNX Runtime in single precision, as by `lisa predict`, and beside it in PyTorch; with
`--precision bfloat16`, in PyTorch alone. Model only: from words to readable labels, in PyTorch from
tensors. End to end: from JSON lines to JSON lines, with the default options of `lisa predict`; the
peer's instances are sorted and batched in the same way. Latency: the median time of one sentence,
end to end, in one process. The bars are of the first row.

    python -m benchmarks.inference [--corpus DIR] [--threads N] [--json FILE] [--check]
"""

import functools
import json
import statistics
import sys
from typing import Any, Callable, List, NamedTuple, Sequence

import torch
from allennlp.common.util import sanitize
from allennlp.data.data_loaders import TensorDict
from allennlp.data.tokenizers import Token
from allennlp.nn.util import get_text_field_mask

from benchmarks.common import (
    Report,
    add_network,
    make_parser,
    ratios,
    read_with_frames,
    times_in_turns,
)
from benchmarks.systems import (
    System,
    group_by_length,
    in_onnx,
    make_lisa,
    make_peer,
    spread_role_scores,
)
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
from lisa_allennlp.labelling.writing import to_json
from lisa_allennlp.models.engines import LisaEngine
from lisa_allennlp.nn.precision import weights_converted_once

MODEL_BAR, END_TO_END_BAR, LATENCY_BAR = 7.0, 8.0, 4.0
LATENCY_SENTENCES = 50


@torch.no_grad()
def label(system: System, batches: List[TensorDict]) -> None:
    """Labels all batches, as `lisa predict` does, and makes the labels readable."""
    system.model.eval()
    with weights_converted_once(system.model):
        for batch in batches:
            if hasattr(system.model, "label"):
                for sentence in system.model.label(**batch):
                    sentence.to_dict()
            else:
                system.model.make_output_human_readable(system.model(**batch))


def leave_out_gold(batches: List[TensorDict]) -> None:
    """Keeps only LISA's words and gold predicates, so that there is no score and no loss."""
    for batch in batches:
        frames = batch.pop("frames")
        given = torch.zeros_like(get_text_field_mask(batch["tokens"]), dtype=torch.long)
        given[frames["sentence_indices"], frames["predicate_indices"]] = 1
        batch["given_predicates"] = given
        for name in ("joint_tags", "head_indices", "head_tags"):
            batch.pop(name, None)
        words = [item["sentence"].words for item in batch["metadata"]]
        batch["metadata"] = [{"sentence": Sentence(sentence)} for sentence in words]


def leave_out_peers_gold(batches: List[TensorDict]) -> None:
    """The same for the peer, whose predicates are part of the input."""
    for batch in batches:
        batch.pop("tags")


def json_line(sentence: Sentence) -> str:
    """Returns the input of both systems."""
    predicates = [frame.predicate for frame in sentence.frames or []]
    return json.dumps({"tokens": sentence.words, "predicates": predicates})


def label_requests(engine: Engine, requests: Sequence[Request]) -> None:
    """Labels requests, and makes the labels readable."""
    for sentence in engine.label(requests, LabelOptions()):
        sentence.to_dict()


def request_of(sentence: Sentence) -> Request:
    """Returns the words and the gold predicates of a sentence."""
    predicates = {frame.predicate for frame in sentence.frames or []}
    marks = [int(token in predicates) for token in range(len(sentence.words))]
    return Request(Sentence(sentence.words), predicates=marks)


def lisa_end_to_end(engine: Engine) -> Callable[[Sequence[str]], List[str]]:
    """Labels lines as `lisa predict` does."""
    labeller = LisaLabeller(engine)

    def run(lines: Sequence[str]) -> List[str]:
        return [to_json(sentence) for sentence in labeller.pipe(map(json.loads, lines))]

    return run


def peer_end_to_end(system: System, max_tokens: int) -> Callable[[Sequence[str]], List[str]]:
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


def latencies(
    runs: Sequence[Callable[[Sequence[str]], List[str]]], lines: Sequence[str]
) -> List[List[float]]:
    """For each system, the seconds that each line takes on its own; the systems take turns."""
    times: List[List[float]] = [[] for _ in runs]
    for line in lines:
        of_line = times_in_turns([functools.partial(run, [line]) for run in runs], 1)
        for so_far, (time,) in zip(times, of_line, strict=True):
            so_far.append(time)
    return times


class Runs(NamedTuple):
    """A system, the labelling by its model only, and that from end to end."""

    name: str
    of_model: Callable[[], Any]
    whole: Callable[[Sequence[str]], List[str]]


def main() -> int:
    parser = make_parser(__doc__, max_tokens=2000)
    add_network(parser)
    args = parser.parse_args()
    report = Report("inference", args)
    sentences = read_with_frames(args)
    num_tokens = sum(len(sentence.words) for sentence in sentences)
    lines = [json_line(sentence) for sentence in sentences]
    lisa = make_lisa(
        sentences, feedforward_num_layers=args.feedforward_maps, precision=args.precision
    )
    spread_role_scores(lisa)
    peer = make_peer(sentences)
    batches = [system.batches(args.max_tokens) for system in (lisa, peer)]
    leave_out_gold(batches[0])
    leave_out_peers_gold(batches[1])
    in_pytorch = LisaEngine(lisa.model.eval(), lisa.reader)
    systems = [
        Runs(
            f"{lisa.name}, PyTorch",
            functools.partial(label, lisa, batches[0]),
            lisa_end_to_end(in_pytorch),
        ),
        Runs(
            peer.name,
            functools.partial(label, peer, batches[1]),
            peer_end_to_end(peer, args.max_tokens),
        ),
    ]
    if args.precision == "float32":
        engine = in_onnx(lisa, args.max_tokens)
        requests = list(map(request_of, sentences))
        of_model = functools.partial(label_requests, engine, requests)
        systems.insert(0, Runs(f"{lisa.name}, ONNX Runtime", of_model, lisa_end_to_end(engine)))
    model_times = times_in_turns([system.of_model for system in systems], args.runs)
    runs = [system.whole for system in systems]
    whole_times = times_in_turns([functools.partial(run, lines) for run in runs], args.runs)
    delays = latencies(runs, lines[:LATENCY_SENTENCES])
    rows = []
    for system, of_model_only, of_whole, of_one in zip(
        systems, model_times, whole_times, delays, strict=True
    ):
        model_time, whole_time = map(statistics.median, (of_model_only, of_whole))
        rows.append(
            [
                system.name,
                len(sentences) / model_time,
                num_tokens / model_time,
                len(sentences) / whole_time,
                num_tokens / whole_time,
                statistics.median(of_one) * 1e3,
            ]
        )
    header = ["system", "model only, sentences/s", "model only, tokens/s"]
    header += ["end to end, sentences/s", "end to end, tokens/s", "latency, ms"]
    report.table(header, rows)
    for what, times, bar in (
        ("model only, times the peer's sentences/s", model_times, MODEL_BAR),
        ("end to end, times the peer's sentences/s", whole_times, END_TO_END_BAR),
        ("single sentence, times shorter than the peer's", delays, LATENCY_BAR),
    ):
        report.at_least(what, ratios(times[-1], times[0]), bar)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
