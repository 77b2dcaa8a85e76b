"""
Scores the rolesets of a predicate by the words around it, its dependents and its arguments.

    >>> weights = {"obj hand": {"give.01": -50, "give.LV": 125}}
    >>> context = SenseContext(weights, ["give.01", "give.LV"])
    >>> words, tags = ["Give", "me", "a", "hand"], ["VB", "PRP", "DT", "NN"]
    >>> parse = Parse([0, 0, 3, 0], ["root", "iobj", "det", "obj"])
    >>> roles = ["B-V", "B-ARG2", "B-ARG1", "I-ARG1"]
    >>> scores, candidates = numpy.zeros(2), numpy.array([1, 0])
    >>> context.corrected(scores, candidates, words, tags, 0, roles, parse)
    array([ 1.25, -0.5 ])
"""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence

import numpy

from lisa_allennlp.data.formats.roles import bio_to_spans
from lisa_allennlp.data.sentence import Parse

PACKAGED_FILE = Path(__file__).parents[1] / "pretrained" / "sense_context.json.gz"
"""
A JSON object of the weights, in hundredths, by feature and roleset, which
`experiments.sense_context` fits.
"""

LARGEST_CORRECTION = 4.0
"""Candidates whose scores are lower than the best one by more are not corrected."""


class SenseContext:
    """
    A log-linear model of rolesets. `weights` has, by feature and roleset, hundredths that are added
    to the score of the roleset where the feature occurs; `senses` are the rolesets by index.
    """

    def __init__(self, weights: Mapping[str, Mapping[str, int]], senses: Sequence[str]) -> None:
        numbers = {sense: number for number, sense in enumerate(senses)}
        self._weights: Dict[str, Dict[int, int]] = {
            feature: {numbers[sense]: weight for sense, weight in own.items() if sense in numbers}
            for feature, own in weights.items()
        }

    def corrected(
        self,
        scores: numpy.ndarray,
        candidates: numpy.ndarray,
        words: Sequence[str],
        tags: Sequence[str],
        predicate: int,
        roles: Sequence[str],
        parse: Optional[Parse],
    ) -> numpy.ndarray:
        """
        Returns the scores, (C,), of a predicate's candidates, (C,) indices, with the weights of its
        `sense_features`.
        """
        features = sense_features(words, tags, predicate, roles, parse)
        found = [self._weights[feature] for feature in features if feature in self._weights]
        sums = [sum([own.get(number, 0) for own in found]) for number in candidates.tolist()]
        return scores + numpy.array(sums, scores.dtype) / 100


def sense_features(
    words: Sequence[str],
    tags: Sequence[str],
    predicate: int,
    roles: Sequence[str],
    parse: Optional[Parse],
) -> List[str]:
    """
    Returns the features of a predicate (0-based) with BIO roles, each once: its tag, its relation,
    the words beside it, its dependents by their relations, and its roles, alone and with the heads
    of their spans. Words are in lower case. Without a tree, the first word of a span is its head.
    """
    before = words[predicate - 1].lower() if predicate else ""
    after = words[predicate + 1].lower() if predicate + 1 < len(words) else ""
    found = ["", "tag " + tags[predicate], "-1 " + before, "+1 " + after]
    heads: Sequence[int] = ()
    if parse is not None:
        heads, relations = parse.head_indices, parse.head_tags
        found.append("relation " + relations[predicate])
        found += [
            f"{relations[token]} {words[token].lower()}"
            for token, head in enumerate(heads)
            if head == predicate and token != predicate and relations[token] != "punct"
        ]
    for role, first, last in bio_to_spans(roles):
        if role != "V":
            head = first if parse is None else parse.span_head(first, last)
            found += [role, f"{role} {words[head].lower()}"]
    return list(dict.fromkeys(found))


@cache
def packaged_weights() -> Dict[str, Dict[str, int]]:
    """Returns the weights that the package carries."""
    with gzip.open(PACKAGED_FILE, "rt", encoding="utf-8") as file:
        return json.load(file)
