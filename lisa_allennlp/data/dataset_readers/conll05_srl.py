"""CoNLL-2005 and corpora in its columns."""

from typing import Iterable, Iterator

from allennlp.data import DatasetReader

from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.conll05 import parse_conll05


@DatasetReader.register("conll05_srl")
class Conll05SrlReader(SrlReader):
    """
    Reads semantic roles from CoNLL-2005 columns, the official ones or the `.combined.bio` ones of
    the authors of LISA; `lisa_allennlp.data.formats.conll05` describes them. Its options are those
    of `SrlReader`.
    """

    pattern = "*.conll"
    suffixes = (".conll", ".combined.bio", ".combined", ".bio", ".gz")

    def parse_lines(self, lines: Iterable[str], path: str) -> Iterator[LocatedSentence]:
        return parse_conll05(lines, path)
