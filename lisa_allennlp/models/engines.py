"""
Engines for the labellers of `lisa_allennlp.labelling`, which run AllenNLP models on a GPU or
without graphs; `lisa_allennlp.inference.model.InferenceModel` runs the others.
"""

import copy
from functools import partial
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    FrozenSet,
    Iterable,
    List,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
    cast,
)

import torch
from allennlp.common.params import parse_overrides
from allennlp.data import Batch, DatasetReader, Instance, TensorDict
from allennlp.data.fields import MetadataField, TextField
from allennlp.models import Model
from allennlp.nn.util import move_to_device

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.option_values import check_device, json_object
from lisa_allennlp.data.dataset_readers.conllu_parses import POS_NAMESPACE, ConlluParsesReader
from lisa_allennlp.data.fields import IGNORED_LABEL, LabelsField, SentenceField
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.inference.batches import batches_of_similar_length
from lisa_allennlp.models.sentence_model import SentenceModel, label_strings
from lisa_allennlp.models_on_disk.archives.opening import open_archive
from lisa_allennlp.models_on_disk.model_folder import digest_of_weights
from lisa_allennlp.nn.precision import check_precision, weights_converted_once
from lisa_allennlp.sentence.multiword_tokens import NAMESPACE as MULTIWORD_NAMESPACE
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.sentence_splitter import NAMESPACE as SPLITTER_NAMESPACE
from lisa_allennlp.text.tokens import BRACKETS_NAMESPACE, LONGEST_WORD, BracketForms

Result = TypeVar("Result")


class AllennlpEngine(Engine):
    """
    Labels with a trained model in evaluation mode, and the reader that makes its instances. Neither
    is changed. A batch has at most `max_tokens` tokens, padding included.
    """

    tokens_field: ClassVar[str] = "tokens"

    def __init__(
        self, model: SentenceModel, dataset_reader: DatasetReader, max_tokens: int = 2000
    ) -> None:
        self.model = model
        self.dataset_reader = dataset_reader
        self._max_tokens = max_tokens
        self._brackets = BracketForms(label_strings(model.vocab, BRACKETS_NAMESPACE))
        self.head_tags = label_strings(model.vocab, "head_tags")
        weights = list(model.parameters())
        size = sum(weight.numel() for weight in weights)
        self.description = f"{type(model).__name__}, {size / 1e6:.1f}M parameters"
        self.device = str(weights[0].device)

    def instance(self, sentence: Sentence, pos: Optional[List[str]] = None) -> Instance:
        """
        Returns a sentence's instance without annotation. The network gets `pos`, and words with
        brackets as in its training corpus; the labelled sentence has the user's words.
        """
        words = [word[:LONGEST_WORD] for word in self._brackets.write(sentence.words)]
        instance = self.dataset_reader.text_to_instance(Sentence(words, pos))
        instance.add_field("metadata", SentenceField(sentence))
        return instance

    def request(self, instance: Instance) -> Request:
        """Leaves out the annotation of the reader's instance."""
        sentence = cast(SentenceField, instance["metadata"]).metadata["sentence"]
        return Request(Sentence(sentence.words, pos=sentence.pos, extra=sentence.extra))

    def _label(self, instances: Sequence[Instance], options: LabelOptions) -> List[Sentence]:
        return self._in_batches(instances, partial(self.model.label, options=options))

    def _in_batches(
        self, instances: Sequence[Instance], label: Callable[..., Sequence[Result]]
    ) -> List[Result]:
        lengths = [len(self._tokens(instance)) for instance in instances]
        labelled: Dict[int, Result] = {}
        with weights_converted_once(self.model):
            for positions in batches_of_similar_length(lengths, self._max_tokens):
                tensors = self._tensors([instances[position] for position in positions])
                labelled.update(zip(positions, label(**tensors), strict=True))
        return [labelled[position] for position in range(len(instances))]

    def _tensors(self, instances: Sequence[Instance]) -> TensorDict:
        for instance in instances:
            self.dataset_reader.apply_token_indexers(instance)
        batch = Batch(instances)
        batch.index_instances(self.model.vocab)
        return move_to_device(batch.as_tensor_dict(), torch.device(self.device))

    def _tokens(self, instance: Instance) -> TextField:
        return cast(TextField, instance[self.tokens_field])


