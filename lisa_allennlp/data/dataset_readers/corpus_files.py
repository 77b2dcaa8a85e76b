"""Which files a data path means, and which file stands beside another."""

from os import PathLike
from pathlib import Path
from typing import Iterator, Sequence, Union

from allennlp.common.file_utils import cached_path

from lisa_allennlp.data.formats.errors import CorpusFormatError


def corpus_files(path: Union[str, PathLike], pattern: str) -> Iterator[str]:
    """
    # Parameters

    path : `Union[str, PathLike]`
        A file, a URL, or a folder.
    pattern : `str`
        Names of the corpus files that a folder is searched for, at any depth: `*.conllu`.

    # Returns

    `Iterator[str]`
        The file, or the files of the folder in the order of their names.

    # Raises

    `CorpusFormatError`
        If there is no such path, or no file in the folder.
    """
    local = Path(local_path(path, f"a corpus file, or a folder of {pattern} files"))
    if not local.is_dir():
        yield str(path)
        return
    files = sorted(file for file in local.rglob(pattern) if file.is_file())
    if not files:
        raise CorpusFormatError(path, None, f"no {pattern} file", "at least one in the folder")
    yield from map(str, files)


def local_path(path: Union[str, PathLike], expected: str) -> str:
    """
    # Returns

    `str`
        The path, or for a URL that of its cached copy.

    # Raises

    `CorpusFormatError`
        If there is no such file or folder: a message with what was expected there.
    """
    try:
        return cached_path(path)
    except FileNotFoundError as error:
        raise CorpusFormatError(path, None, "no such file or folder", expected) from error


def file_beside(path: str, suffixes: Sequence[str], other_suffix: str) -> str:
    """
    # Parameters

    path : `str`
        A corpus file.
    suffixes : `Sequence[str]`
        The suffixes of such files.
    other_suffix : `str`

    # Returns

    `str`
        The path with the other suffix in the place of the longest of `suffixes` that it ends
        with, or else of whatever follows the last dot of its name.
    """
    known = [suffix for suffix in suffixes if path.endswith(suffix)]
    length = max(map(len, known)) if known else len(Path(path).suffix)
    return path[: len(path) - length] + other_suffix
