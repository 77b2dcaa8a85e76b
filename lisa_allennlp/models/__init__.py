"""Models registered as AllenNLP's `Model`."""
