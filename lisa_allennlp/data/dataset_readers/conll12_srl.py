"""A dataset reader for CoNLL-2012 (OntoNotes 5) and corpora in its format."""

from typing import Iterable, Iterator

from allennlp.data import DatasetReader

from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.conll12 import PATTERN, SUFFIXES, parse_conll12


@DatasetReader.register("conll12_srl")
class Conll12SrlReader(SrlReader):
    """
    Reads semantic roles from CoNLL-2012 columns: a `*.gold_conll` file, or all such files of a
    folder and its subfolders. Parameters are as in `SrlReader`.

    Registered as a `DatasetReader` with name "conll12_srl".

        >>> reader = Conll12SrlReader()
        >>> sentence = next(reader.read_sentences("fixtures/sample/dev.gold_conll"))
        >>> [frame.verb for frame in sentence.frames]
        ['covered', 'decided', 'support']
        >>> sentence.parse.heads[:4]
        [2, 4, 4, 0]
    """

    pattern = PATTERN
    suffixes = SUFFIXES

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        return parse_conll12(lines, path)
