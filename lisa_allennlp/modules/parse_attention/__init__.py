"""Ways to score arcs and their labels from the states of an encoder."""

from lisa_allennlp.modules.parse_attention.deep_biaffine import DeepBiaffine
from lisa_allennlp.modules.parse_attention.mlp import MlpAttention
from lisa_allennlp.modules.parse_attention.parse_attention import ParseAttention
from lisa_allennlp.modules.parse_attention.shallow_biaffine import ShallowBiaffine

__all__ = ["DeepBiaffine", "MlpAttention", "ParseAttention", "ShallowBiaffine"]
