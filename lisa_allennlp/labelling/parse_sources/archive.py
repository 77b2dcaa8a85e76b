"""Parses sentences with a trained parser of this package."""

import os
from typing import FrozenSet, List, Optional, Sequence, Union

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.parse_sources.parse_source import ParseSource
from lisa_allennlp.labelling.parser_labeller import ParserLabeller
from lisa_allennlp.labelling.requests import Request


class ArchiveParseSource(ParseSource):
    """
    A trained `deep_biaffine_parser`: the paper's +D&M. If it was trained with tags, it needs the
    `pos` of each sentence. It writes brackets as its own training corpus does.

    # Parameters

    path : `Union[str, PathLike]`
        A `model.tar.gz`, a training folder or an exported folder.
    precision : `str`, optional (default = the config's)
        Precision of the parser's matrix products: `float32` or `bfloat16`.
    device : `Union[str, int]`, optional (default = the CPU)
        As for `load_labeller`. LISA passes its own device.
    allow_types : `List[str]`, optional
        As for `load_labeller`.

    # Raises

    `ConfigurationError`
        If the archive is missing or has no parser.
    """

    def __init__(
        self,
        path: Union[str, os.PathLike],
        precision: Optional[str] = None,
        device: Union[str, int] = -1,
        allow_types: Optional[List[str]] = None,
    ) -> None:
        name = os.fspath(path)
        if not (os.path.exists(name) or "://" in name or name in pretrained.names()):
            raise ConfigurationError(
                f"parser: found no such file or folder, '{name}'; expected a trained parser "
                '(model.tar.gz), or an object such as {"type": "spacy", "model": "en_core_web_sm"}'
            )
        labeller = load_labeller(
            path, precision=precision, device=device, allow_types=allow_types or ()
        )
        if not isinstance(labeller, ParserLabeller):
            raise ConfigurationError(
                f"parser: found a {labeller.engine.description} in '{os.fspath(path)}'; expected "
                "a deep_biaffine_parser"
            )
        self._labeller = labeller

    @property
    def pos_tags(self) -> Optional[FrozenSet[str]]:
        return self._labeller.pos_tags

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        parsed = self._labeller.label([Request(sentence) for sentence in sentences])
        return [sentence.parse.head_indices for sentence in parsed if sentence.parse is not None]
