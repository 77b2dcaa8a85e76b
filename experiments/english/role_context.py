"""
Fits weights that score the roles of spans by the roleset, the words and the tree, and writes them
into the package. They are those of a log-linear model of the gold roles of gold spans, of the train
part of the English Web Treebank and of PropBank's examples, with the trees and tags that a model
predicts there. They do not depend on dev, on which the result is measured.

    python -m experiments.english.role_context --corpus EWT --frames propbank-frames
"""

from collections import Counter
from pathlib import Path
from typing import List, NamedTuple, Sequence

import numpy

from experiments.english.contexts import (
    make_parser,
    measure,
    open_network,
    read_treebank,
    replace_stage,
    save,
)
from experiments.english.plan import LEFT_OUT
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.formats.roles import CONTINUATION, REFERENCE, UNKNOWN, VERB, bio_to_spans
from lisa_allennlp.data.preparation.frame_examples import FrameExamples
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.contexts import RoleContext
from lisa_allennlp.decoding.features import Place, role_features
from lisa_allennlp.decoding.fitting import Choices, fit
from lisa_allennlp.decoding.log_linear import LogLinear
from lisa_allennlp.decoding.well_formed import RolesOfRolesets
from lisa_allennlp.inference.model import InferenceModel

PENALTY = 1.0
"""Of the squared weights, halved."""

LEAST_COUNT = 3
"""Of a feature; rarer ones have no weights."""

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
    save("roles", weights)
    gold = read_treebank(args.corpus / "ewt-dev.gold_conll")
    context = RoleContext(weights, RolesOfRolesets(model.role_labels))
    replace_stage(model, RoleContext, [context])
    measure("the context", model, gold)
    replace_stage(model, RoleContext, [])
    measure("none", model, gold)


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
    for sentence, labelled in zip(gold, model.label(list(map(Request, gold))), strict=True):
        assert labelled.pos is not None and labelled.parse is not None
        for frame in sentence.frames or []:
            place = Place(sentence.words, labelled.pos, labelled.parse, frame.predicate)
            sense = frame.sense or UNKNOWN
            for role, first, last in bio_to_spans(frame.tags):
                if role != VERB and not role.startswith((CONTINUATION, REFERENCE)):
                    features = role_features(place, sense, first, last)
                    found.append(GoldSpan(features, sense, role))
    return found


def fit_roles(gold: Sequence[GoldSpan], roles: Sequence[str]) -> LogLinear:
    """Fits weights of the roles, and of the functions that PropBank gives them."""
    gold = [span for span in gold if span.role in roles]
    inventory = packaged_inventory()
    rolesets = map(inventory.roleset, {span.sense for span in gold})
    functions = sorted({f for r in rolesets if r is not None for f in r.functions.values() if f})
    empty = LogLinear.empty([*roles, *functions])
    labels = [f"{prefix}-{role}" for role in roles for prefix in "BI"]
    context = RoleContext(empty, RolesOfRolesets(labels))
    places, is_lacking = context.alternatives([span.sense for span in gold])
    right = numpy.array([roles.index(span.role) for span in gold])
    # A span may have a role that the inventory lacks, in either corpus.
    is_lacking[numpy.arange(len(gold)), right] = False
    offsets = numpy.where(is_lacking, -numpy.inf, numpy.float32(0))
    choices = Choices([span.features for span in gold], places, offsets, right)
    return fit(choices, empty, PENALTY, LEAST_COUNT, LEAST_WEIGHT)


if __name__ == "__main__":
    main()
