"""
Fits weights that score the rolesets of a predicate by the words around it, and writes them into the
package. A model labels the train part of the English Web Treebank. Its scores of the
candidates are the offsets of a log-linear model, so that the weights correct the model. They do not
depend on dev, on which the result is measured.

    python -m experiments.english.sense_context --corpus EWT
"""

from typing import List, Sequence

import numpy

from experiments.english.contexts import (
    accuracy,
    make_parser,
    open_network,
    read_treebank,
    replace_stage,
    save,
)
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.contexts import SenseContext, open_candidates
from lisa_allennlp.decoding.fitting import Choices, fit
from lisa_allennlp.decoding.frames import Frames
from lisa_allennlp.decoding.log_linear import LogLinear

PENALTY = 1.0
"""Of the squared weights, halved."""

LEAST_COUNT = 2
"""Of a feature among the predicates that may have the roleset."""

UNIT, LEAST_WEIGHT = 0.01, 5
"""Smaller weights, in units, are dropped."""


def main() -> None:
    args = make_parser(__doc__).parse_args()
    train, dev = (
        choices(args.model, read_treebank(args.corpus / f"ewt-{part}.gold_conll"))
        for part in ("train", "dev")
    )
    empty = LogLinear.empty(["score"], UNIT)
    weights = fit(train, empty, PENALTY, LEAST_COUNT, LEAST_WEIGHT)
    save("senses", weights)
    before, after = (accuracy(dev, own) for own in (empty, weights))
    print(f"with several candidates, dev {before:.2f} %, then {after:.2f} %")


def choices(model_name: str, gold: Sequence[Sentence]) -> Choices:
    """Returns the found predicates that have several candidates, one of which is right."""
    model = open_network(model_name)
    senses = {tuple(s.words): {f.predicate: f.sense for f in s.frames or []} for s in gold}
    features: List[List[str]] = []
    scores: List[numpy.ndarray] = []
    right: List[int] = []

    def keep(frames: Frames) -> Frames:
        (numbers, columns), found = open_candidates(frames)
        names = [frames.names.senses.names[n] for n in frames.candidates[numbers, columns].tolist()]
        for number in numpy.unique(numbers).tolist():
            place, own = frames.places[number], numpy.flatnonzero(numbers == number).tolist()
            candidates = [names[n] for n in own]
            sense = senses.get(tuple(place.words), {}).get(place.token)
            if sense in candidates:
                features.extend(found[n] for n in own)
                scores.append(frames.sense_scores[number, columns[own]])
                right.append(candidates.index(sense))
        return frames

    replace_stage(model, SenseContext, [keep])
    model.label(list(map(Request, gold)))
    shape = len(scores), max(map(len, scores))
    places, offsets = numpy.full((*shape, 1), -1), numpy.full(shape, -numpy.inf, numpy.float32)
    first = 0
    for number, own in enumerate(scores):
        places[number, : len(own), 0] = range(first, first + len(own))
        offsets[number, : len(own)] = own
        first += len(own)
    return Choices(features, places, offsets, numpy.array(right))


if __name__ == "__main__":
    main()
