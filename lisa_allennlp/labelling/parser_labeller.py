"""Parses sentences with the Dozat & Manning parser."""

import copy
import dataclasses
from typing import Any, FrozenSet, List, Optional

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model

from lisa_allennlp.data.dataset_readers.conllu_parses import POS_NAMESPACE, ConlluParsesReader
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.errors import bad_value
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import DocumentRequest, Request
from lisa_allennlp.models.label_names import label_strings


@Labeller.register("conllu_parses")
class ParserLabeller(Labeller):
    """
    Parses sentences with a `deep_biaffine_parser`. An input has `pos`, one tag per word from the
    parser's training tag set, unless the parser was trained without tags.

    >>> import lisa_allennlp.plugin
    >>> from allennlp.common import Params
    >>> from allennlp.data import Vocabulary
    >>> embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    >>> config = {
    ...     "type": "deep_biaffine_parser",
    ...     "text_field_embedder": embedder,
    ...     "encoder": {"type": "variational_bidirectional_rnn", "hidden_dim": 4, "num_layers": 1},
    ... }
    >>> vocab = Vocabulary(tokens_to_add={"head_tags": ["root"]})
    >>> model = Model.from_params(Params(config), vocab=vocab).eval()
    >>> parser = ParserLabeller(model, ConlluParsesReader())
    >>> sentence = parser({"tokens": ["Run"], "pos": ["VB"]})
    >>> sentence.heads, sentence.head_tags
    ([0], ['root'])

    # Parameters

    model, dataset_reader, **options :
        As for `Labeller`. The reader is a `conllu_parses`.

    # Raises

    `ConfigurationError`
        If the reader has another type.
    """

    has_parse = True
    keys = ("pos",)
    tokens_field = "words"
    output_formats = ("conllu", "json")

    def __init__(self, model: Model, dataset_reader: DatasetReader, **options: Any) -> None:
        if not isinstance(dataset_reader, ConlluParsesReader):
            raise ConfigurationError(
                f"the dataset reader is a {type(dataset_reader).__name__}; expected a conllu_parses"
            )
        # Sentences to parse have no gold tree.
        dataset_reader = copy.copy(dataset_reader)
        dataset_reader.requires_parses = False
        super().__init__(model, dataset_reader, **options)
        self._needs_tags: bool = getattr(model, "reads_tags", True)

    @property
    def pos_tags(self) -> Optional[FrozenSet[str]]:
        """The parts of speech of the training data; `None` if the parser reads words alone."""
        if not self._needs_tags:
            return None
        vocab = self.model.vocab
        not_tags = {vocab._padding_token, vocab._oov_token}
        return frozenset(label_strings(vocab, POS_NAMESPACE)) - not_tags

    def read(self, content: Any) -> Request:
        request = super().read(content)
        if request.sentence.words and request.sentence.pos is None and self._needs_tags:
            raise bad_value("the input", content, "also `pos`, one tag per word")
        return request

    def read_document(self, content: Any) -> DocumentRequest:
        if self._needs_tags:
            expected = "`tokens` with `pos`, as this parser reads tags"
            raise bad_value("the document", content, expected)
        return super().read_document(content)

    def simplest_request(self) -> Request:
        return Request(Sentence(["."], pos=None if self.pos_tags is None else [min(self.pos_tags)]))

    def instances(self, request: Request) -> List[Instance]:
        return [self.instance(request.sentence, request.sentence.pos)]

    def nothing(self, sentence: Sentence, details: bool = False) -> Sentence:
        arc_scores = numpy.zeros((0, 0)) if details else None
        return dataclasses.replace(sentence, pos=[], parse=Parse([], []), arc_scores=arc_scores)
