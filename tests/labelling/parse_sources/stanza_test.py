"""Trees from a Stanza pipeline, in the place of which stands a module of the same interface."""

import sys
from types import SimpleNamespace
from typing import Any, List

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.parse_sources import make_parse_source
from lisa_allennlp.labelling.parse_sources.stanza import StanzaParseSource


class Pipeline:
    """Makes the last word of each sentence its root. Like Stanza, it counts from 1."""

    def __init__(self, lang: str, **options: Any) -> None:
        if lang == "xx":
            raise FileNotFoundError("Resources file not found")
        if lang == "unsupported":
            raise ValueError("No processors to load")
        self.lang = lang
        self.options = options

    def __call__(self, sentences: List[List[str]]) -> SimpleNamespace:
        return SimpleNamespace(sentences=[self._parse(words) for words in sentences])

    def _parse(self, words: List[str]) -> SimpleNamespace:
        heads = [len(words)] * (len(words) - 1) + [0]
        unparsed = self.lang == "unparsed"
        return SimpleNamespace(
            words=[
                SimpleNamespace(text=word, head=None if unparsed else head)
                for word, head in zip(words, heads, strict=True)
            ]
        )


@pytest.fixture(autouse=True)
def stanza(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Pipeline=Pipeline))


def test_heads_count_from_0() -> None:
    source = make_parse_source({"type": "stanza", "language": "de"}, "cpu")
    assert source is not None
    sentences = [Sentence(words) for words in (["Er", "geht"], ["Halt"], ["a", "b", "c"])]
    assert source.parse(sentences) == [[1, 1], [0], [2, 2, 2]]


def test_it_takes_the_words_as_they_are_and_downloads_nothing() -> None:
    pipeline = StanzaParseSource("fr", package="gsd", model_dir="models")._pipeline
    assert pipeline.lang == "fr"
    assert pipeline.options["tokenize_pretokenized"] is True
    assert pipeline.options["download_method"] is None
    assert (pipeline.options["package"], pipeline.options["model_dir"]) == ("gsd", "models")


@pytest.mark.parametrize("language", ["xx", "unsupported"])
def test_missing_models_are_named(language: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"models of '{language}'.*download\('{language}"):
        StanzaParseSource(language)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(ConfigurationError, match="cannot import stanza .*pip install stanza"):
        StanzaParseSource()


def test_a_pipeline_without_trees_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="found no head of 'Go' from Stanza"):
        StanzaParseSource("unparsed").parse([Sentence(["Go"])])
