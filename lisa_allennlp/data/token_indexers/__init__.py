"""Token indexers registered as AllenNLP's `TokenIndexer`."""
