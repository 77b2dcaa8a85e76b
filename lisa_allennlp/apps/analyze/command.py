"""
`lisa analyze`: analyses the errors of one or more systems, and writes a report.

```
lisa analyze --gold dev.gold_conll --pred LISA=lisa.jsonl --train train.gold_conll
lisa analyze --gold dev.gold_conll --pred LISA=lisa.jsonl --pred SA=sa.jsonl --out report
```
"""

import argparse
import os
from collections import Counter
from typing import TYPE_CHECKING, Dict, Iterable, Iterator, List, Tuple

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output, print_notes
from lisa_allennlp.commands.options import repeated, settings
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from lisa_allennlp.formats.annotated_files import AnnotatedFile
    from lisa_allennlp.sentence.sentence import Sentence


ARGUMENTS: options.Arguments = {
    "--gold GOLD": settings(
        "the gold corpus; the trees of the .conllu file beside it are gold trees", required=True
    ),
    "--pred NAME=FILE": settings(
        "a system and its predictions, in any format with roles; may be repeated",
        type=options.named_path,
        action="append",
        required=True,
    ),
    "--parse NAME=FILE": repeated(
        "another parser and its trees, in CoNLL-U; may be repeated", type=options.named_path
    ),
    "--train FILE": "the training data, for the scores by how often it has a roleset",
    "--out DIR": "the folder of a report",
    **options.TABLE_STYLE,
    **options.FORCE,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Prints tables. With --out, writes report.html, report.json and the plots as SVG and PNG."
    )
    options.add(parser, ARGUMENTS, options.TABLE_STYLE)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.analyze.analysis import analyze
    from lisa_allennlp.apps.analyze.report import report_files, tables, write_report
    from lisa_allennlp.common.tables import write_table
    from lisa_allennlp.formats.annotated_files import (
        ROLES,
        TREES,
        check_complete,
        read_annotated,
        read_constituent_bits,
    )

    names = [name for name, _ in [*args.pred, *args.parse]]
    for name in names:
        if names.count(name) > 1:
            raise ConfigurationError(
                f"--pred, --parse: found the name {name!r} twice; expected different names"
            )
    if args.out:
        for name in report_files() if os.path.isdir(args.out) else ():
            check_output("--out", os.path.join(args.out, name), force=args.force)
    gold = read_annotated(args.gold, parses=True)
    check_complete(gold, [ROLES], "lisa analyze")
    if args.parse:
        check_complete(gold, [TREES], "--parse")
    systems = _read_aligned(args.pred, gold, ROLES, "--pred")
    parses = _read_aligned(args.parse, gold, TREES, "--parse")
    frequencies = None
    if args.train:
        train = read_annotated(args.train)
        for option, file in (("--gold", gold), ("--train", train)):
            if not file.has_senses:
                expected = "rolesets, to count those of --train"
                raise ConfigurationError(f"{option}: found no senses in {file.path}; {expected}")
        frequencies = Counter(frame.sense for frame in train.frames)
    bits = read_constituent_bits(gold)
    analysis = analyze(gold.bare_sentences, systems, parses, bits, frequencies)
    print("\n\n".join(write_table(table, args.table_style) for table in tables(analysis)))
    print_notes(_notes_on_lemmas(gold.bare_sentences, systems))
    if args.out:
        print(f"\n{write_report(analysis, args.out)}")


def _read_aligned(
    files: Iterable[Tuple[str, str]], gold: "AnnotatedFile", part: str, option: str
) -> Dict[str, List["Sentence"]]:
    from lisa_allennlp.formats.annotated_files import (
        check_complete,
        check_same_sentences,
        read_annotated,
    )

    read = {name: read_annotated(path, parses=True) for name, path in files}
    for file in read.values():
        check_same_sentences(gold, file)
        check_complete(file, [part], option)
    return {name: file.bare_sentences for name, file in read.items()}


def _notes_on_lemmas(gold: List["Sentence"], systems: Dict[str, List["Sentence"]]) -> Iterator[str]:
    for name, predicted in systems.items():
        differing = sum(map(_differing_lemmas, predicted, gold))
        if differing:
            yield (
                f"{name}: {differing} predicates have another lemma than gold. lisa analyze does "
                "not compare lemmas, but lisa score does without --ignore-lemmas"
            )


def _differing_lemmas(predicted: "Sentence", gold: "Sentence") -> int:
    from lisa_allennlp.sentence.sentence import UNKNOWN

    lemmas = {frame.predicate: frame.lemma for frame in gold.frames or []}
    pairs = [
        (f.lemma, lemmas[f.predicate]) for f in predicted.frames or [] if f.predicate in lemmas
    ]
    return sum(UNKNOWN not in pair and pair[0] != pair[1] for pair in pairs)
