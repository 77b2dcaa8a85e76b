"""Writes labelled sentences as JSON lines, in CoNLL formats and in CCG formats."""

import io
import json
from contextlib import contextmanager
from typing import Callable, Dict, Iterable, Iterator, Optional, TextIO, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.document import Document
from lisa_allennlp.data.formats.ccg.pipes import format_multitags, format_pipes
from lisa_allennlp.data.formats.conll05 import write_conll05, write_props
from lisa_allennlp.data.formats.conllu import write_conllu_document, write_conllu_roles
from lisa_allennlp.data.formats.json_lines import write_json_lines
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller


def to_json(sentence: Sentence) -> str:
    """
    A line of JSON with the keys of `Sentence.to_dict`.

    >>> print(to_json(Sentence(["Rain"], pos=["NN"])), end="")
    {"words": ["Rain"], "pos": ["NN"]}
    """
    return _written("json", write_json_lines, sentence)


def to_conllu(sentence: Sentence) -> str:
    """
    The words, tags (as XPOS) and tree of a sentence in CoNLL-U, with a final blank line. Roles are
    in MISC.
    """
    return _written("conllu", write_conllu_roles, sentence)


def to_props(sentence: Sentence) -> str:
    """The columns that srl-eval.pl reads, with a final blank line."""
    return _written("props", write_props, sentence)


def to_conll05(sentence: Sentence) -> str:
    """The columns of CoNLL-2005, with a final blank line."""
    return _written("conll05", write_conll05, sentence)


def _written(
    name: str, write: Callable[[Iterable[Sentence], TextIO], None], sentence: Sentence
) -> str:
    file = io.StringIO()
    with _naming_the_format(name):
        write([sentence], file)
    return file.getvalue()


def to_pipes(sentence: Sentence) -> str:
    """The line `word|POS|category ...` that the C&C tools read."""
    with _naming_the_format("pipes"):
        return format_pipes(sentence) + "\n"


def to_multitags(sentence: Sentence) -> str:
    """All candidate categories of each word, in the format of the C&C parser."""
    if sentence.candidates is None:
        raise ConfigurationError("output_format is 'multitags'; expected the option `beta` as well")
    with _naming_the_format("multitags"):
        return format_multitags(sentence, sentence.candidates) + "\n"


@contextmanager
def _naming_the_format(name: str) -> Iterator[None]:
    """Raises a `ConfigurationError` if the format cannot hold a value, such as a tab in a word."""
    try:
        yield
    except ValueError as error:
        raise ConfigurationError(f"the output format '{name}': {error}") from error


FORMATS: Dict[str, Callable[[Sentence], str]] = {
    "json": to_json,
    "conllu": to_conllu,
    "props": to_props,
    "conll05": to_conll05,
    "pipes": to_pipes,
    "multitags": to_multitags,
}
"""The function that writes a sentence, line breaks included, by output format."""


def document_to_json(document: Document) -> str:
    """
    A line of JSON with the keys of `Document.to_dict`.

    >>> print(document_to_json(Document("", [], {"id": 7})), end="")
    {"id": 7, "text": "", "sentences": []}
    """
    return json.dumps(document.to_dict(), ensure_ascii=False) + "\n"


def document_to_conllu(document: Document) -> str:
    """As `to_conllu`, with comments that mark the document, its paragraphs and raw text."""
    file = io.StringIO()
    with _naming_the_format("conllu"):
        write_conllu_document(document, file)
    return file.getvalue()


DOCUMENT_FORMATS: Dict[str, Callable[[Document], str]] = {
    "json": document_to_json,
    "conllu": document_to_conllu,
}
"""
The function that writes a document, by output format. In other formats, its sentences are written
one after the other.
"""


def output_writer(
    labeller: Labeller, output_format: Optional[str] = None
) -> Callable[[Union[Sentence, Document]], str]:
    """
    # Parameters

    labeller : `Labeller`
    output_format : `str`, optional (default = the first of the labeller's `output_formats`)

    # Returns

    `Callable[[Union[Sentence, Document]], str]`
        Writes a sentence or a document, line breaks included.

    # Raises

    `ConfigurationError`
        If the labeller does not have this format.
    """
    chosen = labeller.output_formats[0] if output_format is None else output_format
    if chosen not in labeller.output_formats:
        raise ConfigurationError(
            f"output_format is '{chosen}'; expected one of {', '.join(labeller.output_formats)}"
        )
    write_sentence = FORMATS[chosen]
    write_document = DOCUMENT_FORMATS.get(
        chosen, lambda document: "".join(map(write_sentence, document.sentences))
    )

    def write(answer: Union[Sentence, Document]) -> str:
        return write_document(answer) if isinstance(answer, Document) else write_sentence(answer)

    return write
