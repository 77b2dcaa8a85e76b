"""
Speed of whole-corpus supertagging: the stacked bi-LSTM at published size (512 cells, 200d words,
1,285 categories and the rare symbol), from words to categories, those within beta included.

    python -m benchmarks.supertagging [--corpus DIR] [--threads N] [--check]
"""

import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import describe_machine, make_parser, print_table, seconds
from lisa_allennlp.data.formats.ccg import SupertaggedSentence
from lisa_allennlp.data.formats.ccg_dependencies import parse_dependency_supertags
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.predictors.ccg_supertagger import CcgSupertaggerPredictor

BAR = 1000.0
# Lines that the command `predict` reads before it predicts.
BATCH_SIZE = 1000
NUM_LABELS = 1286
SAMPLE = Path("fixtures/sample/train.conllu")
CONFIG = "training_configs/ccg/stacked_bilstm.jsonnet"


def read_words(corpus: Optional[Path], limit: int) -> List[SupertaggedSentence]:
    """The first `limit` sentences without annotation; the sample's are repeated."""
    path = SAMPLE if corpus is None else corpus / "ewt-train.conllu"
    sentences = parse_dependency_supertags(read_lines(path), path)
    words = [SupertaggedSentence(s.words) for s in itertools.islice(sentences, limit)]
    if corpus is None:
        print(f"No --corpus: the sample's {len(words)} sentences, repeated to {limit}.")
    return list(itertools.islice(itertools.cycle(words), limit))


def make_predictor(
    sentences: List[SupertaggedSentence], beta: float, batch_size: int, bfloat16: bool
) -> CcgSupertaggerPredictor:
    """With an untrained model: what a network is taught makes no difference to its speed."""
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
    # As few candidates as a trained model has, to which all categories are not about as good.
    params["model"]["initializer"] = {
        "regexes": [["_output_layer.weight", {"type": "normal", "std": 40.0}]]
    }
    model = Model.from_params(params["model"], vocab=vocab).eval()
    return CcgSupertaggerPredictor(
        model, reader, beta=beta, batch_size=batch_size, bfloat16=bfloat16
    )


def supertag(
    predictor: CcgSupertaggerPredictor, sentences: List[SupertaggedSentence]
) -> List[Dict[str, Any]]:
    """Supertags all sentences, as many at once as the command `predict` reads."""
    inputs = [{"tokens": sentence.words} for sentence in sentences]
    return [
        output
        for start in range(0, len(inputs), BATCH_SIZE)
        for output in predictor.predict_batch_json(inputs[start : start + BATCH_SIZE])
    ]


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--batch-size", type=int, default=64, help="sentences (default: 64)")
    parser.add_argument("--beta", type=float, default=0.01, help="the cut-off (default: 0.01)")
    parser.set_defaults(sentences=4000)
    args = parser.parse_args()
    describe_machine(args.threads)
    sentences = read_words(args.corpus, args.sentences)
    tokens = sum(len(sentence.words) for sentence in sentences)
    rows, rates = [], []
    for bfloat16 in (False, True):
        predictor = make_predictor(sentences, args.beta, args.batch_size, bfloat16)
        time = seconds(lambda p=predictor: supertag(p, sentences), args.runs)
        outputs = supertag(predictor, sentences[:100])
        candidates = [len(ranked) for output in outputs for ranked in output["candidates"]]
        rates.append(len(sentences) / time)
        rows.append(
            [
                "bfloat16" if bfloat16 else "float32",
                f"{sum(candidates) / len(candidates):.1f}",
                f"{rates[-1]:.1f}",
                f"{tokens / time:.0f}",
            ]
        )
    print_table(["stacked_bilstm", "candidates/token", "sentences/s", "tokens/s"], rows)
    print(f"{max(rates):.0f} sentences/s (bar: {BAR:.0f}).")
    return int(args.check and max(rates) < BAR)


if __name__ == "__main__":
    sys.exit(main())
