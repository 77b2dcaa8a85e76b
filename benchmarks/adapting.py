"""
What corrected sentences teach at once (`lisa adapt`): sentences of a genre of the development part
of the English Web Treebank are corrected to gold, document by document, and the model labels the
rest of the genre, and other genres, with what it learned. The second table is of a convention of
one's own: each time a roleset, or a role of a roleset, is wanted to be the model's second choice.

    python -m benchmarks.adapting --corpus DIR [--model english-fast] [--penalty 2] [--json FILE]

The networks have not seen the development part, but it chose their best epochs, the limits of
`Confidence` and the factors of `sense_topics`.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any, Dict, Iterable, List, NamedTuple, Sequence, Set, Tuple

import lisa_allennlp
from benchmarks.common import Report, make_parser
from benchmarks.teaching import Part, read_part
from lisa_allennlp.commands.train import sentence_ratios
from lisa_allennlp.data.formats.roles import VERB, split_roleset
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Frame, Sentence
from lisa_allennlp.decoding.adaptation import (
    NO_ROLE,
    PENALTY,
    Adaptation,
    Example,
    examples_of,
    fit_adaptation,
)
from lisa_allennlp.scoring import paired_bootstrap

GENRES = ("reviews", "email", "answers")
SIZES = (10, 50, 200)
LEAST_REST = max(SIZES)
OTHERS = 400
"""The number of sentences of other genres."""

MOST_LEMMAS, MOST_TESTED = 30, 20
"""Of a convention: its rolesets, and the sentences that each is tested on."""

HEADER = [
    "corrected",
    "repeated senses",
    "repeated senses after",
    "repeated roles",
    "repeated roles after",
    "senses",
    "senses after",
    "F1",
    "F1 after",
    "p",
    "other senses",
    "other senses after",
    "other F1",
    "other F1 after",
    "seconds",
]
"""The p-value is that of the F1, in the first order; the seconds are those of the last sentence."""

Kind = Tuple[str, str]
"""A predicted roleset and `V`, or a roleset and a role."""


class Outcome(NamedTuple):
    """What is wrong in labelled sentences, by kind, and their scores."""

    senses: "Counter[Kind]"
    roles: "Counter[Kind]"
    ratios: List[Any]
    right_senses: int
    found: int


class Teaching:
    """Labels and learns with a model; what does not depend on the order is kept."""

    def __init__(self, model: str, dev: Part, penalty: float) -> None:
        self.lisa = lisa_allennlp.load(model)
        self.gold = dev.sentences
        self.penalty = penalty
        self._examples: Dict[int, Tuple[List[Example], float]] = {}
        requests = [Request(Sentence(sentence.words)) for sentence in self.gold]
        self.before = self.lisa.label(requests)

    def label(self, numbers: Sequence[int], adaptation: Adaptation) -> List[Sentence]:
        requests = [Request(Sentence(self.gold[number].words)) for number in numbers]
        return self.lisa.label(requests, replace(self.lisa.options, adaptation=adaptation))

    def examples(self, number: int) -> Tuple[List[Example], float]:
        """The examples of a sentence, and the seconds that they took."""
        if number not in self._examples:
            start = time.process_time()
            found = examples_of(self.lisa.label, [self.gold[number]], self.lisa.options)
            self._examples[number] = found, time.process_time() - start
        return self._examples[number]

    def teach(self, numbers: Sequence[int]) -> Tuple[Adaptation, float]:
        """What sentences teach, and the seconds that the last one of them took."""
        found = [self.examples(number) for number in numbers]
        start = time.process_time()
        examples = [example for own, _ in found for example in own]
        adaptation = fit_adaptation(examples, len(numbers), penalty=self.penalty)
        return adaptation, time.process_time() - start + found[-1][1]


def main() -> int:
    parser = make_parser(__doc__ or "")
    parser.add_argument("--model", default="english-fast", help="(default: %(default)s)")
    parser.add_argument("--penalty", type=float, default=PENALTY, help="(default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=3, help="orders of documents (default: 3)")
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: found nothing; expected the folder of the English Web Treebank")
    dev = read_part(args.corpus, "dev")
    data = f"EWT dev: {', '.join(GENRES)}, each corrected from and scored on; {OTHERS} others"
    report = Report("adapting", args, data=data)
    teaching = Teaching(args.model, dev, args.penalty)
    for size in SIZES:
        row = measure(teaching, dev, size, range(args.seeds))
        report.table(HEADER, [row])
        if size >= 50:
            fewer = 1 / 3 if size == 50 else 1 / 2
            for name, before in (("senses", 1), ("roles", 3)):
                share = float(row[before + 1]) / float(row[before])
                report.at_most(f"{name} at {size}: share that is left", share, 1 - fewer)
            report.at_most(f"seconds at {size}", float(row[-1]), 1.0)
    names = ["taught", "rolesets followed", "roles followed"]
    report.table(names, [[f"{size} times", *follow(teaching, size)] for size in (1, 2, 5)])
    return report.finish()


def measure(teaching: Teaching, dev: Part, size: int, seeds: Iterable[int]) -> List[Any]:
    """A row of the first table: sums over genres and orders; p is that of the first order."""
    sums: Counter[str] = Counter()
    pairs: List[Any] = []
    seconds = 0.0
    of_ratios: Dict[str, List[Any]] = defaultdict(list)
    for seed in seeds:
        for genre in GENRES:
            own, others = in_order(dev, genre, seed)
            taught, rest = own[:size], own[LEAST_REST:]
            adaptation, spent = teaching.teach(taught)
            seconds = max(seconds, spent)
            known = outcome(teaching, taught, teaching.before)
            for name, numbers in (("", rest), ("other ", others)):
                before = outcome(teaching, numbers, teaching.before)
                labelled = dict(zip(numbers, teaching.label(numbers, adaptation), strict=True))
                after = outcome(teaching, numbers, labelled)
                for when, found in (("before", before), ("after", after)):
                    sums[f"{name}right {when}"] += found.right_senses
                    sums[f"{name}found {when}"] += found.found
                    of_ratios[f"{name}{when}"] += found.ratios
                    if not name:
                        sums[f"senses {when}"] += repeated(found.senses, known.senses)
                        sums[f"roles {when}"] += repeated(found.roles, known.roles)
                if not name and seed == 0:
                    pairs.append((before.ratios, after.ratios))
    test = paired_bootstrap(
        *([r for own in side for r in own] for side in zip(*pairs, strict=True))
    )
    p = next(d.p_value for d in test if d.score == "arguments F1")
    accuracy = {
        key: 100 * sums[f"{key[0]}right {key[1]}"] / sums[f"{key[0]}found {key[1]}"]
        for key in [(name, when) for name in ("", "other ") for when in ("before", "after")]
    }
    f1 = {key: f1_of(of_ratios["".join(key)]) for key in accuracy}
    row: List[Any] = [f"{size} sentences"]
    for kind in ("senses", "roles"):
        row += [sums[f"{kind} before"], sums[f"{kind} after"]]
    for name in ("", "other "):
        row += [accuracy[name, "before"], accuracy[name, "after"]]
        row += [f1[name, "before"], f1[name, "after"], *([] if name else [p])]
    return [*row, seconds]


def in_order(dev: Part, genre: str, seed: int) -> Tuple[List[int], List[int]]:
    """The numbers of a genre's sentences, and some of others. Seed 0 keeps the documents' order."""
    own = [number for number, found in enumerate(dev.genres) if found == genre]
    if seed:
        order = {d: n for n, d in enumerate(sorted({dev.documents[number] for number in own}))}
        random.Random(seed).shuffle(own)
        places = {d: own.index(next(n for n in own if dev.documents[n] == d)) for d in order}
        own.sort(key=lambda number: (places[dev.documents[number]], number))
    others = [number for number, found in enumerate(dev.genres) if found != genre]
    return own, random.Random(seed).sample(others, OTHERS)


def repeated(found: "Counter[Kind]", known: "Counter[Kind]") -> int:
    return sum(count for kind, count in found.items() if kind in known)


def outcome(teaching: Teaching, numbers: Sequence[int], labelled: Any) -> Outcome:
    """Of sentences by their numbers, in a list or a dictionary of all labelled ones."""
    gold, own = [teaching.gold[n] for n in numbers], [labelled[n] for n in numbers]
    senses: Counter[Kind] = Counter()
    roles: Counter[Kind] = Counter()
    right = found = 0
    for wanted, sentence in zip(gold, own, strict=True):
        for frame in sentence.frames or []:
            other = wanted.frame_at(frame.predicate)
            if other is not None:
                found += 1
                right += frame.sense == other.sense
                senses[str(frame.sense), VERB] += frame.sense != other.sense
                arguments, wished = (heads(f, sentence) for f in (frame, other))
                roles.update((str(frame.sense), role) for role, _ in arguments - wished)
                roles.update((str(other.sense), role) for role, _ in wished - arguments)
    return Outcome(+senses, roles, sentence_ratios(own, gold), right, found)


def heads(frame: Frame, sentence: Sentence) -> Set[Tuple[str, int]]:
    """The roles with the heads of their spans in the tree of a labelled sentence."""
    assert sentence.parse is not None
    return {(s.role, sentence.parse.span_head(s.first, s.last)) for s in frame.arguments}


def f1_of(ratios: Sequence[Any]) -> float:
    right, number = (sum(own["arguments F1"][part] for own in ratios) for part in (0, 1))
    return 100 * right / number


def follow(teaching: Teaching, taught: int) -> List[float]:
    """
    The shares, in percent, of further sentences in which the model follows a convention that so
    many accepted sentences have shown it.
    """
    of_kinds: Dict[str, Dict[Kind, List[Tuple[int, Example]]]] = {"sense": {}, "role": {}}
    for number in range(len(teaching.gold)):
        for example in teaching.examples(number)[0]:
            choice = example.choice
            is_role = choice.first != example.predicate
            name = choice.names[example.right]
            if not example.is_new and name != NO_ROLE and len(choice.names) > 1:
                frame = example.sentence.frame_at(example.predicate)
                kind = (str(frame and frame.sense), name if is_role else VERB)
                places = of_kinds["role" if is_role else "sense"].setdefault(kind, [])
                places.append((number, example))
    shares = []
    for places_of in of_kinds.values():
        right = total = 0
        frequent = sorted(places_of.items(), key=lambda pair: -len(pair[1]))
        lemmas: Set[str] = set()
        for kind, places in frequent:
            lemma = split_roleset("", kind[0])[0]
            if lemma in lemmas or len(lemmas) == MOST_LEMMAS or len(places) <= 5:
                continue
            lemmas.add(lemma)
            wish = second_choice(places)
            changed = [with_wish(example, wish) for _, example in places]
            changed = [example for example in changed if example.right >= 0]
            if len(changed) <= 5:
                continue
            adaptation = fit_adaptation(changed[:taught], taught, penalty=teaching.penalty)
            tested = [example.choice for example in changed[5 : 5 + MOST_TESTED]]
            for choice, scores in zip(tested, adaptation.scores(None, tested), strict=True):
                right += choice.names[int((choice.scores + scores).argmax())] == wish
                total += 1
        shares.append(100 * right / total)
    return shares


def second_choice(places: Sequence[Tuple[int, Example]]) -> str:
    """What comes second most often."""
    seconds: Counter[str] = Counter()
    for _, example in places:
        names = [
            n for n, _ in ranked(example) if n not in (example.choice.names[example.right], NO_ROLE)
        ]
        seconds.update(names[:1])
    return seconds.most_common(1)[0][0]


def ranked(example: Example) -> List[Tuple[str, float]]:
    pairs = zip(example.choice.names, example.choice.scores.tolist(), strict=True)
    return sorted(pairs, key=lambda pair: -pair[1])


def with_wish(example: Example, wish: str) -> Example:
    names = example.choice.names
    return example._replace(right=names.index(wish) if wish in names else -1)


if __name__ == "__main__":
    sys.exit(main())
