"""Roles, trees and tags by LISA and SA."""

import dataclasses
from typing import Any, Dict, List, Optional, Sequence, Union

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model

from lisa_allennlp.data.fields import IGNORED_LABEL, LabelsField, SentenceField
from lisa_allennlp.data.formats.tokens import unescape_token
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.errors import bad_value
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.labelling.requests import Request
from lisa_allennlp.modules.dependency_decoding import check_parse_decoder


@Labeller.register("lisa")
class LisaLabeller(Labeller):
    """
    Labels sentences with a `lisa` model. Optional keys of an input: `head_indices` (1-based, 0 for
    the root, as in CoNLL-U) and `head_tags` inject a parse, `predicates` (0-based positions) fixes
    the predicates.

    A model with a `predicate_indicator_embedding` reads a sentence once for each of its
    `predicates`, which have to be given; the answer has the frames of all readings, and the tags
    and tree of the first.

    # Parameters

    model, dataset_reader, language, max_tokens, processes :
        As for `Labeller`; the reader is one of the SRL readers.
    parser : `Union[ParseSource, Dict[str, Any]]`, optional (default = `None`)
        Another parser, or a description of it such as `{"type": "spacy", "model":
        "en_core_web_sm"}`: its trees are injected into the sentences that come without one. The
        model labels the arcs in any case.
    parse_decoder : `str`, optional (default = `"mst"`)
        `mst`, the best tree with one root, or `argmax`, each token's best head as in the paper.

    # Raises

    `ConfigurationError`
        If there is a `parser` but the model attends to no tree.
    """

    keys = ("head_indices", "head_tags", "predicates")
    output_formats = ("json", "conllu")

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        language: str = "en",
        max_tokens: int = 2000,
        processes: int = 1,
        parser: Optional[Union[ParseSource, Dict[str, Any]]] = None,
        parse_decoder: str = "mst",
    ) -> None:
        super().__init__(model, dataset_reader, language, max_tokens, processes)
        check_parse_decoder(parse_decoder)
        self._parse_decoder = parse_decoder
        self._needs_predicates: bool = getattr(model, "needs_predicates", False)
        self._has_parse: bool = getattr(model, "predicts_parse", False)
        if parser is not None and not self._has_parse:
            raise ConfigurationError(
                "parser: the model has no syntactic head to give a tree to; expected a LISA"
            )
        self._parser = _make_parse_source(parser)

    def options(self) -> Dict[str, Any]:
        return {"parse_decoder": self._parse_decoder}

    def read(self, content: Any) -> Request:
        request = super().read(content)
        if self._needs_predicates and request.predicates is None:
            raise bad_value(
                "the input",
                content,
                "`predicates` too, the 0-based positions of the predicates: this model labels the "
                "roles of given predicates",
            )
        if request.head_indices is not None and not self._has_parse:
            expected = "none, since this model has no syntactic head to give a tree to"
            raise bad_value("`head_indices`", content["head_indices"], expected)
        return request

    def instances(self, request: Request) -> List[Instance]:
        if not self._needs_predicates:
            return [self._instance(request, request.predicates, "given_predicates")]
        assert request.predicates is not None
        length = len(request.predicates)
        chosen = [t for t, is_predicate in enumerate(request.predicates) if is_predicate]
        one_hot = [[int(t == predicate) for t in range(length)] for predicate in chosen]
        return [
            self._instance(request, indicator, "predicate_indicator")
            for indicator in one_hot or [[0] * length]
        ]

    def _instance(self, request: Request, predicates: Optional[List[int]], field: str) -> Instance:
        words = self.network_words(request.sentence.words)
        instance = self.dataset_reader.text_to_instance(Sentence(words))
        # The answer shows the user's own words.
        instance.add_field("metadata", SentenceField(request.sentence))
        if request.head_indices is not None:
            self._add_labels(instance, "injected_head_indices", request.head_indices)
        if predicates is not None:
            self._add_labels(instance, field, predicates)
        return instance

    def _add_labels(self, instance: Instance, name: str, labels: Sequence[int]) -> None:
        instance.add_field(name, LabelsField(labels, self._tokens(instance)))

    def complete(self, instances: Sequence[Instance]) -> Sequence[Instance]:
        """Adds another parser's trees, and what only some of the instances have."""
        # The caller's own instances stay as they are.
        instances = [Instance(dict(instance.fields)) for instance in instances]
        if self._parser is not None:
            self._inject_parses(self._parser, instances)
        for name in ("injected_head_indices", "given_predicates"):
            if any(name in instance for instance in instances):
                for instance in instances:
                    if name not in instance:
                        unknown = [IGNORED_LABEL] * len(self._tokens(instance))
                        self._add_labels(instance, name, unknown)
        return instances

    def _inject_parses(self, parser: ParseSource, instances: Sequence[Instance]) -> None:
        bare = [instance for instance in instances if "injected_head_indices" not in instance]
        # Other parsers know brackets as people write them.
        words = [
            [unescape_token(word) for word in instance["metadata"]["sentence"].words]  # type: ignore
            for instance in bare
        ]
        for instance, heads in zip(bare, parser.parse(words), strict=True):
            self._add_labels(instance, "injected_head_indices", heads)

    def finish(self, request: Request, labelled: List[Sentence]) -> Sentence:
        """Joins the frames of all readings, and puts given arc labels in their place."""
        sentence = labelled[0]
        if len(labelled) > 1:
            frames = [frame for reading in labelled for frame in reading.frames or []]
            sentence = dataclasses.replace(sentence, frames=frames)
        if request.head_tags is not None and sentence.parse is not None:
            parse = Parse(sentence.parse.head_indices, request.head_tags)
            sentence = dataclasses.replace(sentence, parse=parse)
        return sentence

    def nothing(self, sentence: Sentence) -> Sentence:
        return dataclasses.replace(
            sentence,
            pos=[],
            frames=[],
            parse=Parse([], []) if self._has_parse else None,
            predicate_probabilities=[],
        )


def _make_parse_source(parser: Any) -> Optional[ParseSource]:
    if parser is None or isinstance(parser, ParseSource):
        return parser
    if not isinstance(parser, dict):
        expected = 'an object such as {"type": "spacy", "model": "en_core_web_sm"}'
        raise bad_value("`parser`", parser, expected)
    return ParseSource.from_params(Params(dict(parser)))
