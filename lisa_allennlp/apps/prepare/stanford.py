"""The Stanford tools (in Java): the parser's converter to dependencies, and the tagger."""

import itertools
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from lisa_allennlp.apps.prepare.outputs import fingerprint
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    check_least_width,
    sentence_blocks,
    split_at_tabs,
)
from lisa_allennlp.formats.conllu import parse_conllu
from lisa_allennlp.sentence.sentence import Parse, Sentence

Item = TypeVar("Item")

TAGS_SUFFIX = ".tags.conllu"
"""The suffix of files with predicted parts of speech, for `pos_suffix` of `conllu_parses`."""

_CONVERTER = "edu.stanford.nlp.trees.EnglishGrammaticalStructure"
# Release 3.5.2 needs -originalDependencies, without which it writes Universal Dependencies; earlier
# ones ignore it.
_CONVERTER_OPTIONS = ["-basic", "-keepPunct", "-originalDependencies", "-conllx"]
_COPULA_HEADS = "-makeCopulaHead"
# The converter treats these as disfluencies and traces and deletes their words.
_DELETED_LABEL = re.compile(r"\((?:RS|RM|IP|CODE|-NONE-)(?=[-=|#( )]|$)")

_TAGGER = "edu.stanford.nlp.tagger.maxent.MaxentTagger"
# Words and sentences stay as they are.
_TAGGER_OPTIONS = ["-tokenize", "false", "-sentenceDelimiter", "newline"]
_TAGGER_OPTIONS += ["-outputFormat", "tsv", "-encoding", "UTF-8"]
_MODEL = "models/english-left3words-distsim.tagger"

_JARS = {
    "--stanford-parser": "stanford-parser.jar of Stanford parser 3.5 "
    "(https://nlp.stanford.edu/software/lex-parser.html)",
    "--stanford-tagger": "stanford-postagger.jar (https://nlp.stanford.edu/software/tagger.html)",
}
_REPORTED_LINES = 3


class BracketedSentence(NamedTuple):
    """
    A sentence to annotate: its words, with the escapes of the tree, its constituents in nested
    brackets, and for errors its file and 1-based line.
    """

    words: List[str]
    tree: str
    source: PathName
    line: int


