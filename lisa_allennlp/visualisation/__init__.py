"""Moved to `lisa_allennlp.apps.show`."""
