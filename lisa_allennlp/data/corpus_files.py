"""
The files of a data path, and files beside a corpus file.
"""

import os
from os import PathLike
from pathlib import Path
from typing import Iterator, Sequence, Union

from lisa_allennlp.data.formats.errors import CorpusFormatError


def corpus_files(path: Union[str, PathLike], pattern: str) -> Iterator[str]:
    """
    Yields the file or URL itself, or the files of a folder and its subfolders whose names match the
    pattern, such as `*.conllu`, sorted by path. Raises a `CorpusFormatError` if there are none.
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
    Returns the path itself or, for a URL, the path of the copy in AllenNLP's cache. Raises a
    `CorpusFormatError`, whose message ends in `expected`, if there is no such file or folder.
    """
    name = os.fspath(path)
    if "://" in name:
        from allennlp.common.file_utils import cached_path

        return cached_path(name)
    if not os.path.exists(name):
        raise CorpusFormatError(path, None, "no such file or folder", expected)
    return name


def file_beside(path: str, suffixes: Sequence[str], other_suffix: str) -> str:
    """
    Replaces the suffix of a corpus file: the longest of the usual `suffixes` that matches,
    otherwise the part from the last dot of the name.
    """
    known = [suffix for suffix in suffixes if path.endswith(suffix)]
    length = max(map(len, known)) if known else len(Path(path).suffix)
    return path[: len(path) - length] + other_suffix
