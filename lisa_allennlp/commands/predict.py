"""
`lisa predict`: labels the lines of a file, or a corpus, and writes JSON or another format of the
model.

```
lisa predict english sentences.jsonl --output-file roles.jsonl
lisa predict english dev.conllu --output-file roles.conllu
```
"""

import argparse
import itertools
import json
import os
import sys
from contextlib import ExitStack, closing
from typing import IO, TYPE_CHECKING, Any, Callable, Iterator, Tuple

from lisa_allennlp.commands import options
from lisa_allennlp.commands.files import STANDARD_OUTPUT, check_output, print_notes
from lisa_allennlp.commands.options import at_least, settings
from lisa_allennlp.common.compression import bare_name, open_to_write
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.input_formats import ANNOTATED, GROUP_SIZE

if TYPE_CHECKING:
    from rich.progress import Progress

    from lisa_allennlp.labelling.groups import Item
    from lisa_allennlp.labelling.labeller import Labeller


ARGUMENTS: options.Arguments = {
    "archive_file MODEL": options.MODEL_HELP,
    "input_file INPUT": "a file, plain, .gz, .bz2 or .xz; - for standard input; or a sentence of "
    "several words",
    **options.INPUT_FORMAT,
    "--use-dataset-reader": "read the input as a corpus, with the model's dataset reader. Needs "
    "AllenNLP",
    "--batch-size BATCH_SIZE": at_least(
        1,
        "the number of lines to read before they are labelled together; with 1, the result of "
        "each line comes before the next line is read (default: %(default)s)",
        GROUP_SIZE,
    ),
    "--processes N": at_least(
        1, "label N groups of --batch-size lines in parallel, in processes with one thread each"
    ),
    "--output-file FILE": settings(
        "the file to write, whose name tells the format, such as .jsonl or .conllu.gz, unless "
        "--predictor-args has an output_format (default: -, standard output)",
        default=STANDARD_OUTPUT,
    ),
    # AllenNLP's option: with --output-file, nothing is printed.
    "--silent": argparse.SUPPRESS,
    "--skip-bad-lines": 'write {"line": NUMBER, "error": MESSAGE} for an invalid line and '
    "continue; the exit status is still 1. Without this option the command stops at an invalid "
    "line, after the results of all lines before it",
    **options.FORCE,
    "--resume": "continue the output of an interrupted run of the same command, after its last "
    "complete line. For answers in JSON",
    **options.MODEL,
    **options.CUDA_DEVICE,
    **options.ENGINE,
    **options.LABELS,
    "--events": "also write the events of each sentence, in JSON: what happens, who and what take "
    "part",
    "--beta BETA": settings(
        "supertaggers: also write categories with at least this share of the best probability",
        type=float,
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    exclusive = ("--input-format", "--use-dataset-reader"), ("--force", "--resume")
    options.add(parser, ARGUMENTS, *exclusive)


def run(args: argparse.Namespace) -> None:
    """Writes answers in the order of the inputs, up to a bad line, or with all of them."""
    from lisa_allennlp.labelling.sources import open_source

    force = args.force or args.resume
    check_output("--output-file", args.output_file, args.input_file, args.archive_file, force=force)
    output, name = args.output_file, args.input_file
    if args.resume and (output == STANDARD_OUTPUT or bare_name(output) != output):
        expected = "a file to continue, which is not compressed"
        raise ConfigurationError(f"--resume: found --output-file {output}; expected {expected}")
    with ExitStack() as stack:
        # A missing input is found before the model is opened.
        if not args.use_dataset_reader:
            sentence = "sentence 1" if len(name.split()) > 1 else ""
            source = stack.enter_context(
                open_source(name, args.input_format, args.text_column, sentence)
            )
            name = source.name
        labeller, write = _open_labeller(args)
        if args.use_dataset_reader:
            items, read = _instances(name, labeller)
        else:
            items, read = source.items(), lambda row: labeller.read_any(row.read())
            if source.format in ANNOTATED and args.output_file == STANDARD_OUTPUT:
                kept = "tokens, ids, tags, lemmas and trees are kept"
                print_notes([f"{name}: its {kept}, and its roles are predicted"])
        done = _keep_complete_lines(args.output_file) if args.resume else 0
        results = labeller.stream(
            itertools.islice(items, done, None),
            read,
            group_size=args.batch_size,
            processes=args.processes,
            stops=not args.skip_bad_lines,
            finish=lambda labelled, _: write(labelled),
        )
        stack.enter_context(closing(results))
        # A run that fails at once leaves no file, or the one that was there.
        first = list(itertools.islice(results, 1))
        file: IO[str] = sys.stdout
        if output != STANDARD_OUTPUT:
            file = stack.enter_context(open_to_write(output, "a" if args.resume else "w"))
        bad = _write(itertools.chain(first, results), file, done, args.batch_size)
    if bad:
        raise ConfigurationError(
            f"{name}: found {bad} bad line{'s' * (bad > 1)}; the output has records with "
            '"line" and "error" instead of results'
        )


def _open_labeller(args: argparse.Namespace) -> Tuple["Labeller", Callable[[Any], str]]:
    from lisa_allennlp.formats.annotated_files import format_of_name
    from lisa_allennlp.formats.conversion import WRITABLE_ENDINGS
    from lisa_allennlp.labelling.writing import output_writer

    chosen = options.labeller_options(args)
    output_format = chosen.pop("output_format", None)
    if args.beta is not None:
        chosen["beta"] = args.beta
    if args.use_dataset_reader:
        chosen["dataset_reader"] = "validation"
    labeller = options.open_labeller(args.archive_file, args, **chosen)
    if output_format is None:
        named = format_of_name(args.output_file, WRITABLE_ENDINGS)
        output_format = named or labeller.output_formats[0]
        if output_format not in labeller.output_formats:
            expected = f"a name for one of {', '.join(labeller.output_formats)}"
            raise ConfigurationError(
                f"--output-file: found {args.output_file}, which is {output_format}; expected "
                f"{expected}"
            )
    if output_format != "json":
        for option in ("events", "probabilities", "skip_bad_lines", "resume"):
            if getattr(args, option):
                option = option.replace("_", "-")
                found = f"found the output_format '{output_format}'"
                raise ConfigurationError(f"--{option}: {found}; expected 'json'")
    return labeller, output_writer(labeller, output_format, args.events)


def _instances(name: str, labeller: "Labeller") -> Tuple[Iterator["Item"], Callable[[Any], Any]]:
    from lisa_allennlp.labelling.groups import Item
    from lisa_allennlp.models.engines import AllennlpEngine
    from lisa_allennlp.models_on_disk.archives import CONFIGURATION_ERRORS

    engine = labeller.engine
    assert isinstance(engine, AllennlpEngine)

    def items() -> Iterator[Item]:
        instances = iter(engine.dataset_reader.read(name))
        for number in itertools.count(1):
            try:
                yield Item(next(instances), f"{name}: sentence {number}", number)
            except StopIteration:
                return
            except CONFIGURATION_ERRORS as error:
                # The reader's message has the file and the line.
                yield Item(None, "", number, error.message)
                return

    return items(), engine.request


def _keep_complete_lines(path: str) -> int:
    """Counts complete lines, and removes an interrupted run's rest."""
    if not os.path.exists(path):
        return 0
    with open(path, "rb+") as file:
        lines, size = 0, 0
        for line in file:
            if line.endswith(b"\n"):
                lines, size = lines + 1, size + len(line)
        file.truncate(size)
    return lines


def _write(results: Iterator[Any], output: IO[str], done: int, batch_size: int) -> int:
    from lisa_allennlp.formats.conllu import GLOBAL_COLUMNS
    from lisa_allennlp.labelling.groups import InputError

    bad, columns = 0, ""
    with _progress(hidden=output is sys.stdout and output.isatty()) as progress:
        task = progress.add_task("predicting", completed=done, total=None)
        for number, result in enumerate(results, start=1):
            if isinstance(result, InputError):
                bad += 1
                record = {"line": result.position, "error": result.reason}
                result = json.dumps(record, ensure_ascii=False) + "\n"
            if GLOBAL_COLUMNS.match(result):
                # Each answer in CoNLL-U Plus names its columns; a file does so once.
                first, _, rest = result.partition("\n")
                result, columns = rest if first == columns else result, first
            output.write(result)
            # A program that writes lines one by one waits for their results.
            if number % batch_size == 0:
                output.flush()
            progress.advance(task)
    return bad


def _progress(hidden: bool) -> "Progress":
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    console.quiet = hidden or not console.is_terminal
    columns = TextColumn("{task.description} {task.completed:,} sentences"), TimeElapsedColumn()
    return Progress(*columns, console=console, disable=console.quiet)
