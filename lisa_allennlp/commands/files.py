"""The files that commands write. They replace none without `--force`, and none that is read."""

import os
import sys
from pathlib import Path
from typing import Iterable, Optional, Union

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.compression import bare_name, compressed
from lisa_allennlp.common.errors import ConfigurationError

STANDARD_OUTPUT = "-"


def check_output(
    option: str,
    output: Optional[str],
    *inputs: Optional[str],
    force: bool = False,
    ending: str = "",
) -> None:
    """
    Refuses an option's output if it is an input, if its folder does not exist, if it exists and
    `force` is not given, or if its name has another ending.
    """
    if not output or output == STANDARD_OUTPUT:
        return
    # Pipes and devices may exist.
    is_file = os.path.isfile(output)
    for path in inputs if is_file else ():
        if path and os.path.exists(path) and os.path.samefile(path, output):
            raise ConfigurationError(f"{option}: found the input, {path}; expected another file")
    if ending and os.path.splitext(bare_name(output))[1].lower() not in (ending, ""):
        raise ConfigurationError(f"{option}: found {output}; expected a name that ends in {ending}")
    folder = os.path.dirname(output) or os.curdir
    if not os.path.isdir(folder):
        raise ConfigurationError(f"{option}: found no folder {folder}; expected an existing folder")
    if is_file and not force:
        found = f"found the existing file {output}"
        raise ConfigurationError(
            f"{option}: {found}; expected a new file, or --force to replace it"
        )


def write_output(output: str, content: Union[str, bytes]) -> None:
    """Writes a whole output, compressed if its name says so, or prints it (`STANDARD_OUTPUT`)."""
    if output == STANDARD_OUTPUT:
        if isinstance(content, str):
            sys.stdout.write(content)
        else:
            sys.stdout.buffer.write(content)
        return
    raw = compressed(content.encode() if isinstance(content, str) else content, output)
    if os.path.exists(output) and not os.path.isfile(output):
        Path(output).write_bytes(raw)
    else:
        # A link stays one.
        with complete_file(os.path.realpath(output)) as partial:
            partial.write_bytes(raw)


def print_notes(notes: Iterable[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
