"""
Fits weights that score the rolesets of a predicate by the words around it, and writes them into the
package. A model labels the train part of the English Web Treebank. Its scores of the
candidates are the offsets of a log-linear model, so that the weights correct the model. They do not
depend on dev, on which the result is measured.

    python -m experiments.sense_context --corpus EWT
"""

import gzip
import json
from collections import Counter, defaultdict
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence

import numpy
import torch

from experiments.contexts import make_parser, open_network, read_treebank
from lisa_allennlp.data.formats.roles import UNKNOWN, split_roleset
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.sense_context import PACKAGED_FILE, SenseContext, sense_features

PENALTY = 0.5
"""Of the squared weights."""

LEAST_COUNT = 2
"""Of a feature among the predicates of a verb."""

LEAST_WEIGHT = 5
"""In hundredths; smaller weights are dropped."""

STEPS = 60

Weights = Dict[str, Dict[str, int]]


class Choice(NamedTuple):
    """A predicate with its features, its candidates and their scores, and the gold roleset."""

    features: List[str]
    candidates: List[str]
    scores: List[float]
    gold: str


def main() -> None:
    args = make_parser(__doc__).parse_args()
    weights = fit(choices(args.model, read_treebank(args.corpus / "ewt-train.gold_conll")))
    text = json.dumps(weights, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # Without the time, so that the same weights make the same file.
    PACKAGED_FILE.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    found = choices(args.model, read_treebank(args.corpus / "ewt-dev.gold_conll"))
    before, after = (100 * accuracy(found, own) for own in ({}, weights))
    number = sum(map(len, weights.values()))
    print(f"{number} weights; with several candidates, dev {before:.2f} %, then {after:.2f} %")


class _Choices(SenseContext):
    """Keeps the choices that a decoder makes, instead of correcting them."""

    def __init__(self, gold: Sequence[Sentence], senses: Sequence[str]) -> None:
        super().__init__({}, senses)
        self._senses = senses
        self._gold = {id(s.words): {f.predicate: f.sense for f in s.frames or []} for s in gold}
        self.found: List[Choice] = []

    def corrected(
        self,
        scores: numpy.ndarray,
        candidates: numpy.ndarray,
        words: Sequence[str],
        tags: Sequence[str],
        predicate: int,
        *rest: Any,
    ) -> numpy.ndarray:
        names = [self._senses[number] for number in candidates.tolist()]
        gold = self._gold[id(words)].get(predicate, UNKNOWN)
        if gold in names:
            features = sense_features(words, tags, predicate, *rest)
            self.found.append(Choice(features, names, scores.tolist(), gold))
        return scores


def choices(model_name: str, gold: Sequence[Sentence]) -> List[Choice]:
    """Returns the found predicates that have several candidates, one of which is right."""
    model = open_network(model_name)
    senses = model._decoder._names.senses
    senses.context = found = _Choices(gold, list(senses.numbers))
    model.label(gold)
    return found.found


def fit(found: Sequence[Choice]) -> Weights:
    """Fits weights by maximum likelihood, with a penalty."""
    counts = Counter(
        (_verb(choice.gold), feature) for choice in found for feature in choice.features
    )
    numbers: Dict[Any, int] = {}
    entries: List[int] = []
    places: List[int] = []
    width = max(len(choice.candidates) for choice in found)
    scores = torch.full((len(found), width), -torch.inf)
    for row, choice in enumerate(found):
        scores[row, : len(choice.scores)] = torch.tensor(choice.scores)
        verb = _verb(choice.gold)
        features = [feature for feature in choice.features if counts[verb, feature] >= LEAST_COUNT]
        for column, sense in enumerate(choice.candidates):
            for feature in features:
                entries.append(numbers.setdefault((feature, sense), len(numbers)))
                places.append(row * width + column)
    gold = torch.tensor([choice.candidates.index(choice.gold) for choice in found])
    entry, place = torch.tensor(entries), torch.tensor(places)
    weights = torch.zeros(len(numbers), requires_grad=True)
    optimizer = torch.optim.Adagrad([weights], lr=0.2)
    for _ in range(STEPS):
        optimizer.zero_grad()
        sums = torch.zeros(scores.numel()).index_add(0, place, weights[entry])
        loss = torch.nn.functional.cross_entropy(
            scores + sums.view_as(scores), gold, reduction="sum"
        )
        (loss + PENALTY * weights.square().sum()).backward()
        optimizer.step()
    fitted: Weights = defaultdict(dict)
    hundredths = (100 * weights).round().int().tolist()
    for (feature, sense), weight in zip(numbers, hundredths, strict=True):
        if abs(weight) >= LEAST_WEIGHT:
            fitted[feature][sense] = weight
    return fitted


def accuracy(found: Sequence[Choice], weights: Mapping[str, Mapping[str, int]]) -> float:
    right = 0
    for choice in found:
        own = [weights[feature] for feature in choice.features if feature in weights]
        sums = [sum(entry.get(sense, 0) for entry in own) / 100 for sense in choice.candidates]
        best = numpy.add(choice.scores, sums).argmax()
        right += choice.candidates[best] == choice.gold
    return right / len(found)


def _verb(sense: str) -> str:
    return split_roleset(UNKNOWN, sense)[0].partition("_")[0]


if __name__ == "__main__":
    main()
