"""Metrics, optimizers, learning rate schedules and callbacks."""
