"""From a line of JSON to a labelled sentence."""

import copy
from typing import Any, Iterable, List, Optional, Sequence, Union, cast

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import MetadataField, TextField
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.fields import IGNORED_LABEL, LabelsField
from lisa_allennlp.data.formats.annotations import annotate
from lisa_allennlp.data.formats.tokens import escape_token, unescape_token
from lisa_allennlp.data.sentence import Parse, Sentence
from lisa_allennlp.labelling.batches import groups_of_similar_length, predict_groups
from lisa_allennlp.labelling.parse_sources import ParseSource
from lisa_allennlp.predictors.sentence_predictor import SentencePredictor, bad_input


@Predictor.register("lisa")
class LisaPredictor(SentencePredictor):
    """
    Labels sentences. The input is a JSON object with `sentence`, a string to tokenise, or
    `tokens`, a list of words. Optional keys: `head_indices` (1-based, 0 for the root, as in
    CoNLL-U) and `head_tags` inject a parse, `predicates` (0-based positions) fixes the predicates.
    The output's keys are those that `lisa_allennlp.data.formats.annotations.annotate` describes.

    A model with a `predicate_indicator_embedding` reads a sentence once for each of its
    `predicates`, which have to be given; the answer has the frames of all readings, and the tags
    and tree of the first.

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
        One of the SRL readers: its indexers are used, and its rules for words.
    language : `str`, optional (default = `"en"`)
        The language whose tokenisation rules are used for `sentence`.
    max_tokens : `int`, optional (default = `2000`)
        Of the sentences given at once, those of similar length go through the network together, in
        batches of at most this many tokens with padding. Answers keep the order of the input.
    parser : `Union[ParseSource, JsonDict]`, optional (default = `None`)
        Another parser, or a description of it such as `{"type": "spacy", "model":
        "en_core_web_sm"}`: its trees are injected into the sentences that come without one. Arcs
        are labelled by the model in any case.

    # Raises

    `ConfigurationError`
        If there is a `parser` but the model attends to no tree; in predicting, if an input is not
        as described here.
    """

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        language: str = "en",
        max_tokens: int = 2000,
        parser: Optional[Union[ParseSource, JsonDict]] = None,
    ) -> None:
        super().__init__(model, dataset_reader, language)
        self._max_tokens = max_tokens
        self._needs_predicates: bool = getattr(model, "needs_predicates", False)
        self._has_parse: bool = getattr(model, "predicts_parse", False)
        if parser is not None and not self._has_parse:
            raise ConfigurationError(
                "parser: the model has no syntactic head to give a tree to; expected a LISA"
            )
        self._parser = _make_parse_source(parser)

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        requests = [self._read_request(json_dict) for json_dict in inputs]
        # An empty sentence has no tensors: its annotation is known without the model.
        nonempty = [request for request in requests if request.words]
        predictions = iter(self._predict_requests(nonempty))
        return [
            request.finish(next(predictions)) if request.words else self._annotate_nothing()
            for request in requests
        ]

    def _read_request(self, json_dict: JsonDict) -> "_Request":
        request = _Request(json_dict, self._words(json_dict))
        if self._needs_predicates and request.predicates is None:
            raise bad_input(
                "the input",
                json_dict,
                "`predicates` too, the 0-based positions of the predicates: this model labels the "
                "roles of given predicates",
            )
        if request.heads is not None and not self._has_parse:
            expected = "none, since this model has no syntactic head to give a tree to"
            raise bad_input("`head_indices`", json_dict["head_indices"], expected)
        return request

    def _predict_requests(self, requests: Sequence["_Request"]) -> List[JsonDict]:
        if not self._needs_predicates:
            return self.predict_batch_instance(list(map(self._make_instance, requests)))
        readings = [request.by_predicate() for request in requests]
        instances = [self._make_instance(reading) for group in readings for reading in group]
        answers = iter(self.predict_batch_instance(instances))
        return [_merge([next(answers) for _ in group]) for group in readings]

    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        if self._parser is not None:
            _inject_parses(self._parser, instances)
        _complete(instances, "injected_head_indices")
        _complete(instances, "given_predicates")
        lengths = [len(_tokens(instance)) for instance in instances]

        def predict(group: List[int]) -> List[JsonDict]:
            batch = [instances[position] for position in group]
            for instance in batch:
                self._dataset_reader.apply_token_indexers(instance)
            # The answers are plain Python already: AllenNLP's `sanitize` would only copy them.
            return self._model.forward_on_instances(batch)

        groups = groups_of_similar_length(lengths, self._max_tokens)
        predictions = predict_groups(self._model, groups, predict)
        return [predictions[position] for position in range(len(instances))]

    def _annotate_nothing(self) -> JsonDict:
        return annotate(Sentence([], [], [], Parse([], []) if self._has_parse else None), [])

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._make_instance(self._read_request(json_dict))

    def _make_instance(self, request: "_Request") -> Instance:
        # The treebanks write brackets as -LRB- and so on; the answer shows the user's own words.
        escaped = Sentence([escape_token(word) for word in request.words])
        instance = self._dataset_reader.text_to_instance(escaped)
        instance.add_field("metadata", MetadataField({"sentence": Sentence(request.words)}))
        if request.heads is not None:
            _add_labels(instance, "injected_head_indices", request.heads)
        if request.predicates is not None:
            name = "predicate_indicator" if self._needs_predicates else "given_predicates"
            _add_labels(instance, name, request.predicates)
        return instance


