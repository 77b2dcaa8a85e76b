"""Which models are exported as graphs, and their products in 8 bits."""

import logging
from pathlib import Path
from typing import Any

import pytest
import torch

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models._graphs_in_8_bits import write_graphs_in_8_bits
from lisa_allennlp.modules.self_attention import EncoderLayer, PreNormLayer
from lisa_allennlp.sentence.request import Request
from tests.inference.model_test import SAMPLE, WORDS, Parts, random_archive


@EncoderLayer.register("scaled_by_the_batch")
class Layer(PreNormLayer):
    """A user's own layer, in which a graph has a constant of the sentence it was made with."""

    def forward(self, *inputs: Any, **options: Any) -> torch.Tensor:
        output = super().forward(*inputs, **options)
        return output * float(output.abs().max())


def test_a_part_that_a_graph_does_not_have(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        archive = random_archive(tmp_path, 0, Parts(layer_style="scaled_by_the_batch"))
    (message,) = (r.getMessage() for r in caplog.records if "PyTorch" in r.getMessage())
    assert "differs" in message and "\n" not in message
    assert not (tmp_path / "graphs").exists()
    assert len(lisa_allennlp.load(archive)(WORDS[0]).words) == len(WORDS[0])
    with pytest.raises(ConfigurationError, match="expected 'torch' for a model without graphs"):
        lisa_allennlp.load(archive, engine="onnx")


def test_answers_in_8_bits_are_close_and_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    random_archive(tmp_path, 0)
    write_graphs_in_8_bits(tmp_path, list(map(Request, SAMPLE[:20])))
    assert b"QuantizeLinear" not in (tmp_path / "graphs/int8/factuality.onnx").read_bytes()
    lisa, single = (
        lisa_allennlp.load(tmp_path, precision=precision, probabilities=True)
        for precision in ("int8", "float32")
    )
    found = list(lisa.pipe(WORDS))
    assert [one.to_dict() for one in found] == [lisa(words).to_dict() for words in WORDS]
    pairs = [
        pair
        for one, other in zip(found, single.pipe(WORDS), strict=True)
        for pair in zip(one.pos or (), other.pos or (), strict=True)
    ]
    assert 0.7 < sum(tag == expected for tag, expected in pairs) / len(pairs) <= 1
