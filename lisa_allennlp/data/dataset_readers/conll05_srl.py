"""A dataset reader for CoNLL-2005 and corpora in its format."""

from typing import Iterable, Iterator

from allennlp.data import DatasetReader

from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.conll05 import SUFFIXES, parse_conll05


@DatasetReader.register("conll05_srl")
class Conll05SrlReader(SrlReader):
    """
    Reads semantic roles from CoNLL-2005 columns, either the official ones or the `.combined.bio`
    columns of LISA's authors; see `lisa_allennlp.data.formats.conll05`. Parameters are as in
    `SrlReader`.

    Registered as a `DatasetReader` with name "conll05_srl".

        >>> reader = Conll05SrlReader()
        >>> sentence = next(reader.read_sentences("fixtures/formats/conll05/sample.conll"))
        >>> sentence.frames[0]
        <Frame cut: [A0: The clerk] [R-A0: who] [V: cut] [A1: costs]>
    """

    pattern = "*.conll"
    suffixes = SUFFIXES

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        return parse_conll05(lines, path)
