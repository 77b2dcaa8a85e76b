"""
The `convert` command: writes an annotated file in another format.

```
lisa convert roles.jsonl roles.conllu
lisa convert roles.jsonl roles.props --lemmas-from test.gold_conll
```
"""

import argparse
import io
import sys

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands.arguments import convert as convert_arguments
from lisa_allennlp.commands.inputs import files_of_corpus
from lisa_allennlp.commands.outputs import STANDARD_OUTPUT, check_output, write_output
from lisa_allennlp.data.annotated_files import (
    format_of_name,
    read_annotated,
)
from lisa_allennlp.data.conversion import (
    LEMMAS,
    TREES,
    WRITABLE_ENDINGS,
    can_hold,
    left_out,
    lemmas_to_invent,
    with_lemmas,
    write_annotated,
)


@Subcommand.register("convert")
class Convert(Subcommand):
    """Writes an annotated file, such as a prediction, in another format."""

    requires_plugins = False

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = convert_arguments.add_parser(parser)
        subparser.set_defaults(func=convert)
        return subparser


def convert(args: argparse.Namespace) -> None:
    """
    Runs the command.

    # Raises

    `ConfigurationError`
        If an argument is invalid, or the output format cannot hold a sentence.
    """
    if args.output.endswith(".gz"):
        raise ConfigurationError(
            f"OUTPUT: found '{args.output}'; expected a file that is not compressed"
        )
    output_format = args.output_format or _format_by_name(args.output)
    if args.lemmas_from and not can_hold(output_format, LEMMAS):
        raise ConfigurationError(
            f"--lemmas-from: found the output format {output_format}; expected one with lemmas"
        )
    inputs = [*files_of_corpus(args.input), args.lemmas_from]
    check_output("OUTPUT", args.output, *inputs, force=args.force)
    annotated = read_annotated(args.input, args.input_format, can_hold(output_format, TREES))
    if args.lemmas_from:
        annotated = with_lemmas(annotated, read_annotated(args.lemmas_from))
    text = io.StringIO()
    write_annotated(annotated, output_format, text)
    # Nothing is written before all sentences are known to fit.
    write_output(args.output, text.getvalue())
    lost = left_out(annotated, output_format)
    if lost:
        _tell(f"{output_format} cannot hold these, so they are left out: {', '.join(lost)}")
    invented = lemmas_to_invent(annotated, output_format)
    if invented:
        advice = (
            ". For scores, add --lemmas-from GOLD: srl-eval.pl and lisa score count the arguments "
            "of other lemmas as missed"
        )
        _tell(
            f"{invented} predicates have no lemma, which {output_format} needs, so their word "
            f"forms are written instead{'' if args.lemmas_from else advice}"
        )


def _tell(message: str) -> None:
    print(f"lisa convert: {message}", file=sys.stderr)


def _format_by_name(output: str) -> str:
    if output == STANDARD_OUTPUT:
        raise ConfigurationError("OUTPUT: found -, which names no format; expected --to, too")
    format = format_of_name(output, WRITABLE_ENDINGS)
    if format is None:
        raise ConfigurationError(
            f"OUTPUT: found '{output}'; expected a name that ends in one of "
            f"{', '.join(WRITABLE_ENDINGS)}, or the option --to"
        )
    return format
