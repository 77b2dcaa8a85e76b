"""Learning rate schedules beside AllenNLP's own."""

from lisa_allennlp.training.learning_rate_schedulers.exponential_decay import ExponentialDecay

__all__ = ["ExponentialDecay"]