class StanfordAnnotator:
    """
    Adds dependencies and, with a tagger, predicted parts of speech to the sentences of a treebank.

    `parser` and `tagger` are `stanford-parser.jar` (or CoreNLP's jar) and `stanford-postagger.jar`,
    or their folders. With `copula_heads`, a copula is the head of its clause, as in the trees of
    LISA's authors; in those of Dozat & Manning (2017) the predicate is: "nice" in "She is nice".
    The model of the tagger is by default the paper's, `models/english-left3words-distsim.tagger`
    beside its jar. Each call of Java gets `batch_size` sentences.
    """

    def __init__(
        self,
        parser: Union[str, Path],
        copula_heads: bool = True,
        tagger: Optional[Union[str, Path]] = None,
        tagger_model: Optional[Union[str, Path]] = None,
        java: str = "java",
        batch_size: int = 2000,
    ) -> None:
        program = shutil.which(java)
        if program is None:
            raise ConfigurationError(
                f"--java {java}: found no such program; expected Java 8 or newer, which the "
                "Stanford tools need"
            )
        self._java = program
        self._batch_size = batch_size
        self._parser = _jars(Path(parser), "--stanford-parser")
        self._options = [*_CONVERTER_OPTIONS, *([_COPULA_HEADS] if copula_heads else [])]
        self.made_from = {"converter": " ".join([fingerprint(self._parser), *self._options])}
        self.tags = tagger is not None
        if tagger is not None:
            self._tagger = _jars(Path(tagger), "--stanford-tagger")
            self._model = Path(tagger_model or self._tagger[0].parent / _MODEL)
            if not self._model.is_file():
                raise ConfigurationError(
                    f"--tagger-model {self._model}: found no such file; expected a model of the "
                    f"Stanford tagger, such as {_MODEL}"
                )
            self.made_from["tagger"] = f"{fingerprint(self._tagger)} {fingerprint([self._model])}"

    def annotate(
        self, sentences: Iterable[Tuple[BracketedSentence, Item]]
    ) -> Iterator[Tuple[Item, Parse, Optional[List[str]]]]:
        """
        Annotates sentences batch by batch, in their order. Returns each item with the tree and the
        predicted parts of speech (`None` without a tagger). Raises a `ConfigurationError` if Java
        fails, or its output is malformed or not of these sentences.
        """
        sentences = iter(sentences)
        while batch := list(itertools.islice(sentences, self._batch_size)):
            bracketed = [sentence for sentence, _ in batch]
            parsed = self._parse(bracketed)
            tagged = self._tag(bracketed) if self.tags else [None] * len(batch)
            for (_, item), sentence, pos in zip(batch, parsed, tagged, strict=True):
                assert sentence.parse is not None
                yield item, sentence.parse, pos

    def _parse(self, batch: List[BracketedSentence]) -> List[Sentence]:
        text = "".join(_DELETED_LABEL.sub("(X", item.tree) + "\n" for item in batch)
        lines = self._run(self._parser, _CONVERTER, text, "-treeFile", self._options)
        path = "the output of the Stanford parser"
        return _checked(path, batch, parse_conllu(lines, path))

    def _tag(self, batch: List[BracketedSentence]) -> List[Optional[List[str]]]:
        text = "".join(" ".join(item.words) + "\n" for item in batch)
        options = [*_TAGGER_OPTIONS, "-model", str(self._model)]
        lines = self._run(self._tagger, _TAGGER, text, "-textFile", options)
        path = "the output of the Stanford tagger"
        return [sentence.pos for sentence in _checked(path, batch, _tagged(lines, path))]

    def _run(
        self, jars: List[Path], main_class: str, text: str, option: str, options: List[str]
    ) -> List[str]:
        command = [self._java, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]
        command += ["-cp", os.pathsep.join(map(str, jars)), main_class, option]
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            try:
                result = subprocess.run([*command, file.name, *options], capture_output=True)
            except OSError as error:
                raise ConfigurationError(f"--java {self._java}: {error.strerror}") from None
        if result.returncode:
            raise ConfigurationError(
                f"{self._java} failed with exit status {result.returncode} on {main_class}: "
                f"{_last_lines(result.stderr.decode('utf-8', errors='replace'))}"
            )
        return result.stdout.decode("utf-8", errors="replace").split("\n")


def _jars(path: Path, option: str) -> List[Path]:
    found = "no such file"
    if path.is_dir():
        jars = sorted(path.glob("*.jar"))
        if jars:
            return jars
        found = "a folder without .jar files"
    elif path.is_file():
        return [path]
    expected = f"{_JARS[option]}, or its folder"
    raise ConfigurationError(f"{option} {path}: found {found}; expected {expected}")


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # Java writes the error first, then the stack trace.
    lines = [line for line in lines if not line.startswith("at ")] or ["no message"]
    return " / ".join(lines[-_REPORTED_LINES:])


def _tagged(lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
    for block in sentence_blocks(enumerate(lines, start=1), path, split_at_tabs):
        check_least_width(path, block, 2, "word, tag", "a tab")
        yield LocatedSentence(Sentence(block.column(0), block.column(1)), block.line_numbers)


def _checked(
    path: str, batch: Sequence[BracketedSentence], annotated: Iterable[LocatedSentence]
) -> List[Sentence]:
    sentences: List[Sentence] = []
    for number, (item, found) in enumerate(itertools.zip_longest(batch, annotated), start=1):
        words = [] if found is None else found.sentence.words
        originals = [] if item is None else item.words
        pairs = itertools.zip_longest(words, originals, fillvalue="")
        for index, (word, original) in enumerate(pairs, start=1):
            if word != original:
                line = found and found.line_numbers[min(index, len(words)) - 1]
                place = "the input" if item is None else f"{item.source}:{item.line}"
                other = f"'{word}' as word {index} of sentence {number}"
                raise CorpusFormatError(path, line, other, f"'{original}', as in {place}")
        sentences.append(found.sentence)
    return sentences
