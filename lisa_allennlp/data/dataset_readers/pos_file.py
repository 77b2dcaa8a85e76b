"""Predicted part-of-speech tags from a file beside the corpus."""

import dataclasses

from lisa_allennlp.data.aligned_file import AlignedFile
from lisa_allennlp.data.formats.columns import LocatedSentence
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.sentence import Sentence


class PosFile(AlignedFile):
    """
    A file with the part-of-speech tags of a corpus, which replace the corpus's own. It needs no
    trees.

        >>> from lisa_allennlp.data.formats.columns import read_lines
        >>> from lisa_allennlp.data.formats.conll12 import parse_conll12
        >>> corpus = "fixtures/sample/dev.gold_conll"
        >>> tags = PosFile("fixtures/sample/dev.conllu", "the tags of the corpus", False)
        >>> sentences = parse_conll12(read_lines(corpus), corpus)
        >>> next(tags.add_to(sentences, corpus)).sentence.pos[:4]
        ['DET', 'NOUN', 'ADV', 'VERB']

    # Parameters

    path, expected, use_language_specific_pos :
        As in `AlignedFile`.

    # Raises

    `CorpusFormatError`
        As in `AlignedFile`; also if a token has no tag.
    """

    content = "tags"

    def __init__(self, path: str, expected: str, use_language_specific_pos: bool = True) -> None:
        super().__init__(path, expected, use_language_specific_pos, requires_parses=False)

    def annotated(self, sentence: Sentence, aligned: LocatedSentence) -> Sentence:
        pos = aligned.sentence.pos or ["_"] * len(aligned.sentence.words)
        if "_" in pos:
            line = aligned.line_numbers[pos.index("_")]
            raise CorpusFormatError(self.path, line, "no part of speech ('_')", "a tag")
        return dataclasses.replace(sentence, pos=pos)
