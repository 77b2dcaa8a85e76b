"""The base class of labellers, and those of the parser and the supertagger."""

import logging
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from numbers import Integral
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Collection,
    Dict,
    Generator,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.json_values import bad_value
from lisa_allennlp.common.threads import available_cores
from lisa_allennlp.decoding.confidence import check_share
from lisa_allennlp.decoding.engine import Engine
from lisa_allennlp.decoding.options import LabelOptions
from lisa_allennlp.formats.conllu import has_own_tags
from lisa_allennlp.inference.batches import consecutive_parts
from lisa_allennlp.labelling.groups import (
    InputError,
    Item,
    in_groups,
    items_to_label,
    label_group,
    raise_input_error,
    size_of_text,
)
from lisa_allennlp.labelling.input_formats import GROUP_SIZE
from lisa_allennlp.labelling.options import CallOptions, LabellerOptions, SupertagOptions
from lisa_allennlp.labelling.requests import DOCUMENT_KEY, RequestReader, is_document
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.multiword_tokens import MultiwordTokens
from lisa_allennlp.sentence.request import Request, requests_of
from lisa_allennlp.sentence.sentence import Morphology, Parse, Sentence
from lisa_allennlp.text.sentence_splitter import Network

if TYPE_CHECKING:
    from typing_extensions import Unpack

logger = logging.getLogger(__name__)

MOST_TOKENS_AT_ONCE = 100_000
"""Sentences of more tokens in all are labelled in parts, since they need much memory."""

OnError = Literal["raise", "yield"]


