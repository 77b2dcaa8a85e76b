"""
The `lisa` command: AllenNLP's command line with this package's classes loaded.

`lisa train ...` does what `allennlp train ... --include-package lisa_allennlp` does. It differs
from `allennlp` in three things: of allennlp-models only the structured predictors are imported,
unless `--include-package allennlp_models` asks for the rest, which saves its start-up time and its
download attempts; the list of commands is printed without importing anything; and an error that its
user can mend ends in one line instead of a traceback.
"""

import argparse
import gzip
import json
import logging
import lzma
import os
import sys
import tarfile
import traceback
import warnings
import zlib
from importlib import metadata
from typing import Dict, List, Optional, Sequence

from lisa_allennlp.version import VERSION

COMMANDS: Dict[str, str] = {
    "build-vocab": "Build a vocabulary from an experiment config file.",
    "cached-path": "Cache remote files to the AllenNLP cache.",
    "checklist": "Run a trained model through a checklist suite.",
    "count-instances": "Count the training instances of an experiment config file.",
    "diff": "Display a diff between two model checkpoints.",
    "evaluate": "Evaluate a trained model on a corpus.",
    "find-lr": "Find a learning rate range.",
    "label": "Label sentences with a trained model and print them as tables.",
    "predict": "Use a trained model to make predictions, as JSON.",
    "prepare": "Build a corpus from its official release.",
    "print-results": "Print the results of several experiments.",
    "push-to-hf": "Push a model to the Hugging Face Hub.",
    "reproduce": "Train and evaluate what the tables of the papers show.",
    "test-install": "Test AllenNLP's installation.",
    "train": "Train a model.",
}
"""
What `lisa --help` lists. It is written down here because asking AllenNLP's registry means to
import PyTorch first; a test holds the two together.
"""

USER_ERROR = 1
"""The exit status of errors in what the user gave: a file, a configuration, a corpus."""

INTERRUPTED = 130
"""The exit status of a command ended by control-C, as shells have it."""

TERMINATED = 143
"""The exit status of a command ended by SIGTERM, as shells have it."""

DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, tarfile.ReadError)
"""What reading a truncated or corrupt compressed file raises."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """
    Runs one command.

    # Parameters

    arguments : `Sequence[str]`, optional (default = `sys.argv[1:]`)

    # Returns

    `int`
        The exit status.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = bool(os.environ.get("LISA_DEBUG"))
    if arguments[:1] == ["--debug"]:
        debug = True
        arguments = arguments[1:]
    if not arguments or arguments[0] in ("-h", "--help", "--version"):
        _overview().parse_args(arguments or ["--help"])
    try:
        _run(arguments)
    except KeyboardInterrupt:
        print("lisa: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter's last flush would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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


def user_message(error: Exception) -> Optional[str]:
    """
    One line for an error that the user can mend, `None` for one that is our own fault.

    # Parameters

    error : `Exception`
    """
    from allennlp.common.checks import ConfigurationError
    from allennlp.data.data_loaders.multiprocess_data_loader import WorkerError

    if isinstance(error, ConfigurationError):
        return _one_line(error.message)
    if isinstance(error, WorkerError):
        return _worker_message(str(error))
    if isinstance(error, json.JSONDecodeError):
        return _one_line(f"not JSON: {error.doc[:80]!r} ({error})")
    if isinstance(error, DAMAGED):
        return _damage_message(error)
    if isinstance(error, UnicodeDecodeError):
        return _encoding_message(error)
    if isinstance(error, OSError) and error.filename is not None:
        return _one_line(f"{error.filename}: {error.strerror}")
    if isinstance(error, FileNotFoundError):
        return _incomplete_archive(error) or _one_line(str(error))
    if isinstance(error, OSError) and error.errno is None:
        # Of bz2, which has no error of its own.
        return _damage_message(error)
    # How Jsonnet's binding reports errors in a configuration.
    if isinstance(error, RuntimeError) and str(error).startswith(("RUNTIME ERROR", "STATIC ERROR")):
        # The message and its place; what follows is Jsonnet's own traceback.
        return _one_line(" ".join(str(error).splitlines()[:2]))
    return None


def _is_termination(error: Exception) -> bool:
    """Whether this is what AllenNLP's handler of SIGTERM raises, wherever the program is."""
    from allennlp.common.util import SigTermReceived

    return isinstance(error, SigTermReceived)


def _damage_message(error: Exception) -> Optional[str]:
    """
    The message for a damaged file. Such errors do not have its name, but the functions that they
    have passed through do.
    """
    file = _file_being_read(error)
    if isinstance(error, tarfile.ReadError):
        return _one_line(f"{file or 'the archive'}: not a model archive, or damaged: {error}")
    if file is None:
        return None
    return _one_line(f"{file}: damaged compressed data ({error}); expected a complete file")


def _encoding_message(error: UnicodeDecodeError) -> Optional[str]:
    """The message for a file that is no text, if it is one whose name AllenNLP knows."""
    file = _file_being_read(error)
    if file is None:
        return None
    found = f"found the byte 0x{error.object[error.start]:02x}"
    return _one_line(f"{file}: {found}; expected text encoded in UTF-8")


def _incomplete_archive(error: FileNotFoundError) -> Optional[str]:
    """The message for a file that is missing where a model archive has been unpacked."""
    from allennlp.models.archival import load_archive

    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code is load_archive.__code__:
            folder = str(frame.f_locals.get("serialization_dir"))
            _, is_there, name = str(error).partition(folder + os.sep)
            if is_there and os.path.isfile(frame.f_locals["archive_file"]):
                return _one_line(f"{frame.f_locals['archive_file']}: damaged model archive: {name}")
    return None


def _file_being_read(error: Exception) -> Optional[str]:
    """The name of the compressed file, or file of word vectors, that was read at an error."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        # `tarfile.open` has no object yet when it sees that a file is no archive.
        if frame.f_code is tarfile.TarFile.open.__func__.__code__:  # type: ignore[attr-defined]
            return str(frame.f_locals["name"])
        for name in map(_file_name, frame.f_locals.values()):
            if name is not None:
                return name
    return None


def _file_name(value: object) -> Optional[str]:
    """The name of the file that an object reads, if it is an object that does so."""
    from allennlp.modules.token_embedders.embedding import EmbeddingsTextFile

    if isinstance(value, EmbeddingsTextFile):
        return value.uri
    if isinstance(value, (gzip.GzipFile, tarfile.TarFile)) and value.name:
        return str(value.name)
    return None


def _worker_message(report: str) -> Optional[str]:
    """The message of a `ConfigurationError` from the traceback that a data worker reports."""
    last = report.strip().splitlines()[-1].strip()
    name, _, message = last.partition(": ")
    return message if name.endswith(("ConfigurationError", "CorpusFormatError")) else None


def _one_line(message: str) -> str:
    return " ".join(message.split())


def _overview() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="lisa",
        usage="lisa [-h] [--version] [--debug] COMMAND ...",
        description="Train, evaluate and use LISA, through AllenNLP's command line.",
        epilog=f"Commands:\n{listing}\n\nlisa COMMAND --help tells more about one of them.",
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
        help="show the traceback of every error (as does the environment variable LISA_DEBUG)",
    )
    return parser


def _run(arguments: List[str]) -> None:
    _prepare_logging(arguments[0])
    _silence_imports()
    _load_classes()
    args = _parse(arguments)
    for package in getattr(args, "include_package", []):
        _include(package)
    # For the worker processes of distributed training, which start from an empty registry.
    args.include_package = ["lisa_allennlp", *getattr(args, "include_package", [])]
    _check_config(args)
    args.func(args)


def _check_config(args: argparse.Namespace) -> None:
    from lisa_allennlp.common.configs import check_arguments

    check_arguments(args)


def _prepare_logging(command: str) -> None:
    """AllenNLP's settings, but no more than warnings beside the output of `label`."""
    default = "WARNING" if command == "label" else "INFO"
    level = os.environ.get("ALLENNLP_LOG_LEVEL", default)
    if os.environ.get("ALLENNLP_DEBUG"):
        level = "DEBUG"
    logging.basicConfig(
        format="%(asctime)s - %(levelname)s - %(name)s - %(message)s",
        level=getattr(logging, level, logging.INFO),
    )
    logging.getLogger("filelock").setLevel(logging.WARNING)


def _silence_imports() -> None:
    """Hides what libraries say on import about Python's and setuptools' age."""
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"google\.")
    warnings.filterwarnings("ignore", message="pkg_resources is deprecated")


def _load_classes() -> None:
    """What AllenNLP's `import_plugins` loads, except for its default plug-in allennlp-models."""
    import importlib

    from allennlp.common.plugins import discover_plugins
    from allennlp.common.util import import_module_and_submodules, install_sigterm_handler

    install_sigterm_handler()
    import_module_and_submodules("allennlp", exclude={"allennlp.sanity_checks", "allennlp.tools"})
    import_module_and_submodules("lisa_allennlp")
    for plugin in discover_plugins():
        importlib.import_module(plugin)


def _include(package: str) -> None:
    from allennlp.common.checks import ConfigurationError
    from allennlp.common.util import import_module_and_submodules

    try:
        import_module_and_submodules(package)
    except ModuleNotFoundError as error:
        if error.name is None or not (package + ".").startswith(error.name + "."):
            raise
        raise ConfigurationError(f"--include-package {package}: there is no such package") from None


def _parse(arguments: List[str]) -> argparse.Namespace:
    from allennlp.commands import ArgumentParserWithDefaults, Subcommand

    parser = ArgumentParserWithDefaults(prog="lisa")
    subparsers = parser.add_subparsers(title="Commands", metavar="COMMAND", required=True)
    for name in sorted(Subcommand.list_available()):
        command = Subcommand.by_name(name)()
        subparser = command.add_subparser(subparsers)
        if command.requires_plugins:
            subparser.add_argument(
                "--include-package",
                type=str,
                action="append",
                default=[],
                help="additional packages to include, for example allennlp_models",
            )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
