"""Trees from a spaCy pipeline, of which one was saved whose parser is a few lines."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.parse_sources import make_parse_source
from lisa_allennlp.labelling.parse_sources.spacy import SpacyParseSource


@Language.component("attach_to_capital")
def attach_to_capital(doc: Doc) -> Doc:
    """The first capitalised word is the root, and the head of all others."""
    root = next(token for token in doc if token.text[0].isupper())
    for token in doc:
        token.head = root
        token.dep_ = "ROOT" if token.i == root.i else "dep"
    return doc


def save_pipeline(path: Path, *components: str) -> str:
    """The path of a pipeline with these components."""
    pipeline = spacy.blank("en")
    for component in components:
        pipeline.add_pipe(component)
    pipeline.to_disk(path)
    return str(path)


def test_its_trees_are_of_the_words_given(tmp_path: Path) -> None:
    path = save_pipeline(tmp_path / "parser", "attach_to_capital")
    source = make_parse_source({"type": "spacy", "model": path}, "cpu")
    assert source is not None
    # spaCy's own tokens would be others.
    sentences = [["that's", "(", "New York", ")"], ["No"], ["i", "saw", "Mr.", "X."]]
    assert source.parse(list(map(Sentence, sentences))) == [[2, 2, 2, 2], [0], [2, 2, 2, 2]]
    assert source.parse([]) == []


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path) -> None:
    source = SpacyParseSource(save_pipeline(tmp_path / "blank", "sentencizer"))
    with pytest.raises(ConfigurationError, match="found the components sentencizer in the spaCy"):
        source.parse([Sentence(["Go"])])


def test_a_pipeline_that_is_not_installed_is_named() -> None:
    with pytest.raises(
        ConfigurationError, match="spaCy pipeline 'xx_none'.*spacy download xx_none"
    ):
        SpacyParseSource("xx_none")


def test_a_folder_that_holds_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot load the spaCy pipeline"):
        SpacyParseSource(str(tmp_path))
