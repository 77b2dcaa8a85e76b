"""From a line of JSON to a labelled sentence."""

from typing import Any, Dict, List, Optional, Sequence

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import MetadataField, TextField
from allennlp.models import Model
from allennlp.predictors.predictor import Predictor

from lisa_allennlp.data.fields import IGNORED_LABEL, LabelsField
from lisa_allennlp.data.formats.annotations import annotate
from lisa_allennlp.data.formats.structures import Parse, Sentence
from lisa_allennlp.data.formats.tokens import escape_token
from lisa_allennlp.predictors.batches import groups_of_similar_length
from lisa_allennlp.predictors.sentence_predictor import SentencePredictor, bad_input


@Predictor.register("lisa")
class LisaPredictor(SentencePredictor):
    """
    Labels sentences. The input is a JSON object with `sentence`, a string to tokenise, or
    `tokens`, a list of words. Optional keys: `head_indices` (1-based, 0 for the root, as in
    CoNLL-U) and `head_tags` inject a parse, `predicates` (0-based positions) fixes the predicates.
    The output's keys are those that `lisa_allennlp.data.formats.annotations.annotate` describes.

    # Parameters

    model : `Model`
    dataset_reader : `DatasetReader`
        One of the SRL readers: its indexers are used, and its rules for words.
    language : `str`, optional (default = `"en"`)
        The language whose tokenisation rules are used for `sentence`.
    max_tokens : `int`, optional (default = `2000`)
        Of the sentences given at once, those of similar length go through the network together, in
        batches of at most this many tokens with padding. Answers keep the order of the input.
    """

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        language: str = "en",
        max_tokens: int = 2000,
    ) -> None:
        super().__init__(model, dataset_reader, language)
        self._max_tokens = max_tokens

    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        requests = [_Request(json_dict, self._words(json_dict)) for json_dict in inputs]
        # An empty sentence has no tensors: its annotation is known without the model.
        nonempty = [request for request in requests if request.words]
        predictions = iter(self._predict_requests(nonempty))
        return [
            request.finish(next(predictions)) if request.words else self._annotate_nothing()
            for request in requests
        ]

    def _predict_requests(self, requests: Sequence["_Request"]) -> List[JsonDict]:
        predictions: Dict[int, JsonDict] = {}
        lengths = [len(request.words) for request in requests]
        for group in groups_of_similar_length(lengths, self._max_tokens):
            batch = self._predict_group([requests[position] for position in group])
            predictions.update(zip(group, batch, strict=True))
        return [predictions[position] for position in range(len(requests))]

    def _predict_group(self, requests: Sequence["_Request"]) -> List[JsonDict]:
        instances = [self._make_instance(request) for request in requests]
        for instance in instances:
            self._dataset_reader.apply_token_indexers(instance)
        # All instances of a batch need the same fields.
        if any(request.heads is not None for request in requests):
            for instance, request in zip(instances, requests, strict=True):
                _add_labels(instance, "injected_head_indices", request.heads)
        if any(request.predicates is not None for request in requests):
            for instance, request in zip(instances, requests, strict=True):
                _add_labels(instance, "given_predicates", request.predicates)
        # The model's answers are plain Python already: AllenNLP's `sanitize` would only copy them.
        return self._model.forward_on_instances(instances)

    def _annotate_nothing(self) -> JsonDict:
        has_parse = getattr(self._model, "predicts_parse", False)
        return annotate(Sentence([], [], [], Parse([], []) if has_parse else None), [])

    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self._make_instance(_Request(json_dict, self._words(json_dict)))

    def _make_instance(self, request: "_Request") -> Instance:
        # The treebanks write brackets as -LRB- and so on; the answer shows the user's own words.
        escaped = Sentence([escape_token(word) for word in request.words])
        instance = self._dataset_reader.text_to_instance(escaped)
        instance.add_field("metadata", MetadataField({"sentence": Sentence(request.words)}))
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

    def finish(self, prediction: JsonDict) -> JsonDict:
        """Puts given arc labels in the place of those that the model would give the same arcs."""
        if self.head_tags is not None and "predicted_dependencies" in prediction:
            prediction["predicted_dependencies"] = list(self.head_tags)
        return prediction


def _add_labels(instance: Instance, name: str, labels: Optional[Sequence[int]]) -> None:
    tokens = instance["tokens"]
    assert isinstance(tokens, TextField)
    known = labels if labels is not None else [IGNORED_LABEL] * tokens.sequence_length()
    instance.add_field(name, LabelsField(known, tokens))


def _check_list(name: str, value: Any, item_type: type, length: Optional[int]) -> None:
    is_list = isinstance(value, list) and all(
        isinstance(item, item_type) and not isinstance(item, bool) for item in value
    )
    if not is_list or (length is not None and len(value) != length):
        of_length = "" if length is None else f" with one item for each of the {length} tokens"
        kind = {int: "integers", str: "strings"}[item_type]
        raise bad_input(f"`{name}`", value, f"a list of {kind}{of_length}")
