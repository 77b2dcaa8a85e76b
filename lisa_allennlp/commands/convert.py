"""
`lisa convert`: writes an annotated file in another format.

```
lisa convert roles.jsonl roles.conllu
lisa convert roles.jsonl roles.props --lemmas-from test.gold_conll
lisa convert roles.jsonl frames.parquet
lisa convert up.conllup spans.conllup --spans-from-heads
lisa convert roles.jsonl roles.ann
```
"""

import argparse
import io
import os
import sys
from typing import Any

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import check_output, write_output
from lisa_allennlp.commands.options import settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats import READABLE_FORMATS, WRITABLE_FORMATS

BRAT, EVENTS = "brat", "events"

TABLES = ("frames", "spans", EVENTS)
"""As in `lisa_allennlp.formats.role_tables`, which imports NumPy."""


ARGUMENTS: options.Arguments = {
    "input INPUT": "an annotated file, plain, .gz, .bz2 or .xz, or a folder of gold_conll files",
    "output OUTPUT": "the file to write, compressed if its name says so, or - for standard output",
    "--from": settings(
        "the format of the input (default: by its name or content)",
        dest="input_format",
        choices=READABLE_FORMATS,
    ),
    "--to": settings(
        "the format of the output (default: by its name)",
        dest="output_format",
        choices=WRITABLE_FORMATS,
    ),
    "--lemmas-from GOLD": "an annotated file of the same sentences. Its predicates give their "
    "lemmas to the predicates at the same positions. Models predict no lemmas, but srl-eval.pl "
    "counts every argument of a predicate with another lemma than gold's as missed",
    "--spans-from-heads": "make the spans of arguments in CoNLL-U Plus from UP:ARGHEADS and the "
    "tree, and leave UP:ARGSPANS out of account",
    "--table": settings(
        "the rows of csv and parquet: a frame each, with a column per role; a span each; or an "
        f"event each, with what it says in columns (default: {TABLES[0]})",
        choices=TABLES,
    ),
    **options.COLUMNS,
    "--frames FRAMES": f"{options.FRAMES_HELP}. Only json, csv and parquet have room for them",
    **options.FORCE,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "docs/formats.md describes the formats."
    options.add(parser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.formats import conversion
    from lisa_allennlp.formats.annotated_files import read_annotated
    from lisa_allennlp.formats.standoff import placed
    from lisa_allennlp.text.propbank_frames import open_inventory

    output_format = args.output_format or _format_by_name(args.output)
    if args.frames and not conversion.can_hold(output_format, conversion.GLOSSES):
        raise ConfigurationError(
            f"--frames: found the output format {output_format}; expected json, csv or parquet"
        )
    for name in ("table", "columns"):
        if getattr(args, name) and output_format not in conversion.TABLE_FORMATS:
            raise ConfigurationError(
                f"--{name}: found the output format {output_format}; expected csv or parquet"
            )
    check_output("OUTPUT", args.output, args.input, args.lemmas_from, force=args.force)
    text = None
    if output_format == BRAT:
        if not args.output.endswith(".ann"):
            expected = "a file NAME.ann, beside which there will be its text, NAME.txt"
            raise ConfigurationError(f"OUTPUT: found {args.output} for {BRAT}; expected {expected}")
        text = f"{os.path.splitext(args.output)[0]}.txt"
        check_output("OUTPUT", text, args.input, args.lemmas_from, force=args.force)
    name = args.table or TABLES[0]
    # Events are made from trees.
    has_trees = conversion.can_hold(output_format, conversion.TREES) or name == EVENTS
    annotated = read_annotated(args.input, args.input_format, has_trees, args.spans_from_heads)
    if args.lemmas_from:
        annotated = conversion.with_lemmas(annotated, read_annotated(args.lemmas_from))
    if args.frames:
        annotated = conversion.with_glosses(annotated, open_inventory(args.frames))
    table = None
    if output_format in conversion.TABLE_FORMATS:
        table = conversion.make_table(annotated, name, args.columns)
        for note in table.notes:
            _tell(note)
    file: Any = io.BytesIO() if output_format in conversion.BINARY_FORMATS else io.StringIO()
    conversion.write_annotated(annotated, output_format, file, table)
    # Nothing is written before all sentences are known to fit.
    write_output(args.output, file.getvalue())
    if text is not None:
        write_output(text, placed(annotated.bare_sentences)[0])
    lost = conversion.left_out(annotated, output_format, name)
    if lost:
        _tell(f"{output_format} cannot hold these, so they are left out: {', '.join(lost)}")
    invented = conversion.lemmas_to_invent(annotated, output_format)
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
    from lisa_allennlp.formats.annotated_files import format_of_name
    from lisa_allennlp.formats.conversion import WRITABLE_ENDINGS

    format = format_of_name(output, WRITABLE_ENDINGS)
    if format is None:
        raise ConfigurationError(
            f"OUTPUT: found '{output}'; expected a name that ends in one of "
            f"{', '.join(WRITABLE_ENDINGS)}, or the option --to"
        )
    return format
