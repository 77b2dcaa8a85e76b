"""Optimizers registered as AllenNLP's `Optimizer`."""

from lisa_allennlp.training.optimizers.lazy_nadam import LazyNadamOptimizer

__all__ = ["LazyNadamOptimizer"]