class Labeller:
    """
    Labels sentences with a trained model. `lisa_allennlp.load` returns a labeller. Calling it
    labels one sentence; `pipe` labels many. `document` and `documents` label texts of any number of
    sentences. Several threads may use it at once.

        lisa = lisa_allennlp.load("OUT/model.tar.gz")
        lisa("She sold him the car .").frames[0].roles
        for sentence in lisa.pipe(texts, processes=2): ...

    A sentence is a string of raw text, a list of words, or a dictionary with `sentence` or `tokens`
    and any of the labeller's `keys`; or a `Sentence` of an annotated file, whose tags, lemmas and
    tree are kept. Calls have the options `details`, which fills the `arc_scores` and the
    `attention` of sentences; `probabilities`, which fills those of tags, arcs, frames and spans;
    and `auxiliaries`, which is false to leave out the frames of auxiliaries (both by default as the
    labeller was loaded).

    >>> class NounTagger(Engine):
    ...     def label(self, requests, options):
    ...         words = [request.sentence.words for request in requests]
    ...         return [Sentence(w, pos=["NN"] * len(w)) for w in words]
    >>> tagger = Labeller(NounTagger())
    >>> [sentence.pos for sentence in tagger.pipe(["Rain.", ["Snow"]])]
    [['NN', 'NN'], ['NN']]
    >>> [sentence.pos for sentence in tagger.document("Rain. Snow and ice.")]
    [['NN', 'NN'], ['NN', 'NN', 'NN', 'NN']]

    # Parameters

    engine : `Engine`
        Runs the network.
    language : `str`, optional (default = the model's)
        The language of raw text, for tokenisation (spaCy's code).
    processes : `int`, optional (default = `1`)
        The number of processes that `pipe` uses, at most that of the available cores.
    """

    keys: ClassVar[Tuple[str, ...]] = ()
    """The keys of an input dictionary other than `sentence` and `tokens`."""

    reads_tags: bool = False
    """Whether the labeller uses the `pos` of an input, also of one that is labelled already."""

    has_probabilities: ClassVar[bool] = False

    takes: ClassVar[type] = LabellerOptions
    """The keywords of the constructor."""

    output_formats: ClassVar[Tuple[str, ...]] = ("json",)
    """The formats of `lisa_allennlp.labelling.writing` for the output; default first."""

    def __init__(self, engine: Engine, language: Optional[str] = None, processes: int = 1) -> None:
        check_positive("processes", processes)
        self.engine = engine
        self.processes = _usable_processes(processes)
        self.options = LabelOptions()
        self.name = type(self).__name__
        self._requests = RequestReader(
            engine.language if language is None else language,
            self.keys,
            engine.multiword_tokens,
            engine.splitter,
        )
        if language is not None:
            # A model's tokenizer is made when there is raw text: other inputs need none.
            self._requests.tokenizer  # noqa: B018
        self.load_again: Optional[Callable[[], Labeller]] = None

    @property
    def multiword_tokens(self) -> MultiwordTokens:
        return self._requests.multiword_tokens

    @property
    def splitter(self) -> Optional[Network]:
        """The network that splits raw text into sentences; `None` for English."""
        return self._requests.network

    def __call__(self, content: Any, **options: "Unpack[CallOptions]") -> Sentence:
        """
        Labels one sentence: raw text, a list of words, or a dictionary. Raw text of several
        sentences becomes one, with a warning. Raises `InputError` if reading or labelling fails.
        """
        self._requests.warn_of_several_sentences(content)
        return self.label_one(content, self.read, self.options_of(**options))

    def document(
        self, content: Union[str, Mapping[str, Any]], **options: "Unpack[CallOptions]"
    ) -> Document:
        """
        Labels a raw text of any number of sentences, or a dictionary with `text` and other keys,
        which are copied. For options and errors, see `__call__`.
        """
        return self.label_one(content, self.read_document, self.options_of(**options))

    def pipe(
        self,
        inputs: Iterable[Any],
        batch_size: int = GROUP_SIZE,
        on_error: OnError = "raise",
        *,
        processes: Optional[int] = None,
        **options: "Unpack[CallOptions]",
    ) -> Iterator[Sentence]:
        """
        Labels a stream of inputs as for `__call__`, and yields one result per input, in order.
        Closing the iterator ends its processes.

        # Parameters

        batch_size : `int`, optional (default = `1000`)
            The number of inputs to read before labelling them in batches of similar length. Several
            processes read two such groups each.
        on_error : `str`, optional (default = `"raise"`)
            How to treat an input that is invalid or cannot be labelled, whatever the error. `raise`
            raises an `InputError` after the results of all inputs before it; `yield` returns the
            `InputError` as its result.
        processes : `int`, optional (default = the labeller's)
            The number of groups of inputs to label in parallel. With 1, this process labels them;
            otherwise forked processes do, with one thread each. A model on a GPU takes 1.

        # Raises

        `InputError`
            As `on_error` says.
        `ModelError`
            If the model cannot label any input.
        """
        items, stops = items_to_label(inputs, on_error), on_error == "raise"
        asked = self.options_of(**options)
        return self.stream(items, self.read, asked, batch_size, processes, stops)

    def documents(
        self,
        inputs: Iterable[Any],
        batch_size: int = GROUP_SIZE,
        on_error: OnError = "raise",
        *,
        processes: Optional[int] = None,
        **options: "Unpack[CallOptions]",
    ) -> Iterator[Document]:
        """
        Labels documents as `pipe` labels sentences. Batches have sentences of several documents;
        `batch_size` is about the number of sentences to read, as whole documents.
        """
        items, stops = items_to_label(inputs, on_error, _size_of_document), on_error == "raise"
        asked = self.options_of(**options)
        return self.stream(items, self.read_document, asked, batch_size, processes, stops)

    def table(
        self,
        texts: Iterable[Any],
        table: str = "frames",
        columns: Optional[Sequence[str]] = None,
        *,
        processes: Optional[int] = None,
        **options: "Unpack[CallOptions]",
    ) -> Any:
        """
        Labels texts as `documents` does, and returns the table that `lisa annotate --table` writes,
        as a data frame. Needs pyarrow.

        # Parameters

        texts : `Iterable`
            A column of pandas or polars, whose missing values have no rows, or any texts. The table
            is of the same library, or of pandas. `document` is the index of a text in pandas, or
            its position from 0.
        table : `str`, optional (default = `"frames"`)
            `frames`, a row per predicate, `events`, a row per event, or `spans`, a row per role.
        columns : `Sequence[str]`, optional (default = all)
            The columns of the table, in this order.

        # Raises

        `InputError`
            If a text cannot be labelled.
        """
        from lisa_allennlp.labelling.data_frames import label_table

        asked = self.options_of(**options)
        label = partial(self.stream, read=self.read_document, options=asked, processes=processes)
        return label_table(label, self.roles, texts, table, columns)

    def options_of(
        self,
        details: bool = False,
        probabilities: Optional[bool] = None,
        auxiliaries: Optional[bool] = None,
    ) -> LabelOptions:
        if probabilities and not self.has_probabilities:
            raise ConfigurationError("probabilities is True; expected a LISA or SA model for it")
        asked_for = {"probabilities": probabilities, "auxiliaries": auxiliaries}
        given: Dict[str, Any] = {k: value for k, value in asked_for.items() if value is not None}
        return replace(self.options, details=details, **given)

    def stream(
        self,
        items: Iterable[Item],
        read: Callable[[Any], Any],
        options: Optional[LabelOptions] = None,
        group_size: int = GROUP_SIZE,
        processes: Optional[int] = None,
        stops: bool = True,
        finish: Callable[[Any, Any], Any] = lambda labelled, _: labelled,
    ) -> Generator[Any, None, None]:
        """Labels items. `read` and `finish`, as in `label_group`, run in the processes."""
        processes = self.processes if processes is None else processes
        check_positive("batch_size", group_size)
        check_positive("processes", processes)
        if processes > 1 and self.engine.device != "cpu":
            raise ConfigurationError(
                f"processes is {processes}; expected 1 for a model on a GPU, which processes "
                "cannot share"
            )
        label = partial(
            label_group,
            read=read,
            label=partial(self.label_any, options=options),
            finish=finish,
            check=self.check,
            stops=stops,
        )
        groups = in_groups(items, group_size)
        from lisa_allennlp.labelling.pool import map_in_processes

        return _results(map_in_processes(label, groups, _usable_processes(processes)), stops)

    def label_one(
        self, content: Any, read: Callable[[Any], Any], options: Optional[LabelOptions] = None
    ) -> Any:
        """The cause of an `InputError` is the original error."""
        request = None
        try:
            request = read(content)
            (answer,) = self.label_any([request], options)
        except Exception as error:
            raise_input_error(error, None if request is None else self.check)
        return answer

    @property
    def has_parse(self) -> bool:
        return self.engine.predicts_parse

    @property
    def head_tags(self) -> List[str]:
        return list(self.engine.head_tags) if self.has_parse else []

    @property
    def predicts_senses(self) -> bool:
        return self.engine.predicts_senses

    @property
    def roles(self) -> List[str]:
        return sorted({tag[2:] for tag in self.engine.role_labels if tag != "O"})

    def read(self, content: Any) -> Request:
        if isinstance(content, Sentence):
            can_inject = self.has_parse and "head_indices" in self.keys
            needs_predicates = self.engine.needs_predicates
            return self._requests.request_of(content, self.reads_tags, can_inject, needs_predicates)
        return self._requests.read(content, self.reads_tags)

    def read_document(self, content: Any) -> Document:
        return self._requests.read_document(content)

    def read_any(self, content: Any) -> Union[Request, Document]:
        return self.read_document(content) if is_document(content) else self.read(content)

    def check(self) -> None:
        self.label([self.simplest_request()])

    def simplest_request(self) -> Request:
        return Request(Sentence(["."]))

    def label(
        self, requests: Sequence[Request], options: Optional[LabelOptions] = None
    ) -> List[Sentence]:
        """Labels requests together, and keeps what they have `annotated`."""
        options = options or self.options
        # No network can encode a sentence without words.
        filled = [request for request in requests if request.sentence.words]
        lengths = [len(request.sentence.words) for request in filled]
        labelled = (
            sentence
            for part in consecutive_parts(lengths, MOST_TOKENS_AT_ONCE)
            for sentence in self.label_words(filled[part], options)
        )
        answers = [
            next(labelled) if request.sentence.words else self.nothing(request.sentence, options)
            for request in requests
        ]
        return [
            answer if request.annotated is None else _with_annotation(answer, request.annotated)
            for request, answer in zip(requests, answers, strict=True)
        ]

    def label_words(self, requests: Sequence[Request], options: LabelOptions) -> List[Sentence]:
        return self.engine.label(requests, options)

    def nothing(self, sentence: Sentence, options: LabelOptions) -> Sentence:
        return replace(sentence, pos=[])

    def label_any(
        self,
        requests: Sequence[Union[Request, Document]],
        options: Optional[LabelOptions] = None,
    ) -> List[Union[Sentence, Document]]:
        asked = list(map(requests_of, requests))
        labelled = iter(self.label([request for group in asked for request in group], options))
        return [
            replace(request, sentences=list(islice(labelled, len(group))))
            if isinstance(request, Document)
            else next(labelled)
            for request, group in zip(requests, asked, strict=True)
        ]

    def __reduce__(self) -> Any:
        if self.load_again is None:
            raise TypeError(f"cannot pickle a {type(self).__name__} that `load` did not make")
        return self.load_again, ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.engine.description}>"


