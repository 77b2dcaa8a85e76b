"""Trained models on disk: opening them, and exporting them to self-contained folders."""
