"""The Stanford tagger, in whose place there is a script."""

from pathlib import Path

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.preparation.stanford_tagger import StanfordTagger
from lisa_allennlp.data.preparation.stanford_tool import BracketedSentence
from tests.data.preparation.conll_sources import FakeParser
from tests.data.preparation.stanford_converter_test import BAKE, LONG

BRACKETS = BracketedSentence(["-LRB-", "1\\/2", "Zoë", "-RRB-"], "(X)", "b", 1)


def tag(parser: FakeParser, *sentences: BracketedSentence, batch_size: int = 2000) -> list:
    cache = parser.log.parent / "cache"
    options = {"java": str(parser.java), "batch_size": batch_size}
    tagger = StanfordTagger(parser.tagger, None, cache, **options)
    return list(tagger.annotate((item, index) for index, item in enumerate(sentences)))


def test_words_stay_as_they_are(fake_parser: FakeParser):
    tagged = tag(fake_parser, BAKE, BRACKETS, LONG, batch_size=2)
    assert tagged == [
        (0, ["W", "B"]),
        (1, ["-", "1", "Z", "-RRB-"]),
        (2, list("ABCDEFGHIJKL") + ["."]),
    ]


def test_another_model_is_another_result(fake_parser: FakeParser):
    tag(fake_parser, BAKE)
    cache = fake_parser.log.parent / "cache"
    assert len(list(cache.glob("*.tsv"))) == 1
    tag(fake_parser, BAKE)
    assert len(list(cache.glob("*.tsv"))) == 1
    (model,) = fake_parser.tagger.parent.glob("models/*")
    model.write_text("another")
    tag(fake_parser, BAKE)
    assert len(list(cache.glob("*.tsv"))) == 2


@pytest.mark.parametrize(
    "misbehave, message",
    [
        ("no tab", r"partial:1: found 1 column; expected 2 separated by a tab \(word, tag\)"),
        ("other tokens", r"partial:2: found 'ba' in sentence 1; expected 'bake', as in a.mrg:3"),
    ],
)
def test_output_that_does_not_agree(
    fake_parser: FakeParser, monkeypatch: pytest.MonkeyPatch, misbehave: str, message: str
):
    monkeypatch.setenv("MISBEHAVE", misbehave)
    with pytest.raises(CorpusFormatError, match=message):
        tag(fake_parser, BAKE, LONG)


def test_jars_and_models_that_are_not_there(fake_parser: FakeParser, tmp_path: Path):
    options = {"java": str(fake_parser.java)}
    with pytest.raises(
        ConfigurationError, match="--stanford-tagger .*no.jar: found no such file; .*postagger.jar"
    ):
        StanfordTagger(tmp_path / "no.jar", None, tmp_path, **options)
    # The parser's jar has no models beside it.
    expected = "--tagger-model .*parser/models/english-left3words-distsim.tagger: found no such"
    with pytest.raises(ConfigurationError, match=expected):
        StanfordTagger(fake_parser.jar, None, tmp_path, **options)
