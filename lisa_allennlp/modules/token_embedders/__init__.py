"""Token embedders, registered as AllenNLP's `TokenEmbedder`."""
