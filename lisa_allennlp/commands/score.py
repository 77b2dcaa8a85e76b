"""
`lisa score`: scores a file of predictions against a gold file, as the official scorers do.

```
lisa score srl gold.props predicted.props
lisa score parse gold.conllu predicted.conllu
```
"""

import argparse

from lisa_allennlp.commands.files import STANDARD_OUTPUT, check_output, print_notes
from lisa_allennlp.commands.measures import TABLE_OPTIONS, add_tasks, evaluate, write_json

_FILES = (
    "Files may be props, BIO, CoNLL-2005, gold_conll, CoNLL-U, or the JSON lines of lisa predict. "
    "They must have the same sentences in the same order. docs/scoring.md explains the measures."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _FILES
    for task, subparser in add_tasks(parser).items():
        subparser.add_argument("predicted", metavar="PREDICTED", help="the file of predictions")
        for option, text in TABLE_OPTIONS[task].items():
            subparser.add_argument(f"--{option}", action="store_true", help=text)


def run(args: argparse.Namespace) -> None:
    """Prints a table, and writes the scores."""
    check_output("--json", args.json, args.gold, args.predicted, force=args.force)
    (evaluation,) = evaluate(args, [args.predicted])
    notes = evaluation.notes()
    if args.json != STANDARD_OUTPUT:
        print(evaluation.table(args.table_style))
    print_notes(notes)
    if args.json is not None:
        described = {"measure": args.measure, "gold": args.gold, "predicted": args.predicted}
        write_json({**described, **evaluation.to_dict(), "notes": notes}, args.json)
