"""
The `lisa` command: AllenNLP's command line with this package's classes loaded.

`lisa train ...` is `allennlp train ... --include-package lisa_allennlp` with these differences.
allennlp-models is imported only with `--include-package allennlp_models`, which saves start-up time
and download attempts. The plug-ins of a checkout are loaded in every folder. The help of `lisa` and
of its own commands is printed without importing PyTorch. Configs of the package have names. Errors
of the user end in one line instead of a traceback.
"""

import argparse
import io
import logging
import os
import signal
import sys
from contextlib import contextmanager
from importlib import metadata
from typing import Dict, Iterator, List, Optional, Sequence

from lisa_allennlp.commands.arguments import add_plugin_options, parse
from lisa_allennlp.common import config_files
from lisa_allennlp.common.plugins import CHECKOUT, load_classes, silence_libraries
from lisa_allennlp.common.standard_output import StandardOutput, name_standard_output
from lisa_allennlp.common.threads import set_passive_waiting, set_thread_numbers
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.version import VERSION

QUIET_COMMANDS = (
    "analyze",
    "annotate",
    "compare",
    "convert",
    "evaluate",
    "export",
    "label",
    "models",
    "predict",
    "print-results",
    "score",
    "serve",
    "show",
    "train",
)
"""Commands that log warnings only, because a model's construction log would hide their output."""

OWN_COMMANDS: Dict[str, str] = {
    "label": "Label sentences with a trained model, as tables to read.",
    "show": "Show labelled sentences as pictures: in the terminal, as HTML or as SVG.",
    "serve": "Serve a trained model over HTTP, with a page for browsers.",
    "predict": "Label files with a trained model, as JSON or CoNLL.",
    "annotate": "Label corpora of any size, in shards, on one machine or many.",
    "evaluate": "Score a trained model on an annotated corpus.",
    "score": "Score a file of predictions as the official scorers do.",
    "compare": "Test whether one system is better than another, by paired bootstrap.",
    "convert": "Convert annotated files, such as predictions, to another format.",
    "analyze": "Analyse the errors of predictions, as a report with plots.",
    "train": "Train a model from a config, or continue from a trained one.",
    "print-results": "Print the results of trainings as a table.",
    "export": "Export a trained model to a self-contained folder.",
    "models": "List the models that come with the package.",
    "prepare": "Build a corpus from its official release.",
    "reproduce": "Reproduce the papers' tables (in a checkout only).",
}
"""
The commands that this package defines or replaces, in the order of `lisa --help`. They
are listed here because AllenNLP's registry cannot be read without importing PyTorch. A test
compares this list and `ALLENNLP_COMMANDS` with the registry.
"""

ALLENNLP_COMMANDS: Dict[str, str] = {
    "build-vocab": "Build a vocabulary from an experiment config file.",
    "cached-path": "Cache remote files to the AllenNLP cache.",
    "checklist": "Run a trained model through a checklist suite.",
    "count-instances": "Count the training instances of an experiment config file.",
    "diff": "Display a diff between two model checkpoints.",
    "find-lr": "Find a learning rate range.",
    "push-to-hf": "Push a model to the Hugging Face Hub.",
    "test-install": "Test AllenNLP's installation.",
}
"""AllenNLP's other commands."""

_NO_CHECKOUT = (
    f"reproduce: found lisa-allennlp installed in {CHECKOUT}; expected a checkout of the project "
    "(pip install --no-deps -e .), since the experiments are not installed with the package"
)

USER_ERROR = 1
"""The exit status for errors in the user's files, configs and options."""

INTERRUPTED = 130
"""The exit status after control-C, as in shells."""

TERMINATED = 143
"""The exit status after SIGTERM, as in shells."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """
    Runs one command.

    # Parameters

    arguments : `Sequence[str]`, optional (default = `sys.argv[1:]`)

    # Returns

    `int`
        The exit status.
    """
    try:
        status = _status(list(sys.argv[1:] if arguments is None else arguments))
    except SystemExit:
        # `argparse` has printed a help text or an error.
        if _could_print(0):
            raise
        return USER_ERROR
    return status if _could_print(status) else status or USER_ERROR


def _status(arguments: List[str]) -> int:
    name_standard_output()
    _print_utf8()
    debug = bool(os.environ.get("LISA_DEBUG"))
    if arguments[:1] == ["--debug"]:
        debug = True
        arguments = arguments[1:]
    if not arguments or arguments[0] in ("-h", "--help", "--version"):
        _overview().parse_args(arguments or ["--help"])
    if arguments[0] == "reproduce" and not (CHECKOUT / "experiments").is_dir():
        print(f"lisa: error: {_NO_CHECKOUT}", file=sys.stderr)
        return USER_ERROR
    try:
        _run(arguments)
    except KeyboardInterrupt:
        print("lisa: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed it.
        return USER_ERROR
    except Exception as error:
        if _is_termination(error):
            print("lisa: terminated", file=sys.stderr)
            return TERMINATED
        message = None if debug else user_message(error)
        if message is None:
            raise
        print(f"lisa: error: {message} (lisa --debug shows the traceback)", file=sys.stderr)
        return USER_ERROR
    return 0


def _could_print(status: int) -> bool:
    """
    Flushes standard output, and says why that fails if the command has not failed anyway. A reader
    that has closed the output, such as `head`, is no news.
    """
    if not isinstance(sys.stdout, StandardOutput):
        return True
    error = sys.stdout.last_flush()
    if error is not None and not status and not isinstance(error, BrokenPipeError):
        print(f"lisa: error: {error.filename}: {error.strerror}", file=sys.stderr)
    return error is None


def _print_utf8() -> None:
    """
    Prints UTF-8 in every locale, as output files are written, unless the user has chosen another
    encoding. In other encodings, such as Windows' own, a word may be an error.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and "PYTHONIOENCODING" not in os.environ:
            # The names of files may hold bytes that are not UTF-8.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _is_termination(error: Exception) -> bool:
    """Whether AllenNLP's handler of SIGTERM raised this error."""
    from allennlp.common.util import SigTermReceived

    return isinstance(error, SigTermReceived)


