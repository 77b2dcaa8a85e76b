"""
The outputs of commands: what is checked before anything is written, how they are written, and the
notes beside them. Nothing that a command reads is overwritten, and nothing else without `--force`.

    >>> check_output("--json", "README.md", "docs/../README.md", force=True)
    Traceback (most recent call last):
    ...
    allennlp.common.checks.ConfigurationError: --json: found the input, docs/../README.md; ...
"""

import os
import re
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterable, Iterator, Optional, TextIO, Tuple, Union

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.common.complete_files import complete_file

STANDARD_OUTPUT = "-"
"""The name of the output that is printed."""

_DESCRIPTOR = re.compile(r"/dev/(?:(?P<name>stdout|stderr)|fd/(?P<number>\d+))|/proc/self/fd/(\d+)")
_NUMBERS = {"stdout": 1, "stderr": 2}


def check_output(
    option: str,
    output: Optional[str],
    *inputs: Optional[str],
    force: bool = False,
    can_resume: bool = False,
) -> None:
    """
    # Parameters

    option : `str`
        The option that names the output, for the error.
    output : `str`, optional
        The file to write, if there is one, or `STANDARD_OUTPUT`. Pipes and devices may exist.
    inputs : `str`, optional
        Files and folders to read, existing or not.
    force : `bool`, optional (default = `False`)
        Whether the output may be a file that exists.
    can_resume : `bool`, optional (default = `False`)
        Whether the command has the option `--resume`, for the error.

    # Raises

    `ConfigurationError`
        If the output is one of the inputs, or in a folder that is one; is a folder or is to be in a
        folder that does not exist; or exists, without `force`.
    """
    if not output or output == STANDARD_OUTPUT:
        return
    for path in filter(None, inputs):
        _check_is_not_read(option, output, path)
    if os.path.isdir(output):
        raise ConfigurationError(f"{option}: found the folder {output}; expected a file")
    folder = os.path.dirname(output) or os.curdir
    if not os.path.isdir(folder):
        raise ConfigurationError(
            f"{option}: found {output}, but no folder {folder}; expected a folder that exists"
        )
    if os.path.exists(output) and not force and not is_stream(output):
        ways = "--force to replace it" + " or --resume to continue it" * can_resume
        raise ConfigurationError(
            f"{option}: found the existing file {output}; expected a new one, or {ways}"
        )


def check_outputs(
    outputs: Iterable[Tuple[str, str]], *inputs: Optional[str], force: bool = False
) -> None:
    """
    # Parameters

    outputs : `Iterable[Tuple[str, str]]`
        The options that name the outputs, and their files.
    inputs, force :
        As for `check_output`.

    # Raises

    `ConfigurationError`
        As for `check_output`, or if two options name one file.
    """
    taken: Dict[str, str] = {}
    for option, output in outputs:
        check_output(option, output, *inputs, force=force)
        name = os.path.realpath(output)
        if name in taken and output != STANDARD_OUTPUT and not is_stream(output):
            raise ConfigurationError(
                f"{option}: found {output}, which {taken[name]} names too; expected another file"
            )
        taken[name] = option


def _check_is_not_read(option: str, output: str, path: str) -> None:
    if os.path.isdir(path):
        if _is_in(output, path):
            raise ConfigurationError(
                f"{option}: found {output} in the folder {path}, which is read; expected a file "
                "outside of it"
            )
    elif os.path.isfile(output) and os.path.isfile(path) and os.path.samefile(path, output):
        raise ConfigurationError(f"{option}: found the input, {path}; expected another file")


def _is_in(file: str, folder: str) -> bool:
    """Whether a file, which may not exist yet, is in a folder or is a hard link to a file in it."""
    real_folder, real_file = os.path.realpath(folder), os.path.realpath(file)
    if os.path.commonpath([real_folder, real_file]) == real_folder:
        return True
    if not os.path.isfile(file) or os.stat(file).st_nlink == 1:
        return False
    return any(path.is_file() and path.samefile(file) for path in Path(real_folder).rglob("*"))


def is_stream(output: Union[str, os.PathLike]) -> bool:
    """
    Whether an output is a pipe, a device or an open file, such as `/dev/stdout`, to which commands
    write without replacing anything.
    """
    exists_as_no_file = os.path.exists(output) and not os.path.isfile(output)
    return _descriptor(output) is not None or exists_as_no_file


def _descriptor(output: Union[str, os.PathLike]) -> Optional[int]:
    """The number of the open file that a name such as `/dev/stdout` or `/dev/fd/3` stands for."""
    match = _DESCRIPTOR.fullmatch(os.path.abspath(output))
    if match is None:
        return None
    return _NUMBERS[match["name"]] if match["name"] else int(match["number"] or match[3])


def open_output(output: Union[str, os.PathLike]) -> TextIO:
    """
    Opens an output that is written bit by bit. An open file continues where it is: opening
    `/dev/stdout` anew would empty the file that a shell appends to.
    """
    number = _descriptor(output)
    if number is None:
        return open(output, "w", encoding="utf-8")
    try:
        copy = os.dup(number)
    except OSError as error:
        raise OSError(error.errno, error.strerror, output) from error
    # With an opener, the file keeps the name that the user has given.
    return open(output, "w", encoding="utf-8", opener=lambda *_: copy)


@contextmanager
def complete_output(output: Union[str, os.PathLike]) -> Iterator[Path]:
    """
    Yields the temporary path of an output that becomes complete or stays absent, as in
    `complete_file`. A pipe or device gets the text when the block has ended.
    """
    if not is_stream(output):
        # A link stays one.
        with complete_file(os.path.realpath(output)) as partial:
            yield partial
        return
    with tempfile.TemporaryDirectory() as folder:
        partial = Path(folder) / "output"
        yield partial
        with open_output(output) as file:
            file.write(partial.read_text(encoding="utf-8"))


def write_output(output: str, text: str) -> None:
    """Writes an output as a whole, or prints it if it is `STANDARD_OUTPUT`."""
    if output == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    with complete_output(output) as partial:
        partial.write_text(text, encoding="utf-8")


def print_notes(notes: Iterable[str]) -> None:
    """Prints notes to standard error, to leave the table as the original scripts print it."""
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
