"""
The `score` command: scores a file of predictions against a gold file, as the official scorers do.

```
lisa score srl gold.props predicted.props
lisa score parse gold.conllu predicted.conllu
```
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from lisa_allennlp.commands.arguments import score as score_arguments
from lisa_allennlp.commands.measures import EVALUATIONS, write_json
from lisa_allennlp.commands.outputs import STANDARD_OUTPUT, check_output, print_notes


@Subcommand.register("score")
class Score(Subcommand):
    """Scores predictions. Each task is a subcommand with its own measures."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the command and its tasks."""
        subparser = score_arguments.add_parser(parser)
        subparser.set_defaults(func=score)
        return subparser


def score(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        As in `evaluate_srl` and `check_output`.
    """
    check_output("--json", args.json, args.gold, args.predicted, force=args.force)
    (evaluation,) = EVALUATIONS[args.task](args, [args.predicted])
    if args.json != STANDARD_OUTPUT:
        print(evaluation.table())
    print_notes(evaluation.notes())
    if args.json is not None:
        described = {"measure": args.measure, "gold": args.gold, "predicted": args.predicted}
        scores = evaluation.to_dict()
        write_json({**described, **scores, "notes": evaluation.notes()}, args.json)
