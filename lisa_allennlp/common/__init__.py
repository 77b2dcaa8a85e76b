"""Helpers that every part of the package may use."""
