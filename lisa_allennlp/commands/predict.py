"""
AllenNLP's `predict` command for many lines: it reads a thousand before it predicts, and no answer
is lost to a line that cannot be read.

```
lisa predict out/sample/model.tar.gz sentences.jsonl --output-file roles.jsonl --silent
```
"""

import argparse
import inspect
import itertools
import sys
from contextlib import closing
from typing import Any, Dict, Iterator, Optional, Union

from allennlp.commands.predict import Predict, _PredictManager
from allennlp.common import logging as common_logging
from allennlp.common.checks import ConfigurationError, check_for_gpu
from allennlp.common.file_utils import cached_path, open_compressed
from allennlp.common.params import parse_overrides
from allennlp.common.tqdm import Tqdm
from allennlp.common.util import JsonDict, lazy_groups_of
from allennlp.data import Instance
from allennlp.models.archival import load_archive
from allennlp.models.model import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.commands.replaced import takes_the_place_of
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.json_options import json_object
from lisa_allennlp.labelling.answers import Answerer, Question
from lisa_allennlp.labelling.processes import map_in_processes
from lisa_allennlp.nn.precision import PRECISIONS

BATCH_SIZE = 1000
"""
Lines that are read before any is answered. The predictor cuts them into the network's batches, by
length: the more lines to choose from, the less padding.
"""

STANDARD_INPUT = "-"


@takes_the_place_of("predict")
class LisaPredict(Predict):
    """
    `predict` for corpora of any size:

    - the default of `--batch-size` is larger: AllenNLP's is one line, several times slower.
      Use `--batch-size 1` to see the answer to a line before the next one is given;
    - a line that cannot be read is named by file and number, and all the lines before it have their
      answers. `--skip-bad-lines` goes on after it;
    - `--processes` answers several groups of lines at once;
    - `--precision` and `--beta` stand for an override and a predictor's argument;
    - on a terminal, a bar shows how far the run is, unless the answers go to the terminal as well.
    """

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        subparser = super().add_subparser(parser)
        subparser.add_argument(
            "--skip-bad-lines",
            action="store_true",
            help='answer a line that cannot be read with {"line": its number, "error": what is '
            "wrong with it}, and go on. The exit status is still 1. Without it the command ends at "
            "such a line, after the answers to all lines before it",
        )
        subparser.add_argument(
            "--processes",
            type=int,
            default=1,
            metavar="N",
            help="answer N groups of --batch-size lines at once, in processes with one thread "
            "each: the fastest for large files on a CPU, with N as the number of cores. Each takes "
            "memory of its own (default: 1, with a thread a core)",
        )
        subparser.add_argument(
            "--precision",
            choices=PRECISIONS,
            help="the precision of the network's matrix products (the model's own by default): "
            "what -o '{\"model.precision\": ...}' sets",
        )
        subparser.add_argument(
            "--beta",
            type=float,
            help="for supertaggers: give all categories whose probability is at least this factor "
            "of the best one's (the predictor's argument `beta`)",
        )
        subparser.set_defaults(func=predict, batch_size=BATCH_SIZE)
        return subparser


def predict(args: argparse.Namespace) -> None:
    """Answers all lines of the input."""
    common_logging.FILE_FRIENDLY_LOGGING = args.file_friendly_logging
    if args.silent and not args.output_file:
        print("--silent specified without --output-file.")
        print("Exiting early because no output will be created.")
        return
    if args.batch_size < 1:
        raise ConfigurationError(f"--batch-size is {args.batch_size}; expected 1 or more")
    _check_processes(args.processes, args.cuda_device)
    if not args.use_dataset_reader and args.input_file != STANDARD_INPUT:
        # A missing input is found before the model has been loaded and the output opened.
        cached_path(args.input_file)
    PredictManager(
        load_predictor(args),
        args.input_file,
        args.output_file,
        args.batch_size,
        not args.silent,
        args.use_dataset_reader,
        args.multitask_head,
        args.skip_bad_lines,
        args.processes,
    ).run()


def _check_processes(number: int, cuda_device: int) -> None:
    if number < 1:
        raise ConfigurationError(f"--processes is {number}; expected 1 or more")
    if number > 1 and cuda_device >= 0:
        raise ConfigurationError(
            f"--processes is {number}; expected 1 with --cuda-device, since a GPU is not shared"
        )


def load_predictor(args: argparse.Namespace) -> Predictor:
    """
    # Parameters

    args : `argparse.Namespace`
        The arguments of the command.

    # Returns

    `Predictor`

    # Raises

    `ConfigurationError`
        If its model has no `precision` or it has no such arguments.
    """
    check_for_gpu(args.cuda_device)
    overrides: Union[str, Dict[str, Any]] = args.overrides
    if args.precision is not None:
        _check_has_precision(args.archive_file)
        overrides = {**parse_overrides(args.overrides), "model.precision": args.precision}
    archive = load_archive(
        args.archive_file,
        weights_file=args.weights_file,
        cuda_device=args.cuda_device,
        overrides=overrides,
    )
    predictor_args = json_object("--predictor-args", args.predictor_args.strip() or "{}")
    if args.beta is not None:
        predictor_args["beta"] = args.beta
    name = args.predictor or archive.model.default_predictor
    _check_arguments(name, predictor_args)
    return Predictor.from_archive(
        archive,
        name,
        dataset_reader_to_load=args.dataset_reader_choice,
        extra_args=predictor_args,
    )


