"""
Continues a file of answers that an interrupted run of `lisa predict` wrote.

    >>> import tempfile
    >>> from lisa_allennlp.labelling.requests import RequestReader, read_json_line
    >>> folder = tempfile.TemporaryDirectory()
    >>> output = f"{folder.name}/out.jsonl"
    >>> with open(output, "w", encoding="utf-8") as file:
    ...     _ = file.write('{"words": ["Go"], "pos": ["VB"]}\\n{"words": ["St')
    >>> lines = (b'{"tokens": ["Go"]}', b'{"tokens": ["Stop"]}', b'{"tokens": ["On"]}')
    >>> items = [Item(line, f"in.jsonl:{n}", n) for n, line in enumerate(lines, start=1)]
    >>> def read(line):
    ...     return RequestReader("en").read(read_json_line(line))
    >>> earlier = EarlierAnswers(output)
    >>> [item.place for item in earlier.remaining(items, read, group_size=1)]
    ['in.jsonl:1', 'in.jsonl:2', 'in.jsonl:3']
    >>> earlier.check([{"words": ["Go"], "pos": ["VB"]}])
    >>> earlier.count, earlier.size
    (1, 33)
    >>> folder.cleanup()
"""

import json
import math
from itertools import chain, islice, takewhile
from typing import Any, Callable, Dict, Iterable, Iterator, List, Union, cast

from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance

from lisa_allennlp.data.fields import SentenceField
from lisa_allennlp.labelling.groups import Item, in_groups
from lisa_allennlp.labelling.requests import DocumentRequest, Request

_TOLERANCE = 0.01
"""The difference of a number, such as a probability, that another number of threads may make."""


class EarlierAnswers:
    """
    The answers in an output file of JSON lines, which must be those to the first inputs. They are
    compared with the inputs' words and other keys.

    The last group with an answer is labelled again: batches, and thus the last digits of
    probabilities, are the same as in an uninterrupted run. Its answers must also be the same as
    before, or another model wrote them.

    # Parameters

    path : `str`
        The output file. Its last line may be incomplete.
    """

    def __init__(self, path: str) -> None:
        self.count = 0
        """The number of complete answers."""
        self.bad = 0
        """The number of records of bad lines among them."""
        self.size = 0
        """The bytes of the complete answers."""
        self.labelled_again: List[Dict[str, Any]] = []
        """The answers of the last group."""
        self._path = path

    def remaining(
        self, items: Iterable[Item], read: Callable[[Any], Any], group_size: int
    ) -> Iterator[Item]:
        """
        # Parameters

        items : `Iterable[Item]`
            All inputs.
        read : `Callable[[Any], Any]`
            Checks the content of an item and returns a request or an instance.
        group_size : `int`
            As in `in_groups`.

        # Returns

        `Iterator[Item]`
            The inputs from the beginning of the last group with an answer.

        # Raises

        `ConfigurationError`
            If the file has something else than answers to these inputs.
        """
        items = iter(items)
        first: List[Item] = []
        with open(self._path, "rb") as file:
            lines = takewhile(lambda line: line.endswith(b"\n"), file)
            for group in in_groups(items, group_size):
                pairs = zip(islice(lines, len(group)), group, strict=False)
                answers = [self._read(line, item, read) for line, item in pairs]
                first = group if answers else first + group
                self.labelled_again = answers or self.labelled_again
                if len(answers) < len(group):
                    break
            if next(lines, None) is not None:
                raise ConfigurationError(
                    f"--resume: {self._path}: found more than {self.count} answers; expected one "
                    "per input"
                )
        return chain(first, items)

    def check(self, answers: Iterable[Dict[str, Any]]) -> None:
        """
        # Parameters

        answers : `Iterable[Dict[str, Any]]`
            The new answers to the inputs of `labelled_again`.

        # Raises

        `ConfigurationError`
            If they differ from those in the file.
        """
        first = self.count - len(self.labelled_again) + 1
        pairs = zip(self.labelled_again, answers, strict=True)
        for number, (earlier, answer) in enumerate(pairs, start=first):
            if not _agree(earlier, answer):
                raise ConfigurationError(
                    f"--resume: {self._path}:{number}: found another answer than this command "
                    "gives; expected the output of the same model with the same options"
                )

    def _read(self, line: bytes, item: Item, read: Callable[[Any], Any]) -> Dict[str, Any]:
        self.count += 1
        self.size += len(line)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or not self._answers(answer, item, read):
            raise ConfigurationError(
                f"--resume: {self._path}:{self.count}: found {line[:60]!r}; expected the answer to "
                f"{item.place or 'the same input'}"
            )
        return answer

    def _answers(self, answer: Dict[str, Any], item: Item, read: Callable[[Any], Any]) -> bool:
        """Whether this is the answer to an input, judging by what both have."""
        if answer.keys() == {"line", "error"}:
            self.bad += 1
            return answer["line"] == item.position
        try:
            known = {} if item.error else _known_keys(read(item.content))
        except ConfigurationError:
            known = {}
        missing = object()
        return bool(known) and all(
            _agree(answer.get(key, missing), value) for key, value in known.items()
        )


def _known_keys(asked: Union[Request, DocumentRequest, Instance]) -> Dict[str, Any]:
    """The part of an answer that does not depend on the model, as JSON."""
    if isinstance(asked, DocumentRequest):
        return {**asked.document.extra, "text": asked.document.text}
    if isinstance(asked, Instance):
        sentence = cast(SentenceField, asked["metadata"]).metadata["sentence"]
    else:
        sentence = asked.sentence
    return {**sentence.extra, "words": list(sentence.words)}


def _agree(first: Any, second: Any) -> bool:
    """Whether two values of JSON are the same, up to the last digits of numbers."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_agree(first[k], second[k]) for k in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_agree, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, abs_tol=_TOLERANCE) or (
            first != first and second != second
        )
    return type(first) is type(second) and first == second