class LisaEngine(AllennlpEngine):
    def __init__(self, model: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(model, *arguments, **options)
        self.needs_predicates: bool = model.needs_predicates
        self.predicts_parse: bool = model.predicts_parse
        self.predicts_senses: bool = model.predicts_senses
        self.pos_tags: List[str] = model.pos_tags
        self.role_labels: List[str] = model.role_labels
        self.language: str = model.language
        self.multiword_tokens = label_strings(model.vocab, MULTIWORD_NAMESPACE)
        self.splitter = label_strings(model.vocab, SPLITTER_NAMESPACE)

    def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        instances = [self.instance(request.sentence) for request in requests]
        field = "predicate_indicator" if self.needs_predicates else "given_predicates"
        self._add(instances, "injected_head_indices", [r.head_indices for r in requests])
        self._add(instances, field, [request.predicates for request in requests])
        if any(request.given_roles for request in requests):
            for instance, request in zip(instances, requests, strict=True):
                instance.add_field("given_roles", MetadataField(request.given_roles))
        return self._label(instances, options)

    def predict_pos(self, requests: Sequence[Request]) -> List[List[str]]:
        """Runs the layers up to `predicate_layer` only."""
        instances = [self.instance(request.sentence) for request in requests]
        if self.needs_predicates:
            self._add(instances, "predicate_indicator", [r.predicates for r in requests])
        return self._in_batches(instances, cast(Any, self.model).predict_pos)

    def request(self, instance: Instance) -> Request:
        given: Dict[str, Any] = {}
        for name, field in (
            ("head_indices", "injected_head_indices"),
            ("predicates", "given_predicates"),
            ("predicates", "predicate_indicator"),
        ):
            if field in instance:
                labels = list(cast(LabelsField, instance[field]).labels)
                given[name] = None if IGNORED_LABEL in labels else labels
        sentence = super().request(instance).sentence
        return Request(Sentence(sentence.words, extra=sentence.extra), **given)

    def _add(
        self, instances: Sequence[Instance], name: str, labels: Sequence[Optional[List[int]]]
    ) -> None:
        if all(given is None for given in labels):
            return
        for instance, given in zip(instances, labels, strict=True):
            tokens = self._tokens(instance)
            instance.add_field(name, LabelsField(given or [IGNORED_LABEL] * len(tokens), tokens))


class ParserEngine(AllennlpEngine):
    tokens_field = "words"
    predicts_parse = True

    def __init__(
        self, model: SentenceModel, dataset_reader: DatasetReader, max_tokens: int = 2000
    ) -> None:
        if not isinstance(dataset_reader, ConlluParsesReader):
            raise ConfigurationError(
                f"the dataset reader is a {type(dataset_reader).__name__}; expected a conllu_parses"
            )
        # Sentences to parse have no gold tree.
        dataset_reader = copy.copy(dataset_reader)
        dataset_reader.requires_parses = False
        super().__init__(model, dataset_reader, max_tokens)
        self.pos_tags: Optional[FrozenSet[str]] = None
        if cast(Any, model).reads_tags:
            not_tags = {model.vocab._padding_token, model.vocab._oov_token}
            self.pos_tags = frozenset(label_strings(model.vocab, POS_NAMESPACE)) - not_tags

    def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        sentences = [request.sentence for request in requests]
        return self._label([self.instance(s, s.pos) for s in sentences], options)


class SupertaggerEngine(AllennlpEngine):
    def label(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        return self._label([self.instance(request.sentence) for request in requests], options)


ENGINES: Dict[str, Type[AllennlpEngine]] = {
    "lisa": LisaEngine,
    "conllu_parses": ParserEngine,
    "ccg_supertagger": SupertaggerEngine,
}


def open_engine(
    path: str,
    device: Union[str, int] = -1,
    precision: Optional[str] = None,
    max_tokens: int = 2000,
    overrides: Union[str, Dict[str, Any]] = "",
    weights_file: Optional[str] = None,
    dataset_reader: Optional[str] = None,
    allow_types: Iterable[str] = (),
) -> Tuple[str, AllennlpEngine]:
    """
    Opens an archive, a training folder or an exported folder. Returns the model's
    `default_predictor` and its engine. `load_labeller` describes the parameters.
    """
    # Registers the classes that the model's config names.
    import lisa_allennlp.plugin  # noqa: F401

    cuda_device = _cuda_device(device)
    if isinstance(overrides, str):
        overrides = json_object("overrides", overrides, parse_overrides)
    elif not isinstance(overrides, dict):
        raise ConfigurationError(f"overrides is {overrides!r}; expected a dictionary or JSON")
    if precision is not None:
        check_precision(precision)
        overrides = {**overrides, "model.precision": precision}
    archive = open_archive(path, cuda_device, overrides, weights_file, allow_types)
    if dataset_reader not in (None, "train", "validation"):
        raise ConfigurationError(
            f"dataset_reader is {dataset_reader!r}; expected 'train' or 'validation'"
        )
    model = archive.model.eval()
    is_train = dataset_reader == "train"
    reader = archive.dataset_reader if is_train else archive.validation_dataset_reader
    engine = make_engine(model, reader, max_tokens, path)
    engine.weights = digest_of_weights(path, weights_file)
    return str(model.default_predictor), engine


def make_engine(
    model: Model, dataset_reader: DatasetReader, max_tokens: int = 2000, source: str = "the model"
) -> AllennlpEngine:
    """A model of another package is a `ConfigurationError`."""
    name = model.default_predictor
    if name not in ENGINES or not isinstance(model, SentenceModel):
        raise ConfigurationError(
            f"{source}: found a {type(model).__name__}; expected a model of this package, for the "
            f"predictor {' or '.join(sorted(ENGINES))}"
        )
    return ENGINES[name](model, dataset_reader, max_tokens)


def _cuda_device(device: Union[str, int]) -> int:
    try:
        parsed = torch.device("cpu" if device == -1 else device)
    except (RuntimeError, TypeError):
        parsed = None
    if parsed is None or parsed.type not in ("cpu", "cuda"):
        raise ConfigurationError(
            f"device is {device!r}; expected cpu, cuda, cuda:N or the number of a GPU"
        )
    number = -1 if parsed.type == "cpu" else parsed.index or 0
    check_device("device", number)
    return number
