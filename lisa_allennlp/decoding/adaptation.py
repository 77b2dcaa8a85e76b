"""
What corrected sentences teach without training: weights that are added to a model's scores of
rolesets and of roles. Each feature begins with a roleset or its lemma, so that other lemmas stay as
they are, and a penalty keeps the weights small.
"""

from dataclasses import dataclass, replace
from typing import (
    Callable,
    Dict,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.features import Place, role_features, sense_features
from lisa_allennlp.decoding.frames import Frames, RoleDecoder
from lisa_allennlp.decoding.label_names import verb_of
from lisa_allennlp.decoding.linear_chain import LinearChain
from lisa_allennlp.decoding.log_linear import LogLinear, fit
from lisa_allennlp.decoding.options import NO_ROLE, Choice, LabelOptions, Lesson
from lisa_allennlp.decoding.well_formed import path_scores
from lisa_allennlp.formats.columns import PathName
from lisa_allennlp.sentence.request import Request, marks_of
from lisa_allennlp.sentence.roles import CONTINUATION, REFERENCE, UNKNOWN, VERB, bio_to_spans
from lisa_allennlp.sentence.sentence import Frame, GivenFrame, Sentence

PENALTY = 2.0
"""Of the squared weights, halved."""

UNIT, LEAST_WEIGHT = 0.02, 3
"""Smaller weights, in units, are dropped."""

PARTS = 10
"""The parts into which corrected sentences are divided for cross-validation."""

LEAST_MENDED, MOST_SPOILT = 2, 0.1
"""
Weights count if the weights of the other parts mend so many choices of a part, and spoil no more
than this share of them.
"""

LARGEST_GAP = 12.0
"""Rolesets and roles that score lower than the best one by more are not considered."""

GAP_TO_UNKNOWN = 4.0
"""The distance of rolesets that the network does not know below its best one."""

_OF_VERBS = (VERB, CONTINUATION + VERB, REFERENCE + VERB)


@dataclass(frozen=True, eq=False)
class Adaptation:
    """
    Weights that were fitted to the choices in some corrected sentences, the lemmas of these
    weights, and the model's `weights`, as of its engine.
    """

    weights: LogLinear
    lemmas: FrozenSet[str]
    sentences: int
    model: str = ""

    def knows(self, lemma: str) -> bool:
        return self.weights.features.size > 0 and lemma in self.lemmas

    def scores(self, choices: Sequence[Choice]) -> List[numpy.ndarray]:
        found = self.weights.scores([own for choice in choices for own in choice.features])
        return numpy.split(found, numpy.cumsum([len(choice.names) for choice in choices])[:-1])

    def save(self, path: PathName) -> None:
        """Writes a file without the time, so that the same weights make the same file."""
        with open(path, "wb") as file:
            numpy.savez_compressed(
                file,
                features=self.weights.features,
                weights=self.weights.weights,
                lemmas=numpy.array(sorted(self.lemmas), str),
                sentences=numpy.array(self.sentences),
                model=numpy.array(self.model),
            )


NOTHING = Adaptation(LogLinear.empty(UNIT), frozenset(), 0)


def open_adaptation(path: PathName, model: str = "") -> Adaptation:
    """
    Opens a file of `Adaptation.save`. Raises a `ConfigurationError` for a damaged file, and for
    weights that were fitted to another `model`, as of its engine.
    """
    try:
        with open(path, "rb") as file, numpy.load(file) as arrays:
            found = [arrays[name] for name in ("features", "weights", "lemmas", "sentences")]
            fitted_on = str(arrays["model"])
        features, weights, lemmas, sentences = found
        kinds = "".join(array.dtype.kind for array in found)
        shapes = [array.shape for array in (features, weights, sentences)]
        if kinds != "uiUi" or shapes != [(features.size,)] * 2 + [()]:
            raise ValueError("other arrays")
    # What zipfile and NumPy raise for damaged files has no class of its own in common.
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        message = f"{path}: found no adaptation, or not all of it; expected what lisa adapt writes"
        raise ConfigurationError(message) from error
    if fitted_on and model and fitted_on != model:
        raise ConfigurationError(
            f"{path}: found an adaptation to other weights ({fitted_on[:8]}); expected one to this "
            f"model's ({model[:8]}), which `lisa adapt` makes of the same corrections"
        )
    own = LogLinear(features, weights, UNIT)
    return Adaptation(own, frozenset(lemmas.ravel().tolist()), int(sentences), fitted_on)


NO_SENSES = "adaptation: found a model that predicts no senses; expected one with a sense_tagger"


def can_learn(engine: Engine) -> bool:
    return engine.predicts_senses and not engine.needs_predicates


class Example(NamedTuple):
    choice: Choice
    right: int

    @property
    def is_new(self) -> bool:
        return int(self.choice.scores.argmax()) != self.right


class Examples:
    """
    A `Lesson` that adds nothing, and notes the choices in sentences that have frames. A span has
    the role of the gold span with the same tokens, or else the same head. A deleted role says too
    little about others, and is left out.
    """

    def __init__(self) -> None:
        self.found: List[Example] = []

    def knows(self, lemma: str) -> bool:
        return True

    def scores(self, choices: Sequence[Choice]) -> List[numpy.ndarray]:
        for choice in choices:
            gold = choice.sentence.frame_at(choice.predicate.token)
            right = None if gold is None else _right(choice, gold)
            if right in choice.names:
                example = Example(choice, choice.names.index(right))
                if right != NO_ROLE or not example.is_new:
                    self.found.append(example)
        return [numpy.zeros(len(choice.names)) for choice in choices]


def _right(choice: Choice, gold: Frame) -> str:
    if not choice.is_role:
        return gold.sense or UNKNOWN
    parse = choice.predicate.parse
    head = parse.span_head(choice.first, choice.last)
    role = NO_ROLE
    for span in gold.arguments:
        if (span.first, span.last) == (choice.first, choice.last):
            return span.role
        if parse.span_head(span.first, span.last) == head:
            role = span.role
    return role


def examples_of(
    label: Callable[[Sequence[Request], LabelOptions], Sequence[Sentence]],
    sentences: Sequence[Sentence],
    options: LabelOptions,
) -> List[Example]:
    """
    Returns the choices in sentences with right frames, as a model would `label` them: between the
    rolesets of the predicates, and, given the right roleset, between the roles of spans. Choices
    without the right alternative are left out.
    """
    examples = Examples()
    requests = [
        Request(sentence, predicates=marks_of(sentence), given_roles=list(_given(sentence)))
        for sentence in sentences
        if sentence.frames
    ]
    label(requests, replace(options, adaptation=examples))
    return examples.found


def _given(sentence: Sentence) -> Iterator[GivenFrame]:
    for frame in sentence.frames or ():
        if frame.sense not in (None, UNKNOWN):
            yield {"index": frame.predicate, "sense": frame.sense}


def fit_adaptation(
    examples: Sequence[Example],
    sentences: int,
    start: Optional[Adaptation] = None,
    penalty: float = PENALTY,
) -> Adaptation:
    """
    Fits weights to the examples of some sentences, as `fit` does; the model's scores are the
    offsets. Weights stay close to those of `start`, or equal them if mistakes do not repeat
    (`_repeats`).
    """
    start = start or NOTHING
    weights, lemmas = start.weights, start.lemmas
    for own in groups(examples):
        if _repeats(own, start.weights, penalty):
            weights = _fit(own, weights, penalty)
            lemmas |= lemmas_of(own)
    return Adaptation(weights, lemmas, start.sentences + sentences)


def groups(examples: Sequence[Example]) -> List[List[Example]]:
    """Divides examples by their features: into rolesets and roles of lemmas."""
    parents: Dict[str, str] = {}

    def root(lemma: str) -> str:
        while parents.setdefault(lemma, lemma) != lemma:
            lemma = parents[lemma]
        return lemma

    for example in examples:
        first, *others = example.choice.lemmas
        parents.update({root(other): root(first) for other in others})
    found: Dict[Tuple[str, bool], List[Example]] = {}
    for example in examples:
        lemma, *_ = example.choice.lemmas
        found.setdefault((root(lemma), example.choice.is_role), []).append(example)
    return list(found.values())


def lemmas_of(examples: Iterable[Example]) -> FrozenSet[str]:
    return frozenset[str]().union(*(example.choice.lemmas for example in examples))


def _repeats(examples: Sequence[Example], start: LogLinear, penalty: float) -> bool:
    """
    Whether weights fitted to some sentences mend the choices in the others: by cross-validation,
    with `LEAST_MENDED` and `MOST_SPOILT`. Repeated sentences count once.
    """
    if sum(example.is_new for example in examples) < LEAST_MENDED:
        return False
    numbers: Dict[Tuple[str, ...], int] = {}
    words = [tuple(example.choice.sentence.words) for example in examples]
    parts = [numbers.setdefault(own, len(numbers)) % PARTS for own in words]
    mended = spoilt = 0
    for part in set(parts):
        own = [e for e, other in zip(examples, parts, strict=True) if other == part]
        others = [e for e, other in zip(examples, parts, strict=True) if other != part]
        if any(example.is_new for example in others):
            fitted = _fit(others, start, penalty)
            before, after = ([_is_right(e, weights) for e in own] for weights in (start, fitted))
            mended += sum(is_right > was for was, is_right in zip(before, after, strict=True))
            spoilt += sum(is_right < was for was, is_right in zip(before, after, strict=True))
    return mended >= LEAST_MENDED and spoilt <= MOST_SPOILT * mended


def _is_right(example: Example, weights: LogLinear) -> bool:
    choice = example.choice
    return int((choice.scores + weights.scores(choice.features)).argmax()) == example.right


def _fit(examples: Sequence[Example], start: LogLinear, penalty: float) -> LogLinear:
    decisions = [(choice.features, choice.scores, right) for choice, right in examples]
    return fit(decisions, start, penalty, least_weight=LEAST_WEIGHT)


def adapt_senses(frames: Frames, lesson: Lesson) -> None:
    for choice, scores in _weighed(lesson, _of_senses(frames, lesson)):
        if scores.any():
            frames.sense_scores[choice.frame, choice.columns] = choice.scores + scores


def adapt_roles(frames: Frames, lesson: Lesson, decoder: RoleDecoder) -> numpy.ndarray:
    """
    Adds a lesson's weights of roles, minus that of `NO_ROLE`, to the logits of labels that begin a
    span. Returns (F,) bool: the frames whose logits have changed.
    """
    changed = numpy.zeros(len(frames), bool)
    for choice, scores in _weighed(lesson, _of_roles(frames, decoder.chain(), lesson)):
        scores = scores - scores[choice.names.index(NO_ROLE)]
        frames.logits[choice.frame, choice.first, choice.columns] += scores
        changed[choice.frame] |= scores.any()
    return changed


def _weighed(lesson: Lesson, found: Iterable[Choice]) -> Iterable[Tuple[Choice, numpy.ndarray]]:
    choices = list(found)
    return zip(choices, lesson.scores(choices), strict=True) if choices else ()


def _of_senses(frames: Frames, lesson: Lesson) -> Iterator[Choice]:
    scores = numpy.where(frames.candidates < 0, -numpy.inf, frames.sense_scores)
    is_unknown = frames.candidates >= len(frames.names.senses)
    best = numpy.where(is_unknown, -numpy.inf, scores).max(1, keepdims=True)
    of_unknown = numpy.where(numpy.isfinite(best), best - GAP_TO_UNKNOWN, 0.0)
    scores = numpy.where(is_unknown, of_unknown, scores)
    is_open = scores > scores.max(1, keepdims=True) - LARGEST_GAP
    for number in (is_open.sum(1) > 1).nonzero()[0].tolist():
        columns = is_open[number].nonzero()[0]
        own = frames.candidates[number, columns].tolist()
        names = [frames.names.senses.names[index] for index in own]
        lemmas = frozenset(map(verb_of, names))
        if any(map(lesson.knows, lemmas)):
            place = frames.places[number]
            # Twice, the roleset itself, so that the first corrections count for most contexts.
            shared = [*sense_features(place, frames.tags(number)), ""]
            features = [[f"{name} {feature}" for feature in shared] for name in names]
            found = names, columns, scores[number, columns], features
            source = frames.tokens.sources[frames.sentences[number]]
            yield Choice(number, source, place, place.token, place.token, *found, lemmas)


def _of_roles(frames: Frames, chain: LinearChain, lesson: Lesson) -> Iterator[Choice]:
    labels = frames.names.roles
    roles = [label[2:] for label in labels if label[:2] == "B-" and label[2:] not in _OF_VERBS]
    numbers = {label: number for number, label in enumerate(labels)}
    none = numbers[NO_ROLE]
    begins = numpy.array([none, *(numbers[f"B-{role}"] for role in roles)])
    insides = numpy.array([none, *(numbers.get(f"I-{role}", -1) for role in roles)])
    for number, sense in enumerate(frames.senses):
        lemma = verb_of(sense.name)
        if sense.name == UNKNOWN or not lesson.knows(lemma):
            continue
        place, own = frames.places[number], (number, slice(int(frames.lengths[number])))
        paths = numpy.repeat(frames.labels[own][None], len(begins), 0)
        logits = numpy.broadcast_to(frames.logits[own].astype(float), (*paths.shape, len(labels)))
        lengths = numpy.full(len(paths), paths.shape[1])
        source = frames.tokens.sources[frames.sentences[number]]
        for first, last in _spans(place, frames.tags(number)):
            if frames.is_given[number, first : last + 1].any():
                continue
            changed = paths.copy()
            changed[:, first], changed[:, first + 1 : last + 1] = begins, insides[:, None]
            scores = path_scores(logits, changed, lengths, chain)
            if last > first:
                scores[insides < 0] = -numpy.inf
            is_open = scores > scores.max() - LARGEST_GAP
            is_open[0] = True
            columns = is_open.nonzero()[0]
            names = [(NO_ROLE, *roles)[column] for column in columns.tolist()]
            shared = role_features(place, sense.name, first, last)
            shared.append(shared[1])
            features = [[f"{feature} {name}" for feature in shared] for name in names]
            found = names, begins[columns], scores[columns], features
            yield Choice(number, source, place, first, last, *found, frozenset([lemma]))


def _spans(place: Place, tags: Sequence[str]) -> Iterator[Tuple[int, int]]:
    """The spans of arguments, and of contiguous subtrees of dependents in no argument."""
    taken = {token for token, tag in enumerate(tags) if tag != NO_ROLE}
    for role, first, last in bio_to_spans(tags):
        if role not in _OF_VERBS:
            yield first, last
    for relation, dependent in place.dependents:
        below = place.parse.subtree(dependent)
        is_whole = below[-1] - below[0] < len(below)
        if is_whole and relation != "punct" and taken.isdisjoint(below):
            yield below[0], below[-1]