def _check_has_precision(archive_file: str) -> None:
    name = archived_config(archive_file)["model"]["type"]
    model_class, constructor = Model.resolve_class_name(name)
    build = getattr(model_class, constructor) if constructor else model_class
    if "precision" not in inspect.signature(build).parameters:
        raise ConfigurationError(
            f"--precision: {archive_file} is a model of type '{name}', which has no such option; "
            "expected one that has, such as 'lisa'"
        )


def _check_arguments(name: Optional[str], arguments: JsonDict) -> None:
    if name is None:
        return
    # The first two are the model and the dataset reader.
    _, _, *parameters = inspect.signature(Predictor.by_name(name)).parameters.values()
    known = [parameter.name for parameter in parameters]
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    for argument in arguments:
        if argument not in known and not takes_any:
            raise ConfigurationError(
                f"the predictor '{name}' has no argument '{argument}'; expected "
                f"{' or '.join(known) or 'none'}"
            )


class PredictManager(_PredictManager):
    """
    Answers the lines of a file, or the instances of a dataset reader, in groups.

    # Parameters

    As those of AllenNLP's, and

    skip_bad_lines : `bool`, optional (default = `False`)
        Whether to answer a bad line with a record of its error and to go on.
    num_processes : `int`, optional (default = `1`)
        How many groups are answered at once, each by a process with one thread.

    # Raises

    `ConfigurationError`
        In `run`: at the first bad line, after the answers to all lines before it; with
        `skip_bad_lines`, at the end if any line was bad.
    """

    def __init__(
        self,
        predictor: Predictor,
        input_file: str,
        output_file: Optional[str],
        batch_size: int,
        print_to_console: bool,
        has_dataset_reader: bool,
        multitask_head: Optional[str] = None,
        skip_bad_lines: bool = False,
        num_processes: int = 1,
    ) -> None:
        if skip_bad_lines and has_dataset_reader:
            raise ConfigurationError(
                "--skip-bad-lines is for lines of JSON; expected no --use-dataset-reader beside it"
            )
        if skip_bad_lines and not _writes_json(predictor):
            raise ConfigurationError(
                "--skip-bad-lines writes JSON in the place of an answer; expected a predictor "
                "whose answers are lines of JSON"
            )
        super().__init__(
            predictor,
            input_file,
            output_file,
            batch_size,
            print_to_console,
            has_dataset_reader,
            multitask_head,
        )
        self._skip_bad_lines = skip_bad_lines
        self._num_processes = num_processes
        self._input_name = "<stdin>" if input_file == STANDARD_INPUT else input_file

    def run(self) -> None:
        """Writes all answers, flushed after each group."""
        try:
            bad = self._run()
        finally:
            if self._output_file is not None:
                self._output_file.close()
        if bad:
            raise ConfigurationError(
                f"{self._input_name}: found {bad} bad line{'s' * (bad > 1)}; in the place of "
                'answers are records with "line" and "error"'
            )

    def _run(self) -> int:
        """The number of bad lines."""
        bad = index = 0
        answerer = Answerer(self._predictor, self._skip_bad_lines, self._print_to_console)
        questions = self._lines() if self._dataset_reader is None else self._instances()
        groups = lazy_groups_of(questions, self._batch_size)
        answers = map_in_processes(answerer, groups, self._num_processes)
        with closing(answers), _progress_bar(self._print_to_console) as progress:
            for of_group in answers:
                for answer in of_group:
                    if answer.error is not None:
                        if not self._skip_bad_lines:
                            raise ConfigurationError(answer.error)
                        bad += 1
                    self._maybe_print_to_console_and_file(index, answer.output, answer.shown_input)
                    index += 1
                self._flush()
                progress.update(len(of_group))
        return bad

    def _lines(self) -> Iterator[Question]:
        for number, line in enumerate(self._encoded_lines(), start=1):
            if not line.isspace():
                yield Question(line, f"{self._input_name}:{number}", number)

    def _encoded_lines(self) -> Iterator[bytes]:
        if self._input_file == STANDARD_INPUT:
            yield from sys.stdin.buffer
            return
        with open_compressed(cached_path(self._input_file), "rb", encoding=None) as file:
            yield from file

    def _instances(self) -> Iterator[Question]:
        """Until the end of the corpus, or to the first sentence that is not as it should be."""
        instances: Iterator[Instance] = iter(self._get_instance_data())
        for number in itertools.count(1):
            try:
                yield Question(next(instances), f"{self._input_name}: sentence {number}")
            except StopIteration:
                return
            except ConfigurationError as error:
                # The reader names file and line.
                yield Question(None, error=error.message)
                return

    def _flush(self) -> None:
        if self._print_to_console:
            sys.stdout.flush()
        if self._output_file is not None:
            self._output_file.flush()


def _writes_json(predictor: Predictor) -> bool:
    """Whether its answers are lines of JSON: a predictor with formats of its own says so."""
    own = type(predictor).dump_line is not Predictor.dump_line
    return getattr(predictor, "writes_json", not own)


def _progress_bar(prints_to_console: bool) -> Any:
    """A counter on the terminal, unless the answers go there."""
    hidden = not sys.stderr.isatty() or (prints_to_console and sys.stdout.isatty())
    return Tqdm.tqdm(desc="predicting", unit=" sentences", disable=hidden)
