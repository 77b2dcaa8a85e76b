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
from collections import Counter, defaultdict
from typing import Any, Dict, Iterable, List, Sequence, Set, Tuple

import lisa_allennlp
from benchmarks.common import Report, make_parser
from benchmarks.teaching import (
    AtOnce,
    Kind,
    Outcome,
    Part,
    add_bars,
    outcome,
    p_value,
    read_part,
)
from lisa_allennlp.data.formats.roles import VERB, split_roleset
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.adaptation import NO_ROLE, PENALTY, Example, fit_adaptation

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
    own = AtOnce(lisa_allennlp.load(args.model), dev.sentences, args.penalty)
    before = list(own.lisa.pipe(sentence.words for sentence in dev.sentences))
    for size in SIZES:
        row = measure(own, dev, before, size, range(args.seeds))
        report.table(HEADER, [row])
        add_bars(report, size, dict(zip(HEADER, row, strict=True)))
    names = ["taught", "rolesets followed", "roles followed"]
    report.table(names, [[f"{size} times", *follow(own, size)] for size in (1, 2, 5)])
    return report.finish()


def measure(
    own: AtOnce, dev: Part, before: Sequence[Sentence], size: int, seeds: Iterable[int]
) -> List[Any]:
    """A row of the first table: sums over genres and orders; p is that of the first order."""
    sums: Counter[str] = Counter()
    sides: Dict[Tuple[str, str], List[Outcome]] = defaultdict(list)
    seconds = 0.0
    for seed in seeds:
        for genre in GENRES:
            in_genre, others = in_order(dev, genre, seed)
            taught, rest = in_genre[:size], in_genre[LEAST_REST:]
            adaptation, spent = own.teach(taught)
            seconds = max(seconds, spent)
            known = outcome(*([side[n] for n in taught] for side in (own.gold, before)))
            for name, numbers in (("", rest), ("other ", others)):
                gold, found = ([side[n] for n in numbers] for side in (own.gold, before))
                for when, labelled in (("", found), (" after", own.label(gold, adaptation))):
                    side = outcome(gold, labelled)
                    sides[name, when].append(side)
                    of_senses, of_roles = side.repeated(known)
                    sums[f"{name}repeated senses{when}"] += of_senses
                    sums[f"{name}repeated roles{when}"] += of_roles
    scores: Dict[str, float] = {**sums, "seconds": seconds}
    for (name, when), found in sides.items():
        whole = Outcome.together(found)
        scores[f"{name}senses{when}"] = whole.accuracy
        scores[f"{name}F1{when}"] = whole.percentages["arguments F1"]
    first = (Outcome.together(sides["", when][: len(GENRES)]) for when in ("", " after"))
    scores["p"] = p_value(*first)
    return [f"{size} sentences", *(scores[column] for column in HEADER[1:])]


def in_order(dev: Part, genre: str, seed: int) -> Tuple[List[int], List[int]]:
    """The numbers of a genre's sentences, and some of others. Seed 0 keeps the documents' order."""
    own = [number for number, found in enumerate(dev.genres) if found == genre]
    others = [number for number, found in enumerate(dev.genres) if found != genre]
    return dev.in_order(own, seed), random.Random(seed).sample(others, OTHERS)


def follow(own: AtOnce, taught: int) -> List[float]:
    """
    The shares, in percent, of further sentences in which the model follows a convention that so
    many accepted sentences have shown it.
    """
    of_kinds: Dict[str, Dict[Kind, List[Tuple[int, Example]]]] = {"sense": {}, "role": {}}
    for number in range(len(own.gold)):
        for example in own.examples(number)[0]:
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
            adaptation = fit_adaptation(changed[:taught], taught, penalty=own.penalty)
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
