"""
Fits weights that score the roles of spans by the roleset, the words and the tree, and writes them
into the package. They are those of a log-linear model of the gold roles of gold spans, of the train
part of the English Web Treebank and of PropBank's examples, with the trees and tags that a model
predicts there. They do not depend on dev, on which the result is measured.

    python -m experiments.role_context --corpus EWT --frames propbank-frames
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence

import numpy
import torch

from experiments.english import LEFT_OUT
from experiments.sense_context import read_treebank
from lisa_allennlp import pretrained
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.formats.roles import CONTINUATION, REFERENCE, UNKNOWN, VERB, bio_to_spans
from lisa_allennlp.data.preparation.frame_examples import FrameExamples
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.role_context import (
    PACKAGED_FILE,
    UNIT,
    RoleContext,
    RoleWeights,
    feature_key,
    role_features,
)
from lisa_allennlp.inference.model import InferenceModel
from lisa_allennlp.training.metrics import SrlScore

PENALTY = 1.0
"""Of the squared weights, halved."""

LEAST_COUNT = 3
"""Of a feature."""

LEAST_WEIGHT = 3
"""In units; smaller weights are dropped."""

LEAST_SPANS = 20
"""Of a role; others are not scored."""

RATE = 0.3
STEPS = 60


class GoldSpan(NamedTuple):
    """The features of a span, the roleset of its predicate, and its role."""

    features: List[str]
    sense: str
    role: str


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n\n")[0])
    text = "a folder with ewt-train.gold_conll and ewt-train.conllu, and those of dev"
    parser.add_argument("--corpus", type=Path, required=True, help=text)
    parser.add_argument("--frames", type=Path, required=True, help="propbank/propbank-frames")
    parser.add_argument("--model", default="english", help="(default: %(default)s)")
    args = parser.parse_args()
    model = InferenceModel.open(pretrained.resolve(args.model))
    treebank = spans(model, read_treebank(args.corpus / "ewt-train.gold_conll"))
    counts = Counter(span.role for span in treebank)
    roles = [role for role, count in counts.most_common() if count >= LEAST_SPANS]
    weights = fit([*treebank, *spans(model, examples(args.frames))], roles)
    # Without the time, so that the same weights make the same file.
    numpy.savez_compressed(PACKAGED_FILE, **weights._asdict())
    gold = read_treebank(args.corpus / "ewt-dev.gold_conll")
    print(f"{numpy.count_nonzero(weights.weights):,} weights of {len(weights.features):,} features")
    for context in (None, RoleContext(weights, model.role_labels)):
        model._decoder._role_context = context
        score = SrlScore()
        score(model.label(gold), gold)
        print(f"dev, F1 {'without' if context is None else 'with'}: {score.get_metric()['srl_f1']}")


def examples(folder: Path) -> List[Sentence]:
    """Returns the example sentences of PropBank's frames, with the frames that they illustrate."""
    found = FrameExamples(folder, frozenset(LEFT_OUT.read_text().split()))
    return [
        Sentence(words, frames=[Frame(predicate, tags, sense=sense)])
        for sense, words, predicate, tags in found
    ]


def spans(model: InferenceModel, gold: Sequence[Sentence]) -> List[GoldSpan]:
    """Returns the gold spans, with features from the tags and trees of a model."""
    found = []
    for sentence, labelled in zip(gold, model.label(gold), strict=True):
        assert labelled.pos is not None and labelled.parse is not None
        for frame in sentence.frames or []:
            sense = frame.sense or UNKNOWN
            for role, first, last in bio_to_spans(frame.tags):
                if role != VERB and not role.startswith((CONTINUATION, REFERENCE)):
                    place = frame.predicate, sense, first, last
                    features = role_features(sentence.words, labelled.pos, labelled.parse, *place)
                    found.append(GoldSpan(features, sense, role))
    return found


def fit(gold: Sequence[GoldSpan], roles: Sequence[str]) -> RoleWeights:
    """Fits weights by maximum likelihood, with a penalty."""
    gold = [span for span in gold if span.role in roles]
    counts = Counter(feature for span in gold for feature in span.features)
    numbers: Dict[str, int] = {
        feature: number
        for number, feature in enumerate(f for f, count in counts.items() if count >= LEAST_COUNT)
    }
    inventory = packaged_inventory()
    rolesets = {sense: inventory.roleset(sense) for sense in {span.sense for span in gold}}
    functions = sorted(
        {f for r in rolesets.values() if r is not None for f in r.functions.values()}
    )
    columns = [*roles, *filter(None, functions)]
    context = RoleContext(
        _empty(columns), [f"{prefix}-{role}" for role in roles for prefix in "BI"]
    )
    of_spans = [context.of_roleset(span.sense) for span in gold]
    function, lacking = (
        torch.from_numpy(numpy.stack(parts)) for parts in zip(*of_spans, strict=True)
    )
    # A span may have a role that the inventory lacks, in either corpus.
    right = torch.tensor([roles.index(span.role) for span in gold])
    lacking[torch.arange(len(gold)), right] = False
    function = function % (len(columns) + 1)

    pairs = [
        (row, numbers[feature])
        for row, span in enumerate(gold)
        for feature in span.features
        if feature in numbers
    ]
    present = torch.sparse_coo_tensor(
        torch.tensor(pairs).T, torch.ones(len(pairs)), (len(gold), len(numbers))
    ).coalesce()
    by_span, by_feature = present.to_sparse_csr(), present.T.coalesce().to_sparse_csr()
    weights = torch.zeros(len(numbers), len(columns))
    optimizer = torch.optim.Adagrad([weights], lr=RATE)
    for _ in range(STEPS):
        sums = torch.nn.functional.pad(by_span @ weights, (0, 1))
        scores = sums[:, : len(roles)] + sums.gather(1, function)
        # The gradient by hand: products with sparse matrices have none for these layouts.
        errors = scores.masked_fill(lacking, -torch.inf).softmax(1)
        errors[torch.arange(len(gold)), right] -= 1
        by_column = torch.nn.functional.pad(errors, (0, len(columns) + 1 - len(roles)))
        by_column.scatter_add_(1, function, errors)
        weights.grad = by_feature @ by_column[:, :-1] + PENALTY * weights
        optimizer.step()
    whole = (weights / UNIT).round().clamp(-127, 127).to(torch.int8).numpy()
    whole[abs(whole) < LEAST_WEIGHT] = 0
    keys = numpy.array(list(map(feature_key, numbers)), numpy.uint32)
    order = numpy.argsort(keys, kind="stable")
    kept = order[whole[order].any(1)]
    return RoleWeights(keys[kept], whole[kept], numpy.array(columns))


def _empty(columns: Sequence[str]) -> RoleWeights:
    return RoleWeights(
        numpy.zeros(1, numpy.uint32),
        numpy.zeros((1, len(columns)), numpy.int8),
        numpy.array(columns),
    )


if __name__ == "__main__":
    main()
