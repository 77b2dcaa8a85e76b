"""
Answers to inputs, as JSON.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> document = Document("Rain.", [Sentence(["Rain", "."], text="Rain.")], {"id": 7})
    >>> inputs = Inputs([DocumentRequest(document), "found 3; expected text"], are_many=True)
    >>> [part.request.sentence.words for part in parts_of(inputs, Variant())]
    [['Rain', '.']]
    >>> [answer, error] = answers_to(inputs, [b'{"words": ["Rain", "."]}'])
    >>> answer
    b'{"id": 7, "text": "Rain.", "sentences": [{"words": ["Rain", "."]}]}'
    >>> error
    'found 3; expected text'
"""

import dataclasses
from itertools import islice
from typing import List, Sequence, Union

from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.labelling.requests import DocumentRequest, Request
from lisa_allennlp.service.processes import Labelled, Part, Variant, to_bytes
from lisa_allennlp.service.reading import Asked, Inputs, requests_of

SEPARATOR = b", "


def parts_of(inputs: Inputs, variant: Variant) -> List[Part]:
    """The sentences of all inputs that can be labelled."""
    return [
        Part(_without_text(request), variant)
        for asked in inputs.asked
        if not isinstance(asked, str)
        for request in requests_of(asked)
    ]


def _without_text(request: Request) -> Request:
    """Offsets are known already, and answers do not have the text."""
    return dataclasses.replace(request, sentence=dataclasses.replace(request.sentence, text=None))


def answers_to(inputs: Inputs, labelled: Sequence[Labelled]) -> List[Labelled]:
    """
    # Parameters

    inputs : `Inputs`
    labelled : `Sequence[Union[bytes, str]]`
        For `parts_of(inputs, ...)`.

    # Returns

    `List[Union[bytes, str]]`
        The JSON of each input's answer, or the reason why it cannot be labelled.
    """
    results = iter(labelled)
    return [
        asked if isinstance(asked, str) else _answer(asked, list(islice(results, _number(asked))))
        for asked in inputs.asked
    ]


def _number(asked: Asked) -> int:
    return len(requests_of(asked))


def _answer(asked: Asked, labelled: List[Labelled]) -> Labelled:
    if not isinstance(asked, DocumentRequest):
        (answer,) = labelled
        return answer
    sentences: List[bytes] = []
    for result in labelled:
        if isinstance(result, str):
            return result
        sentences.append(result)
    return document_json(asked.document, sentences)


def document_json(document: Document, sentences: Sequence[bytes]) -> bytes:
    """The JSON of `Document.to_dict`, with the JSON of its sentences."""
    bare = to_bytes(dataclasses.replace(document, sentences=[]).to_dict())
    empty = f'"{SENTENCES}": []}}'.encode()
    assert bare.endswith(empty)
    return b"".join([bare[:-2], SEPARATOR.join(sentences), b"]}"])


def body_of(answers: Sequence[Labelled]) -> bytes:
    """
    The JSON of a list of answers.

    >>> body_of([b'{"words": ["Go"]}', "found 3; expected text"])
    b'[{"words": ["Go"]}, {"error": "found 3; expected text"}]'
    """
    texts: List[bytes] = [_text(answer) for answer in answers]
    return b"[" + SEPARATOR.join(texts) + b"]"


def _text(answer: Union[bytes, str]) -> bytes:
    return to_bytes({"error": answer}) if isinstance(answer, str) else answer
