"""Learning rate schedules registered as AllenNLP's `LearningRateScheduler`."""

from lisa_allennlp.training.learning_rate_schedulers.exponential_decay import ExponentialDecay

__all__ = ["ExponentialDecay"]
