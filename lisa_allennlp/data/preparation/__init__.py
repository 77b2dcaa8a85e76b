"""Corpora in the formats that the readers read, built from their official releases."""
