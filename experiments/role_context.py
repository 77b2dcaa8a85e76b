"""
Fits weights that score the roles of spans by the roleset, the words and the tree, and writes them
into the package. They are those of a log-linear model of the gold roles of gold spans, of the train
part of the English Web Treebank and of PropBank's examples, with the trees and tags that a model
predicts there. They do not depend on dev, on which the result is measured.

    python -m experiments.role_context --corpus EWT --frames propbank-frames
"""

from collections import Counter
from pathlib import Path
from typing import List, NamedTuple, Sequence

import numpy

from experiments.contexts import make_parser, open_network, read_treebank
from experiments.english import LEFT_OUT
from experiments.log_linear import Columns, fit
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.formats.roles import CONTINUATION, REFERENCE, UNKNOWN, VERB, bio_to_spans
from lisa_allennlp.data.preparation.frame_examples import FrameExamples
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.log_linear import LogLinear
from lisa_allennlp.decoding.role_context import PACKAGED_FILE, RoleContext, role_features
from lisa_allennlp.inference.model import InferenceModel
from lisa_allennlp.training.metrics import SrlScore

PENALTY = 1.0
"""Of the squared weights, halved."""

LEAST_WEIGHT = 3
"""In units; smaller weights are dropped."""

LEAST_SPANS = 20
"""Of a role; others are not scored."""


class GoldSpan(NamedTuple):
    """The features of a span, the roleset of its predicate, and its role."""

    features: List[str]
    sense: str
    role: str


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--frames", type=Path, required=True, help="propbank/propbank-frames")
    args = parser.parse_args()
    model = open_network(args.model)
    treebank = spans(model, read_treebank(args.corpus / "ewt-train.gold_conll"))
    counts = Counter(span.role for span in treebank)
    roles = [role for role, count in counts.most_common() if count >= LEAST_SPANS]
    weights = fit_roles([*treebank, *spans(model, examples(args.frames))], roles)
    weights.save(PACKAGED_FILE)
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


def fit_roles(gold: Sequence[GoldSpan], roles: Sequence[str]) -> LogLinear:
    """Fits weights of the roles, and of the functions that PropBank gives them."""
    gold = [span for span in gold if span.role in roles]
    inventory = packaged_inventory()
    rolesets = map(inventory.roleset, {span.sense for span in gold})
    functions = sorted({f for r in rolesets if r is not None for f in r.functions.values() if f})
    columns = numpy.array([*roles, *functions])
    empty = LogLinear(
        numpy.zeros(1, numpy.uint32), numpy.zeros((1, len(columns)), numpy.int8), columns
    )
    context = RoleContext(empty, [f"{prefix}-{role}" for role in roles for prefix in "BI"])
    of_spans = [context.of_roleset(span.sense) for span in gold]
    others, is_out = map(numpy.stack, zip(*of_spans, strict=True))
    # A span may have a role that the inventory lacks, in either corpus.
    is_out[numpy.arange(len(gold)), [roles.index(span.role) for span in gold]] = False
    return fit(
        [span.features for span in gold],
        [span.role for span in gold],
        roles,
        PENALTY,
        LEAST_WEIGHT,
        functions,
        Columns(others % (len(columns) + 1), is_out),
    )


if __name__ == "__main__":
    main()
