"""
The files that commands read with a model and a corpus, which must not be overwritten.

    >>> overrides = {"dataset_reader.injected_parses_path": "trees.conllu"}
    >>> list(files_of_corpus("dev.gold_conll", overrides))
    ['dev.gold_conll', 'dev.conllu', 'trees.conllu']
"""

import os
from typing import Any, Iterator, Sequence

from lisa_allennlp.data.annotated_files import file_with_suffix, parses_beside

_SUFFIXES = ("parses_suffix", "injected_parses_suffix", "pos_suffix")
_PATHS = ("injected_parses_path",)
_OPTIONS = ("path", "frames")
"""The options of labellers that name files: the path of a `parser`, and the frame files."""


def files_of_corpus(path: str, *configs: Any) -> Iterator[str]:
    """
    # Parameters

    path : `str`
        A corpus file or folder.
    configs : `Any`
        The configs, and overrides of them, that have the options of the reader.

    # Returns

    `Iterator[str]`
        The corpus, and the files that the reader may read beside it, existing or not.
    """
    yield path
    yield parses_beside(path)
    for config in configs:
        for suffix in _values(config, _SUFFIXES):
            yield file_with_suffix(path, suffix)
            # The tags of a folder.
            yield os.path.normpath(path) + suffix
        yield from _values(config, _PATHS)


def files_of_options(options: Any) -> Iterator[str]:
    """The files that the options of a labeller name."""
    yield from _values(options, _OPTIONS)


def _values(config: Any, keys: Sequence[str]) -> Iterator[str]:
    """The strings under the keys, also dotted ones, anywhere in a config."""
    if isinstance(config, list):
        for item in config:
            yield from _values(item, keys)
    elif isinstance(config, dict):
        for key, value in config.items():
            if isinstance(value, str) and key.rpartition(".")[2] in keys:
                yield value
            yield from _values(value, keys)
