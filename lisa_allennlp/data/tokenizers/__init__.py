"""Tokens and sentences of raw text, for English without spaCy."""