def _overview() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lisa",
        usage="lisa [-h] [--version] [--debug] COMMAND ...",
        description="Train, evaluate and use LISA, through AllenNLP's command line.",
        epilog=f"Commands:\n{_listing(OWN_COMMANDS)}\n\nAllenNLP's other commands:\n"
        f"{_listing(ALLENNLP_COMMANDS)}\n\nlisa COMMAND --help describes a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"lisa-allennlp {VERSION}, allennlp {metadata.version('allennlp')}",
        help="show the versions of lisa-allennlp and AllenNLP and exit",
    )
    parser.add_argument(
        "--debug",
        action="store_true",
        help="show the traceback of every error (as the environment variable LISA_DEBUG does)",
    )
    return parser


def _listing(commands: Dict[str, str]) -> str:
    width = max(map(len, [*OWN_COMMANDS, *ALLENNLP_COMMANDS]))
    return "\n".join(f"  {name:<{width}}  {text}" for name, text in commands.items())


def _run(arguments: List[str]) -> None:
    _check_arguments(arguments)
    set_passive_waiting()
    set_thread_numbers()
    _prepare_logging(arguments[0])
    silence_libraries()
    with _ending_at_once():
        _load_classes()
    args = _parse(arguments)
    for package in getattr(args, "include_package", []):
        _include(package)
    # The worker processes of distributed training start with an empty registry.
    args.include_package = ["lisa_allennlp", *getattr(args, "include_package", [])]
    _allow_types(getattr(args, "allow_type", []))
    _check_config(args)
    args.func(args)


def _check_arguments(arguments: List[str]) -> None:
    """Prints the help or an error in the options of an own command before anything is loaded."""
    command = arguments[0]
    if command == "reproduce":
        sys.path.append(str(CHECKOUT))
        try:
            parse(command, arguments, "experiments.arguments")
        finally:
            sys.path.remove(str(CHECKOUT))
    elif command in OWN_COMMANDS:
        parse(command, arguments)


def _allow_types(names: Sequence[str]) -> None:
    from lisa_allennlp.model_files.registered_types import allow_types

    allow_types(names)


def _check_config(args: argparse.Namespace) -> None:
    from lisa_allennlp.common.configs import check_arguments

    if hasattr(args, "param_path"):
        args.param_path = config_files.resolve(args.param_path)
    check_arguments(args)


def _prepare_logging(command: str) -> None:
    """Sets up logging as AllenNLP does, but with warnings only for `QUIET_COMMANDS`."""
    default = "WARNING" if command in QUIET_COMMANDS else "INFO"
    level = os.environ.get("ALLENNLP_LOG_LEVEL", default)
    if os.environ.get("ALLENNLP_DEBUG"):
        level = "DEBUG"
    number = getattr(logging, level, logging.INFO)
    logging.basicConfig(format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", level=number)
    for handler in logging.getLogger().handlers:
        # AllenNLP's `evaluate` lowers the level of one of its loggers.
        handler.setLevel(number)
    logging.getLogger("filelock").setLevel(logging.WARNING)


@contextmanager
def _ending_at_once() -> Iterator[None]:
    """
    Ends the process at control-C. An exception can be lost among the imports of libraries, some of
    which catch every error, and nothing has been begun yet.
    """

    def end(*_: object) -> None:
        print("lisa: interrupted", file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _load_classes() -> None:
    from allennlp.common.util import install_sigterm_handler

    install_sigterm_handler()
    load_classes()


def _include(package: str) -> None:
    from allennlp.common.checks import ConfigurationError
    from allennlp.common.util import import_module_and_submodules

    try:
        import_module_and_submodules(package)
    except ModuleNotFoundError as error:
        if error.name is None or not (package + ".").startswith(error.name + "."):
            raise
        raise ConfigurationError(
            f"--include-package: found no package '{package}'; expected one that can be imported"
        ) from None


def _parse(arguments: List[str]) -> argparse.Namespace:
    from allennlp.commands import ArgumentParserWithDefaults, Subcommand

    parser = ArgumentParserWithDefaults(prog="lisa")
    subparsers = parser.add_subparsers(title="Commands", metavar="COMMAND", required=True)
    for name in sorted(Subcommand.list_available()):
        command = Subcommand.by_name(name)()
        subparser = command.add_subparser(subparsers)
        if command.requires_plugins:
            add_plugin_options(subparser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
