"""The base class of labellers."""

import logging
from functools import partial
from numbers import Integral
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    Generator,
    Iterable,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
    Union,
    cast,
)

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.common.from_params import infer_method_params
from allennlp.data import Batch, DatasetReader, Instance, TensorDict
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.nn.util import move_to_device

from lisa_allennlp.data.fields import BRACKETS_NAMESPACE, SentenceField
from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.data.token_indexers.distinct_characters import LONGEST_WORD
from lisa_allennlp.labelling.batches import batches_of_similar_length, consecutive_parts
from lisa_allennlp.labelling.documents import DocumentLabeller
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import (
    GROUP_SIZE,
    GroupLabeller,
    Item,
    in_groups,
    items_to_label,
    label_one,
    one_by_one,
)
from lisa_allennlp.labelling.processes import at_most_the_cores, map_in_processes
from lisa_allennlp.labelling.requests import Request, RequestReader, check_sentence_length
from lisa_allennlp.models.label_names import label_strings
from lisa_allennlp.models.sentence_model import SentenceModel
from lisa_allennlp.nn.precision import weights_converted_once

logger = logging.getLogger(__name__)

MOST_TOKENS_AT_ONCE = 100_000
"""Instances of more tokens are made and labelled in parts, since they need much memory."""

NOT_OPTIONS = ("self", "model", "dataset_reader", "options")
"""The parameters of a labeller that are not options."""

Result = Any


