"""
Labels sentences with teachers, and writes a corpus to train a student on, with the gold sentences
mixed in; without sentences, the gold ones alone. The teachers are a LISA and any parsers. The
parsers' trees are injected into the LISA; with `--lisa-trees`, the trees are those of all teachers
together. A LISA that continues to learn from itself and parsers learns most from sentences on whose
tree they disagree: `--undisputed 0.25` keeps these, and a quarter of the others.

```
python -m experiments.english.silver --sentences sentences.jsonl --gold ewt-train.gold_conll \
    --parsers dm/model.tar.gz --lisa lisa/model.tar.gz --output silver.gold_conll
```
"""

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Iterator, List, Optional, Sequence, Tuple

from allennlp.common.tqdm import Tqdm

from experiments.english.ensemble import Ensemble, open_ensemble
from experiments.english.raw_sentences import read_sentences
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.formats.conll12 import write_conll12
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence

PART = 2000
"""The number of sentences that a process labels at once."""

_ensemble: Optional[Ensemble] = None


def main() -> None:
    """Runs the command."""
    args = _parser().parse_args()
    silver = [] if args.sentences is None else list(label(args))
    gold = list(Conll12SrlReader(senses=True).read_sentences(args.gold)) * args.gold_copies
    if args.examples is not None:
        gold += read_annotated(args.examples).bare_sentences * args.example_copies
    write_corpus(mixed(silver, gold, args.seed), args.output)


def label(args: argparse.Namespace) -> Iterator[Sentence]:
    """Yields the sentences with the teachers' labels."""
    teachers = args.lisa, args.parsers, args.lisa_trees
    generator = random.Random(args.seed)
    files = (islice(read_sentences(file), *args.range) for file in args.sentences)
    sentences = [Sentence(words) for words in chain.from_iterable(files)]
    parts = [sentences[start : start + PART] for start in range(0, len(sentences), PART)]
    with ProcessPoolExecutor(args.processes, initializer=_open, initargs=teachers) as pool:
        results = pool.map(partial(label_part, finds_disputed=args.undisputed < 1), parts)
        for labelled, disputed in Tqdm.tqdm(results, "labelling", len(parts)):
            for sentence, is_disputed in zip(labelled, disputed, strict=True):
                if is_disputed or generator.random() < args.undisputed:
                    yield sentence


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
    text = "the share to keep of the sentences to which the LISA alone gives the same tree"
    parser.add_argument("--undisputed", type=float, default=1.0, metavar="SHARE", help=text)
    parser.add_argument("--gold", required=True, help="a corpus in CoNLL-2012's columns")
    parser.add_argument("--gold-copies", type=int, default=4)
    parser.add_argument("--examples", type=Path, help="what `lisa prepare frames` wrote")
    parser.add_argument("--example-copies", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True, help="ends in .gold_conll")
    parser.add_argument("--processes", type=int, default=1)
    return parser


def _open(lisa: str, parsers: Sequence[str], lisa_trees: bool) -> None:
    global _ensemble
    _ensemble = open_ensemble([lisa], parsers, lisa_trees)


def label_part(
    sentences: Sequence[Sentence], finds_disputed: bool
) -> Tuple[List[Sentence], List[bool]]:
    """
    Returns the sentences with labels, and whether the LISA alone gives each another tree; without
    `finds_disputed`, true for all.
    """
    assert _ensemble is not None
    labelled = _ensemble.label(sentences)
    disputed = [True] * len(labelled)
    if finds_disputed:
        alone = _ensemble.lisas[0].label(list(map(Request, sentences)))
        disputed = [s.heads != own.heads for s, own in zip(labelled, alone, strict=True)]
    # Columns need no probabilities, which take long to send to another process.
    return [replace(sentence, predicate_probabilities=None) for sentence in labelled], disputed


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