class ParserLabeller(Labeller):
    """
    Parses sentences with a `deep_biaffine_parser`. An input has `pos`, one tag per word from the
    parser's tag set, unless the parser was trained without tags.
    """

    keys = ("pos",)
    output_formats = ("conllu", "json")
    reads_tags = True

    @property
    def pos_tags(self) -> Optional[Collection[str]]:
        """`None` if the parser reads words alone."""
        return self.engine.pos_tags

    def read(self, content: Any) -> Request:
        request = super().read(content)
        if request.sentence.words and request.sentence.pos is None and self.pos_tags is not None:
            raise bad_value("the input", content, "also `pos`, one tag per word")
        return request

    def read_document(self, content: Any) -> Document:
        if self.pos_tags is not None:
            expected = "`tokens` with `pos`, as this parser reads tags"
            raise bad_value("the document", content, expected)
        return super().read_document(content)

    def simplest_request(self) -> Request:
        return Request(Sentence(["."], pos=None if self.pos_tags is None else [min(self.pos_tags)]))

    def nothing(self, sentence: Sentence, options: LabelOptions) -> Sentence:
        arc_scores = numpy.zeros((0, 0)) if options.details else None
        return replace(sentence, pos=[], parse=Parse([], []), arc_scores=arc_scores)


class SupertagLabeller(Labeller):
    """
    Supertags sentences with a `ccg_supertagger`, which `models.engines.SupertaggerEngine` runs.
    The optional key `pos` of an input has tags that are copied to the output.

    # Parameters

    beta : `float`, optional
        A number from 0 to 1, with which each word gets `candidates`: all categories with a
        probability of at least `beta` times that of the best one.
    **options
        As for `Labeller`.
    """

    keys = ("pos",)
    reads_tags = True
    output_formats = ("json", "pipes", "multitags")
    takes = SupertagOptions

    def __init__(
        self, engine: Engine, beta: Optional[float] = None, **options: "Unpack[LabellerOptions]"
    ) -> None:
        super().__init__(engine, **options)
        self.options = LabelOptions(beta=None if beta is None else check_share("beta", beta))

    def nothing(self, sentence: Sentence, options: LabelOptions) -> Sentence:
        candidates: Optional[List] = None if options.beta is None else []
        return replace(sentence, supertags=[], candidates=candidates)


