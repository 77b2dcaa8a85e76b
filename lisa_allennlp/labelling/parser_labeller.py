"""Parses sentences with the Dozat & Manning parser."""

from dataclasses import replace
from typing import Any, FrozenSet, List, Optional, Sequence

import numpy

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.json_values import bad_value
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import Request


class ParserLabeller(Labeller):
    """
    Parses sentences with a `deep_biaffine_parser`, which `models.engines.ParserEngine` runs. An
    input has `pos`, one tag per word from the parser's training tag set, unless the parser was
    trained without tags.
    """

    has_parse = True
    keys = ("pos",)
    output_formats = ("conllu", "json")
    reads_tags = True

    @property
    def pos_tags(self) -> Optional[FrozenSet[str]]:
        """The parts of speech of the training data; `None` if the parser reads words alone."""
        return self.engine.pos_tags

    def read(self, content: Any) -> Request:
        """As in `Labeller`; refuses words without tags if the parser reads tags."""
        request = super().read(content)
        if request.sentence.words and request.sentence.pos is None and self.pos_tags is not None:
            raise bad_value("the input", content, "also `pos`, one tag per word")
        return request

    def read_document(self, content: Any) -> Document:
        """As in `Labeller`; refuses raw text if the parser reads tags."""
        if self.pos_tags is not None:
            expected = "`tokens` with `pos`, as this parser reads tags"
            raise bad_value("the document", content, expected)
        return super().read_document(content)

    def simplest_request(self) -> Request:
        """As in `Labeller`, with a tag if the parser reads tags."""
        return Request(Sentence(["."], pos=None if self.pos_tags is None else [min(self.pos_tags)]))

    def label_words(self, requests: Sequence[Request], details: bool = False) -> List[Sentence]:
        return self.engine.label([request.sentence for request in requests], details=details)

    def nothing(self, sentence: Sentence, details: bool = False) -> Sentence:
        arc_scores = numpy.zeros((0, 0)) if details else None
        return replace(sentence, pos=[], parse=Parse([], []), arc_scores=arc_scores)
