"""Trees from a spaCy pipeline."""

from typing import List, Sequence, Union

import spacy
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Doc

from lisa_allennlp.labelling.parse_sources.parse_source import ParseSource


@ParseSource.register("spacy")
class SpacyParseSource(ParseSource):
    """
    A spaCy pipeline with a dependency parser. It is given the words as they are, and told that
    they are one sentence.

    # Parameters

    model : `str`
        The name of an installed pipeline, `en_core_web_sm` for example, or the path of a saved one.

    # Raises

    `ConfigurationError`
        If there is no such pipeline; in parsing, if it gives no tree.
    """

    def __init__(self, model: str) -> None:
        try:
            self._pipeline = spacy.load(model)
        except (OSError, ValueError, ImportError) as error:
            raise ConfigurationError(
                f"parser: cannot load the spaCy pipeline '{model}' ({error}); expected the name "
                f"of an installed one (python -m spacy download {model}) or the path of a saved one"
            ) from error
        self._model = model

    def heads(self, sentences: Sequence[Sequence[str]]) -> List[List[int]]:
        docs = list(self._pipeline.pipe(map(self._make_doc, sentences)))
        for doc in docs:
            if not doc.has_annotation("DEP"):
                raise ConfigurationError(
                    f"parser: the spaCy pipeline '{self._model}' gives no parse, its components "
                    f"are {', '.join(self._pipeline.pipe_names) or 'none'}; expected a parser "
                    "among them"
                )
        return [[token.head.i for token in doc] for doc in docs]

    def _make_doc(self, words: Sequence[str]) -> Doc:
        starts: List[Union[bool, int, None]] = [position == 0 for position in range(len(words))]
        return Doc(self._pipeline.vocab, words=list(words), sent_starts=starts)
