"""Arc scorers: they score arcs and their labels from an encoder's states."""

from lisa_allennlp.modules.arc_scorers.arc_scorer import ArcScorer
from lisa_allennlp.modules.arc_scorers.deep_biaffine import DeepBiaffine
from lisa_allennlp.modules.arc_scorers.mlp import MlpScorer
from lisa_allennlp.modules.arc_scorers.shallow_biaffine import ShallowBiaffine

__all__ = ["ArcScorer", "DeepBiaffine", "MlpScorer", "ShallowBiaffine"]
