"""Evaluators registered as AllenNLP's `Evaluator`."""
