"""
The `predict` command: labels the lines of a file, or a corpus, and writes JSON or another format
of the model.

```
lisa predict out/sample/model.tar.gz sentences.jsonl --output-file roles.jsonl --silent
```
"""

import argparse
import itertools
import json
import os
import sys
from contextlib import ExitStack, closing
from typing import (
    Any,
    BinaryIO,
    Callable,
    Generator,
    Iterator,
    NamedTuple,
    Optional,
    TextIO,
    Tuple,
    Union,
    cast,
)

from allennlp.commands.predict import Predict
from allennlp.commands.predict import _predict as predict_by_allennlp
from allennlp.common import logging as common_logging
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path, open_compressed
from allennlp.common.tqdm import Tqdm
from allennlp.data import Instance

from lisa_allennlp.commands.arguments import predict as predict_arguments
from lisa_allennlp.commands.labeller_options import LOADING, labeller_options
from lisa_allennlp.commands.outputs import open_output
from lisa_allennlp.commands.predict_checks import (
    STANDARD_INPUT,
    check_only_allennlps_options,
    check_output_file,
    check_output_format,
    check_predictor_of_another_package,
    check_processes,
)
from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import (
    check_is_not_json,
    format_of_input,
    items_of_file,
    read_content,
)
from lisa_allennlp.labelling.input_formats import TEXT
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.resuming import EarlierAnswers
from lisa_allennlp.labelling.writing import output_writer
from lisa_allennlp.models.sentence_model import is_sentence_model


