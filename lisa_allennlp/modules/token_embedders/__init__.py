"""Ways to embed tokens, registered as AllenNLP's `TokenEmbedder`."""
