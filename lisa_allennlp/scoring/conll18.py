"""
The scores of the CoNLL 2018 shared task (Zeman et al. 2018), computed by udtools, which Universal
Dependencies maintains.

    >>> gold = "fixtures/sample/dev.conllu"
    >>> Conll18Evaluation(gold, gold).to_dict()["LAS"]["f1"]
    100.0
"""

import io
from os import PathLike
from typing import Any, Dict, List, NamedTuple, Sequence, Union

from lisa_allennlp.common.corpus_errors import CorpusFormatError, shortened
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.tables import Table
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conllu import GLOBAL_COLUMNS, parse_conllu_roles, write_conllu
from lisa_allennlp.scoring.counts import Evaluation, Ratio

ENHANCED = ("ELAS", "EULAS")

TREE_SCORES = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")


class Block(NamedTuple):
    text: str
    line: int


class Conll18Evaluation(Evaluation):
    """
    Scores trees and tags as the scorer of the CoNLL 2018 shared task does. It aligns words by their
    characters, so that tokens may differ, counts punctuation, and ignores the subtypes of relations
    (`nmod:poss`) and all features but the universal ones. Raises a `ConfigurationError` if a
    CoNLL-U file is malformed, a graph is not a tree with one root, or the texts differ.
    """

    def __init__(self, predicted: Union[str, PathLike], gold: Union[str, PathLike]) -> None:
        self.paths = str(predicted), str(gold)
        self.texts = tuple(_text(path) for path in self.paths)
        self._scores = _evaluate(self.texts, self.paths)

    def table(self, style: str = "text") -> str:
        from udtools import udeval

        if style != "text":
            return super().table(style)
        return udeval.build_evaluation_table(self._scores)

    def tables(self) -> List[Table]:
        rows = [
            [name, *(scores[score] for score in ("precision", "recall", "f1"))]
            for name, scores in self.to_dict().items()
        ]
        return [Table(["", "prec.", "rec.", "F1"], rows)]

    def to_dict(self) -> Dict[str, Any]:
        return {
            name: {
                "correct": score.correct,
                "gold_total": score.gold_total,
                "system_total": score.system_total,
                "precision": 100 * score.precision,
                "recall": 100 * score.recall,
                "f1": 100 * score.f1,
            }
            for name, score in self._scores.items()
            if name not in ENHANCED
        }

    def sentence_ratios(self) -> List[Dict[str, Ratio]]:
        """Both files must split the text into the same sentences."""
        predicted, gold = (_blocks(text) for text in self.texts)
        if len(predicted) != len(gold):
            found, expected = f"{len(predicted)} sentences", f"{len(gold)}, as in {self.paths[1]}"
            raise CorpusFormatError(self.paths[0], None, found, expected)
        return [self._ratios(*pair) for pair in zip(predicted, gold, strict=True)]

    def notes(self) -> List[str]:
        return ["punctuation counts, and subtypes of relations (nmod:poss) do not"]

    def _ratios(self, predicted: Block, gold: Block) -> Dict[str, Ratio]:
        try:
            scores = _evaluate((predicted.text, gold.text), self.paths)
        except ConfigurationError:
            # Both files as a whole were evaluated, so that only the sentences can differ.
            raise CorpusFormatError(
                self.paths[0],
                predicted.line,
                "a sentence with another text",
                f"the text of the sentence at {self.paths[1]}:{gold.line}",
            ) from None
        return {
            name: (2 * score.correct, score.gold_total + score.system_total)
            for name, score in scores.items()
            if name in TREE_SCORES
        }


def _text(path: str) -> str:
    lines = [line.rstrip("\r\n") for line in read_lines(path)]
    if lines and GLOBAL_COLUMNS.match(lines[0]):
        file = io.StringIO()
        write_conllu((item.sentence for item in parse_conllu_roles(lines, path)), file)
        lines = file.getvalue().split("\n")
    return "\n".join(lines).rstrip("\n") + "\n\n"


def _blocks(text: str) -> List[Block]:
    blocks, line = [], 1
    for lines in text.rstrip("\n").split("\n\n"):
        blocks.append(Block(lines + "\n\n", line))
        line += lines.count("\n") + 2
    return blocks


def _evaluate(texts: Sequence[str], paths: Sequence[str]) -> Dict[str, Any]:
    from udtools import udeval

    predicted, gold = [_load(text, path) for text, path in zip(texts, paths, strict=True)]
    try:
        return udeval.evaluate(gold, predicted)
    except udeval.UDError as error:
        reason = "\n".join(map(shortened, str(error).splitlines()))
        raise ConfigurationError(f"{paths[0]}: {reason}") from None


def _load(text: str, path: str, line: int = 1) -> Any:
    from udtools import udeval

    try:
        return udeval.load_conllu(io.StringIO(text), path, {})
    except (udeval.UDError, ValueError, IndexError, RecursionError) as error:
        # Its errors often lack the line, and some are Python's own.
        blocks = _blocks(text)
        if len(blocks) > 1:
            for block in blocks:
                _load(block.text, path, block.line)
        found = f"a sentence that udtools cannot read ({' '.join(str(error).split())})"
        raise CorpusFormatError(path, line, found, "valid CoNLL-U") from error
