"""File formats of corpora, dataset readers and their fields, and the preparation of corpora."""
