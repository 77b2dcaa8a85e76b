"""
The `lisa` command. It imports the module of one command only, so that those that label need neither
AllenNLP nor PyTorch. Errors of the user end in one line instead of a traceback.
"""

import argparse
import importlib
import io
import logging
import os
import sys
from typing import List, NoReturn, Optional, Sequence

from lisa_allennlp.commands import COMMANDS, module_of
from lisa_allennlp.common.threads import set_passive_waiting, set_thread_numbers
from lisa_allennlp.common.user_errors import is_fault, is_termination, user_message
from lisa_allennlp.version import VERSION

USER_ERROR = 1
"""The exit status for errors in the user's files, configs and options."""

INTERRUPTED, TERMINATED = 130, 143
"""The exit status after control-C and after SIGTERM, as in shells."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs one command, by default that of `sys.argv`, and returns the exit status."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = bool(os.environ.get("LISA_DEBUG"))
    if arguments[:1] == ["--debug"]:
        debug, arguments = True, arguments[1:]
    _prepare_streams()
    try:
        try:
            _run(arguments)
        finally:
            # Where its error can still be caught, also after `argparse` has printed a help text.
            print(end="", flush=True)
    except KeyboardInterrupt:
        print("lisa: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the output has closed it. Python would write the rest at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return USER_ERROR
    except Exception as error:
        if is_termination(error):
            print("lisa: terminated", file=sys.stderr)
            return TERMINATED
        message = None if debug else user_message(error)
        if message is None:
            raise
        advice = " (lisa --debug shows the traceback)" if is_fault(error) else ""
        print(f"lisa: error: {message}{advice}", file=sys.stderr)
        return USER_ERROR
    return 0


def _run(arguments: List[str]) -> None:
    name = arguments[0] if arguments else "--help"
    if name in COMMANDS:
        args = parse(arguments)
        _prepare_logging()
        set_passive_waiting()
        set_thread_numbers()
        args.run(args)
    elif name == "--version":
        print(_versions())
    else:
        _overview().parse_args(arguments or ["--help"])


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parses the name and the arguments of a command. The result has its function as `run`."""
    name, *others = arguments
    module = importlib.import_module(module_of(name))
    parser = _Parser(prog=f"lisa {name}", description=COMMANDS[name])
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    if parser._subparsers is None and "--" not in others:
        # Options stand anywhere. Parsers of tasks cannot do this, and Python 3.11 loses a `--`.
        return parser.parse_intermixed_args(others)
    return parser.parse_args(others)


class _Parser(argparse.ArgumentParser):
    """Reports a wrong argument in one line, without the usage of up to forty options."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} ({self.prog} --help lists the options)\n")


def _overview() -> argparse.ArgumentParser:
    listing = "\n".join(f"  {name:<15}  {text}" for name, text in COMMANDS.items())
    parser = _Parser(
        prog="lisa",
        usage="lisa [-h] [--version] [--debug] COMMAND ...",
        description="Label sentences with LISA, score the labels, and train models with AllenNLP.",
        epilog=f"Commands:\n{listing}\n\nlisa COMMAND --help describes a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="show the versions and exit")
    text = "show the traceback of every error (as the environment variable LISA_DEBUG does)"
    parser.add_argument("--debug", action="store_true", help=text)
    parser.add_argument("command", metavar="COMMAND", choices=COMMANDS, help=argparse.SUPPRESS)
    return parser


def _versions() -> str:
    from importlib import metadata

    try:
        return f"lisa-allennlp {VERSION}, allennlp {metadata.version('allennlp')}"
    except metadata.PackageNotFoundError:
        return f"lisa-allennlp {VERSION}"


def _prepare_streams() -> None:
    """
    Prints UTF-8, as output files are written, unless the user has chosen another encoding. A closed
    stream becomes an empty one, before a file can take its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and "PYTHONIOENCODING" not in os.environ:
            # The names of files may hold bytes that are not UTF-8.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _prepare_logging() -> None:
    """Logs as AllenNLP does, but only warnings by default, since the log would hide the output."""
    level = os.environ.get("ALLENNLP_LOG_LEVEL", "WARNING")
    logging.basicConfig(
        format="%(asctime)s - %(levelname)s - %(name)s - %(message)s",
        level=getattr(logging, level, logging.WARNING),
    )


if __name__ == "__main__":
    sys.exit(main())
