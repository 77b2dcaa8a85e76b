"""Dataset readers, which turn corpus files into instances."""

from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.data.dataset_readers.srl_reader import (
    AnnotatedSrlReader,
    Conll05SrlReader,
    Conll12SrlReader,
    SrlReader,
)

__all__ = [
    "AnnotatedSrlReader",
    "CcgbankReader",
    "Conll05SrlReader",
    "Conll12SrlReader",
    "ConlluParsesReader",
    "SrlReader",
]
