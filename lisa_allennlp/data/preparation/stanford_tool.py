"""
Calls of the Stanford tools, which are written in Java.

    >>> from lisa_allennlp.data.formats.constituents import bracketed_tree
    >>> words = ["She", "sang"]
    >>> tree = bracketed_tree(words, ["PRP", "VBD"], ["(S(NP*)", "(VP*))"])
    >>> sentence = BracketedSentence(words, tree, source="wsj_0001.mrg", line=1)
    >>> sentence.tree
    '(S(NP (PRP She)) (VP (VBD sang)))'
"""

import hashlib
import itertools
import logging
import os
import shutil
import subprocess
from pathlib import Path
from typing import (
    ClassVar,
    Generic,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from lisa_allennlp.common.complete_files import partial_path
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.columns import LocatedSentence, PathName
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.preparation.outputs import fingerprint
from lisa_allennlp.data.sentence import Sentence

logger = logging.getLogger(__name__)

Annotation = TypeVar("Annotation")
Item = TypeVar("Item")

_BATCH_SIZE = 2000
_REPORTED_LINES = 3


class BracketedSentence(NamedTuple):
    """
    A sentence to annotate.

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


class StanfordTool(Generic[Annotation]):
    """
    Annotates sentences in batches and calls Java once per batch. Results stay in a cache folder
    until `clear`, so that an interrupted preparation can be resumed. Subclasses implement `text`,
    `arguments`, `read` and `annotation`.

    # Parameters

    jars : `List[Path]`
        The class path.
    cache : `Union[str, Path]`
        The cache folder, created when needed.
    java : `str`, optional (default = `"java"`)
        The Java program.
    batch_size : `int`, optional (default = `2000`)
        The number of sentences per call.

    # Raises

    `ConfigurationError`
        If the program is missing.
    """

    main_class: ClassVar[str]
    """The class to run."""

    suffixes: ClassVar[Tuple[str, str]]
    """The suffixes of its input and its output."""

    def __init__(
        self,
        jars: List[Path],
        cache: Union[str, Path],
        java: str = "java",
        batch_size: int = _BATCH_SIZE,
    ) -> None:
        program = shutil.which(java)
        if program is None:
            raise ConfigurationError(
                f"--java {java}: found no such program; expected Java 8 or newer, which the "
                "Stanford tools need"
            )
        self._jars = jars
        self._java = program
        self._cache = Path(cache)
        self._batch_size = batch_size

    @property
    def fingerprint(self) -> str:
        """A digest of the jars and the options."""
        return fingerprint(self._jars)

    def text(self, batch: Sequence[BracketedSentence]) -> str:
        """The input of the program."""
        raise NotImplementedError

    def arguments(self, source: Path) -> List[str]:
        """The arguments of the program for an input file; it writes to its standard output."""
        raise NotImplementedError

    def read(self, path: Path) -> Iterator[LocatedSentence]:
        """Reads the output of the program."""
        raise NotImplementedError

    def annotation(self, sentence: Sentence) -> Annotation:
        """What to return for a sentence of the output."""
        raise NotImplementedError

    def annotate(
        self, sentences: Iterable[Tuple[BracketedSentence, Item]]
    ) -> Iterator[Tuple[Item, Annotation]]:
        """
        # Parameters

        sentences : `Iterable[Tuple[BracketedSentence, Item]]`
            Each sentence with any object, which is returned with its annotation.

        # Returns

        `Iterator[Tuple[Item, Annotation]]`
            In the same order, annotated batch by batch.

        # Raises

        `ConfigurationError`
            If Java fails. The message has the last lines of its output.
        `CorpusFormatError`
            If the output is malformed, or its sentences or words differ from the input.
        """
        sentences = iter(sentences)
        while batch := list(itertools.islice(sentences, self._batch_size)):
            annotations = self._annotate_batch([bracketed for bracketed, _ in batch])
            for (_, item), annotation in zip(batch, annotations, strict=True):
                yield item, annotation

    def clear(self) -> None:
        """Removes the cache folder."""
        shutil.rmtree(self._cache, ignore_errors=True)

    def _annotate_batch(self, batch: List[BracketedSentence]) -> List[Annotation]:
        text = self.text(batch)
        digest = hashlib.sha256(f"{self.fingerprint}\n{text}".encode()).hexdigest()[:32]
        source, annotated = (self._cache / f"{digest}{suffix}" for suffix in self.suffixes)
        if annotated.is_file():
            logger.info("%s is already complete", annotated)
            return self._checked(annotated, batch)
        self._cache.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
        unchecked = partial_path(annotated)
        self._run(source, unchecked)
        annotations = self._checked(unchecked, batch)
        os.replace(unchecked, annotated)
        return annotations

    def _run(self, source: Path, output: Path) -> None:
        command = [self._java, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]
        command += ["-cp", os.pathsep.join(map(str, self._jars)), self.main_class]
        command += self.arguments(source)
        with open(output, "wb") as file:
            try:
                result = subprocess.run(command, stdout=file, stderr=subprocess.PIPE)
            except OSError as error:
                raise ConfigurationError(f"--java {self._java}: {error.strerror}") from None
        if result.returncode:
            said = _last_lines(result.stderr.decode("utf-8", errors="replace"))
            raise ConfigurationError(
                f"{self._java} failed with exit status {result.returncode} on {source}: {said}"
            )

    def _checked(self, path: Path, batch: Sequence[BracketedSentence]) -> List[Annotation]:
        annotations: List[Annotation] = []
        for item, found in itertools.zip_longest(batch, self.read(path)):
            if item is None or found is None:
                raise _other_number(path, batch, item, found, len(annotations))
            _check_words(path, len(annotations) + 1, item, found)
            annotations.append(self.annotation(found.sentence))
        return annotations


def jars_of(path: Path, option: str, expected: str) -> List[Path]:
    """
    # Parameters

    path : `Path`
        A jar, or a folder with jars.
    option : `str`
        The option of the command that names it, for the error.
    expected : `str`
        A description of the jar, for the error.

    # Returns

    `List[Path]`
        The jars.

    # Raises

    `ConfigurationError`
        If there are none.
    """
    if path.is_dir():
        jars = sorted(path.glob("*.jar"))
        if jars:
            return jars
        found = "a folder without .jar files"
    elif path.is_file():
        return [path]
    else:
        found = "no such file"
    raise ConfigurationError(f"{option} {path}: found {found}; expected {expected}, or its folder")


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # Java writes the error first, then the stack trace.
    lines = [line for line in lines if not line.startswith("at ")] or ["no message"]
    return " / ".join(lines[-_REPORTED_LINES:])


def _other_number(
    path: Path,
    batch: Sequence[BracketedSentence],
    item: Optional[BracketedSentence],
    annotated: Optional[LocatedSentence],
    count: int,
) -> CorpusFormatError:
    if annotated is not None:
        line, expected = annotated.line_numbers[0], f"only {len(batch)} sentences, as in the input"
        return CorpusFormatError(path, line, f"sentence {count + 1}", expected)
    assert item is not None
    expected = f"{len(batch)}; the next one is from {item.source}:{item.line}"
    return CorpusFormatError(path, None, f"only {count} sentences", expected)


def _check_words(path: Path, number: int, item: BracketedSentence, found: LocatedSentence) -> None:
    words = found.sentence.words
    place = f"as in {item.source}:{item.line}"
    for word, expected, line in zip(words, item.words, found.line_numbers, strict=False):
        if word != expected:
            other = f"'{word}' in sentence {number}"
            raise CorpusFormatError(path, line, other, f"'{expected}', {place}")
    if len(words) != len(item.words):
        other = f"{len(words)} words in sentence {number}"
        raise CorpusFormatError(path, found.line_numbers[0], other, f"{len(item.words)}, {place}")
