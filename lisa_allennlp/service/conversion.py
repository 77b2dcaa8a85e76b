"""
Converts answers for `/convert`.

    >>> print(convert({"answers": {"words": ["Go"], "pos": ["VB"]}}, "json", ["json"]), end="")
    {"words": ["Go"], "pos": ["VB"]}
"""

from typing import Any, Sequence

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.document import Document
from lisa_allennlp.labelling.errors import shown
from lisa_allennlp.labelling.writing import DOCUMENT_FORMATS, FORMATS
from lisa_allennlp.service.errors import RequestError
from lisa_allennlp.service.returned import returned_answer


def convert(asked: Any, output_format: str, formats: Sequence[str]) -> str:
    """
    # Parameters

    asked : `Any`
        The body of a request: an object with `answers`, one answer or a list of them.
    output_format : `str`
    formats : `Sequence[str]`
        Those of the model.

    # Raises

    `RequestError`
        If the body is something else, or the format cannot hold an answer.
    """
    if output_format not in formats:
        expected = f"one of {', '.join(formats)}"
        raise RequestError(422, f"`format`: found {shown(output_format, 80)}; expected {expected}")
    if not isinstance(asked, dict) or list(asked) != ["answers"]:
        raise RequestError(422, f"found {shown(asked, 80)}; expected an object with `answers`")
    answers = asked["answers"] if isinstance(asked["answers"], list) else [asked["answers"]]
    return "".join(_converted(answer, output_format) for answer in answers)


def _converted(answer: Any, output_format: str) -> str:
    sentence_or_document = returned_answer(answer, "answers")
    try:
        if not isinstance(sentence_or_document, Document):
            return FORMATS[output_format](sentence_or_document)
        if output_format in DOCUMENT_FORMATS:
            return DOCUMENT_FORMATS[output_format](sentence_or_document)
        return "".join(map(FORMATS[output_format], sentence_or_document.sentences))
    except ConfigurationError as error:
        raise RequestError(422, error.message) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        raise RequestError(
            422, f"cannot write the answer ({found}); expected one of /label"
        ) from error
