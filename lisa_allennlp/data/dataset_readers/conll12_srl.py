"""CoNLL-2012 (OntoNotes 5) and corpora in its columns."""

from typing import Iterable, Iterator

from allennlp.data import DatasetReader

from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.conll12 import parse_conll12


@DatasetReader.register("conll12_srl")
class Conll12SrlReader(SrlReader):
    """
    Reads semantic roles from CoNLL-2012 columns: a `*.gold_conll` file, or a folder with such
    files at any depth, as OntoNotes has them. Its options are those of `SrlReader`.
    """

    pattern = "*gold_conll"
    suffixes = (".gold_conll", ".v4_gold_conll", ".auto_conll", ".conll", ".gz")

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        return parse_conll12(lines, path)
