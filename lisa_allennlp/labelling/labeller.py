"""What the labellers of all models share."""

import inspect
from contextlib import closing
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

from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Instance
from allennlp.data.fields import TextField
from allennlp.models import Model
from allennlp.nn.util import move_to_device

from lisa_allennlp.data.fields import BRACKETS_NAMESPACE
from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.batches import batches_of_similar_length
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import GroupLabeller, Item, in_groups
from lisa_allennlp.labelling.processes import map_in_processes
from lisa_allennlp.labelling.requests import Request, RequestReader
from lisa_allennlp.models.label_names import label_strings
from lisa_allennlp.nn.precision import weights_converted_once

GROUP_SIZE = 1000
"""
Inputs that are read before any is labelled. They are cut into the network's batches by length: the
more inputs to choose from, the less padding.
"""

Result = Any


class Labeller(Registrable):
    """
    Labels sentences with a trained model. `lisa_allennlp.load` makes one. It is called with one
    sentence, `pipe` with many; several threads may label at once.

        lisa = lisa_allennlp.load("OUT/model.tar.gz")
        lisa("She sold him the car .").frames[0].roles
        for sentence in lisa.pipe(texts, processes=2): ...

    A sentence is a string of raw text, a list of words, or a dictionary with `sentence` or `tokens`
    and the labeller's other `keys`.

    # Parameters

    model : `Model`
        In evaluation mode; it is not changed.
    dataset_reader : `DatasetReader`
        Makes instances of sentences; it is not changed.
    language : `str`, optional (default = `"en"`)
        The language whose tokenisation rules are used for raw text.
    max_tokens : `int`, optional (default = `2000`)
        Sentences of similar length go through the network together, in batches of at most this many
        tokens with padding.
    processes : `int`, optional (default = `1`)
        How many processes `pipe` shares the work among.
    """

    keys: ClassVar[Tuple[str, ...]] = ()
    """What a dictionary may say beside `sentence` or `tokens`."""

    tokens_field: ClassVar[str] = "tokens"
    """The field of an instance that has its words."""

    output_formats: ClassVar[Tuple[str, ...]] = ("json",)
    """Those of `lisa_allennlp.labelling.writing` that can hold the answers, the default first."""

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        language: str = "en",
        max_tokens: int = 2000,
        processes: int = 1,
    ) -> None:
        if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
            raise ConfigurationError(
                f"max_tokens is {max_tokens!r}; expected a whole number from 1"
            )
        self.model = model
        self.dataset_reader = dataset_reader
        self.processes = processes
        self._max_tokens = max_tokens
        self._requests = RequestReader(language, self.keys)
        self._brackets = BracketForms(label_strings(model.vocab, BRACKETS_NAMESPACE))

    def __call__(self, content: Any, details: bool = False) -> Sentence:
        """
        # Parameters

        content : `Union[str, Sequence[str], Mapping[str, Any]]`
        details : `bool`, optional (default = `False`)
            Whether the sentence has `arc_scores` and `attention`.

        # Returns

        `Sentence`

        # Raises

        `ConfigurationError`
            If the input is not as the labeller wants it.
        """
        return self.label([self.read(content)], details)[0]

    def pipe(
        self,
        inputs: Iterable[Any],
        batch_size: int = GROUP_SIZE,
        on_error: str = "raise",
        details: bool = False,
        processes: Optional[int] = None,
    ) -> Iterator[Union[Sentence, InputError]]:
        """
        Labels a stream and keeps its order.

        # Parameters

        inputs : `Iterable`
            Each as for `__call__`. Some thousand are read ahead.
        batch_size : `int`, optional (default = `1000`)
            How many inputs are read before their answers; they are batched by length.
        on_error : `str`, optional (default = `"raise"`)
            What becomes of an input that cannot be labelled: `raise` ends the stream, after the
            answers to all inputs before it, with an `InputError`; `yield` puts the `InputError`
            in the place of its answer.
        details : `bool`, optional (default = `False`)
            As for `__call__`.
        processes : `int`, optional (default = those of the labeller)
            How many groups of inputs are labelled at once, each by a forked process with one
            thread.

        # Returns

        `Iterator[Union[Sentence, InputError]]`
        """
        if on_error not in ("raise", "yield"):
            raise ConfigurationError(f"on_error is {on_error!r}; expected 'raise' or 'yield'")
        items = (Item(content, f"input {n}", n) for n, content in enumerate(inputs, start=1))
        return self.stream(
            items,
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
        label: Callable[[List[Any]], List[Sentence]],
        finish: Callable[[Sentence, Any], Result],
        group_size: int,
        processes: int,
        stops: bool,
    ) -> Iterator[Union[Result, InputError]]:
        """
        What `pipe` and the `predict` command share.

        # Parameters

        items : `Iterable[Item]`
        read, label, finish, stops :
            As in `GroupLabeller`. They are called in the processes that label.
        group_size : `int`
        processes : `int`

        # Returns

        `Iterator[Union[Result, InputError]]`
        """
        _check_positive("batch_size", group_size)
        _check_positive("processes", processes)
        groups = in_groups(items, group_size)
        group_labeller: GroupLabeller = GroupLabeller(read, label, finish, stops)
        return _one_by_one(map_in_processes(group_labeller, groups, processes), stops)

    def read(self, content: Any) -> Request:
        """Checks an input, as for `__call__`."""
        return self._requests.read(content)

    def label(self, requests: Sequence[Request], details: bool = False) -> List[Sentence]:
        """Labels requests together."""
        # A sentence without words has no tensors: its answer is known without the model.
        readings = [self.instances(r) if r.sentence.words else [] for r in requests]
        instances = [instance for reading in readings for instance in reading]
        labelled = iter(self.label_instances(instances, details))
        return [
            self.finish(request, [next(labelled) for _ in reading])
            if reading
            else self.nothing(request.sentence)
            for request, reading in zip(requests, readings, strict=True)
        ]

    def label_instances(
        self, instances: Sequence[Instance], details: bool = False
    ) -> List[Sentence]:
        """
        Labels instances of the dataset reader together. Gold annotation in them is not used, but
        for trees to inject and predicates that are given.
        """
        instances = self.complete(instances)
        lengths = [len(self._tokens(instance)) for instance in instances]
        labelled: Dict[int, Sentence] = {}
        with weights_converted_once(self.model):
            for positions in batches_of_similar_length(lengths, self._max_tokens):
                batch = [instances[position] for position in positions]
                labelled.update(zip(positions, self._label_batch(batch, details), strict=True))
        return [labelled[position] for position in range(len(instances))]

    def _label_batch(self, instances: Sequence[Instance], details: bool) -> List[Sentence]:
        for instance in instances:
            self.dataset_reader.apply_token_indexers(instance)
        batch = Batch(instances)
        batch.index_instances(self.model.vocab)
        device = next(self.model.parameters()).device
        tensors = move_to_device(batch.as_tensor_dict(), device)
        return self.model.label(**tensors, **self.options(), details=details)  # type: ignore

    def _tokens(self, instance: Instance) -> TextField:
        return cast(TextField, instance[self.tokens_field])

    def network_words(self, words: Sequence[str]) -> List[str]:
        """The words as the network's training corpus would write them."""
        return self._brackets.write(words)

    def options(self) -> Dict[str, Any]:
        """What the model's `label` is told beside its tensors."""
        return {}

    def instances(self, request: Request) -> List[Instance]:
        """The instances whose labels make up the answer; at least one."""
        raise NotImplementedError

    def complete(self, instances: Sequence[Instance]) -> Sequence[Instance]:
        """Makes instances alike, so that they can be batched."""
        return instances

    def finish(self, request: Request, labelled: List[Sentence]) -> Sentence:
        """The answer from the sentences of `instances`."""
        return labelled[0]

    def nothing(self, sentence: Sentence) -> Sentence:
        """The answer to a sentence without words."""
        raise NotImplementedError


def make_labeller(
    name: str, model: Model, dataset_reader: DatasetReader, options: Dict[str, Any]
) -> Labeller:
    """
    # Parameters

    name : `str`
        Under which the labeller is registered: that of the model's `default_predictor`.
    model : `Model`
    dataset_reader : `DatasetReader`
    options : `Dict[str, Any]`
        The labeller's other arguments.

    # Raises

    `ConfigurationError`
        If it has no such options.
    """
    labeller_class = Labeller.by_name(name)
    known = list(inspect.signature(labeller_class).parameters)[2:]
    for option in options:
        if option not in known:
            raise ConfigurationError(
                f"a model of '{name}' has no option '{option}'; expected {' or '.join(known)}"
            )
    return labeller_class(model, dataset_reader, **options)


def _check_positive(name: str, number: Any) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ConfigurationError(f"{name} is {number!r}; expected a whole number from 1 on")


def _one_by_one(
    groups: Generator[List[Union[Result, InputError]], None, None], stops: bool
) -> Iterator[Union[Result, InputError]]:
    # Whoever stops taking results ends the processes thereby.
    with closing(groups):
        for group in groups:
            for result in group:
                if stops and isinstance(result, InputError):
                    raise result
                yield result
