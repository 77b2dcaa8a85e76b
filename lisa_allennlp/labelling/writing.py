"""
Writes labelled sentences and documents as JSON lines, in CoNLL formats and in CCG formats.

    >>> print(to_json(Sentence(["Rain"], pos=["NN"])), end="")
    {"words": ["Rain"], "pos": ["NN"]}
"""

import io
import json
from functools import partial
from typing import Any, Callable, Dict, Optional, TextIO, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.ccg import format_multitags, format_pipes
from lisa_allennlp.formats.conll05 import write_conll05, write_props
from lisa_allennlp.formats.conllu import (
    write_conllu_document,
    write_conllup,
    write_conllup_document,
)
from lisa_allennlp.formats.json_lines import write_json_lines
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.sentence.document import DOCUMENT, Document
from lisa_allennlp.sentence.sentence import Sentence


def _written(name: str, write: Callable[[Any, TextIO], Any], content: Any) -> str:
    """Raises if the format cannot hold a value, such as a tab."""
    file = io.StringIO()
    try:
        write(content, file)
    except ValueError as error:
        raise ConfigurationError(f"the output format '{name}': {error}") from error
    return file.getvalue()


def _write_multitags(sentence: Sentence, file: TextIO) -> None:
    if sentence.candidates is None:
        raise ConfigurationError("output_format is 'multitags'; expected the option `beta` as well")
    file.write(format_multitags(sentence, sentence.candidates) + "\n")


_WRITERS: Dict[str, Callable[[Sentence, TextIO], Any]] = {
    "json": lambda sentence, file: write_json_lines([sentence], file),
    # With roles in MISC.
    "conllu": lambda sentence, file: file.write(sentence.to_conllu()),
    # With roles in columns of Universal PropBank.
    "conllup": lambda s, file: write_conllup([s], file, s.extra.get(DOCUMENT)),
    # The columns that srl-eval.pl reads.
    "props": lambda sentence, file: write_props([sentence], file),
    "conll05": lambda sentence, file: write_conll05([sentence], file),
    # The lines `word|POS|category ...` that the C&C tools read.
    "pipes": lambda sentence, file: file.write(format_pipes(sentence) + "\n"),
    "multitags": _write_multitags,
}

FORMATS: Dict[str, Callable[[Sentence], str]] = {
    name: partial(_written, name, write) for name, write in _WRITERS.items()
}

to_json = FORMATS["json"]


def document_to_json(document: Document) -> str:
    return json.dumps(document.to_dict(), ensure_ascii=False) + "\n"


DOCUMENT_FORMATS: Dict[str, Callable[[Document], str]] = {
    "json": document_to_json,
    # With comments that mark the document, its paragraphs and raw text.
    "conllu": partial(_written, "conllu", write_conllu_document),
    "conllup": partial(_written, "conllup", write_conllup_document),
}


def format_answer(answer: Union[Sentence, Document], output_format: str) -> str:
    """Formats an answer. Without documents in the format, their sentences follow each other."""
    if isinstance(answer, Sentence):
        return FORMATS[output_format](answer)
    if output_format in DOCUMENT_FORMATS:
        return DOCUMENT_FORMATS[output_format](answer)
    return "".join(map(FORMATS[output_format], answer.sentences))


def output_writer(
    labeller: Labeller, output_format: Optional[str] = None, events: bool = False
) -> Callable[[Union[Sentence, Document]], str]:
    """
    Returns `format_answer` with a format of the labeller, by default its first, or a function that
    writes JSON with events.
    """
    if events:
        return lambda answer: json.dumps(answer.to_dict(events=True), ensure_ascii=False) + "\n"
    chosen = labeller.output_formats[0] if output_format is None else output_format
    if chosen not in labeller.output_formats:
        raise ConfigurationError(
            f"output_format is '{chosen}'; expected one of {', '.join(labeller.output_formats)}"
        )
    return partial(format_answer, output_format=chosen)
