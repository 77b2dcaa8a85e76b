"""
Labels sentences with two teachers, a parser and a LISA that its trees are injected into, and writes
a corpus to train a student on, with the gold sentences mixed in.

```
python -m experiments.silver sentences.jsonl --parser dm/model.tar.gz --lisa lisa/model.tar.gz \
    --gold ewt-train.gold_conll --output silver.gold_conll
```
"""

import argparse
import json
import random
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, cast

import lisa_allennlp
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.formats.conll12 import write_conll12
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.sentence import Sentence


def main() -> None:
    """Runs the command."""
    args = _parser().parse_args()
    parser, lisa = lisa_allennlp.load(args.parser), lisa_allennlp.load(args.lisa)
    parsed = parser.pipe(_sentences(args.sentences), processes=args.processes)
    trees = list(map(as_input, parsed))
    silver = [cast(Sentence, labelled) for labelled in lisa.pipe(trees, processes=args.processes)]
    gold = list(Conll12SrlReader().read_sentences(args.gold)) * args.gold_copies
    write_corpus(mixed(silver, gold, args.seed), args.output)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentences", type=Path, help="JSON lines with tokens")
    parser.add_argument("--parser", required=True, help="a deep_biaffine_parser")
    parser.add_argument("--lisa", required=True, help="a LISA")
    parser.add_argument("--gold", required=True, help="a corpus in CoNLL-2012's columns")
    parser.add_argument("--gold-copies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True, help="ends in .gold_conll")
    parser.add_argument("--processes", type=int, default=1)
    return parser


def _sentences(path: Path) -> Iterator[Dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def as_input(parsed: Any) -> Dict[str, Any]:
    """Returns a parsed sentence as an input of LISA, with the tree to inject."""
    return {"tokens": parsed.words, "head_indices": parsed.heads, "head_tags": parsed.head_tags}


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
