"""Labelled sentences for programs: JSON lines and the field's own formats."""

import io
import json
from typing import Callable, Dict, Optional

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.ccg.pipes import format_multitags, format_pipes
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller


def to_json(sentence: Sentence) -> str:
    """A line of JSON, as `Sentence.to_dict` describes it."""
    return json.dumps(sentence.to_dict(), ensure_ascii=False) + "\n"


def to_conllu(sentence: Sentence) -> str:
    """The lines of a sentence in CoNLL-U, words, tags (as XPOS) and tree, and the blank one."""
    file = io.StringIO()
    write_conllu([sentence], file)
    return file.getvalue()


def to_pipes(sentence: Sentence) -> str:
    """The line `word|POS|category ...` of the C&C tools."""
    return format_pipes(sentence) + "\n"


def to_multitags(sentence: Sentence) -> str:
    """All categories of each word as the C&C parser reads them."""
    if sentence.candidates is None:
        raise ConfigurationError("output_format 'multitags' needs `beta` beside it")
    return format_multitags(sentence, sentence.candidates) + "\n"


FORMATS: Dict[str, Callable[[Sentence], str]] = {
    "json": to_json,
    "conllu": to_conllu,
    "pipes": to_pipes,
    "multitags": to_multitags,
}
"""What writes a sentence in each output format, line breaks included."""


def output_writer(
    labeller: Labeller, output_format: Optional[str] = None
) -> Callable[[Sentence], str]:
    """
    # Parameters

    labeller : `Labeller`
    output_format : `str`, optional (default = the labeller's first)

    # Returns

    `Callable[[Sentence], str]`
        What writes the labeller's sentences, line breaks included.

    # Raises

    `ConfigurationError`
        If its sentences cannot be written so.
    """
    chosen = output_format or labeller.output_formats[0]
    if chosen not in labeller.output_formats:
        raise ConfigurationError(
            f"output_format is '{chosen}'; expected one of {', '.join(labeller.output_formats)}"
        )
    return FORMATS[chosen]
