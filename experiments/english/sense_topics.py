"""
Writes the topics of rolesets into the package: vectors of frequent words, reduced to a few
dimensions, and those of the words around the predicates of each roleset, in the train part of the
English Web Treebank and in the examples of PropBank's frames. Five factors, which say how much the
topics count, are fitted on dev; cross-validation says what they bring.

    python -m experiments.english.sense_topics --corpus EWT --frames propbank-frames \\
        --vectors vectors.txt.gz
"""

import gzip
from collections import Counter, defaultdict
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence, Tuple

import numpy

from experiments.english.contexts import make_parser, read_treebank, replace_stage
from experiments.english.plan import LEFT_OUT
from lisa_allennlp import pretrained
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.data.preparation.frame_examples import FrameExamples
from lisa_allennlp.data.request import Request, marks_of
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.contexts import TopicContext
from lisa_allennlp.decoding.frames import Frames
from lisa_allennlp.decoding.label_names import verb_of
from lisa_allennlp.decoding.lexicon import TOPICS_FILE
from lisa_allennlp.decoding.log_linear import keys_of
from lisa_allennlp.decoding.sense_topics import CLASSES, UNIT, SenseTopics
from lisa_allennlp.inference.model import InferenceModel

NUM_WORDS, NUM_DIMENSIONS = 20_000, 32

PRIOR_COUNT = 2
"""Predicates without a topic that each roleset counts as having beside its own."""

RARE = 30
"""A verb is rare if its rolesets have fewer predicates in the train part together."""

NEUTRAL = numpy.array([1.0, 0.0, 0.0, 0.0, 0.0], numpy.float32)

PENALTY = 1.0
"""Of the squared differences of the factors from `NEUTRAL`, halved."""

FOLDS = 5


class Choices(NamedTuple):
    """For each predicate its candidates' features, (N, C, 5), -inf for padding; the right one."""

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
    topics = sense_topics(model, train, examples(args.frames), words, vectors)
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
    numpy.savez_compressed(TOPICS_FILE, **topics._replace(factors=factors)._asdict())


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


def examples(frames: Path) -> List[Tuple[Sentence, List[int], List[str]]]:
    """Returns the examples of PropBank's frames: sentence, predicate and roleset."""
    left_out = frozenset(LEFT_OUT.read_text().split())
    return [
        (Sentence(example.words), [example.predicate], [example.sense])
        for example in FrameExamples(frames, left_out)
    ]


def sense_topics(
    model: InferenceModel,
    train: Sequence[Sentence],
    others: Sequence[Tuple[Sentence, List[int], List[str]]],
    words: Sequence[str],
    vectors: numpy.ndarray,
) -> SenseTopics:
    """Returns the topics of all rolesets of the inventory and the treebank; neutral factors."""
    known = [(s, s.predicates or [], [f.sense for f in s.frames or []]) for s in train]
    known += others
    tags = model.predict_pos([Request(sentence) for sentence, _, _ in known])
    counts = Counter(frame.sense for s in train for frame in s.frames or [])
    of_verbs: Counter[str] = Counter()
    for sense, number in counts.items():
        of_verbs[verb_of(sense)] += number
    inventory = {roleset.sense: roleset for roleset in packaged_inventory()}
    names = sorted({*inventory, *counts}, key=lambda name: keys_of([name])[0])
    keys = keys_of(words)
    order = numpy.argsort(keys, kind="stable")
    classes = [
        [name not in inventory or kind in inventory[name].words for kind in CLASSES]
        for name in names
    ]
    is_first = [name.endswith(".01") and of_verbs[verb_of(name)] < RARE for name in names]
    zeros = numpy.zeros((len(names), NUM_DIMENSIONS), numpy.int8)
    topics = SenseTopics(
        keys[order],
        vectors[order],
        keys_of(names),
        zeros,
        numpy.array(classes),
        numpy.array(is_first),
        NEUTRAL,
    )
    sums: Dict[str, numpy.ndarray] = defaultdict(lambda: numpy.zeros(NUM_DIMENSIONS))
    numbers: Counter[str] = Counter()
    for (sentence, predicates, senses), own_tags in zip(known, tags, strict=True):
        row = numpy.zeros(len(predicates), int)
        places = numpy.array(predicates, int)
        for sense, topic in zip(
            senses, topics.around([sentence.words], [own_tags], row, places), strict=True
        ):
            sums[sense] += topic
            numbers[sense] += bool(topic.any())
    means = [sums[name] / (numbers[name] + PRIOR_COUNT) for name in names]
    return topics._replace(sense_vectors=(UNIT * numpy.stack(means)).round().astype(numpy.int8))


def candidates(model: InferenceModel, gold: Sequence[Sentence], topics: SenseTopics) -> Choices:
    """Returns the choices of the predicates that have several candidates, one of which is right."""
    senses = {id(s.words): {f.predicate: f.sense for f in s.frames or []} for s in gold}
    names = model.decoder.names.senses.names
    context = TopicContext(topics, names)
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
    """Returns the factors of the highest penalised likelihood, by Newton's method."""
    factors, rows = NEUTRAL.astype(float), numpy.arange(len(choices.gold))
    is_padding = numpy.isinf(choices.features[..., 0])
    features = numpy.where(is_padding[..., None], 0.0, choices.features)
    for _ in range(20):
        scores = numpy.where(is_padding, -numpy.inf, features @ factors)
        shares = numpy.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        means = numpy.einsum("nc,ncf->nf", shares, features)
        gradient = (features[rows, choices.gold] - means).sum(0) - PENALTY * (factors - NEUTRAL)
        spread = numpy.einsum("nc,ncf,ncg->fg", shares, features, features) - means.T @ means
        factors += numpy.linalg.solve(spread + PENALTY * numpy.eye(len(factors)), gradient)
    return factors.astype(numpy.float32)


def is_right(choices: Choices, factors: numpy.ndarray) -> numpy.ndarray:
    """(N,) bool: whether the right candidate has the highest score."""
    is_padding = numpy.isinf(choices.features[..., 0])
    features = numpy.where(is_padding[..., None], 0.0, choices.features)
    return numpy.where(is_padding, -numpy.inf, features @ factors).argmax(1) == choices.gold


if __name__ == "__main__":
    main()
