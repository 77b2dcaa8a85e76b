"""Metrics registered as AllenNLP's `Metric`: scores that match the official scorers."""

from lisa_allennlp.training.metrics.dependency_score import DependencyScore
from lisa_allennlp.training.metrics.mean_losses import MeanLosses
from lisa_allennlp.training.metrics.pos_accuracy import PosAccuracy
from lisa_allennlp.training.metrics.predicate_score import PredicateScore
from lisa_allennlp.training.metrics.sense_accuracy import SenseAccuracy
from lisa_allennlp.training.metrics.sentence_metric import SentenceMetric
from lisa_allennlp.training.metrics.srl_score import SrlScore

__all__ = [
    "DependencyScore",
    "MeanLosses",
    "PosAccuracy",
    "PredicateScore",
    "SenseAccuracy",
    "SentenceMetric",
    "SrlScore",
]
