"""A dataset reader for semantic roles in any format."""

import dataclasses
from os import PathLike
from typing import Iterator, Union

from allennlp.data import DatasetReader

from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.dataset_readers.srl_reader import SrlReader
from lisa_allennlp.data.sentence import Sentence


@DatasetReader.register("annotated_srl")
class AnnotatedSrlReader(SrlReader):
    """
    Reads semantic roles and trees from a file of any format that `lisa convert` reads, such as the
    JSON lines of `lisa predict`. Its name or its content tells the format. Parameters are as in
    `SrlReader`, but no trees are injected.

    Registered as a `DatasetReader` with name "annotated_srl".

        >>> reader = AnnotatedSrlReader()
        >>> sentence = next(reader.read_sentences("fixtures/sample/dev.gold_conll"))
        >>> [frame.verb for frame in sentence.frames], sentence.heads[:4]
        (['covered', 'decided', 'support'], [2, 4, 4, 0])
    """

    def read_sentences(self, file_path: Union[str, PathLike]) -> Iterator[Sentence]:
        for sentence in read_annotated(file_path, parses=True).bare_sentences:
            yield sentence if self._parses_suffix else dataclasses.replace(sentence, parse=None)
