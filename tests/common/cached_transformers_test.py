"""Loading tokenizers and models of Hugging Face's, as AllenNLP's classes do it."""

from pathlib import Path

import pytest
from allennlp.common import cached_transformers
from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import PretrainedTransformerTokenizer

import lisa_allennlp.plugin  # noqa: F401
from tests.tiny_transformer import make_tiny_transformer


def test_allennlps_tokenizer_can_be_made(tmp_path: Path) -> None:
    tokenizer = PretrainedTransformerTokenizer(make_tiny_transformer(tmp_path / "tiny"))
    pieces = [token.text for token in tokenizer.tokenize("So it")]
    assert pieces == ["[CLS]", "S", "##o", "i", "##t", "[SEP]"]


@pytest.mark.parametrize(
    "load, what",
    [
        (lambda name: cached_transformers.get(name, True), "model"),
        (lambda name: cached_transformers.get_tokenizer(name), "tokenizer"),
    ],
    ids=["model", "tokenizer"],
)
def test_a_missing_one_is_named(load, what: str, tmp_path: Path) -> None:
    name = str(tmp_path)
    with pytest.raises(ConfigurationError, match=f"cannot load the {what} of the .* '{name}'; exp"):
        load(name)
