"""
Labels sentences with teachers, and writes a corpus to train a student on, with the gold sentences
mixed in; without sentences, the gold ones alone. The teachers are a LISA and any parsers. The
parsers' trees are injected into the LISA; with `--lisa-trees`, the trees are those of all teachers
together. A LISA that continues to learn from itself and parsers learns most from sentences on whose
tree they disagree: `--undisputed 0.25` keeps these, and a quarter of the others. With `--alone`,
the LISA labels alone, with all its contexts. What has been labelled so can be given as `--labelled`
instead of sentences; then those are disputed that the LISA, a student, parses differently.
`--constructions` adds questions and other sentences that are made from what is labelled; so many
are made, and those are kept that are disputed, and the same share of the others. `--covered` keeps
only the sentences, also of `--examples`, whose verbs give each of their clauses, objects and
obliques a role: from others, a student would learn to leave phrases out.

```
python -m experiments.english.silver --sentences sentences.jsonl --gold ewt-train.gold_conll \
    --parsers dm/model.tar.gz --lisa lisa/model.tar.gz --output silver.gold_conll
```
"""

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Sequence, Tuple

from allennlp.common.tqdm import Tqdm

from experiments.english.constructions import constructions
from experiments.english.ensemble import Ensemble, open_ensemble
from experiments.english.raw_sentences import read_sentences
from lisa_allennlp.analysis.faults import OBJECTS, PHRASES, dependents
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.formats.conll12 import write_conll12
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.options import LabelOptions

PART = 2000
"""The number of sentences that a process labels at once."""

_teachers: Optional["Teachers"] = None


def main() -> None:
    """Runs the command."""
    args = _parser().parse_args()
    reader = Conll12SrlReader(senses=True)
    gold = list(reader.read_sentences(args.gold))
    generator = random.Random(args.seed)
    labelled: List[Tuple[Sentence, bool]] = []
    made: List[Sentence] = []
    with ProcessPoolExecutor(args.processes, initializer=_open, initargs=(args,)) as pool:
        share = args.undisputed if args.share is None else args.share
        if args.labelled is not None:
            labelled = [(sentence, False) for sentence in reader.read_sentences(args.labelled)]
            if args.share is None:
                labelled = list(_in_parts(pool, compare_part, [s for s, _ in labelled]))
        elif args.sentences is not None:
            function = compared_part if args.share is None else label_part
            labelled = list(_in_parts(pool, function, _read(args)))
        silver = [s for s, disputed in labelled if disputed or generator.random() < share]
        if args.constructions:
            statements = [*(sentence for sentence, _ in labelled), *gold]
            found = constructions(statements, args.constructions, args.seed)
            compared = _in_parts(pool, compare_part, found)
            made = [
                s for s, disputed in compared if disputed or generator.random() < args.undisputed
            ]
    if args.examples is not None:
        made += read_annotated(args.examples).bare_sentences * args.example_copies
    if args.covered:
        silver, made = list(filter(is_covered, silver)), list(filter(is_covered, made))
    write_corpus(mixed(silver, gold * args.gold_copies + made, args.seed), args.output)


Part = Tuple[List[Sentence], List[bool]]


def _read(args: argparse.Namespace) -> List[Sentence]:
    files = (islice(read_sentences(file), *args.range) for file in args.sentences)
    return [Sentence(words) for words in chain.from_iterable(files)]


