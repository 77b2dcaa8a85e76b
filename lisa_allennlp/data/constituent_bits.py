"""
The gold constituents of annotated files.

    >>> from lisa_allennlp.data.annotated_files import read_annotated
    >>> gold = read_annotated("fixtures/formats/conll05/sample.conll")
    >>> read_constituent_bits(gold)[0][:3]
    ['(S(NP(NP*', '*)', '(SBAR(WHNP*)']
"""

from typing import Any, Callable, Dict, List, Optional, cast

from lisa_allennlp.data.annotated_files import AnnotatedFile
from lisa_allennlp.data.corpus_files import local_path
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll05 import parse_conll05_constituents
from lisa_allennlp.data.formats.conll12 import parse_conll12_constituents

_PARSERS: Dict[str, Callable[..., Any]] = {
    "conll05": parse_conll05_constituents,
    "gold_conll": parse_conll12_constituents,
}


def read_constituent_bits(annotated: AnnotatedFile) -> Optional[List[List[str]]]:
    """
    Reads the constituent column of CoNLL-2005 and CoNLL-2012 files.

    # Returns

    `Optional[List[List[str]]]`
        For each sentence, the bits of its words, such as `(NP*`. `None` if the format has no
        constituents or the column of a sentence is missing or has no bracket.
    """
    if annotated.format not in _PARSERS:
        return None
    bits: List[Optional[List[str]]] = []
    for file in dict.fromkeys(annotated.files):
        parsed = _PARSERS[annotated.format](read_lines(local_path(file, "an annotated file")), file)
        bits.extend(column for _, column in parsed)
    if any(column is None or not any("(" in bit for bit in column) for column in bits):
        return None
    return cast(List[List[str]], bits)
