"""
Optimizers beside AllenNLP's own.
"""

from lisa_allennlp.training.optimizers.lazy_nadam import LazyNadamOptimizer

__all__ = ["LazyNadamOptimizer"]