def _in_parts(
    pool: ProcessPoolExecutor,
    function: Callable[[Sequence[Sentence]], Part],
    sentences: Sequence[Sentence],
) -> Iterator[Tuple[Sentence, bool]]:
    """Yields what the function makes of sentences, and whether they are disputed."""
    parts = [sentences[start : start + PART] for start in range(0, len(sentences), PART)]
    for results, disputed in Tqdm.tqdm(pool.map(function, parts), "labelling", len(parts)):
        yield from zip(results, disputed, strict=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=Path, nargs="+", help="JSON lines with tokens")
    text = "label only these sentences of each file, counted from 0; STOP is not among them"
    parser.add_argument(
        "--range", type=int, nargs=2, default=(0, None), metavar=("START", "STOP"), help=text
    )
    parser.add_argument("--parsers", nargs="+", default=[], help="deep_biaffine_parsers")
    parser.add_argument("--lisa", help="a LISA")
    parser.add_argument("--lisa-trees", action="store_true", help="count the LISA's trees as well")
    parser.add_argument("--alone", action="store_true", help="let the LISA label alone")
    text = "what this command has labelled before, instead of sentences"
    parser.add_argument("--labelled", metavar="GOLD_CONLL", help=text)
    text = "the share to keep of sentences that the LISA alone parses alike"
    parser.add_argument("--undisputed", type=float, default=1.0, metavar="SHARE", help=text)
    text = "the share to keep of the labelled sentences instead, disputed or not"
    parser.add_argument("--share", type=float, help=text)
    text = "about how many questions and others to make from these sentences and the gold ones"
    parser.add_argument("--constructions", type=int, default=0, metavar="NUMBER", help=text)
    text = "keep only sentences in which no phrase of a verb is without a role"
    parser.add_argument("--covered", action="store_true", help=text)
    parser.add_argument("--gold", required=True, help="a corpus in CoNLL-2012's columns")
    parser.add_argument("--gold-copies", type=int, default=4)
    parser.add_argument("--examples", type=Path, help="what `lisa prepare frames` wrote")
    parser.add_argument("--example-copies", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True, help="ends in .gold_conll")
    parser.add_argument("--processes", type=int, default=1)
    return parser


def _open(args: argparse.Namespace) -> None:
    global _teachers
    ensemble = open_ensemble([args.lisa], args.parsers, args.lisa_trees)
    _teachers = Teachers(ensemble, args.alone, args.undisputed < 1)


class Teachers:
    """
    The models that label: an ensemble, or its LISA alone. Labelled trees are compared with those of
    the LISA, unless all sentences are kept.
    """

    def __init__(
        self, ensemble: Ensemble, is_alone: bool = False, finds_disputed: bool = True
    ) -> None:
        self._ensemble, self._lisa = ensemble, ensemble.lisas[0]
        self._is_alone, self._finds_disputed = is_alone, finds_disputed

    def label(self, sentences: Sequence[Sentence]) -> List[Sentence]:
        """Returns labelled copies of sentences."""
        labelled = (
            self._lisa.label(list(map(Request, sentences)), LabelOptions(min_probability=0.0))
            if self._is_alone
            else self._ensemble.label(sentences)
        )
        # Columns need no probabilities, which take long to send to another process.
        return [replace(sentence, predicate_probabilities=None) for sentence in labelled]

    def disputed(self, labelled: Sequence[Sentence]) -> List[bool]:
        """Whether the LISA alone gives sentences other trees; true for all if all are kept."""
        if not self._finds_disputed:
            return [True] * len(labelled)
        others = self._lisa.label([Request(Sentence(sentence.words)) for sentence in labelled])
        return [s.heads != other.heads for s, other in zip(labelled, others, strict=True)]


def label_part(sentences: Sequence[Sentence]) -> Part:
    """Labels sentences in a process of the pool. Nothing is disputed."""
    assert _teachers is not None
    return _teachers.label(sentences), [False] * len(sentences)


def compare_part(labelled: Sequence[Sentence]) -> Part:
    """Compares labelled sentences in a process of the pool."""
    assert _teachers is not None
    return list(labelled), _teachers.disputed(labelled)


def compared_part(sentences: Sequence[Sentence]) -> Part:
    """Labels and compares sentences in a process of the pool."""
    return compare_part(label_part(sentences)[0])


def is_covered(sentence: Sentence) -> bool:
    """
    Whether the clauses, objects and obliques of each verb have a role in its frame, as 98 % of them
    have in the treebank.
    """
    return not any(
        frame.tags[token] == "O"
        for frame in sentence.frames or ()
        for token in dependents(sentence, frame.predicate, OBJECTS | PHRASES)
    )


def mixed(silver: List[Sentence], gold: List[Sentence], seed: int) -> List[Sentence]:
    """All sentences in random order: a reader that shuffles a part at a time meets both kinds."""
    sentences = [*silver, *gold]
    random.Random(seed).shuffle(sentences)
    return sentences


def write_corpus(sentences: Sequence[Sentence], output: Path) -> None:
    """Writes roles to a `.gold_conll` file and trees to the `.conllu` file beside it."""
    with output.open("w", encoding="utf-8") as file:
        write_conll12(sentences, file)
    with output.with_suffix(".conllu").open("w", encoding="utf-8") as file:
        write_conllu(sentences, file)


if __name__ == "__main__":
    main()
