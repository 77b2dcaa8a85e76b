"""Dependency trees from a file beside the corpus."""

import dataclasses
from typing import Any, Dict

from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.data.aligned_file import AlignedFile
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence


class ParsesFile(AlignedFile):
    """
    A file with one tree per sentence of a corpus.

        >>> from lisa_allennlp.data.formats.columns import read_lines
        >>> from lisa_allennlp.data.formats.conll12 import parse_conll12
        >>> corpus = "fixtures/sample/dev.gold_conll"
        >>> parses = ParsesFile("fixtures/sample/dev.conllu", expected="the trees of the corpus")
        >>> sentences = parse_conll12(read_lines(corpus), corpus)
        >>> with_trees = list(parses.add_to(sentences, corpus))
        >>> parses.check_end(corpus)
        >>> with_trees[0].sentence.heads[:4]
        [2, 4, 4, 0]

    # Parameters

    path, expected :
        As in `AlignedFile`.
    attribute : `str`, optional (default = `"parse"`)
        The attribute of `Sentence` to set: `parse` or `injected_parse`.
    allow_cycles : `bool`, optional (default = `True`)
        Whether heads may have cycles.

    # Raises

    `CorpusFormatError`
        As `AlignedFile`, and for heads with a cycle unless they are allowed.
    """

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
        return dataclasses.replace(sentence, **changes)
