"""Sentences, documents, events and requests as values, with their labels."""
