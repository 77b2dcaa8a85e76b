"""Parses sentences with a Stanza pipeline."""

from typing import Any, List, Optional, Sequence

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence, self_loop_heads
from lisa_allennlp.labelling.parse_sources.parse_source import ParseSource


class StanzaParseSource(ParseSource):
    """
    A Stanza pipeline with a dependency parser. It gets the words unchanged. The package `stanza`
    and its models have to be installed separately; nothing is downloaded.

    # Parameters

    language : `str`, optional (default = `"en"`)
        Stanza's code of the language.
    package : `str`, optional (default = `"default"`)
        The treebank that the models were trained on.
    model_dir : `str`, optional (default = `None`)
        The folder of the models. By default the folder that `stanza.download` fills.

    # Raises

    `ConfigurationError`
        If Stanza or its models are not installed; in parsing, if a tree lacks a head.
    """

    def __init__(
        self, language: str = "en", package: str = "default", model_dir: Optional[str] = None
    ) -> None:
        self._pipeline = _load(language, package, model_dir)

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        document = self._pipeline([list(sentence.words) for sentence in sentences])
        return [_heads(sentence.words) for sentence in document.sentences]


def _load(language: str, package: str, model_dir: Optional[str]) -> Any:
    try:
        import stanza
    except ImportError as error:
        raise ConfigurationError(
            f"parser: cannot import stanza ({error}); expected the package to be installed (pip "
            "install stanza)"
        ) from error
    try:
        return stanza.Pipeline(
            language,
            package=package,
            model_dir=model_dir,
            processors="tokenize,pos,lemma,depparse",
            tokenize_pretokenized=True,
            download_method=None,
            verbose=False,
        )
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"parser: cannot load Stanza's models of '{language}', package '{package}' ({error}); "
            f"expected installed models (stanza.download('{language}'))"
        ) from error


def _heads(words: Sequence[Any]) -> List[int]:
    for word in words:
        if word.head is None:
            raise ConfigurationError(
                f"parser: found no head of '{word.text}' from Stanza; expected a pipeline that "
                "parses"
            )
    return self_loop_heads([word.head for word in words])
