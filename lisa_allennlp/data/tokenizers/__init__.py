"""Tokenizers registered as AllenNLP's `Tokenizer`."""
