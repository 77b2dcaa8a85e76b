"""
Role labelling accuracy at a given cost: allennlp-models' `srl` with its published config (8 layers
of 300, word vectors, Adadelta, 80 predicates per batch), trained for a number of CPU minutes and
given the gold predicates of the development sentences. `lisa evaluate` scores LISA in the same way;
set --minutes to the time that LISA's training took.

    python -m benchmarks.roles --corpus DIR --minutes N [--json FILE]
"""

import copy
import itertools
import random
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Sequence

import torch
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.data import Batch, Instance, Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin  # noqa: F401
from benchmarks.common import DEFAULT_SEEDS, Report, clock, make_parser
from benchmarks.systems import PEER, group_by_length, make_peer_reader, peer_instances
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.training.metrics import SrlScore

BATCH_SIZE = 80
TOKENS_TO_LABEL = 4000


def read(corpus: Path, part: str) -> List[Sentence]:
    """The sentences with a predicate in a part of the corpus."""
    sentences = Conll12SrlReader().read_sentences(corpus / f"ewt-{part}.gold_conll")
    return [sentence for sentence in sentences if sentence.frames]


def make_model(vectors: Path, instances: Sequence[Instance]) -> Model:
    """The peer with these word vectors and the vocabulary of its training instances."""
    vocab = Vocabulary.from_instances(
        instances,
        min_count={"tokens": 2},
        pretrained_files={"tokens": str(vectors)},
        min_pretrained_embeddings={"tokens": -1},
    )
    params = copy.deepcopy(PEER)
    params["text_field_embedder"]["token_embedders"]["tokens"]["pretrained_file"] = str(vectors)
    params["initializer"] = {"regexes": [["tag_projection_layer.*weight", {"type": "orthogonal"}]]}
    return Model.from_params(Params(params), vocab=vocab)


def endless_batches(instances: Sequence[Instance]) -> Iterator[List[Instance]]:
    """Batches of instances of similar length, in random order, one epoch after the other."""
    by_length = sorted(instances, key=lambda instance: len(instance["tokens"]))  # type: ignore
    starts = list(range(0, len(by_length), BATCH_SIZE))
    while True:
        random.shuffle(starts)
        for start in starts:
            yield by_length[start : start + BATCH_SIZE]


def train(model: Model, instances: Sequence[Instance], seconds: float) -> float:
    """Trains until the time is up. Returns the number of epochs."""
    model.train()
    optimizer = torch.optim.Adadelta(model.parameters(), rho=0.95)
    deadline = clock() + seconds
    for step, batch in enumerate(endless_batches(instances)):
        if clock() > deadline:
            return step * BATCH_SIZE / len(instances)
        loss = model(**Batch(batch).as_tensor_dict())["loss"]
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    raise AssertionError("batches do not end")


@torch.inference_mode()
def score(
    model: Model, sentences: Sequence[Sentence], instances: Sequence[Instance]
) -> Dict[str, float]:
    """LISA's metrics for the peer's labels of the gold predicates."""
    model.eval()
    roles: Dict[int, List[str]] = {}
    for group in group_by_length(instances, TOKENS_TO_LABEL):
        for instance, output in zip(group, model.forward_on_instances(group), strict=True):
            roles[id(instance)] = output["tags"]
    labelled = iter([roles[id(instance)] for instance in instances])
    metric = SrlScore()
    for gold in sentences:
        frames = [Frame(f.predicate, next(labelled)) for f in gold.frames or []]
        metric([Sentence(gold.words, frames=frames)], [gold])
    return metric.get_metric()


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--minutes", type=float, default=30.0, help="CPU minutes of training (default: 30)"
    )
    parser.add_argument(
        "--vectors", type=Path, help="word vectors (default: vectors.100d.txt.gz in --corpus)"
    )
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("found no --corpus; expected a folder with the English Web Treebank")
    report = Report("roles", args, seed=DEFAULT_SEEDS)
    prepare_environment(Params({}))
    reader = make_peer_reader()
    instances = list(peer_instances(reader, read(args.corpus, "train")))
    sentences = read(args.corpus, "dev")
    to_label = list(peer_instances(reader, sentences, with_roles=False))
    model = make_model(args.vectors or args.corpus / "vectors.100d.txt.gz", instances)
    for instance in itertools.chain(instances, to_label):
        instance.index_fields(model.vocab)
    epochs = train(model, instances, 60 * args.minutes)
    scores = score(model, sentences, to_label)
    report.table(
        ["system", "minutes", "epochs", *scores],
        [["allennlp-models srl, gold predicates", args.minutes, epochs, *scores.values()]],
    )
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
