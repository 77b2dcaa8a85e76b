"""Encoders registered as AllenNLP's `Seq2SeqEncoder`."""
