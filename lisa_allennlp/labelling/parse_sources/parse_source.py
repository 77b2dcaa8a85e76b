"""The base class of other parsers."""

import importlib
import os
from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.errors import bad_value

PARSE_SOURCES: Dict[str, Tuple[str, str]] = {
    "archive": ("lisa_allennlp.labelling.parse_sources.archive", "ArchiveParseSource"),
    "spacy": ("lisa_allennlp.labelling.parse_sources.spacy", "SpacyParseSource"),
    "stanza": ("lisa_allennlp.labelling.parse_sources.stanza", "StanzaParseSource"),
}
"""The module and the class of each type of parser."""


class ParseSource:
    """
    A parser of sentences that are already split into words. A subclass wraps a library's parser and
    implements `heads`.

    >>> class LastWordIsRoot(ParseSource):
    ...     def heads(self, sentences):
    ...         lengths = [len(sentence.words) for sentence in sentences]
    ...         return [[length - 1] * length for length in lengths]
    >>> LastWordIsRoot().parse([Sentence(["He", "slept"]), Sentence(["Go"])])
    [[1, 1], [0]]
    """

    @property
    def pos_tags(self) -> Optional[FrozenSet[str]]:
        """
        The parts of speech that the parser was trained on, if it needs the `pos` of each sentence;
        `None` if it reads words alone.
        """
        return None

    def parse(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        """
        # Parameters

        sentences : `Sequence[Sentence]`
            With words and, if the parser has `pos_tags`, with `pos`. No sentence is empty.

        # Returns

        `List[List[int]]`
            The 0-based position of each word's head; a root is its own head.

        # Raises

        `ConfigurationError`
            If the parser returns no tree, one that does not fit its sentence, or a cycle.
        """
        parses = self.heads(sentences)
        if len(parses) != len(sentences):
            raise ConfigurationError(
                f"parser: found {len(parses)} trees; expected {len(sentences)}, one per sentence"
            )
        for sentence, heads in zip(sentences, parses, strict=True):
            _check(sentence.words, heads)
        return parses

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        """The heads that `parse` checks and returns."""
        raise NotImplementedError


def make_parse_source(parser: Any, device: Union[str, int]) -> Optional[ParseSource]:
    """
    # Parameters

    parser : `Union[ParseSource, Mapping[str, Any], str, PathLike]`, optional
        As for `LisaLabeller`.
    device : `Union[str, int]`
        The device of a trained parser, unless its config names another.

    # Raises

    `ConfigurationError`
        If there is no such parser, or its options are wrong.
    """
    if parser is None or isinstance(parser, ParseSource):
        return parser
    if isinstance(parser, (str, os.PathLike)):
        parser = {"type": "archive", "path": os.fspath(parser)}
    if not isinstance(parser, Mapping) or parser.get("type") not in PARSE_SOURCES:
        expected = f"a trained parser, or an object with a type: {', '.join(PARSE_SOURCES)}"
        raise bad_value("`parser`", parser, expected)
    options = {key: value for key, value in parser.items() if key != "type"}
    if parser["type"] == "archive":
        options.setdefault("device", device)
    module, name = PARSE_SOURCES[parser["type"]]
    try:
        return getattr(importlib.import_module(module), name)(**options)
    except TypeError as error:
        raise ConfigurationError(f"parser: {error}") from error


def _check(words: Sequence[str], heads: Sequence[int]) -> None:
    sentence = f"'{' '.join(words)}'"
    if len(heads) != len(words):
        raise ConfigurationError(
            f"parser: found {len(heads)} heads in the tree of {sentence}; expected {len(words)}, "
            "one per word"
        )
    for position, head in enumerate(heads):
        if not 0 <= head < len(words):
            raise ConfigurationError(
                f"parser: found {head} as the head of '{words[position]}' in the tree of "
                f"{sentence}; expected a 0-based position below {len(words)}"
            )
    cycle = find_cycle(heads)
    if cycle is not None:
        raise ConfigurationError(
            f"parser: found the cycle {shown_cycle(cycle, words)} in the heads of {sentence}; "
            "expected a tree"
        )
