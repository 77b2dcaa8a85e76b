"""Parses sentences with a spaCy pipeline."""

from typing import Any, List, Sequence, Union

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.parse_sources.parse_source import ParseSource


class SpacyParseSource(ParseSource):
    """
    A spaCy pipeline with a dependency parser. It gets the words unchanged, as one sentence.

    # Parameters

    model : `str`
        The name of an installed pipeline, such as `en_core_web_sm`, or the path of a saved one.

    # Raises

    `ConfigurationError`
        If the pipeline cannot be loaded; in parsing, if it has no parser.
    """

    def __init__(self, model: str) -> None:
        try:
            import spacy
        except ImportError as error:
            raise ConfigurationError(
                f"parser: cannot import spaCy ({error}); expected it to be "
                "installed (pip install 'lisa-allennlp[spacy]')"
            ) from error
        try:
            self._pipeline = spacy.load(model)
        except (OSError, ValueError, ImportError) as error:
            raise ConfigurationError(
                f"parser: cannot load the spaCy pipeline '{model}' ({error}); expected the name of "
                f"an installed pipeline (python -m spacy download {model}) or the path of a saved "
                "one"
            ) from error
        self._model = model

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        docs = list(self._pipeline.pipe(self._make_doc(s.words) for s in sentences))
        for doc in docs:
            if not doc.has_annotation("DEP"):
                raise ConfigurationError(
                    f"parser: found the components "
                    f"{', '.join(self._pipeline.pipe_names) or 'none'} in the spaCy pipeline "
                    f"'{self._model}'; expected a parser among them"
                )
        return [[token.head.i for token in doc] for doc in docs]

    def _make_doc(self, words: Sequence[str]) -> Any:
        starts: List[Union[bool, int, None]] = [position == 0 for position in range(len(words))]
        from spacy.tokens import Doc

        return Doc(self._pipeline.vocab, words=list(words), sent_starts=starts)
