"""
Part-of-speech tags from the Stanford tagger, which needs Java.

    >>> tagger = StanfordTagger("stanford-postagger.jar", None, "tagged")  # doctest: +SKIP
    >>> [(item, pos)] = tagger.annotate([(sentence, "any object")])  # doctest: +SKIP
    >>> pos  # doctest: +SKIP
    ['PRP', 'VBD']

    >>> StanfordTagger("no.jar", None, "tagged")
    Traceback (most recent call last):
    ...
    lisa_allennlp.common.errors.ConfigurationError: --stanford-tagger no.jar: found no such ...
"""

from pathlib import Path
from typing import Any, ClassVar, Iterator, List, Optional, Sequence, Tuple, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.columns import (
    Block,
    LocatedSentence,
    read_lines,
    sentence_blocks,
    split_at_tabs,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.preparation.outputs import fingerprint
from lisa_allennlp.data.preparation.stanford_tool import BracketedSentence, StanfordTool, jars_of
from lisa_allennlp.data.sentence import Sentence

_MODEL = "models/english-left3words-distsim.tagger"
_EXPECTED = "stanford-postagger.jar (https://nlp.stanford.edu/software/tagger.html)"
# Words and sentences stay as they are.
_OPTIONS = ["-tokenize", "false", "-sentenceDelimiter", "newline"]
_FORMAT = ["-outputFormat", "tsv", "-encoding", "UTF-8"]


class StanfordTagger(StanfordTool[List[str]]):
    """
    Predicts the parts of speech of sentences with the Stanford tagger, whose tags the +D&M parser
    of the LISA paper reads.

    # Parameters

    jar : `Union[str, Path]`
        `stanford-postagger.jar`, or the folder that contains it.
    model : `Union[str, Path]`, optional
        The model; by default the one that the paper uses,
        `models/english-left3words-distsim.tagger`, beside the jar.
    cache, **options :
        As in `StanfordTool`.

    # Raises

    `ConfigurationError`
        If the program, the jar or the model is missing.
    """

    main_class = "edu.stanford.nlp.tagger.maxent.MaxentTagger"
    suffixes: ClassVar[Tuple[str, str]] = (".txt", ".tsv")

    def __init__(
        self,
        jar: Union[str, Path],
        model: Optional[Union[str, Path]],
        cache: Union[str, Path],
        **options: Any,
    ) -> None:
        jars = jars_of(Path(jar), "--stanford-tagger", _EXPECTED)
        super().__init__(jars, cache, **options)
        self._model = Path(model) if model is not None else jars[0].parent / _MODEL
        if not self._model.is_file():
            raise ConfigurationError(
                f"--tagger-model {self._model}: found no such file; expected a model of the "
                f"Stanford tagger, such as {_MODEL}"
            )

    @property
    def fingerprint(self) -> str:
        return f"{super().fingerprint} {fingerprint([self._model])}"

    def text(self, batch: Sequence[BracketedSentence]) -> str:
        return "".join(" ".join(item.words) + "\n" for item in batch)

    def arguments(self, source: Path) -> List[str]:
        return ["-model", str(self._model), "-textFile", str(source), *_OPTIONS, *_FORMAT]

    def read(self, path: Path) -> Iterator[LocatedSentence]:
        for block in sentence_blocks(enumerate(read_lines(path), start=1), path, split_at_tabs):
            _check_columns(path, block)
            sentence = Sentence(block.column(0), block.column(1))
            yield LocatedSentence(sentence, block.line_numbers)

    def annotation(self, sentence: Sentence) -> List[str]:
        assert sentence.pos is not None
        return sentence.pos


def _check_columns(path: Path, block: Block) -> None:
    for number, row in zip(block.line_numbers, block.rows, strict=True):
        if len(row) != 2:
            found = "1 column" if len(row) == 1 else f"{len(row)} columns"
            raise CorpusFormatError(path, number, found, "2 separated by a tab (word, tag)")
