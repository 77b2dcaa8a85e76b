"""Dataset readers, fields, samplers and token indexers, as in AllenNLP."""
