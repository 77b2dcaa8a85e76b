"""
Speed and accuracy of trained models in one table: words per CPU second from JSON lines to JSON
lines, in both precisions, and the scores of the same answers, beside the speed of allennlp-models'
`srl` (8 LSTM layers of 300), untrained and given the gold predicates.

    python -m benchmarks.frontier english english-fast --corpus DIR [--sentences N] [--no-peer]
"""

import functools
import json
import statistics
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Sequence

import lisa_allennlp
from benchmarks.common import Report, make_parser, read_dev, times_in_turns
from benchmarks.inference import json_line, peer_end_to_end
from benchmarks.systems import make_peer
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.writing import to_json
from lisa_allennlp.nn.precision import PRECISIONS
from lisa_allennlp.training.metrics import SrlScore

BARS = {"english": 10_000, "english-fast": 25_000}
"""Words per CPU second in bfloat16."""


class _Contender(NamedTuple):
    name: str
    precision: str
    label: Callable[[], object]
    scores: Dict[str, float]


def main() -> int:
    """Prints the table and returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("models", nargs="+", help="trained models, or names such as english")
    parser.add_argument("--no-peer", action="store_true", help="leave allennlp-models' `srl` out")
    parser.add_argument("--max-tokens", type=int, default=2000, help="per batch (default: 2000)")
    args = parser.parse_args()
    gold = read_dev(args.corpus)
    timed = [sentence for sentence in gold if sentence.frames][: args.sentences]
    data = f"dev: {len(gold)} sentences, of which {len(timed)} are timed"
    report = Report("frontier", args, data=data)
    lines = [json.dumps({"tokens": sentence.words}) for sentence in timed]
    contenders = [
        _contender(model, precision, gold, lines)
        for model in args.models
        for precision in PRECISIONS
    ]
    if not args.no_peer:
        peer = peer_end_to_end(make_peer(timed), args.max_tokens)
        label = functools.partial(peer, list(map(json_line, timed)))
        contenders.append(_Contender("srl", "float32", label, {}))
    times = times_in_turns([contender.label for contender in contenders], args.runs)
    words = sum(len(sentence.words) for sentence in timed)
    speeds = [[words / time for time in of_one] for of_one in times]
    header = ["system", "precision", "words/s", "srl_f1", "srl_f1_strict"]
    report.table(
        header,
        [
            [c.name, c.precision, statistics.median(s), *map(_score(c), header[3:])]
            for c, s in zip(contenders, speeds, strict=True)
        ],
    )
    for contender, of_one in zip(contenders, speeds, strict=True):
        if contender.precision == "bfloat16" and contender.name in BARS:
            report.at_least(f"{contender.name}, words/s", of_one, BARS[contender.name])
    return report.finish()


def _score(contender: _Contender) -> Callable[[str], float]:
    return lambda name: contender.scores.get(name, float("nan"))


def _contender(
    model: str, precision: str, gold: Sequence[Sentence], lines: List[str]
) -> _Contender:
    labeller = lisa_allennlp.load(model, precision=precision)
    metric = SrlScore()
    metric(list(_labelled(labeller, [sentence.words for sentence in gold])), list(gold))
    label = functools.partial(_write_all, labeller, lines)
    return _Contender(Path(model).name, precision, label, metric.get_metric(reset=True))


def _labelled(labeller: Labeller, inputs: Sequence[Any]) -> Iterator[Sentence]:
    yield from labeller.pipe(inputs)  # type: ignore[misc]


def _write_all(labeller: Labeller, lines: Sequence[str]) -> None:
    """Decodes, labels and encodes JSON lines, as `lisa predict` does."""
    for sentence in _labelled(labeller, list(map(json.loads, lines))):
        to_json(sentence)


if __name__ == "__main__":
    sys.exit(main())
