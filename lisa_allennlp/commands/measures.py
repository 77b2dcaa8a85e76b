"""What `lisa score` and `lisa compare` share: the measures of roles and of trees."""

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import write_output
from lisa_allennlp.commands.options import settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import READABLE_FORMATS

if TYPE_CHECKING:
    from lisa_allennlp.formats.annotated_files import AnnotatedFile
    from lisa_allennlp.scoring import Evaluation


def _of_side(side: str) -> options.Arguments:
    text = f"the format of the {side} file, if its name and content do not tell it"
    return {f"--{side}-format": settings(text, choices=READABLE_FORMATS)}


ARGUMENTS: options.Arguments = {
    "gold GOLD": "the gold file",
    **_of_side("gold"),
    **_of_side("predicted"),
    "--json FILE": "also write counts and unrounded scores to a file; - prints them instead of the "
    "table",
    **options.TABLE_STYLE,
    **options.FORCE,
}
OF_ROLES: options.Arguments = {
    "--measure": settings(
        "conll05: srl-eval.pl's; primesrl: PriMeSRL-Eval's, which also scores senses "
        "(default: %(default)s)",
        choices=("conll05", "primesrl"),
        default="conll05",
    ),
    "--strict": "count the arguments of predicates that are not in gold as excess, as He et al. "
    "(2018) do. srl-eval.pl ignores such predicates",
    "--ignore-lemmas": "match predicates by position only. By default, if both files have lemmas, "
    "another lemma than in gold makes all arguments of the predicate missed, as in srl-eval.pl",
}
OF_TREES: options.Arguments = {
    "--measure": settings(
        "conllx: the attachment scores of eval.pl; conll18: those of the CoNLL 2018 shared task, "
        "for CoNLL-U files. conll18 counts punctuation and ignores subtypes of relations "
        "(default: %(default)s)",
        choices=("conllx", "conll18"),
        default="conllx",
    ),
    "--punctuation": "count punctuation, which eval.pl leaves out by default",
}


def add_tasks(
    parser: argparse.ArgumentParser, others: Mapping[str, str] = {}
) -> Dict[str, argparse.ArgumentParser]:
    """Adds a subcommand per task and, without arguments, for `others` (names and help)."""
    tasks = parser.add_subparsers(
        title="tasks",
        description=f"{parser.prog} TASK --help shows the options of a task",
        dest="task",
        metavar="TASK",
        required=True,
    )
    srl = tasks.add_parser("srl", help="predicates and their roles", epilog=parser.epilog)
    parse = tasks.add_parser("parse", help="dependency trees", epilog=parser.epilog)
    for subparser, own in ((srl, OF_ROLES), (parse, OF_TREES)):
        options.add(subparser, {**ARGUMENTS, **own}, options.TABLE_STYLE)
    added = {name: tasks.add_parser(name, help=text) for name, text in others.items()}
    return {"srl": srl, "parse": parse, **added}


def evaluate(args: argparse.Namespace, predictions: Sequence[str]) -> List["Evaluation"]:
    function = _evaluate_srl if args.task == "srl" else _evaluate_parses
    return function(args, predictions)


def _evaluate_srl(args: argparse.Namespace, predictions: Sequence[str]) -> List["Evaluation"]:
    from lisa_allennlp.formats.annotated_files import ROLES
    from lisa_allennlp.scoring import Conll05Evaluation, PrimeSrlEvaluation

    is_primesrl = args.measure == "primesrl"
    if is_primesrl:
        _refuse(args, "conll05", "strict", "confusion")
    files = _read(args, predictions, ROLES, parses=is_primesrl)
    if is_primesrl and files[0].format == "conll09":
        files[1:] = [_with_trees_of(files[0], file) for file in files[1:]]
    gold, *predicted = [file.bare_sentences for file in files]
    compare_lemmas = not args.ignore_lemmas and all(file.has_lemmas for file in files)
    if not is_primesrl:
        return [
            Conll05Evaluation(sentences, gold, args.strict, compare_lemmas, args.confusion)
            for sentences in predicted
        ]
    compare_senses = all(file.has_senses for file in files)
    compare_heads = all(s.parse is not None for sentences in (gold, *predicted) for s in sentences)
    return [
        PrimeSrlEvaluation(sentences, gold, compare_senses, compare_lemmas, compare_heads)
        for sentences in predicted
    ]


def _with_trees_of(gold: "AnnotatedFile", predicted: "AnnotatedFile") -> "AnnotatedFile":
    """
    Gives predictions gold's trees, whose scheme decides on the heads of spans. In CoNLL-2009,
    predictions have their heads, and the spans of their own trees.
    """
    if predicted.format == "conll09":
        return predicted
    located = [
        item._replace(sentence=replace(item.sentence, parse=other.sentence.parse))
        for item, other in zip(predicted.sentences, gold.sentences, strict=True)
    ]
    return replace(predicted, sentences=located)


def _evaluate_parses(args: argparse.Namespace, predictions: Sequence[str]) -> List["Evaluation"]:
    from lisa_allennlp.formats.annotated_files import TREES, read_annotated
    from lisa_allennlp.scoring import Conll18Evaluation, ConllXEvaluation

    if args.measure == "conll18":
        _refuse(args, "conllx", "punctuation")
        formats = [args.gold_format, *[args.predicted_format] * len(predictions)]
        for path, format in zip([args.gold, *predictions], formats, strict=True):
            file = read_annotated(path, format)
            if file.format not in ("conllu", "conllup"):
                raise ConfigurationError(
                    f"--measure conll18: found {file.path} in the format {file.format}; expected "
                    "CoNLL-U"
                )
        return [Conll18Evaluation(path, args.gold) for path in predictions]
    files = _read(args, predictions, TREES, parses=True)
    gold, *predicted = [file.bare_sentences for file in files]
    return [ConllXEvaluation(sentences, gold, args.punctuation) for sentences in predicted]


def write_json(described: Dict[str, Any], destination: str) -> None:
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    # What UTF-8 cannot encode in the names of files gets JSON's own escapes.
    write_output(destination, text.encode("utf-8", "backslashreplace").decode())


def _read(
    args: argparse.Namespace, predictions: Sequence[str], part: str, parses: bool
) -> List["AnnotatedFile"]:
    from lisa_allennlp.formats.annotated_files import (
        check_complete,
        check_same_sentences,
        read_annotated,
    )

    gold = read_annotated(args.gold, args.gold_format, parses=parses)
    predicted = [read_annotated(p, args.predicted_format, parses=parses) for p in predictions]
    for file in predicted:
        check_same_sentences(gold, file)
    files = [gold, *predicted]
    for file in files:
        check_complete(file, [part], f"--measure {args.measure}")
    return files


def _refuse(args: argparse.Namespace, measure: str, *names: str) -> None:
    for name in names:
        if getattr(args, name):
            raise ConfigurationError(
                f"--{name}: found --measure {args.measure}; expected --measure {measure}, which "
                "has this option"
            )
