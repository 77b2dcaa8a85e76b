"""Trees by the Dozat & Manning parser."""

import copy
import dataclasses
from typing import Any, List

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model

from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.data.fields import SentenceField
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.errors import bad_value
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import Request


@Labeller.register("conllu_parses")
class ParserLabeller(Labeller):
    """
    Parses sentences with a `deep_biaffine_parser`. An input has `pos`, a tag for each word, of the
    tag set that the parser was trained with, unless the parser sees words only.

    # Parameters

    model, dataset_reader, language, max_tokens, processes :
        As for `Labeller`; the reader is a `conllu_parses`.

    # Raises

    `ConfigurationError`
        If the reader is another.
    """

    keys = ("pos",)
    tokens_field = "words"
    output_formats = ("conllu", "json")

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        language: str = "en",
        max_tokens: int = 2000,
        processes: int = 1,
    ) -> None:
        if not isinstance(dataset_reader, ConlluParsesReader):
            raise ConfigurationError(
                f"the dataset reader is a {type(dataset_reader).__name__}; expected one of type "
                "conllu_parses"
            )
        # What is to be parsed needs no tree.
        dataset_reader = copy.copy(dataset_reader)
        dataset_reader.requires_parses = False
        super().__init__(model, dataset_reader, language, max_tokens, processes)
        self._needs_tags: bool = getattr(model, "reads_tags", True)

    def read(self, content: Any) -> Request:
        request = super().read(content)
        if request.sentence.words and request.sentence.pos is None and self._needs_tags:
            raise bad_value("the input", content, "`pos` too, a tag for each word")
        return request

    def instances(self, request: Request) -> List[Instance]:
        sentence = request.sentence
        words = self.network_words(sentence.words)
        instance = self.dataset_reader.text_to_instance(Sentence(words, sentence.pos))
        instance.add_field("metadata", SentenceField(sentence))
        return [instance]

    def nothing(self, sentence: Sentence) -> Sentence:
        return dataclasses.replace(sentence, pos=[], parse=Parse([], []))
