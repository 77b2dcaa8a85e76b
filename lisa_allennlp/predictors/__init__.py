"""Predictors registered as AllenNLP's `Predictor`."""