class Labeller(DocumentLabeller, Registrable):
    """
    Labels sentences with a trained model. `lisa_allennlp.load` returns a labeller. Calling it
    labels one sentence; `pipe` labels many. `document` and `documents` label texts of any number of
    sentences. Several threads may use it at once.

        lisa = lisa_allennlp.load("OUT/model.tar.gz")
        lisa("She sold him the car .").frames[0].roles
        for sentence in lisa.pipe(texts, processes=2): ...

    A sentence is a string of raw text, a list of words, or a dictionary with `sentence` or `tokens`
    and any of the labeller's `keys`.

    >>> from allennlp.data import Vocabulary
    >>> from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
    >>> from lisa_allennlp.models.sentence_model import SentenceModel
    >>> class NounTagger(Labeller):
    ...     def label(self, requests, details=False):
    ...         words = [request.sentence.words for request in requests]
    ...         return [Sentence(w, pos=["NN"] * len(w)) for w in words]
    >>> tagger = NounTagger(SentenceModel(Vocabulary()), Conll12SrlReader())
    >>> [sentence.pos for sentence in tagger.pipe(["Rain.", ["Snow"]])]
    [['NN', 'NN'], ['NN']]

    # Parameters

    model : `Model`
        A model in evaluation mode, which is not changed.
    dataset_reader : `DatasetReader`
        Turns sentences into instances. It is not changed.
    language : `str`, optional (default = `"en"`)
        The language of raw text, for tokenisation (spaCy's code).
    max_tokens : `int`, optional (default = `2000`)
        The largest number of tokens of a batch, padding included. Batches have sentences of similar
        length.
    processes : `int`, optional (default = `1`)
        The number of processes that `pipe` uses, at most that of the available cores.
    """

    keys: ClassVar[Tuple[str, ...]] = ()
    """The keys of an input dictionary other than `sentence` and `tokens`."""

    tokens_field: ClassVar[str] = "tokens"
    """The field of an instance that has its words."""

    has_parse: bool = False
    """Whether labelled sentences have heads."""

    output_formats: ClassVar[Tuple[str, ...]] = ("json",)
    """The formats of `lisa_allennlp.labelling.writing` that the output can have; default first."""

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        language: str = "en",
        max_tokens: int = 2000,
        processes: int = 1,
    ) -> None:
        _check_positive("max_tokens", max_tokens)
        _check_positive("processes", processes)
        self.model = model
        self.dataset_reader = dataset_reader
        self.processes = _usable_processes(processes)
        self._max_tokens = max_tokens
        self._requests = RequestReader(language, self.keys)
        self._brackets = BracketForms(label_strings(model.vocab, BRACKETS_NAMESPACE))

    def __call__(self, content: Any, details: bool = False) -> Sentence:
        """
        # Parameters

        content : `Union[str, Sequence[str], Mapping[str, Any]]`
            Raw text, a list of words, or a dictionary.
        details : `bool`, optional (default = `False`)
            Whether to fill the sentence's `arc_scores` and `attention`.

        # Raises

        `InputError`
            If the input is invalid or cannot be labelled.
        """
        return label_one(self.read, partial(self.label, details=details), content, self.check)

    def pipe(
        self,
        inputs: Iterable[Any],
        batch_size: int = GROUP_SIZE,
        on_error: str = "raise",
        details: bool = False,
        processes: Optional[int] = None,
    ) -> Iterator[Union[Sentence, InputError]]:
        """
        Labels a stream of inputs and keeps their order.

        # Parameters

        inputs : `Iterable`
            Inputs as for `__call__`. With one process, `batch_size` of them are read ahead; with
            more, two groups of `batch_size` per process.
        batch_size : `int`, optional (default = `1000`)
            The number of inputs to read before labelling them in batches of similar length.
        on_error : `str`, optional (default = `"raise"`)
            How to treat an input that is invalid or cannot be labelled, whatever the error. `raise`
            raises an `InputError` after the results of all inputs before it; `yield` returns the
            `InputError` as its result.
        details : `bool`, optional (default = `False`)
            As for `__call__`.
        processes : `int`, optional (default = the labeller's)
            The number of groups of inputs to label in parallel. With 1, this process labels them,
            with all its threads; otherwise forked processes do, with one thread each.

        # Returns

        `Iterator[Union[Sentence, InputError]]`
            One result per input. Closing the iterator ends its processes.

        # Raises

        `ConfigurationError`
            If an option is invalid, or there are several processes and the model is on a GPU.
        `InputError`
            If an input is invalid or cannot be labelled, unless `on_error` is `yield`.
        `ModelError`
            If the model cannot label any input.
        """
        return self.stream(
            items_to_label(inputs, on_error),
            self.read,
            lambda requests: self.label(requests, details),
            lambda sentence, _: sentence,
            batch_size,
            self.processes if processes is None else processes,
            stops=on_error == "raise",
        )

    def stream(
        self,
        items: Iterable[Item],
        read: Callable[[Any], Any],
        label: Callable[[List[Any]], List[Any]],
        finish: Callable[[Any, Any], Result],
        group_size: int,
        processes: int,
        stops: bool,
    ) -> Generator[Union[Result, InputError], None, None]:
        """
        Labels a stream of items in groups, for `pipe`, `documents` and the `predict` command.

        # Parameters

        items : `Iterable[Item]`
        read, label, finish, stops :
            As in `GroupLabeller`. They are called in the labelling processes.
        group_size : `int`
            The size of a group's items in all.
        processes : `int`
            As for `pipe`.
        """
        _check_positive("batch_size", group_size)
        _check_positive("processes", processes)
        device = self._device()
        if processes > 1 and device.type != "cpu":
            raise ConfigurationError(
                f"processes is {processes}; expected 1 for a model on {device}, since processes "
                "cannot share a GPU"
            )
        processes = _usable_processes(processes)
        groups = in_groups(items, group_size)
        group_labeller: GroupLabeller = GroupLabeller(read, label, finish, stops, self.check)
        return one_by_one(map_in_processes(group_labeller, groups, processes), stops)

    def read(self, content: Any) -> Request:
        """Checks an input of `__call__`."""
        return self._requests.read(content)

    def read_instance(self, instance: Instance) -> Instance:
        """
        Checks an instance of the dataset reader.

        # Raises

        `ConfigurationError`
            If it has too many words.
        """
        check_sentence_length(len(self._tokens(instance)))
        return instance

    def check(self) -> None:
        """Labels a sentence of one word, which fails if the model cannot label anything."""
        self.label([self.simplest_request()])

    def simplest_request(self) -> Request:
        """A sentence of one word, with all that the labeller requires."""
        return Request(Sentence(["."]))

    def label(self, requests: Sequence[Request], details: bool = False) -> List[Sentence]:
        """Labels requests together."""
        lengths = [len(request.sentence.words) for request in requests]
        parts = consecutive_parts(lengths, MOST_TOKENS_AT_ONCE)
        return [
            sentence
            for start, end in parts
            for sentence in self._label_part(requests[start:end], details)
        ]

    def _label_part(self, requests: Sequence[Request], details: bool) -> List[Sentence]:
        # The model cannot encode a sentence without words.
        readings = [self.instances(r) if r.sentence.words else [] for r in requests]
        instances = [instance for reading in readings for instance in reading]
        labelled = iter(self.label_instances(instances, details))
        return [
            self.finish(request, [next(labelled) for _ in reading])
            if reading
            else self.nothing(request.sentence, details)
            for request, reading in zip(requests, readings, strict=True)
        ]

    def label_instances(
        self, instances: Sequence[Instance], details: bool = False
    ) -> List[Sentence]:
        """
        Labels instances of the dataset reader together. Their gold annotation is ignored, except
        for injected trees and given predicates.
        """
        label = partial(cast(SentenceModel, self.model).label, **self.options(), details=details)
        return self.in_batches(self.complete(instances), label)

    def in_batches(
        self, instances: Sequence[Instance], label: Callable[..., Sequence[Result]]
    ) -> List[Result]:
        """
        Calls a method of the model on batches of similar length.

        # Parameters

        instances : `Sequence[Instance]`
            With the same fields.
        label : `Callable[..., Sequence[Result]]`
            Takes the tensors of a batch and returns one result per instance.

        # Returns

        `List[Result]`
            The results in the order of the instances.
        """
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
        return move_to_device(batch.as_tensor_dict(), self._device())

    def _device(self) -> torch.device:
        return next((p.device for p in self.model.parameters()), torch.device("cpu"))

    def _tokens(self, instance: Instance) -> TextField:
        return cast(TextField, instance[self.tokens_field])

    def network_words(self, words: Sequence[str]) -> List[str]:
        """
        The words with brackets as in the training corpus (such as `-LRB-`). Of very long words, the
        network sees the beginning: the memory for their characters would be that of a long text.
        """
        return [word[:LONGEST_WORD] for word in self._brackets.write(words)]

    def instance(self, sentence: Sentence, pos: Optional[List[str]] = None) -> Instance:
        """
        The instance of a sentence, whose annotation is ignored. The network gets `pos`, and
        brackets as in its training corpus; the result shows the user's words.
        """
        words = self.network_words(sentence.words)
        instance = self.dataset_reader.text_to_instance(Sentence(words, pos))
        instance.add_field("metadata", SentenceField(sentence))
        return instance

    def options(self) -> Dict[str, Any]:
        """The arguments of the model's `label` other than its tensors."""
        return {}

    def instances(self, request: Request) -> List[Instance]:
        """The instances for a request, at least one; `finish` combines their labels."""
        raise NotImplementedError

    def complete(self, instances: Sequence[Instance]) -> Sequence[Instance]:
        """Gives all instances the same fields, as batching requires."""
        return instances

    def finish(self, request: Request, labelled: List[Sentence]) -> Sentence:
        """Combines the labelled sentences of a request's instances into one."""
        return labelled[0]

    def nothing(self, sentence: Sentence, details: bool = False) -> Sentence:
        """The labels of a sentence without words."""
        raise NotImplementedError


