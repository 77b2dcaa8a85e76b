"""The symbol for rare categories."""

RARE_CATEGORY = "@@RARE@@"
"""Stands for all categories that are not in the category set of a model."""
