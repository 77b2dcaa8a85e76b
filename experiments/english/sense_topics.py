"""
Writes the topics of rolesets into the package: vectors of frequent words, reduced to a few
dimensions; those of the words around the predicates of each roleset, and of their arguments; and
the patterns in which they occur, in the train part of the English Web Treebank, with its trees, and
in the examples of PropBank's frames. Eleven factors, which say how much these count, are fitted on
dev; cross-validation says what they bring.

    python -m experiments.english.sense_topics --corpus EWT --frames propbank-frames \\
        --vectors vectors.txt.gz
"""

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import List, NamedTuple, Sequence, Tuple

import numpy

from experiments.english.contexts import make_parser, read_treebank, replace_stage
from experiments.english.plan import LEFT_OUT
from lisa_allennlp import pretrained
from lisa_allennlp.data.formats.propbank_frames import class_of, packaged_inventory
from lisa_allennlp.data.formats.roles import UNKNOWN, split_roleset
from lisa_allennlp.data.preparation.frame_examples import FrameExamples
from lisa_allennlp.data.request import Request, marks_of
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.contexts import TopicContext
from lisa_allennlp.decoding.features import PATTERNS, Place, argument_heads, pattern_features
from lisa_allennlp.decoding.frames import Frames
from lisa_allennlp.decoding.label_names import verb_of
from lisa_allennlp.decoding.lexicon import FILES
from lisa_allennlp.decoding.log_linear import keys_of
from lisa_allennlp.decoding.sense_topics import CLASSES, PATTERN_UNIT, UNIT, SenseTopics
from lisa_allennlp.inference.model import InferenceModel

NUM_WORDS, NUM_DIMENSIONS = 20_000, 32

PRIOR_COUNT = 2
"""Predicates without a topic that each roleset counts as having beside its own."""

RARE = 30
"""A verb is rare if its rolesets have fewer predicates in the train part together."""

OF_SCORES = 0.55
"""
The factor of the model's scores. Dev, which is like the train part, would have 0.7, with as many
right rolesets. On the sentences of `fixtures/golden`, which are not, less is better.
"""

NEUTRAL = numpy.array([1.0, *[0.0] * 10], numpy.float32)

PENALTY = 1.0
"""Of the squared factors, halved."""

LEAST_SHARE = 0.002
"""Of the predicates of a roleset that have a pattern."""

PATTERN_COUNT = 3
"""Predicates with the patterns of its parts of speech that each roleset counts as having."""

FOLDS = 5


class Choices(NamedTuple):
    """For each predicate its candidates' features, (N, C, 11), -inf for padding; the right one."""

    features: numpy.ndarray
    gold: numpy.ndarray


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--frames", type=Path, required=True, help="a checkout of propbank-frames")
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors as of GloVe")
    args = parser.parse_args()
    model = InferenceModel.open(pretrained.resolve(args.model))
    train, dev = (
        read_treebank(args.corpus / f"ewt-{part}.gold_conll") for part in ("train", "dev")
    )
    words, vectors = word_vectors(args.vectors)
    topics = sense_topics(train, examples(model, args.frames, train), words, vectors)
    choices = candidates(model, dev, topics)
    fold = numpy.random.default_rng(0).integers(0, FOLDS, len(choices.gold))
    right = numpy.zeros(len(fold), bool)
    for number in range(FOLDS):
        held_out = fold == number
        own = fit(Choices(*(values[~held_out] for values in choices)))
        right[held_out] = is_right(Choices(*(values[held_out] for values in choices)), own)
    before, factors = is_right(choices, NEUTRAL), fit(choices)
    print(f"with several candidates, {len(fold)} of dev: right {100 * before.mean():.2f} %, with")
    print(f"the topics {100 * right.mean():.2f} % ({(right & ~before).sum()} mended,", end=" ")
    print(f"{(before & ~right).sum()} broken); factors {factors.round(2).tolist()}")
    numpy.savez_compressed(FILES["topics"], **topics._replace(factors=factors)._asdict())


