"""
Answers that clients send back, to draw or convert them.

    >>> returned_sentence({"words": ["Go"], "pos": ["VB"]}, "answer").pos
    ['VB']
    >>> try:
    ...     returned_sentence({"words": ["Go"], "pos": []}, "answer")
    ... except RequestError as refusal:
    ...     print(refusal.message)
    `answer`: found 0 items in `pos`; expected 1, one per word
"""

import json
from typing import Any, List, Union

import numpy

from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.json_lines import parse_json_lines
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import shown
from lisa_allennlp.service.errors import RequestError

EXPECTED = "an answer of /label"


def returned_sentence(answer: Any, name: str) -> Sentence:
    """
    # Parameters

    answer : `Any`
        The answer to a sentence.
    name : `str`
        Its name in errors.

    # Raises

    `RequestError`
        If it is not such an answer.
    """
    if not isinstance(answer, dict) or "words" not in answer:
        found = shown(answer, 80)
        raise RequestError(422, f"`{name}`: found {found}; expected {EXPECTED} to a sentence")
    (sentence,) = _sentences(answer, name)
    return sentence


def returned_answer(answer: Any, name: str) -> Union[Sentence, Document]:
    """
    As `returned_sentence`, but also for documents.

    >>> sentence = {"words": ["Go"], "offsets": [[0, 2]]}
    >>> returned_answer({"text": "Go", "sentences": [sentence]}, "answers")
    <Document of 1 sentence 'Go'>
    """
    if not isinstance(answer, dict) or SENTENCES not in answer or "words" in answer:
        return returned_sentence(answer, name)
    text = answer.get("text")
    if not isinstance(text, str):
        raise RequestError(422, f"`{name}`: found {shown(text, 80)} as `text`; expected a string")
    sentences = _sentences(answer, name) if answer[SENTENCES] else []
    for sentence in sentences:
        if not _are_offsets(sentence.offsets, len(text)):
            found = shown(sentence.offsets, 80)
            raise RequestError(
                422, f"`{name}`: found the offsets {found}; expected those of /label"
            )
    return Document(text, sentences)


def _are_offsets(offsets: Any, end: int) -> bool:
    """Whether there are offsets, and all are into a text."""
    return offsets is not None and all(
        type(start) is int and type(stop) is int and 0 <= start <= stop <= end
        for start, stop in offsets
    )


def _sentences(answer: Any, name: str) -> List[Sentence]:
    try:
        sentences = [s for s, _ in parse_json_lines([json.dumps(answer)], name)]
    except CorpusFormatError as error:
        found = f"found {error.found}; expected {error.expected}"
        raise RequestError(422, f"`{name}`: {found}") from error
    for sentence in sentences:
        _check(sentence, name)
    return sentences


def _check(sentence: Sentence, name: str) -> None:
    """Checks what the reader of JSON lines leaves to those who need it."""
    length = len(sentence.words)
    for key in ("attention", "arc_scores"):
        matrix = getattr(sentence, key)
        if matrix is None:
            continue
        is_numeric = matrix.dtype.kind in "if"
        if not is_numeric or matrix.shape != (length, length) or not numpy.isfinite(matrix).all():
            expected = f"{length} lists of {length} numbers"
            raise RequestError(422, f"`{name}`: found another `{key}`; expected {expected}")
