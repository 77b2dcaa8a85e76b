"""
`lisa compare`: tests whether one system is better than another, or says how far two people agree.

```
lisa compare srl gold.gold_conll lisa.jsonl sa.jsonl
lisa compare corrections ann/dev.corrections.jsonl ben/dev.corrections.jsonl
```
"""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, List, Sequence

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import STANDARD_OUTPUT, check_output, print_notes
from lisa_allennlp.commands.measures import add_tasks, evaluate, write_json
from lisa_allennlp.commands.options import at_least, settings
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from lisa_allennlp.scoring import Evaluation

CORRECTIONS = "corrections"


ARGUMENTS: options.Arguments = {
    "first A": "the predictions of one system",
    "second B": "the predictions of the other system",
    "--names NAME": settings(
        "the names of the two systems in the table (default: A B)", nargs=2, default=["A", "B"]
    ),
    "--samples SAMPLES": at_least(1, "the number of samples (default: %(default)s)", 10000),
    "--seed SEED": at_least(0, "the seed of the random numbers (default: %(default)s)", 0),
}
OF_PEOPLE: options.Arguments = {
    "first A": "one person's file of corrections",
    "second B": "the other person's, of the same corpus",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Samples of the same number of sentences are drawn with replacement. The interval is that "
        "of the difference, B minus A; the p-value is two-sided."
    )
    text = "how far two people agree in what they corrected"
    subparsers = add_tasks(parser, {CORRECTIONS: text})
    options.add(subparsers.pop(CORRECTIONS), OF_PEOPLE)
    subparsers["srl"].set_defaults(confusion=False)
    for subparser in subparsers.values():
        options.add(subparser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    if args.task == CORRECTIONS:
        _compare_people(args.first, args.second)
        return
    from lisa_allennlp.scoring import difference_table, paired_bootstrap
    from lisa_allennlp.scoring.bootstrap import CONFIDENCE

    paths = (args.first, args.second)
    check_output("--json", args.json, args.gold, *paths, force=args.force)
    evaluations = evaluate(args, paths)
    first, second = (evaluation.sentence_ratios() for evaluation in evaluations)
    if len(first) < 2:
        raise ConfigurationError(f"{args.gold}: found one sentence; expected two or more")
    differences = paired_bootstrap(first, second, args.samples, args.seed)
    a, b = args.names
    if args.json != STANDARD_OUTPUT:
        if args.table_style == "text":
            print(f"{a}: {args.first}\n{b}: {args.second}")
            print(f"{len(first)} sentences, {args.samples} samples\n")
        print(difference_table(differences, a, b, args.table_style))
    notes = _notes(paths, evaluations)
    print_notes(notes)
    if args.json is not None:
        names = ("measure", "gold", "first", "second", "samples", "seed")
        described = {name: getattr(args, name) for name in names}
        described.update(sentences=len(first), confidence=CONFIDENCE)
        rows = [asdict(difference) for difference in differences]
        write_json({**described, "differences": rows, "notes": notes}, args.json)


def _compare_people(first: str, second: str) -> None:
    from lisa_allennlp.apps.analyze.agreement import agreement, read_corrections
    from lisa_allennlp.common.tables import format_table

    found = agreement(read_corrections(first), read_corrections(second))
    print(f"A: {first}\nB: {second}")
    print(
        f"{found.both} sentences in both ({found.accepted} of them accepted by both), "
        f"{found.only_first} only in A, {found.only_second} only in B\n"
    )
    rows = [(name, f"{score:.2f}") for name, score in found.scores.items()]
    print(format_table(rows, ("", "agreement"), align_right=True))
    differ = "sentence differs" if len(found.differing) == 1 else "sentences differ"
    print(f"\n{len(found.differing)} {differ}" + ":" * bool(found.differing))
    for number, text, sentence in found.differing:
        print(f"{number:6} {' '.join(sentence.words)} ({text})")


def _notes(paths: Sequence[str], evaluations: Sequence["Evaluation"]) -> List[str]:
    notes = [evaluation.notes() for evaluation in evaluations]
    shared = [note for note in notes[0] if all(note in others for others in notes)]
    return shared + [
        f"{path}: {note}"
        for path, own in zip(paths, notes, strict=True)
        for note in own
        if note not in shared
    ]
