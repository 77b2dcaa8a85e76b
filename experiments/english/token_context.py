"""
Fits weights that score tags, and which tokens are predicates, by the words and the tree around
them, and writes them into the package. They are those of log-linear models of the gold tags and
predicates of the train part of the English Web Treebank, with the trees and tags that a model
predicts there. They do not depend on dev, on which the result is measured.

    python -m experiments.english.token_context --corpus EWT
"""

from typing import Dict, Iterator, List, Sequence, Tuple

from experiments.english.contexts import make_parser, measure, open_network, read_treebank, save
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.contexts import PredicateContext, TagContext
from lisa_allennlp.decoding.decoder import TokenStage
from lisa_allennlp.decoding.features import Place, predicate_features, tag_features
from lisa_allennlp.decoding.fitting import Choices, fit
from lisa_allennlp.decoding.log_linear import LogLinear

TAGS_PENALTY, PREDICATES_PENALTY = 0.5, 1.0
"""Of the squared weights, halved."""

LEAST_COUNT = 3
"""Of a feature; rarer ones have no weights."""

LEAST_WEIGHT = 4
"""In units; smaller weights are dropped."""

TAGS_OF_PREDICATES = ("JJ", "NN", "VB")
"""The beginnings of the tags of the tokens that predicates are told from."""

LEAST_PROBABILITY = 0.05
"""So are other tokens that the network finds more probable than this."""


def main() -> None:
    args = make_parser(__doc__).parse_args()
    model = open_network(args.model)
    gold = read_treebank(args.corpus / "ewt-train.gold_conll")
    labelled = model.label(list(map(Request, gold)))
    tags, predicates = fit_tags(gold, labelled), fit_predicates(gold, labelled)
    save("tags", tags)
    save("predicates", predicates)
    gold = read_treebank(args.corpus / "ewt-dev.gold_conll")
    contexts: Dict[str, TokenStage] = {
        "tags": TagContext(tags),
        "predicates": PredicateContext(predicates),
    }
    for names in ([], ["tags"], ["predicates"], ["tags", "predicates"]):
        model.decoder.token_stages[:] = [contexts[name] for name in names]
        measure(" and ".join(names) or "neither", model, gold)


def fit_tags(gold: Sequence[Sentence], labelled: Sequence[Sentence]) -> LogLinear:
    """Fits weights to the gold tags of all tokens."""
    found: List[List[str]] = []
    right: List[str] = []
    for sentence, place in places(gold, labelled):
        assert sentence.pos is not None
        found.append(tag_features(place))
        right.append(sentence.pos[place.token])
    return _fit(found, right, sorted(set(right)), TAGS_PENALTY)


def fit_predicates(gold: Sequence[Sentence], labelled: Sequence[Sentence]) -> LogLinear:
    """Fits weights to the gold predicates, and to the tokens that might be some."""
    found: List[List[str]] = []
    right: List[str] = []
    probabilities = {id(s.words): s.predicate_probabilities for s in labelled}
    for sentence, place in places(gold, labelled):
        is_gold = any(frame.predicate == place.token for frame in sentence.frames or [])
        probability = (probabilities[id(place.words)] or [])[place.token]
        is_open = place.tag().startswith(TAGS_OF_PREDICATES) or probability > LEAST_PROBABILITY
        if is_gold or is_open:
            found.append(predicate_features(place))
            right.append("yes" if is_gold else "no")
    return _fit(found, right, ["no", "yes"], PREDICATES_PENALTY)


def _fit(
    found: Sequence[Sequence[str]], right: Sequence[str], labels: Sequence[str], penalty: float
) -> LogLinear:
    choices = Choices.of_columns(found, right, labels)
    return fit(choices, LogLinear.empty(labels), penalty, LEAST_COUNT, LEAST_WEIGHT)


def places(
    gold: Sequence[Sentence], labelled: Sequence[Sentence]
) -> Iterator[Tuple[Sentence, Place]]:
    """Returns the tokens with the model's tags and trees, each with its gold sentence."""
    for sentence, own in zip(gold, labelled, strict=True):
        assert own.pos is not None and own.parse is not None
        for token in range(len(own.words)):
            yield sentence, Place(own.words, own.pos, own.parse, token)


if __name__ == "__main__":
    main()
