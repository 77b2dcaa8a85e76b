"""Other parsers, whose trees can be injected into LISA at prediction time."""

from typing import Any, Collection, List, Optional, Sequence

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.graphs import find_cycle, shown_cycle
from lisa_allennlp.sentence.sentence import Sentence, self_loop_heads


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
    def pos_tags(self) -> Optional[Collection[str]]:
        """The training tag set of a parser that needs `pos`; `None` if it reads words alone."""
        return None

    def parse(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        """
        Returns the 0-based heads of each sentence; a root is its own head. Refuses other graphs
        than trees. No sentence may be empty, and if the parser has `pos_tags`, each has `pos`.
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
        raise NotImplementedError


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


class SpacyParseSource(ParseSource):
    """
    A spaCy pipeline with a dependency parser, by its name (`en_core_web_sm`) or path. It gets the
    words unchanged, as one sentence.
    """

    def __init__(self, model: str) -> None:
        import spacy

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
        from spacy.tokens import Doc

        def doc_of(words: Sequence[str]) -> Doc:
            starts: List[Any] = [position == 0 for position in range(len(words))]
            return Doc(self._pipeline.vocab, list(words), sent_starts=starts)

        docs = list(self._pipeline.pipe(doc_of(sentence.words) for sentence in sentences))
        for doc in docs:
            if not doc.has_annotation("DEP"):
                raise ConfigurationError(
                    f"parser: found the components "
                    f"{', '.join(self._pipeline.pipe_names) or 'none'} in the spaCy pipeline "
                    f"'{self._model}'; expected a parser among them"
                )
        return [[token.head.i for token in doc] for doc in docs]


class StanzaParseSource(ParseSource):
    """
    A Stanza pipeline with a dependency parser, which gets the words unchanged. The package `stanza`
    and its models are installed separately, not downloaded. `package` is the treebank of the
    models; `model_dir` is by default the folder of `stanza.download`.
    """

    def __init__(
        self, language: str = "en", package: str = "default", model_dir: Optional[str] = None
    ) -> None:
        import stanza

        try:
            self._pipeline = stanza.Pipeline(
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
                f"parser: cannot load Stanza's models of '{language}', package '{package}' "
                f"({error}); expected installed models (stanza.download('{language}'))"
            ) from error

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        document = self._pipeline([list(sentence.words) for sentence in sentences])
        parsed = [[word.head for word in sentence.words] for sentence in document.sentences]
        for heads in parsed:
            if None in heads:
                raise ConfigurationError(
                    "parser: found a word without a head from Stanza; expected a pipeline that "
                    "parses"
                )
        return [self_loop_heads(heads) for heads in parsed]