@takes_the_place_of("predict")
class LisaPredict(Predict):
    """
    AllenNLP's `predict` command with these changes, for corpora of any size:

    - `--batch-size` is larger by default. AllenNLP's default of 1 is several times slower. Use
      `--batch-size 1` to get the result of each line before the next line is read.
    - The error for an invalid line has the file and the line number, and comes after the results of
      all lines before it. With `--skip-bad-lines` the command continues.
    - `--processes` labels several groups of lines in parallel.
    - An existing output is replaced with `--force` only, and continued with `--resume`. Nothing
      that the command reads is overwritten.
    - Lines of JSON can have whole documents, and `--input-format` reads plain text.
    - It opens exported folders too, and the models of the package by their names.
    - `--precision`, `--beta`, `--probabilities` and `--min-probability` are short for an override
      and for predictor arguments.
    - A terminal shows a progress bar, unless it shows the results.

    Models of other packages are left to AllenNLP's command.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = predict_arguments.add_parser(parser)
        subparser.set_defaults(func=predict)
        return subparser


def predict(args: argparse.Namespace) -> None:
    """Runs the command."""
    common_logging.FILE_FRIENDLY_LOGGING = args.file_friendly_logging
    if args.silent and not args.output_file:
        raise ConfigurationError("found --silent without --output-file; expected --output-file too")
    config = archived_config(args.archive_file)
    check_output_file(args, config)
    if not is_sentence_model(config):
        check_only_allennlps_options(args)
        check_predictor_of_another_package(args)
        _predict_by_allennlp(args)
        return
    if args.input_format and args.use_dataset_reader:
        raise ConfigurationError(
            "--input-format: found --use-dataset-reader too; expected one of them"
        )
    if args.batch_size < 1:
        raise ConfigurationError(f"--batch-size is {args.batch_size}; expected 1 or more")
    args.processes = check_processes(args.processes, args.cuda_device)
    if not args.use_dataset_reader and args.input_file != STANDARD_INPUT:
        # Fails for a missing input before the model is loaded and the output is opened.
        cached_path(args.input_file)
    labeller, write = _load(args)
    check_output_format(args, write.is_json)
    bad = Prediction(args, labeller, write).run()
    if bad:
        raise ConfigurationError(
            f"{_input_name(args)}: found {bad} bad line{'s' * (bad > 1)}; the output has records "
            'with "line" and "error" instead of results'
        )


def _predict_by_allennlp(args: argparse.Namespace) -> None:
    try:
        predict_by_allennlp(args)
    except OSError as error:
        if error.filename is None:
            error.filename = args.output_file
        raise


class Writer(NamedTuple):
    """
    # Parameters

    write : `Callable[[Any], str]`
        Formats a labelled sentence or document as lines.
    is_json : `bool`
        Whether these lines are JSON.
    """

    write: Callable[[Any], str]
    is_json: bool


def _load(args: argparse.Namespace) -> Tuple[Labeller, Writer]:
    """The labeller for the arguments, and the writer of its results."""
    options = labeller_options(args, LOADING)
    output_format = options.pop("output_format", None)
    if args.beta is not None:
        options["beta"] = args.beta
    labeller = load_labeller(
        args.archive_file,
        precision=args.precision,
        device=args.cuda_device,
        name=args.predictor or None,
        overrides=args.overrides,
        weights_file=args.weights_file,
        dataset_reader=args.dataset_reader_choice,
        **options,
    )
    write = output_writer(labeller, output_format)
    is_json = (output_format or labeller.output_formats[0]) == "json"
    if options.get("probabilities") and not is_json:
        raise ConfigurationError(
            f"--probabilities: found the output_format '{output_format}'; expected 'json', which "
            "has a place for probabilities"
        )
    return labeller, Writer(write, is_json)


def _input_name(args: argparse.Namespace) -> str:
    return "<stdin>" if args.input_file == STANDARD_INPUT else args.input_file


class Answer(NamedTuple):
    """The output for an item, the item as text, and whether it is bad."""

    output: str
    asked: str
    is_bad: bool = False


class Prediction:
    """A run of the command."""

    def __init__(self, args: argparse.Namespace, labeller: Labeller, writer: Writer) -> None:
        self._args = args
        self._labeller = labeller
        self._writer = writer

    def run(self) -> int:
        """Writes all results and returns the number of invalid lines."""
        args = self._args
        earlier = self._earlier_answers()
        with ExitStack() as stack:
            answers = stack.enter_context(closing(self._answers(earlier)))
            bad, done = 0, 0
            if earlier is not None:
                again = itertools.islice(answers, len(earlier.labelled_again))
                earlier.check(json.loads(answer.output) for answer in again)
                bad, done = earlier.bad, earlier.count
            output: Optional[TextIO] = None
            if args.output_file:
                output = stack.enter_context(_open(args.output_file, earlier))
            progress = stack.enter_context(_progress_bar(not args.silent))
            progress.update(done)
            for index, answer in enumerate(answers, start=done):
                bad += answer.is_bad
                if not args.silent:
                    _show(index, answer)
                if output is not None:
                    output.write(answer.output)
                    # A program that writes lines one by one waits for their results.
                    if index % args.batch_size == args.batch_size - 1:
                        output.flush()
                progress.update()
        return bad

    def _earlier_answers(self) -> Optional[EarlierAnswers]:
        path = self._args.output_file
        return EarlierAnswers(path) if self._args.resume and os.path.exists(path) else None

    def _answers(self, earlier: Optional[EarlierAnswers]) -> Generator[Answer, None, None]:
        """The answers to all inputs, or to those that `EarlierAnswers.remaining` returns."""
        args = self._args
        read, label, items = self._line_functions()
        if args.use_dataset_reader:
            labeller = self._labeller
            read, label, items = labeller.read_instance, labeller.label_instances, self._instances()
        if earlier is not None:
            items = earlier.remaining(items, read, args.batch_size)
        return _with_records(
            self._labeller.stream(
                items,
                read,
                label,
                self._finish,
                args.batch_size,
                args.processes or self._labeller.processes,
                stops=not args.skip_bad_lines,
            )
        )

    def _line_functions(self) -> Tuple[Callable, Callable, Iterator[Item]]:
        return self._read_input, self._labeller.label_any, self._inputs()

    def _read_input(self, content: bytes) -> Any:
        args = self._args
        input_format = format_of_input(args.input_file, args.input_format)
        if input_format == TEXT and args.input_format is None:
            check_is_not_json(content)
        return self._labeller.read_any(read_content(content, input_format))

    def _finish(self, labelled: Any, asked: Any) -> Answer:
        if self._args.silent:
            return Answer(self._writer.write(labelled), "")
        shown = str(asked) if isinstance(asked, Instance) else asked.decode("utf-8-sig").strip()
        return Answer(self._writer.write(labelled), shown)

    def _inputs(self) -> Iterator[Item]:
        name = _input_name(self._args)
        input_format = format_of_input(name, self._args.input_format)
        if self._args.input_file == STANDARD_INPUT:
            yield from items_of_file(sys.stdin.buffer, name, input_format)
            return
        with open_compressed(cached_path(self._args.input_file), "rb", encoding=None) as file:
            yield from items_of_file(cast(BinaryIO, file), name, input_format)

    def _instances(self) -> Iterator[Item]:
        """The sentences of the corpus, up to the first invalid one."""
        name = self._args.input_file
        instances = iter(self._labeller.dataset_reader.read(name))
        for number in itertools.count(1):
            try:
                yield Item(next(instances), f"{name}: sentence {number}", number)
            except StopIteration:
                return
            except ConfigurationError as error:
                # The reader's message has the file and the line.
                yield Item(None, "", number, error.message)
                return


def _open(path: str, earlier: Optional[EarlierAnswers]) -> TextIO:
    if earlier is None:
        return open_output(path)
    # The last line may be incomplete.
    os.truncate(path, earlier.size)
    return open(path, "a", encoding="utf-8")


def _with_records(
    results: Generator[Union[Answer, InputError], None, None],
) -> Generator[Answer, None, None]:
    """The answers, and a record for each bad line."""
    with closing(results):
        for result in results:
            if isinstance(result, InputError):
                record = {"line": result.position, "error": result.reason}
                yield Answer(json.dumps(record, ensure_ascii=False) + "\n", "", is_bad=True)
            else:
                yield result


def _show(index: int, answer: Answer) -> None:
    """Prints an item and its output in AllenNLP's format."""
    if answer.asked:
        print(f"input {index}: ", answer.asked)
    print("prediction: ", answer.output, flush=True)


def _progress_bar(prints_to_console: bool) -> Any:
    """A progress bar on the terminal, hidden if the terminal shows the results."""
    hidden = not sys.stderr.isatty() or (prints_to_console and sys.stdout.isatty())
    return Tqdm.tqdm(desc="predicting", unit=" sentences", disable=hidden)
