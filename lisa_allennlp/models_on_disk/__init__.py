"""Trained models on disk: their names, and their files, which are read safely."""