def word_vectors(path: Path) -> Tuple[List[str], numpy.ndarray]:
    """
    Returns the most frequent words, which come first in the file, and their vectors in the
    directions of the largest variance, of length log(rank) / 8, as 8-bit integers.
    """
    words, rows = [], []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.rstrip().split(" ")
            if len(numbers) > 1:
                words.append(word)
                rows.append(numpy.array(numbers, numpy.float32))
    vectors = _normalised(numpy.stack(rows) - numpy.mean(rows, axis=0))[:NUM_WORDS]
    vectors -= vectors.mean(0)
    directions = numpy.linalg.svd(vectors, full_matrices=False)[2]
    vectors = _normalised(vectors @ directions[:NUM_DIMENSIONS].T)
    vectors *= numpy.log(1 + numpy.arange(len(vectors)))[:, None] / 8
    return words[:NUM_WORDS], (127 * vectors / abs(vectors).max()).round().astype(numpy.int8)


def _normalised(vectors: numpy.ndarray) -> numpy.ndarray:
    return vectors / (numpy.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def examples(model: InferenceModel, frames: Path, train: Sequence[Sentence]) -> List[Sentence]:
    """
    Returns the examples of PropBank's frames, with the trees of a model and one frame each. Those
    with arguments that cannot be placed are only of rolesets that have no other.
    """
    leave_out = frozenset(LEFT_OUT.read_text().split())
    found = list(FrameExamples(frames, leave_out))
    known = {frame.sense for s in train for frame in s.frames or []}
    known.update(example.sense for example in found)
    partial = FrameExamples(frames, leave_out, partial=True)
    found += [example for example in partial if example.sense not in known]
    labelled = model.label([Request(Sentence(example.words)) for example in found])
    return [
        replace(sentence, frames=[Frame(predicate, tags, sense=sense)])
        for sentence, (sense, _, predicate, tags) in zip(labelled, found, strict=True)
    ]


def sense_topics(
    train: Sequence[Sentence],
    others: Sequence[Sentence],
    words: Sequence[str],
    vectors: numpy.ndarray,
) -> SenseTopics:
    """Returns the topics of all rolesets of the inventory and the treebank; neutral factors."""
    counts = Counter(frame.sense for s in train for frame in s.frames or [])
    of_verbs: Counter[str] = Counter()
    of_lemmas: Counter[str] = Counter()
    for sense, number in counts.items():
        of_verbs[verb_of(sense)] += number
        of_lemmas[split_roleset(UNKNOWN, sense)[0]] += number
    inventory = {roleset.sense: roleset for roleset in packaged_inventory()}
    names = sorted({*inventory, *counts}, key=lambda name: keys_of([name])[0])
    keys = keys_of(words)
    order = numpy.argsort(keys, kind="stable")
    classes = numpy.array(
        [
            [name not in inventory or kind in inventory[name].words for kind in CLASSES]
            for name in names
        ]
    )
    numbers = {name: number for number, name in enumerate(names)}
    zeros = numpy.zeros((len(names), NUM_DIMENSIONS), numpy.int8)
    topics = SenseTopics(
        keys[order],
        vectors[order],
        keys_of(names),
        zeros,
        zeros,
        zeros,
        numpy.zeros((len(names), len(PATTERNS)), numpy.int8),
        classes,
        numpy.array([name.endswith(".01") and of_verbs[verb_of(name)] < RARE for name in names]),
        numpy.log1p([of_lemmas[split_roleset(UNKNOWN, name)[0]] for name in names]).astype("f2"),
        NEUTRAL,
    )
    known = [(s, frame) for s in (*train, *others) for frame in s.frames or [] if frame.sense]
    senses = numpy.array([numbers[frame.sense] for _, frame in known])
    places = [
        Place(s.words, s.pos, s.parse, frame.predicate)
        for s, frame in known
        if s.pos is not None and s.parse is not None
    ]
    first = numpy.array([frame.predicate for _, frame in known])
    around = [
        topics.around([place.words], [place.tags], numpy.zeros(1, int), first[number : number + 1])
        for number, place in enumerate(places)
    ]
    heads = zip(*map(argument_heads, places), strict=True)
    tables = [numpy.concatenate(around), *map(topics.of_words, heads)]
    means = [_means(senses, vectors, len(names)) for vectors in tables]
    present = numpy.zeros((len(known), len(PATTERNS)), bool)
    for own, place, (_, frame) in zip(present, places, known, strict=True):
        own[pattern_features(place, frame.tags)] = True
    own_classes = numpy.array([CLASSES.index(class_of(place.tag())) for place in places])
    patterns = _patterns(senses, present, own_classes, classes)
    names_of_tables = "sense_vectors", "objects", "arguments"
    return topics._replace(**dict(zip(names_of_tables, means, strict=True)), patterns=patterns)


def _means(senses: numpy.ndarray, vectors: numpy.ndarray, size: int) -> numpy.ndarray:
    """The mean vector of each roleset, from those of its predicates, (N, D), without zero ones."""
    sums, counts = numpy.zeros((size, vectors.shape[1])), numpy.full(size, float(PRIOR_COUNT))
    numpy.add.at(sums, senses, vectors)
    numpy.add.at(counts, senses, vectors.any(1))
    return (UNIT * sums / counts[:, None]).round().astype(numpy.int8)


def _patterns(
    senses: numpy.ndarray, present: numpy.ndarray, own: numpy.ndarray, classes: numpy.ndarray
) -> numpy.ndarray:
    """
    The scores of the patterns of each roleset, (S, P), from those of N predicates, (N, P) bool,
    their numbers of rolesets and of `CLASSES`, and the classes of rolesets, (S, 3) bool.
    """
    sums, totals = numpy.zeros((len(classes), present.shape[1])), numpy.zeros(len(classes))
    numpy.add.at(sums, senses, present)
    numpy.add.at(totals, senses, 1)
    of_classes = numpy.stack([present[own == number].mean(0) for number in range(len(CLASSES))])
    mixtures = classes.astype(float)
    numpy.add.at(mixtures, (senses, own), 1)
    prior = mixtures @ of_classes / numpy.maximum(mixtures.sum(1, keepdims=True), 1)
    shares = (sums + PATTERN_COUNT * prior) / (totals[:, None] + PATTERN_COUNT)
    shares, general = (
        numpy.clip(x, LEAST_SHARE, 1 - LEAST_SHARE) for x in (shares, present.mean(0))
    )
    absent = numpy.log((1 - shares) / (1 - general))
    scores = numpy.log(shares / general) - absent
    scores[:, 0] = absent[:, 1:].sum(1)
    return (PATTERN_UNIT * scores).round().clip(-127, 127).astype(numpy.int8)


def candidates(model: InferenceModel, gold: Sequence[Sentence], topics: SenseTopics) -> Choices:
    """Returns the choices of the predicates that have several candidates, one of which is right."""
    senses = {id(s.words): {f.predicate: f.sense for f in s.frames or []} for s in gold}
    names = model.decoder.names.senses.names
    context = TopicContext(topics, model.decoder.names.senses)
    features: List[numpy.ndarray] = []
    right: List[int] = []

    def keep(frames: Frames) -> Frames:
        found = context.features(frames)
        for number, place in enumerate(frames.places):
            own = [names[n] for n in frames.candidates[number].tolist() if n >= 0]
            sense = senses[id(place.words)].get(place.token)
            if len(own) > 1 and sense in own:
                features.append(found[number, : len(own)])
                right.append(own.index(sense))
        return frames

    replace_stage(model, TopicContext, [keep])
    requests = [Request(s, predicates=marks_of(s)) for s in gold if s.frames]
    model.label(requests)
    padded = numpy.full((len(features), max(map(len, features)), len(NEUTRAL)), -numpy.inf)
    for number, own in enumerate(features):
        padded[number, : len(own)] = own
    return Choices(padded, numpy.array(right))


def fit(choices: Choices) -> numpy.ndarray:
    """
    Returns the factors of the highest penalised likelihood, by Newton's method, where that of the
    scores is `OF_SCORES`.
    """
    factors, rows = OF_SCORES * NEUTRAL.astype(float), numpy.arange(len(choices.gold))
    is_padding = numpy.isinf(choices.features[..., 0])
    features = numpy.where(is_padding[..., None], 0.0, choices.features)
    own = features[..., 1:]
    for _ in range(20):
        scores = numpy.where(is_padding, -numpy.inf, features @ factors)
        shares = numpy.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        means = numpy.einsum("nc,ncf->nf", shares, own)
        gradient = (own[rows, choices.gold] - means).sum(0) - PENALTY * factors[1:]
        spread = numpy.einsum("nc,ncf,ncg->fg", shares, own, own) - means.T @ means
        factors[1:] += numpy.linalg.solve(spread + PENALTY * numpy.eye(len(gradient)), gradient)
    return factors.astype(numpy.float32)


def is_right(choices: Choices, factors: numpy.ndarray) -> numpy.ndarray:
    """(N,) bool: whether the right candidate has the highest score."""
    is_padding = numpy.isinf(choices.features[..., 0])
    features = numpy.where(is_padding[..., None], 0.0, choices.features)
    return numpy.where(is_padding, -numpy.inf, features @ factors).argmax(1) == choices.gold


if __name__ == "__main__":
    main()
