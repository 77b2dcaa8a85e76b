"""The options of `lisa annotate`."""
