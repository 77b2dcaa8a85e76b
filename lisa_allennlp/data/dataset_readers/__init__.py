"""Dataset readers, which turn corpus files into instances."""

from lisa_allennlp.data.dataset_readers.conll05_srl import Conll05SrlReader
from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader

__all__ = ["Conll05SrlReader", "Conll12SrlReader", "ConlluParsesReader", "SrlReader"]