class _Request:
    """
    One input, checked.

    # Parameters

    json_dict : `JsonDict`
    words : `List[str]`
        Its words.
    """

    def __init__(self, json_dict: JsonDict, words: List[str]) -> None:
        self.words = words
        self.heads = self._read_heads(json_dict.get("head_indices"))
        self.head_tags = self._read_head_tags(json_dict.get("head_tags"))
        self.predicates = self._read_predicates(json_dict.get("predicates"))

    def _read_heads(self, heads: Any) -> Optional[List[int]]:
        if heads is None:
            return None
        length = len(self.words)
        _check_list("head_indices", heads, int, length)
        for position, head in enumerate(heads, start=1):
            if not 0 <= head <= length or head == position:
                raise bad_input(
                    f"`head_indices` at token {position} ('{self.words[position - 1]}')",
                    head,
                    f"0 for the root, or the position of another token, 1 to {length}",
                )
        return [t if head == 0 else head - 1 for t, head in enumerate(heads)]

    def _read_head_tags(self, head_tags: Any) -> Optional[List[str]]:
        if head_tags is None:
            return None
        if self.heads is None:
            raise bad_input("`head_tags`", head_tags, "`head_indices` beside them")
        _check_list("head_tags", head_tags, str, len(self.words))
        return head_tags

    def _read_predicates(self, predicates: Any) -> Optional[List[int]]:
        if predicates is None:
            return None
        _check_list("predicates", predicates, int, None)
        for predicate in predicates:
            if not 0 <= predicate < len(self.words):
                raise bad_input(
                    "`predicates`", predicate, f"0-based positions below {len(self.words)}"
                )
        return [int(position in predicates) for position in range(len(self.words))]

    def by_predicate(self) -> List["_Request"]:
        """This request for each of its predicates alone; itself if it has none."""
        assert self.predicates is not None
        requests = []
        for predicate in [t for t, is_predicate in enumerate(self.predicates) if is_predicate]:
            request = copy.copy(self)
            request.predicates = [int(t == predicate) for t in range(len(self.words))]
            requests.append(request)
        return requests or [self]

    def finish(self, prediction: JsonDict) -> JsonDict:
        """Puts given arc labels in the place of those that the model would give the same arcs."""
        if self.head_tags is not None and "predicted_dependencies" in prediction:
            prediction["predicted_dependencies"] = list(self.head_tags)
        return prediction


def _merge(answers: Sequence[JsonDict]) -> JsonDict:
    """One answer from those to the readings of a sentence."""
    frames = {
        key: [item for answer in answers for item in answer[key]] for key in ("predicates", "verbs")
    }
    return {**answers[0], **frames}


def _make_parse_source(parser: Any) -> Optional[ParseSource]:
    if parser is None or isinstance(parser, ParseSource):
        return parser
    if not isinstance(parser, dict):
        expected = 'an object such as {"type": "spacy", "model": "en_core_web_sm"}'
        raise bad_input("`parser`", parser, expected)
    return ParseSource.from_params(Params(dict(parser)))


def _inject_parses(parser: ParseSource, instances: Iterable[Instance]) -> None:
    """Gives their trees to the instances that have none to inject."""
    bare = [instance for instance in instances if "injected_head_indices" not in instance]
    # Other parsers know brackets as people write them.
    words = [[unescape_token(word) for word in _words(instance)] for instance in bare]
    for instance, heads in zip(bare, parser.parse(words), strict=True):
        _add_labels(instance, "injected_head_indices", heads)


def _complete(instances: Sequence[Instance], name: str) -> None:
    """Adds a field without any known label where other instances have one: a batch needs it."""
    if any(name in instance for instance in instances):
        for instance in instances:
            if name not in instance:
                _add_labels(instance, name, [IGNORED_LABEL] * len(_tokens(instance)))


def _add_labels(instance: Instance, name: str, labels: Sequence[int]) -> None:
    instance.add_field(name, LabelsField(labels, _tokens(instance)))


def _tokens(instance: Instance) -> TextField:
    return cast(TextField, instance["tokens"])


def _words(instance: Instance) -> List[str]:
    return cast(MetadataField, instance["metadata"])["sentence"].words


def _check_list(name: str, value: Any, item_type: type, length: Optional[int]) -> None:
    is_list = isinstance(value, list) and all(
        isinstance(item, item_type) and not isinstance(item, bool) for item in value
    )
    if not is_list or (length is not None and len(value) != length):
        of_length = "" if length is None else f" with one item for each of the {length} tokens"
        kind = {int: "integers", str: "strings"}[item_type]
        raise bad_input(f"`{name}`", value, f"a list of {kind}{of_length}")
