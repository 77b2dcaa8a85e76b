"""
Conversion of constituent trees to Stanford dependencies by the converter of the Stanford parser.

    >>> from lisa_allennlp.data.formats.constituents import bracketed_tree
    >>> words = ["She", "sang"]
    >>> tree = bracketed_tree(words, ["PRP", "VBD"], ["(S(NP*)", "(VP*))"])
    >>> sentence = BracketedSentence(words, tree, source="wsj_0001.mrg", line=1)
    >>> sentence.tree
    '(S(NP (PRP She)) (VP (VBD sang)))'

The conversion itself needs Java and `stanford-parser.jar`:

    >>> converter = StanfordConverter("stanford-parser.jar", "converted")  # doctest: +SKIP
    >>> [(item, parse)] = converter.convert([(sentence, "any object")])  # doctest: +SKIP
    >>> parse.head_tags  # doctest: +SKIP
    ['nsubj', 'root']
"""

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
# The options of LISA's authors: a copula is the head of its clause. Release 3.5.2 needs
# -originalDependencies, without which it writes Universal Dependencies; earlier ones ignore it.
_OPTIONS = ("-basic", "-keepPunct", "-makeCopulaHead", "-originalDependencies", "-conllx")
_RELEASE = "Stanford parser 3.5 (https://nlp.stanford.edu/software/lex-parser.html)"
_BATCH_SIZE = 2000
_REPORTED_LINES = 3

# The converter treats these as disfluencies and traces and deletes their words.
_DELETED = "RS|RM|IP|CODE|-NONE-"
_DELETED_LABEL = re.compile(rf"\((?:{_DELETED})(?=[-=|#( )]|$)")


class BracketedSentence(NamedTuple):
    """
    A sentence to convert.

    # Parameters

    words : `List[str]`
        The words of the tree, with the same escapes.
    tree : `str`
        The constituents in nested brackets.
    source : `PathName`
        The file of the sentence, for errors.
    line : `int`
        The 1-based line in that file, for errors.
    """

    words: List[str]
    tree: str
    source: PathName
    line: int


class StanfordConverter:
    """
    Converts trees in batches and calls Java once per batch. Results stay in a cache folder until
    `clear`, so that an interrupted conversion can be resumed.

    # Parameters

    jar : `Union[str, Path]`
        `stanford-parser.jar` (or the jar of CoreNLP), or the folder that contains it.
    cache : `Union[str, Path]`
        The cache folder, created when needed.
    java : `str`, optional (default = `"java"`)
        The Java program.
    batch_size : `int`, optional (default = `2000`)
        The number of trees per call.

    # Raises

    `ConfigurationError`
        If the program or the jar is missing.
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
                f"--java {java}: found no such program; expected Java 8 or newer, which the "
                "Stanford parser needs"
            )
        self._java = program
        self._cache = Path(cache)
        self._batch_size = batch_size

    @property
    def fingerprint(self) -> str:
        """A digest of the jars and the options."""
        return " ".join([fingerprint(self._jars), *_OPTIONS])

    def convert(
        self, sentences: Iterable[Tuple[BracketedSentence, Item]]
    ) -> Iterator[Tuple[Item, Parse]]:
        """
        # Parameters

        sentences : `Iterable[Tuple[BracketedSentence, Item]]`
            Each sentence with any object, which is returned with its parse.

        # Returns

        `Iterator[Tuple[Item, Parse]]`
            In the same order, converted batch by batch.

        # Raises

        `ConfigurationError`
            If Java fails. The message has the last lines of its output.
        `CorpusFormatError`
            If the output is malformed, or its sentences or words differ from the trees.
        """
        sentences = iter(sentences)
        while batch := list(itertools.islice(sentences, self._batch_size)):
            parses = self._convert_batch([bracketed for bracketed, _ in batch])
            for (_, item), parse in zip(batch, parses, strict=True):
                yield item, parse

    def clear(self) -> None:
        """Removes the cache folder."""
        shutil.rmtree(self._cache, ignore_errors=True)

    def _convert_batch(self, batch: List[BracketedSentence]) -> List[Parse]:
        text = "".join(_DELETED_LABEL.sub("(X", item.tree) + "\n" for item in batch)
        digest = hashlib.sha256(f"{self.fingerprint}\n{text}".encode()).hexdigest()[:32]
        converted = self._cache / f"{digest}.conllx"
        if converted.is_file():
            logger.info("%s is already converted", converted)
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
                f"{self._java} failed with exit status {result.returncode} on {trees}: {said}"
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
        "its folder"
    )


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # Java writes the error first, then the stack trace.
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
        line, expected = tree.line_numbers[0], f"only {len(batch)} sentences, one per tree"
        return CorpusFormatError(path, line, f"sentence {count + 1}", expected)
    assert item is not None
    expected = f"{len(batch)}; the next one is from {item.source}:{item.line}"
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
