"""
Fits weights that score the arcs of trees by the words, the tags and the rest of the tree, and
writes them into the package. They are those of a log-linear model of the gold arcs of the train
part of the English Web Treebank, among the arcs that compete in the scores of a model, with its
trees and tags there. They do not depend on dev, on which the result is measured.

    python -m experiments.english.tree_context --corpus EWT
"""

from typing import List, Sequence

import numpy

from experiments.english.contexts import make_parser, measure, open_network, read_treebank, save
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.contexts import TreeContext, competing_arcs
from lisa_allennlp.decoding.features import arc_features
from lisa_allennlp.decoding.fitting import Choices, fit
from lisa_allennlp.decoding.log_linear import LogLinear
from lisa_allennlp.decoding.tokens import Tokens
from lisa_allennlp.inference.model import InferenceModel

PENALTY = 1.0
"""Of the squared weights, halved."""

LEAST_COUNT = 3
"""Of a feature; rarer ones have no weights."""

LEAST_WEIGHT = 3
"""In units; smaller weights are dropped."""

LARGEST_GAP = 8.0
"""Where the network's scores are further apart, the features would learn nothing new."""


def main() -> None:
    args = make_parser(__doc__).parse_args()
    model = open_network(args.model)
    weights = fit_arcs(model, read_treebank(args.corpus / "ewt-train.gold_conll"))
    save("arcs", weights)
    gold = read_treebank(args.corpus / "ewt-dev.gold_conll")
    measure("none", model, gold)
    temperature = model.decoder.confidence.arc_temperature
    model.decoder.token_stages[:] = [TreeContext(weights, temperature)]
    measure("the context", model, gold)


def fit_arcs(model: InferenceModel, gold: Sequence[Sentence]) -> LogLinear:
    """Fits weights to the gold arcs of the tokens for which they compete with others."""
    trees = {tuple(sentence.words): sentence.parse for sentence in gold}
    features: List[List[str]] = []
    places: List[List[int]] = []
    right: List[int] = []

    def collect(tokens: Tokens) -> Tokens:
        for place, competing in competing_arcs(tokens, LARGEST_GAP).of_tokens(tokens):
            tree = trees[tuple(place.words)]
            assert tree is not None
            # With the rest of the tree, an arc from below the token would be a cycle.
            below = set(place.parse.subtree(place.token)) - {place.token}
            competing = [(head, label) for head, label in competing if head not in below]
            arc = tree.head_indices[place.token], tree.head_tags[place.token]
            if arc in competing:
                right.append(competing.index(arc))
                places.append(list(range(len(features), len(features) + len(competing))))
                features.extend(arc_features(place, competing))
        return tokens

    model.decoder.token_stages[:] = [collect]
    model.label(list(map(Request, gold)))
    model.decoder.token_stages.clear()
    width = max(map(len, places))
    padded = numpy.array([[*own, *[-1] * (width - len(own))] for own in places])
    offsets = numpy.where(padded < 0, -numpy.inf, 0).astype(numpy.float32)
    choices = Choices(features, padded[..., None], offsets, numpy.array(right))
    return fit(choices, LogLinear.empty([""]), PENALTY, LEAST_COUNT, LEAST_WEIGHT)


if __name__ == "__main__":
    main()
