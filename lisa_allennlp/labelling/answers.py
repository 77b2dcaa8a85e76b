"""A predictor's answers to lines or instances of which some may be bad."""

import json
from typing import Any, List, NamedTuple, Optional, Sequence, Union

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors.predictor import Predictor


class Question(NamedTuple):
    """
    # Parameters

    content : `Union[bytes, Instance]`, optional
        A line of the input, or an instance of a dataset reader; `None` with an error.
    place : `str`, optional (default = `""`)
        Where it stands, for errors: the input and the number of the line.
    line : `int`, optional
        The number of the line, from 1; `None` for instances.
    error : `str`, optional
        Why there is no instance.
    """

    content: Union[bytes, Instance, None]
    place: str = ""
    line: Optional[int] = None
    error: Optional[str] = None


class Answer(NamedTuple):
    """
    # Parameters

    output : `str`
        What the predictor writes; with an error, a record of it.
    shown_input : `str`, optional
        The question as people read it, if asked for and if it could be read.
    error : `str`, optional
        Where the question stands, and what is wrong with it.
    """

    output: str
    shown_input: Optional[str] = None
    error: Optional[str] = None


class _Item:
    """What becomes of a question."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.error = question.error
        self.content: Any = None
        self.prediction: Optional[JsonDict] = None


class Answerer:
    """
    Answers questions together, and singles out those that cannot be answered.

    # Parameters

    predictor : `Predictor`
    skip_bad : `bool`, optional (default = `False`)
        Whether to go on after a bad question. If not, its error is the last answer.
    shows_input : `bool`, optional (default = `False`)
        Whether answers have a `shown_input`.
    """

    def __init__(
        self, predictor: Predictor, skip_bad: bool = False, shows_input: bool = False
    ) -> None:
        self._predictor = predictor
        self._skip_bad = skip_bad
        self._shows_input = shows_input

    def __call__(self, questions: Sequence[Question]) -> List[Answer]:
        """The answers to questions that are either all lines or all instances."""
        items: List[_Item] = []
        for question in questions:
            items.append(self._load(question))
            if items[-1].error is not None and not self._skip_bad:
                break
        self._predict([item for item in items if item.error is None])
        answers: List[Answer] = []
        for item in items:
            answers.append(self._answer(item))
            if item.error is not None and not self._skip_bad:
                break
        return answers

    def _load(self, question: Question) -> _Item:
        item = _Item(question)
        if not isinstance(question.content, bytes):
            item.content = question.content
            return item
        line = question.content
        try:
            # Some editors begin a file with a byte order mark.
            item.content = self._predictor.load_line(line.decode("utf-8-sig").rstrip("\r\n"))
        except UnicodeDecodeError as error:
            item.error = f"found byte {line[error.start]:#x}; expected UTF-8"
        except ConfigurationError as error:
            item.error = error.message
        except (ValueError, RecursionError) as error:
            # Of JSON itself, where the predictor has no better words for it.
            start = line[:80].decode(errors="replace").strip()
            item.error = f"found {start!r}; expected JSON ({error})"
        return item

    def _predict(self, items: List[_Item]) -> None:
        """
        Answers items together. What makes a predictor refuse them is then looked for by halves: all
        others get their answers, in few large batches, whichever predictor it is.
        """
        if not items:
            return
        try:
            predictions = self._predict_contents([item.content for item in items])
        except ConfigurationError as error:
            if len(items) == 1:
                items[0].error = error.message
                return
            middle = len(items) // 2
            self._predict(items[:middle])
            if self._skip_bad or all(item.error is None for item in items[:middle]):
                self._predict(items[middle:])
            return
        for item, prediction in zip(items, predictions, strict=True):
            item.prediction = prediction

    def _predict_contents(self, contents: List[Any]) -> List[JsonDict]:
        predictor = self._predictor
        if isinstance(contents[0], Instance):
            if len(contents) == 1:
                return [predictor.predict_instance(contents[0])]
            return predictor.predict_batch_instance(contents)
        if len(contents) == 1:
            return [predictor.predict_json(contents[0])]
        return predictor.predict_batch_json(contents)

    def _answer(self, item: _Item) -> Answer:
        shown = self._show(item.content) if self._shows_input else None
        if item.error is None:
            assert item.prediction is not None
            return Answer(self._predictor.dump_line(item.prediction), shown)
        place, line = item.question.place, item.question.line
        record = json.dumps({"line": line, "error": item.error}) + "\n"
        return Answer(record, shown, f"{place}: {item.error}" if place else item.error)

    @staticmethod
    def _show(content: Any) -> Optional[str]:
        if content is None:
            return None
        return str(content) if isinstance(content, Instance) else json.dumps(content)
