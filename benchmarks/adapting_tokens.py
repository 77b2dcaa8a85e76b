"""
What a lesson for tags and predicates would bring, in the form of the one for rolesets and roles
(`lisa adapt`): sentences of a genre of the development part of the English Web Treebank are
corrected to gold, in their order, and the weights are added to the model's scores in the rest of
the genre, and in other genres. Weights belong to a word (tags) or a lemma (predicates), together
with what is around it; in the rows of `alone`, it also has weights of its own.

    python -m benchmarks.adapting_tokens --corpus DIR [--json FILE]
"""

import random
import sys
from collections import Counter
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import numpy

import lisa_allennlp
from benchmarks.adapting import GENRES, LEAST_REST
from benchmarks.common import Report, make_parser
from benchmarks.teaching import read_part
from lisa_allennlp.data.english import lemma_of
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.adaptation import LARGEST_GAP, Choice, Example, fit_adaptation
from lisa_allennlp.decoding.features import Place, predicate_features, tag_features
from lisa_allennlp.decoding.tokens import Tokens
from lisa_allennlp.decoding.trees import is_token

SIZES = (50, 200)
OTHERS, SEED = 200, 0
KINDS = ("tags", "predicates")
OF_WORD = ("-1 word", "word +1", "tag -1 word", "tag +1 word", "tags word", "relation word")
OF_LEMMA = ("relation lemma", "lemma -1", "lemma 1", "dependent lemma")
COLUMNS = ("repeated", "repeated after", "mended", "spoilt")
HEADER = ["system", *(f"{part}{name}" for part in ("", "other ") for name in COLUMNS)]

Found = Dict[str, List[Example]]


def main() -> int:
    args = make_parser(__doc__ or "").parse_args()
    dev = read_part(args.corpus, "dev")
    lisa = lisa_allennlp.load("english-fast")
    data = f"EWT dev: {', '.join(GENRES)}, each corrected from and scored on; {OTHERS} others"
    report = Report("adapting_tokens", args, data=f"{data}, drawn with seed {SEED}")
    strange = [s for s, g in zip(dev.sentences, dev.genres, strict=True) if g not in GENRES]
    others = examples_of(lisa, random.Random(SEED).sample(strange, OTHERS))
    sums: Dict[str, Counter[str]] = {}
    for genre in GENRES:
        own = examples_of(lisa, dev.of_genre(genre))
        for alone in (False, True):
            for kind in KINDS:
                for size in SIZES:
                    system = f"{kind}, {size} sentences{', alone' * alone}"
                    parts = {"": own[LEAST_REST:], "other ": others}
                    counts = outcome(own[:size], parts, kind, alone)
                    sums[system] = sums.get(system, Counter()) + counts
    rows = [[system, *(counts[name] for name in HEADER[1:])] for system, counts in sums.items()]
    report.table(HEADER, sorted(rows, key=lambda row: ("alone" in row[0], KINDS[0] not in row[0])))
    return report.finish()


def examples_of(lisa: Any, sentences: Sequence[Sentence]) -> List[Found]:
    """The choices in each sentence, by kind."""
    found: Dict[int, Found] = {id(s): {kind: [] for kind in KINDS} for s in sentences}

    def note(tokens: Tokens) -> Tokens:
        within = is_token(tokens.tags.shape[1], tokens.encoded.lengths)
        for row, token in numpy.argwhere(within).tolist():
            gold = tokens.sources[row]
            yes = float(tokens.predicates[row, token])
            pairs = ((tokens.names.pos, tokens.tags[row, token]), (("no", "yes"), (1 - yes, yes)))
            rights = (gold.pos or [])[token], "no" if gold.frame_at(token) is None else "yes"
            for kind, right, (names, shares) in zip(KINDS, rights, pairs, strict=True):
                scores = numpy.log(numpy.maximum(shares, 1e-30, dtype=float))
                columns = (scores > scores.max() - LARGEST_GAP).nonzero()[0]
                own = [names[column] for column in columns.tolist()]
                if len(own) > 1 and right in own:
                    word, shared = described(tokens.place(row, token), kind)
                    features = [[f"{feature} {name}" for feature in shared] for name in own]
                    lemmas = frozenset([word])
                    choice = Choice(
                        0, token, token, own, columns, scores[columns], features, lemmas
                    )
                    example = Example(choice, own.index(right), gold, token)
                    found[id(gold)][kind].append(example)
        return tokens

    lisa.engine.decoder.token_stages.append(note)
    lisa.label(list(map(Request, sentences)))
    lisa.engine.decoder.token_stages.pop()
    return list(found.values())


def described(place: Place, kind: str) -> Tuple[str, List[str]]:
    """The word or lemma, and the features that have it; the first one has nothing else."""
    if kind == "tags":
        own = [feature for feature in tag_features(place) if feature.startswith(OF_WORD)]
        return place.word(), [f"word {place.word()}", *own]
    lemma = lemma_of(place.word(), place.tag())
    features = predicate_features(place)
    own = [f for f in features if f.startswith(OF_LEMMA) or f.startswith("case") and lemma in f]
    return lemma, [f"lemma {lemma}", *own]


def outcome(
    taught: Sequence[Found], parts: Dict[str, Sequence[Found]], kind: str, alone: bool
) -> "Counter[str]":
    """
    What was wrong and of a kind that had been corrected, before and after; and what became right
    and wrong.
    """
    examples = list(of_kind(taught, kind, alone))
    adaptation = fit_adaptation(examples, len(taught))
    known = {chosen(example) for example in examples if example.is_new}
    counts: Counter[str] = Counter()
    for part, found in parts.items():
        asked = [e for e in of_kind(found, kind, alone) if e.choice.lemmas & adaptation.lemmas]
        scores = adaptation.scores(None, [e.choice for e in asked])  # type: ignore[arg-type]
        for example, own in zip(asked, scores, strict=True):
            right = example.choice.names[example.right]
            before, after = chosen(example), chosen(example, own)
            counts[f"{part}repeated"] += before[1] != right and before in known
            counts[f"{part}repeated after"] += after[1] != right and after in known
            counts[f"{part}mended"] += before[1] != right == after[1]
            counts[f"{part}spoilt"] += before[1] == right != after[1]
    return counts


def of_kind(found: Sequence[Found], kind: str, alone: bool) -> Iterator[Example]:
    for example in (example for own in found for example in own[kind]):
        # As of rolesets, twice: so that the first corrections count in most contexts.
        features = [[*own[:1], *own] if alone else own[1:] for own in example.choice.features]
        yield example._replace(choice=example.choice._replace(features=features))


def chosen(example: Example, scores: Any = 0) -> Tuple[str, str]:
    (word,) = example.choice.lemmas
    return word, example.choice.names[int((example.choice.scores + scores).argmax())]


if __name__ == "__main__":
    sys.exit(main())
