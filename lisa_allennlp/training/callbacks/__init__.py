"""Trainer callbacks registered as AllenNLP's `TrainerCallback`."""
