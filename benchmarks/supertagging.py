"""
Speed of supertagging a corpus: the stacked bi-LSTM at published size (512 cells, 200d words, 1,285
categories and the rare symbol), from JSON lines to JSON lines with all categories within a factor
beta of the best.

    python -m benchmarks.supertagging [--corpus DIR] [--threads N] [--check]
"""

import functools
import json
import os
import statistics
import sys
from typing import List

from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import Report, make_parser, read_sentences, times_in_turns
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import GROUP_SIZE, SupertagLabeller
from lisa_allennlp.labelling.writing import to_json
from lisa_allennlp.nn.precision import PRECISIONS
from lisa_allennlp.predictors.engines import SupertaggerEngine

# 1,000 on two cores.
BAR = 500.0
NUM_LABELS = 1286
CONFIG = "training_configs/ccg/stacked_bilstm.jsonnet"


def make_labeller(
    sentences: List[Sentence], beta: float, max_tokens: int, precision: str
) -> SupertagLabeller:
    """Returns a labeller with an untrained model; training would not change its speed."""
    os.environ.update(LISA_DATA="ccgbank", LISA_CORPUS="AUTO")
    no_vectors = {"model.text_field_embedder.token_embedders.tokens.pretrained_file": None}
    params = Params.from_file(CONFIG, json.dumps(no_vectors))
    reader = DatasetReader.from_params(params["dataset_reader"])
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances(instances)
    for number in range(NUM_LABELS):
        vocab.add_token_to_namespace(f"category {number}", "supertag_labels")
    # Large weights, so that few categories are candidates, as in a trained model.
    params["model"]["initializer"] = {
        "regexes": [["_output_layer.weight", {"type": "normal", "std": 40.0}]]
    }
    params["model"]["precision"] = precision
    model = Model.from_params(params["model"], vocab=vocab).eval()
    return SupertagLabeller(SupertaggerEngine(model, reader, max_tokens), beta=beta)


def supertag(labeller: SupertagLabeller, lines: List[str]) -> List[str]:
    """JSON lines to JSON lines, as `lisa predict` does."""
    return [to_json(sentence) for sentence in labeller.pipe(map(json.loads, lines))]


def main() -> int:
    parser = make_parser(__doc__, max_tokens=2000)
    parser.add_argument("--beta", type=float, default=0.01, help="the cut-off (default: 0.01)")
    parser.set_defaults(sentences=GROUP_SIZE)
    args = parser.parse_args()
    report = Report("supertagging", args)
    sentences = [
        Sentence(sentence.words) for sentence in read_sentences(args.corpus, args.sentences)
    ]
    tokens = sum(len(sentence.words) for sentence in sentences)
    lines = [json.dumps({"tokens": sentence.words}) for sentence in sentences]
    rows, rates = [], []
    for precision in PRECISIONS:
        labeller = make_labeller(sentences, args.beta, args.max_tokens, precision)
        runs = times_in_turns([functools.partial(supertag, labeller, lines)], args.runs)
        time = statistics.median(runs[0])
        candidates = [
            len(ranked)
            for line in supertag(labeller, lines[:100])
            for ranked in json.loads(line)["candidates"]
        ]
        rates.append(len(sentences) / time)
        rows.append([precision, sum(candidates) / len(candidates), rates[-1], tokens / time])
    report.table(["stacked_bilstm", "candidates/token", "sentences/s", "tokens/s"], rows)
    report.at_least("sentences/s per core", max(rates) / args.threads, BAR)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
