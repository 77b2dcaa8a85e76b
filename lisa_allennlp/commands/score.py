"""
`lisa score`: scores a file of predictions against a gold file, as the official scorers do.

```
lisa score srl gold.props predicted.props
lisa score parse gold.conllu predicted.conllu
```
"""

import argparse

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import STANDARD_OUTPUT, check_output, print_notes
from lisa_allennlp.commands.measures import add_tasks, evaluate, write_json

_FILES = (
    "Files may be props, CoNLL-2005, CoNLL-2009, gold_conll, CoNLL-U, or the JSON lines of lisa "
    "predict. They must have the same sentences in the same order. docs/scoring.md explains the "
    "measures."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _FILES
    tasks = add_tasks(parser)
    for subparser in tasks.values():
        options.add(subparser, {"predicted PREDICTED": "the file of predictions"})
    options.add(tasks["srl"], {"--confusion": "also print the confusion matrix of roles"})


def run(args: argparse.Namespace) -> None:
    check_output("--json", args.json, args.gold, args.predicted, force=args.force)
    (evaluation,) = evaluate(args, [args.predicted])
    notes = evaluation.notes()
    if args.json != STANDARD_OUTPUT:
        print(evaluation.table(args.table_style))
    print_notes(notes)
    if args.json is not None:
        described = {"measure": args.measure, "gold": args.gold, "predicted": args.predicted}
        write_json({**described, **evaluation.to_dict(), "notes": notes}, args.json)
