"""Labels documents with a labeller of sentences."""

from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Union, cast

from lisa_allennlp.data.document import Document
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import GROUP_SIZE, items_to_label, label_one, size_of_text
from lisa_allennlp.labelling.requests import (
    DOCUMENT_KEY,
    DocumentRequest,
    Request,
    RequestReader,
    is_document,
)


class DocumentLabeller:
    """
    The part of a `Labeller` that is about documents.

    >>> class NounTagger(DocumentLabeller):
    ...     def __init__(self):
    ...         self._requests = RequestReader("en")
    ...
    ...     def label(self, requests, details=False):
    ...         sentences = [request.sentence for request in requests]
    ...         return [replace(s, pos=["NN"] * len(s.words)) for s in sentences]
    >>> document = NounTagger().document("Rain. Snow and ice.")
    >>> [sentence.pos for sentence in document.sentences]
    [['NN', 'NN'], ['NN', 'NN', 'NN', 'NN']]
    """

    processes: int
    _requests: RequestReader
    stream: Any

    def label(self, requests: Sequence[Request], details: bool = False) -> List[Sentence]:
        """As in `Labeller`."""
        raise NotImplementedError

    def read(self, content: Any) -> Request:
        """As in `Labeller`."""
        raise NotImplementedError

    def check(self) -> None:
        """As in `Labeller`."""
        raise NotImplementedError

    def document(self, content: Union[str, Mapping[str, Any]], details: bool = False) -> Document:
        """
        Labels a raw text of any number of sentences.

        # Parameters

        content : `Union[str, Mapping[str, Any]]`
            Raw text, or a dictionary with `text` and other keys, which are copied.
        details : `bool`, optional (default = `False`)
            As for `__call__`.

        # Raises

        `InputError`
            If the input is invalid or cannot be labelled.
        """
        label = partial(self.label_documents, details=details)
        return label_one(self.read_document, label, content, self.check)

    def documents(
        self,
        inputs: Iterable[Any],
        batch_size: int = GROUP_SIZE,
        on_error: str = "raise",
        details: bool = False,
        processes: Optional[int] = None,
    ) -> Iterator[Union[Document, InputError]]:
        """
        Labels a stream of documents and keeps their order. A batch has sentences of several
        documents.

        # Parameters

        inputs : `Iterable`
            Inputs as for `document`.
        batch_size : `int`, optional (default = `1000`)
            About the number of sentences to read, as whole documents, before labelling them.
        on_error, details, processes :
            As for `pipe`.

        # Returns

        `Iterator[Union[Document, InputError]]`
            One result per input.

        # Raises

        `ConfigurationError`, `InputError`, `ModelError`
            As in `pipe`.
        """
        return self.stream(
            items_to_label(inputs, on_error, _size_of_document),
            self.read_document,
            lambda requests: self.label_documents(requests, details),
            lambda document, _: document,
            batch_size,
            self.processes if processes is None else processes,
            stops=on_error == "raise",
        )

    def read_document(self, content: Any) -> DocumentRequest:
        """Checks an input of `document`, tokenises it and splits it into sentences."""
        return self._requests.read_document(content)

    def read_any(self, content: Any) -> Union[Request, DocumentRequest]:
        """Checks an input for `__call__`, or a dictionary for `document`."""
        return self.read_document(content) if is_document(content) else self.read(content)

    def label_any(
        self, requests: Sequence[Union[Request, DocumentRequest]], details: bool = False
    ) -> List[Union[Sentence, Document]]:
        """Labels sentences and documents together, and keeps their order."""
        asked = [r.requests if isinstance(r, DocumentRequest) else [r] for r in requests]
        labelled = iter(self.label([request for group in asked for request in group], details))
        return [
            replace(request.document, sentences=list(islice(labelled, len(group))))
            if isinstance(request, DocumentRequest)
            else next(labelled)
            for request, group in zip(requests, asked, strict=True)
        ]

    def label_documents(
        self, requests: Sequence[DocumentRequest], details: bool = False
    ) -> List[Document]:
        """Labels documents together."""
        return cast(List[Document], self.label_any(requests, details))


def _size_of_document(content: Any) -> int:
    text = content.get(DOCUMENT_KEY) if isinstance(content, Mapping) else content
    return size_of_text(len(text)) if isinstance(text, str) else 1
