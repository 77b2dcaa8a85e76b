"""Corpora: their file formats, the fields made of them, and the readers that join both."""
