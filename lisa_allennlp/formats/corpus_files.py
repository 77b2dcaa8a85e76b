"""The files of a data path, and annotation from a second file with the same sentences."""

import itertools
import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.formats.columns import LocatedSentence, read_lines
from lisa_allennlp.formats.conllu import parse_conllu
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import unescape_token


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
    """Replaces the longest of the usual `suffixes` that fits, or else the file's extension."""
    known = [suffix for suffix in suffixes if path.endswith(suffix)]
    length = max(map(len, known)) if known else len(Path(path).suffix)
    return path[: len(path) - length] + other_suffix


def have_same_words(sentence: Sentence, other: Sentence) -> bool:
    """`(` and `-LRB-` count as the same word."""
    # Readers compare every sentence with its tree, and brackets are rare.
    if sentence.words == other.words:
        return True
    return list(map(unescape_token, sentence.words)) == list(map(unescape_token, other.words))


def check_same_words(
    path: str, item: LocatedSentence, other_path: str, other: LocatedSentence
) -> None:
    """Raises a `CorpusFormatError` with the line in the other file if its words differ."""
    words, other_words = item.sentence.words, other.sentence.words
    if have_same_words(item.sentence, other.sentence):
        return
    unescaped: List[Tuple[Optional[str], Optional[str]]] = list(
        itertools.zip_longest(map(unescape_token, words), map(unescape_token, other_words))
    )
    position = next(i for i, (word, other_word) in enumerate(unescaped) if word != other_word)
    word, other_word = unescaped[position]
    line = -1 if other_word is None else position
    if other_word is None:
        found = f"the end of the sentence after '{other_words[-1]}'"
    else:
        found = f"the word '{other_words[position]}'"
    if word is None:
        expected = f"the end of the sentence, as after {path}:{item.line_numbers[-1]}"
    else:
        expected = f"the word '{words[position]}', as in {path}:{item.line_numbers[position]}"
    raise CorpusFormatError(other_path, other.line_numbers[line], found, expected)


class AlignedFile:
    """
    A CoNLL-U (or CoNLL-X) file with the sentences of a corpus in the same order. The corpus may
    have several files. A subclass implements `annotated`. `expected` describes the file for the
    error if it is missing.
    """

    content: str
    """What the file has for each sentence, for errors."""

    def __init__(
        self,
        path: str,
        expected: str,
        use_language_specific_pos: bool = True,
        requires_parses: bool = True,
    ) -> None:
        self.path = path
        self._count = 0
        lines = read_lines(local_path(path, expected))
        self._sentences = parse_conllu(lines, path, use_language_specific_pos, requires_parses)

    def annotated(self, sentence: Sentence, aligned: LocatedSentence) -> Sentence:
        raise NotImplementedError

    def add_to(self, located: Iterator[LocatedSentence], path: str) -> Iterator[LocatedSentence]:
        for item in located:
            aligned = next(self._sentences, None)
            if aligned is None:
                raise CorpusFormatError(
                    self.path,
                    None,
                    f"only {self._count} sentences",
                    f"{self.content} for the sentence at {path}:{item.line_numbers[0]} too",
                )
            check_same_words(path, item, self.path, aligned)
            yield LocatedSentence(self.annotated(item.sentence, aligned), item.line_numbers)
            self._count += 1

    def add_all(self, located: Iterator[LocatedSentence], path: str) -> Iterator[LocatedSentence]:
        yield from self.add_to(located, path)
        self.check_end(path)

    def check_end(self, path: Union[str, PathLike]) -> None:
        aligned = next(self._sentences, None)
        if aligned is not None:
            found = f"sentence {self._count + 1}"
            expected = f"the end of the file after {self._count} sentences, as in {path}"
            raise CorpusFormatError(self.path, aligned.line_numbers[0], found, expected)


class ParsesFile(AlignedFile):
    """Trees for `Sentence.parse` or `.injected_parse`. Cycles are refused unless allowed."""

    content = "a tree"

    def __init__(
        self, path: str, expected: str, attribute: str = "parse", allow_cycles: bool = True
    ) -> None:
        super().__init__(path, expected)
        self._attribute = attribute
        self._allow_cycles = allow_cycles

    def annotated(self, sentence: Sentence, aligned: LocatedSentence) -> Sentence:
        parse = aligned.sentence.parse
        cycle = None if parse is None else find_cycle(parse.head_indices)
        if cycle is not None and not self._allow_cycles:
            found = f"the cycle {shown_cycle(cycle, aligned.sentence.words)}"
            expected = "a tree, or the reader's option `allow_cycles`"
            raise CorpusFormatError(self.path, aligned.line_numbers[cycle[0]], found, expected)
        changes: Dict[str, Any] = {self._attribute: parse}
        return replace(sentence, **changes)


class PosFile(AlignedFile):
    """Part-of-speech tags, which replace the corpus's own. The file needs no trees."""

    content = "tags"

    def __init__(self, path: str, expected: str, use_language_specific_pos: bool = True) -> None:
        super().__init__(path, expected, use_language_specific_pos, requires_parses=False)

    def annotated(self, sentence: Sentence, aligned: LocatedSentence) -> Sentence:
        pos = aligned.sentence.pos or ["_"] * len(aligned.sentence.words)
        if "_" in pos:
            line = aligned.line_numbers[pos.index("_")]
            raise CorpusFormatError(self.path, line, "no part of speech ('_')", "a tag")
        return replace(sentence, pos=pos)
