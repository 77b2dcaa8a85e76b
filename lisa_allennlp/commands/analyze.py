"""
The `analyze` command: analyses the errors of one or more systems and writes a report.

```
lisa analyze --gold dev.gold_conll --pred LISA=lisa.jsonl --pred SA=sa.jsonl --out report
```
"""

import argparse
import os
from typing import Dict, Iterable, Iterator, List, Tuple

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.analysis.analysis import Analysis, analyze
from lisa_allennlp.analysis.report import report_files, write_report
from lisa_allennlp.commands.arguments import analyze as analyze_arguments
from lisa_allennlp.commands.inputs import files_of_corpus
from lisa_allennlp.commands.outputs import check_output, print_notes
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.annotated_files import (
    ROLES,
    TREES,
    AnnotatedFile,
    align,
    check_complete,
    read_annotated,
)
from lisa_allennlp.data.constituent_bits import read_constituent_bits
from lisa_allennlp.data.sentence import UNKNOWN, Sentence


@Subcommand.register("analyze")
class Analyze(Subcommand):
    """Writes a report on the errors in predicted roles: an HTML page, JSON and plots."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = analyze_arguments.add_parser(parser)
        subparser.set_defaults(func=analyze_files)
        return subparser


def analyze_files(args: argparse.Namespace) -> Analysis:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        If an option is malformed.
    `CorpusFormatError`
        If a file is malformed, differs from the gold file, or lacks roles or trees.
    """
    if os.path.exists(args.out) and not os.path.isdir(args.out):
        raise ConfigurationError(f"--out: found the file {args.out}; expected a folder")
    paths = _named_files([("--pred", value) for value in args.pred])
    parse_paths = _named_files([("--parse", value) for value in args.parse], taken=paths)
    read = (args.gold, *paths.values(), *parse_paths.values())
    if os.path.isdir(args.out):
        inputs = [file for path in read for file in files_of_corpus(path)]
        for name in report_files():
            check_output("--out", os.path.join(args.out, name), *inputs, force=args.force)
    gold = read_annotated(args.gold, parses=True)
    check_complete(gold, [ROLES], "lisa analyze")
    if parse_paths:
        check_complete(gold, [TREES], "--parse")
    systems = {name: _read_aligned(path, gold, ROLES, "--pred") for name, path in paths.items()}
    parses = {
        name: _read_aligned(path, gold, TREES, "--parse") for name, path in parse_paths.items()
    }
    analysis = analyze(gold.bare_sentences, systems, parses, read_constituent_bits(gold))
    page = write_report(analysis, args.out)
    scores = ((score.precision, score.recall, score.f1) for score in analysis.overall.values())
    cells = ([f"{value:.2f}" for value in values] for values in scores)
    rows = [[name, *row] for name, row in zip(analysis.systems, cells, strict=True)]
    print(format_table(rows, ["", "P", "R", "F1"], align_right=True))
    print_notes(_notes_on_lemmas(gold.bare_sentences, systems))
    print(page)
    return analysis


def _named_files(options: Iterable[Tuple[str, str]], taken: Iterable[str] = ()) -> Dict[str, str]:
    """The files by name, from options and their values."""
    files: Dict[str, str] = {}
    for option, value in options:
        name, equals, path = value.partition("=")
        if not (name.strip() and equals and path):
            raise ConfigurationError(f"{option}: found {value!r}; expected NAME=FILE")
        if name in files or name in taken:
            found = f"found the name {name!r} {'twice' if name in files else 'also in --pred'}"
            raise ConfigurationError(f"{option}: {found}; expected a name of its own for each file")
        files[name] = path
    return files


def _read_aligned(path: str, gold: AnnotatedFile, part: str, option: str) -> List[Sentence]:
    predicted = align(gold, read_annotated(path, parses=True))
    check_complete(predicted, [part], option)
    return predicted.bare_sentences


def _notes_on_lemmas(gold: List[Sentence], systems: Dict[str, List[Sentence]]) -> Iterator[str]:
    for name, predicted in systems.items():
        differing = sum(map(_differing_lemmas, predicted, gold))
        if differing:
            yield (
                f"{name}: {differing} predicates have another lemma than gold. lisa analyze does "
                "not compare lemmas, but lisa score does without --ignore-lemmas"
            )


def _differing_lemmas(predicted: Sentence, gold: Sentence) -> int:
    lemmas = {frame.predicate: frame.lemma for frame in gold.frames or []}
    pairs = [
        (f.lemma, lemmas[f.predicate]) for f in predicted.frames or [] if f.predicate in lemmas
    ]
    return sum(UNKNOWN not in pair and pair[0] != pair[1] for pair in pairs)
