"""
What corrected sentences teach at once (`lisa adapt`) of a convention of one's own: each time a
roleset, or a role of a roleset, is wanted to be the model's second choice. The sentences are those
of the development part of the English Web Treebank.

    python -m benchmarks.adapting --corpus DIR [--model english-fast] [--penalty 2] [--json FILE]
"""

import sys
from collections import Counter
from typing import Dict, List, Sequence, Set, Tuple

import lisa_allennlp
from benchmarks.common import Report, make_parser
from benchmarks.teaching import AtOnce, Kind, read_part
from lisa_allennlp.data.formats.roles import VERB, split_roleset
from lisa_allennlp.decoding.adaptation import PENALTY, Example, fit_adaptation
from lisa_allennlp.decoding.options import NO_ROLE

MOST_LEMMAS, MOST_TESTED = 30, 20
"""Of a convention: its rolesets, and the sentences that each is tested on."""


def main() -> int:
    parser = make_parser(__doc__ or "")
    parser.add_argument("--model", default="english-fast", help="(default: %(default)s)")
    parser.add_argument("--penalty", type=float, default=PENALTY, help="(default: %(default)s)")
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: found nothing; expected the folder of the English Web Treebank")
    report = Report("adapting", args, data="EWT dev")
    own = AtOnce(
        lisa_allennlp.load(args.model), read_part(args.corpus, "dev").sentences, args.penalty
    )
    names = ["taught", "rolesets followed", "roles followed"]
    sizes = {"once": 1, "twice": 2, "five times": 5}
    report.table(names, [[name, *follow(own, size)] for name, size in sizes.items()])
    return report.finish()


def follow(own: AtOnce, taught: int) -> List[float]:
    """
    The shares, in percent, of further sentences in which the model follows a convention that so
    many accepted sentences have shown it.
    """
    of_kinds: Dict[str, Dict[Kind, List[Tuple[int, Example]]]] = {"sense": {}, "role": {}}
    for number in range(len(own.gold)):
        for example in own.examples(number)[0]:
            choice = example.choice
            name = choice.names[example.right]
            if not example.is_new and name != NO_ROLE and len(choice.names) > 1:
                frame = choice.sentence.frame_at(choice.predicate.token)
                kind = (str(frame and frame.sense), name if choice.is_role else VERB)
                places = of_kinds["role" if choice.is_role else "sense"].setdefault(kind, [])
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
            for choice, scores in zip(tested, adaptation.scores(tested), strict=True):
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
