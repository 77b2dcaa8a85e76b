"""Trees from a Stanza pipeline."""

from typing import Any, List, Optional, Sequence

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.labelling.parse_sources.parse_source import ParseSource


@ParseSource.register("stanza")
class StanzaParseSource(ParseSource):
    """
    A Stanza pipeline. It is given the words as they are. The package `stanza` and its models are
    not installed with this one, and nothing is downloaded.

    # Parameters

    language : `str`, optional (default = `"en"`)
        Stanza's code of the language.
    package : `str`, optional (default = `"default"`)
        The treebank that its models were trained on.
    model_dir : `str`, optional (default = `None`)
        The folder with its models; by default where `stanza.download` puts them.

    # Raises

    `ConfigurationError`
        If Stanza or its models are not installed; in parsing, if it gives no tree.
    """

    def __init__(
        self, language: str = "en", package: str = "default", model_dir: Optional[str] = None
    ) -> None:
        self._pipeline = _load(language, package, model_dir)

    def heads(self, sentences: Sequence[Sequence[str]]) -> List[List[int]]:
        document = self._pipeline([list(words) for words in sentences])
        return [_heads(sentence.words) for sentence in document.sentences]


def _load(language: str, package: str, model_dir: Optional[str]) -> Any:
    try:
        import stanza
    except ImportError as error:
        raise ConfigurationError(
            f"parser: cannot import stanza ({error}); expected it to be installed (pip install "
            "stanza)"
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
            f"expected them to be installed (stanza.download('{language}'))"
        ) from error


def _heads(words: Sequence[Any]) -> List[int]:
    heads = []
    for position, word in enumerate(words):
        if word.head is None:
            raise ConfigurationError(
                f"parser: Stanza gives no head of '{word.text}'; expected a pipeline that parses"
            )
        # Stanza counts from 1, and 0 is the root.
        heads.append(position if word.head == 0 else word.head - 1)
    return heads
