"""
The `compare` command: tests whether one system is better than another.

```
lisa compare srl gold.gold_conll lisa.jsonl sa.jsonl
```
"""

import argparse
from typing import Any, Dict, List, Sequence

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands.arguments import compare as compare_arguments
from lisa_allennlp.commands.measures import EVALUATIONS, write_json
from lisa_allennlp.commands.outputs import STANDARD_OUTPUT, check_output, print_notes
from lisa_allennlp.common.tables import format_table
from lisa_allennlp.scoring import Difference, Evaluation, paired_bootstrap
from lisa_allennlp.scoring.bootstrap import CONFIDENCE


@Subcommand.register("compare")
class Compare(Subcommand):
    """Compares two systems. Each task is a subcommand with its own measures."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the command and its tasks."""
        subparser = compare_arguments.add_parser(parser)
        subparser.set_defaults(func=compare)
        return subparser


def compare(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        As in `evaluate_srl` and `check_output`, or if there are fewer than two sentences or no
        samples.
    """
    for option, least in (("samples", 1), ("seed", 0)):
        if getattr(args, option) < least:
            found = f"--{option} is {getattr(args, option)}"
            raise ConfigurationError(f"{found}; expected {least} or more")
    paths = (args.first, args.second)
    check_output("--json", args.json, args.gold, *paths, force=args.force)
    evaluations = EVALUATIONS[args.task](args, paths)
    first, second = (evaluation.sentence_ratios() for evaluation in evaluations)
    if len(first) < 2:
        raise ConfigurationError(f"{args.gold}: found one sentence; expected two or more")
    differences = paired_bootstrap(first, second, args.samples, args.seed)
    if args.json != STANDARD_OUTPUT:
        print(f"A: {args.first}\nB: {args.second}")
        print(f"{len(first)} sentences, {args.samples} samples\n")
        print(_table(differences))
    notes = _notes(paths, evaluations)
    print_notes(notes)
    if args.json is not None:
        write_json({**_describe(args, len(first), differences), "notes": notes}, args.json)


def _notes(paths: Sequence[str], evaluations: Sequence[Evaluation]) -> List[str]:
    """The notes on all files once, then the others with the file."""
    notes = [evaluation.notes() for evaluation in evaluations]
    shared = [note for note in notes[0] if all(note in others for others in notes)]
    return shared + [
        f"{path}: {note}"
        for path, own in zip(paths, notes, strict=True)
        for note in own
        if note not in shared
    ]


def _table(differences: List[Difference]) -> str:
    rows = [
        (
            difference.score,
            f"{difference.first:.2f}",
            f"{difference.second:.2f}",
            f"{difference.difference:+.2f}",
            f"{difference.low:+.2f} to {difference.high:+.2f}",
            f"{difference.p_value:.4f}",
        )
        for difference in differences
    ]
    interval = f"{CONFIDENCE:.0%} interval"
    return format_table(rows, ("", "A", "B", "B - A", interval, "p"), align_right=True)


def _describe(
    args: argparse.Namespace, sentences: int, differences: List[Difference]
) -> Dict[str, Any]:
    return {
        "measure": args.measure,
        "gold": args.gold,
        "first": args.first,
        "second": args.second,
        "sentences": sentences,
        "samples": args.samples,
        "seed": args.seed,
        "confidence": CONFIDENCE,
        "differences": [difference.to_dict() for difference in differences],
    }
