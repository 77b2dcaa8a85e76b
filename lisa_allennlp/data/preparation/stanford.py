"""Stanford dependencies of constituent trees, made by the converter of the Stanford parser."""

import hashlib
import itertools
import logging
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.columns import LocatedSentence, PathName, read_lines
from lisa_allennlp.data.formats.conllu import parse_conllu
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.preparation.outputs import fingerprint, partial_path
from lisa_allennlp.data.sentence import Parse

logger = logging.getLogger(__name__)

Item = TypeVar("Item")

_CLASS = "edu.stanford.nlp.trees.EnglishGrammaticalStructure"
# Those of the authors of LISA: a copula is the head of its clause. Release 3.5.2 made Universal
# Dependencies where it is not told otherwise; earlier ones pass over that option.
_OPTIONS = ("-basic", "-keepPunct", "-makeCopulaHead", "-originalDependencies", "-conllx")
_RELEASE = "Stanford parser 3.5 (https://nlp.stanford.edu/software/lex-parser.html)"
_BATCH_SIZE = 2000
_REPORTED_LINES = 3

# The converter takes these for disfluencies and traces, and deletes the words below them.
_DELETED = "RS|RM|IP|CODE|-NONE-"
_DELETED_LABEL = re.compile(rf"\((?:{_DELETED})(?=[-=|#( )]|$)")


class BracketedSentence(NamedTuple):
    """
    A sentence to convert.

    # Parameters

    words : `List[str]`
        As they stand in the tree.
    tree : `str`
        Its constituents in nested brackets.
    source : `PathName`
        Its file, for errors.
    line : `int`
        The 1-based line there.
    """

    words: List[str]
    tree: str
    source: PathName
    line: int


class StanfordConverter:
    """
    Calls Java once for each few thousand trees. What was converted is kept in a folder until
    `clear`, so that an interrupted conversion need not start again.

    # Parameters

    jar : `Union[str, Path]`
        `stanford-parser.jar` (or CoreNLP's), or a folder with it.
    cache : `Union[str, Path]`
        The folder to keep trees and results in; made when it is needed.
    java : `str`, optional (default = `"java"`)
        The program to run.
    batch_size : `int`, optional (default = `2000`)
        How many trees each call of it converts.

    # Raises

    `ConfigurationError`
        If there is no such program, or no such jar.
    """

    def __init__(
        self,
        jar: Union[str, Path],
        cache: Union[str, Path],
        java: str = "java",
        batch_size: int = _BATCH_SIZE,
    ) -> None:
        self._jars = _jars(Path(jar))
        program = shutil.which(java)
        if program is None:
            raise ConfigurationError(
                f"--java {java}: found no such program; expected Java (8 or newer), which the "
                "Stanford parser needs"
            )
        self._java = program
        self._cache = Path(cache)
        self._batch_size = batch_size

    @property
    def fingerprint(self) -> str:
        """A digest of the jars and options."""
        return " ".join([fingerprint(self._jars), *_OPTIONS])

    def convert(
        self, sentences: Iterable[Tuple[BracketedSentence, Item]]
    ) -> Iterator[Tuple[Item, Parse]]:
        """
        # Parameters

        sentences : `Iterable[Tuple[BracketedSentence, Item]]`
            Each with whatever is to come back with its tree.

        # Returns

        `Iterator[Tuple[Item, Parse]]`
            In the same order, a batch at a time.

        # Raises

        `ConfigurationError`
            If Java fails, with the last lines it wrote.
        `CorpusFormatError`
            If its output is malformed or has other sentences or words than the trees.
        """
        sentences = iter(sentences)
        while batch := list(itertools.islice(sentences, self._batch_size)):
            parses = self._convert_batch([bracketed for bracketed, _ in batch])
            for (_, item), parse in zip(batch, parses, strict=True):
                yield item, parse

    def clear(self) -> None:
        """Removes what was kept."""
        shutil.rmtree(self._cache, ignore_errors=True)

    def _convert_batch(self, batch: List[BracketedSentence]) -> List[Parse]:
        text = "".join(_DELETED_LABEL.sub("(X", item.tree) + "\n" for item in batch)
        digest = hashlib.sha256(f"{self.fingerprint}\n{text}".encode()).hexdigest()[:32]
        converted = self._cache / f"{digest}.conllx"
        if converted.is_file():
            logger.info("%s was converted before", converted)
            return _checked_parses(converted, batch)
        self._cache.mkdir(parents=True, exist_ok=True)
        trees = self._cache / f"{digest}.mrg"
        trees.write_text(text, encoding="utf-8")
        unchecked = partial_path(converted)
        self._run(trees, unchecked)
        parses = _checked_parses(unchecked, batch)
        os.replace(unchecked, converted)
        return parses

    def _run(self, trees: Path, output: Path) -> None:
        command = [self._java, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]
        command += ["-cp", os.pathsep.join(map(str, self._jars)), _CLASS]
        command += ["-treeFile", str(trees), *_OPTIONS]
        with open(output, "wb") as file:
            try:
                result = subprocess.run(command, stdout=file, stderr=subprocess.PIPE)
            except OSError as error:
                raise ConfigurationError(f"--java {self._java}: {error.strerror}") from None
        if result.returncode:
            said = _last_lines(result.stderr.decode("utf-8", errors="replace"))
            raise ConfigurationError(
                f"{self._java} ended with status {result.returncode} in converting {trees}: {said}"
            )


def _jars(path: Path) -> List[Path]:
    if path.is_dir():
        jars = sorted(path.glob("*.jar"))
        if jars:
            return jars
        found = "a folder without .jar files"
    elif path.is_file():
        return [path]
    else:
        found = "no such file"
    raise ConfigurationError(
        f"--stanford-parser {path}: found {found}; expected stanford-parser.jar of {_RELEASE}, or "
        "the folder with it"
    )


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # Java's errors come first, and then the calls that led to them.
    lines = [line for line in lines if not line.startswith("at ")] or ["no message"]
    return " / ".join(lines[-_REPORTED_LINES:])


def _checked_parses(path: Path, batch: Sequence[BracketedSentence]) -> List[Parse]:
    parses: List[Parse] = []
    for item, tree in itertools.zip_longest(batch, parse_conllu(read_lines(path), path)):
        if item is None or tree is None:
            raise _other_number(path, batch, item, tree, len(parses))
        _check_words(path, len(parses) + 1, item, tree)
        assert tree.sentence.parse is not None
        parses.append(tree.sentence.parse)
    return parses


def _other_number(
    path: Path,
    batch: Sequence[BracketedSentence],
    item: Optional[BracketedSentence],
    tree: Optional[LocatedSentence],
    count: int,
) -> CorpusFormatError:
    if tree is not None:
        line, expected = tree.line_numbers[0], f"only {len(batch)}, one for each tree"
        return CorpusFormatError(path, line, f"sentence {count + 1}", expected)
    assert item is not None
    expected = f"{len(batch)}, of which the next is that of {item.source}:{item.line}"
    return CorpusFormatError(path, None, f"only {count} sentences", expected)


def _check_words(path: Path, number: int, item: BracketedSentence, tree: LocatedSentence) -> None:
    words = tree.sentence.words
    place = f"as in {item.source}:{item.line}"
    for word, expected, line in zip(words, item.words, tree.line_numbers, strict=False):
        if word != expected:
            found = f"'{word}' in sentence {number}"
            raise CorpusFormatError(path, line, found, f"'{expected}', {place}")
    if len(words) != len(item.words):
        found = f"{len(words)} words in sentence {number}"
        raise CorpusFormatError(path, tree.line_numbers[0], found, f"{len(item.words)}, {place}")