def make_labeller(
    name: str,
    model: Model,
    dataset_reader: DatasetReader,
    options: Dict[str, Any],
    others: Sequence[str] = (),
) -> Labeller:
    """
    Builds the labeller for a model.

    # Parameters

    name : `str`
        The registered name of the labeller, equal to the model's `default_predictor`.
    model : `Model`
    dataset_reader : `DatasetReader`
    options : `Dict[str, Any]`
        The labeller's other arguments.
    others : `Sequence[str]`, optional
        Options that the caller takes itself, which an error also names.

    # Raises

    `ConfigurationError`
        If the labeller does not take an option.
    """
    labeller_class: Any = Labeller.by_name(name)
    # AllenNLP's function adds what `**options` passes to the base class.
    parameters = infer_method_params(labeller_class, labeller_class.__init__)
    known = [name for name in parameters if name not in NOT_OPTIONS]
    for option in options:
        if option not in known:
            raise ConfigurationError(
                f"{option}: found an option that the labeller '{name}' does not take; expected "
                f"{' or '.join([*others, *known])}"
            )
    return labeller_class(model, dataset_reader, **options)


def _check_positive(name: str, number: Any) -> None:
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise ConfigurationError(f"{name} is {number!r}; expected a positive integer")


def _usable_processes(number: int) -> int:
    usable = at_most_the_cores(number)
    if usable < number:
        logger.warning("processes is %d; using %d, the number of available cores", number, usable)
    return usable