def _with_annotation(answer: Sentence, given: Sentence) -> Sentence:
    # CoNLL-U has the universal tags if there are no others.
    if given.pos is not None and has_own_tags(given):
        answer = replace(answer, pos=filled(given.pos, answer.pos), pos_probabilities=None)
    if answer.parse is None:
        answer = replace(answer, parse=given.parse, injected_parse=given.injected_parse)
    if given.upos is None and given.lemmas is None:
        return answer
    upos, lemmas = filled(given.upos, answer.upos), filled(given.lemmas, answer.lemmas)
    return replace(answer, morphology=Morphology(upos, lemmas))


def filled(given: Optional[List[str]], predicted: Optional[List[str]]) -> Optional[List[str]]:
    """Returns the given values, and predicted ones for `_`."""
    if given is None or predicted is None:
        return predicted if given is None else given
    return [p if g == "_" else g for g, p in zip(given, predicted, strict=True)]


def _results(groups: Generator[List[Any], None, None], stops: bool) -> Generator[Any, None, None]:
    # Closing the generator early ends its processes.
    with closing(groups):
        for result in chain.from_iterable(groups):
            if stops and isinstance(result, InputError):
                raise result
            yield result


def check_positive(name: str, number: Any) -> None:
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise ConfigurationError(f"{name} is {number!r}; expected a positive integer")


def check_switch(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ConfigurationError(f"{name} is {value!r}; expected true or false")


def _size_of_document(content: Any) -> int:
    text = content.get(DOCUMENT_KEY) if isinstance(content, Mapping) else content
    return size_of_text(len(text)) if isinstance(text, str) else 1


def _usable_processes(number: int) -> int:
    # More processes would be slower.
    usable = min(number, available_cores())
    if usable < number:
        logger.warning("processes is %d; using %d, the number of available cores", number, usable)
    return usable
