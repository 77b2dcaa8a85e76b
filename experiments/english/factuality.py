"""
Writes a corpus as CoNLL-U with roles, trees and whether the event of a verb happened.

    python -m experiments.english.factuality ewt-train.gold_conll train.tsv OUT/ewt-train.conllu

The table has the columns `sent_id`, `token` (from 1), `form` and `factuality`, which is above 0 if
the event happened, as made from Universal Decompositional Semantics 2.0. The trees with the
`sent_id` of each sentence are in the CoNLL-U file beside the corpus. Forms that differ from those
of the corpus are left out.
"""

import argparse
import csv
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, Tuple

from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.dataset_readers.srl_reader import FACTUALITY
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import parse_conllu_roles, write_conllu_roles
from lisa_allennlp.sentence.document import CONLLU, ID
from lisa_allennlp.sentence.sentence import Sentence

Table = Dict[Tuple[str, int, str], str]
"""The values by the id of a sentence, the position of a token from 0, and its form."""


def read_table(path: Path) -> Table:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            (row["sent_id"], int(row["token"]) - 1, row["form"]): row["factuality"] for row in rows
        }


def with_factuality(corpus: Path, table: Table) -> Iterator[Sentence]:
    """The sentences of a corpus with what the table says of them."""
    trees = str(corpus.with_suffix(".conllu"))
    with_ids = (item.sentence for item in parse_conllu_roles(read_lines(trees), trees))
    for sentence, tree in zip(Conll12SrlReader().read_sentences(corpus), with_ids, strict=True):
        name = tree.extra[ID]
        values = (table.get((name, *place)) for place in enumerate(sentence.words))
        misc = ["_" if value is None else f"{FACTUALITY}={value}" for value in values]
        extra = {ID: name, CONLLU: {"misc": misc}}
        words, pos, frames = sentence.words, sentence.pos, sentence.frames
        yield replace(tree, words=words, pos=pos, frames=frames, extra=extra)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="a .gold_conll file with its .conllu beside it")
    parser.add_argument("table", type=Path)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8") as file:
        write_conllu_roles(with_factuality(args.corpus, read_table(args.table)), file)


if __name__ == "__main__":
    main()
