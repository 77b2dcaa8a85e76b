"""
The label of rare categories.

    >>> counts = {"N": 120, "(N/N)/N": 3}
    >>> [category if count >= 10 else RARE_CATEGORY for category, count in counts.items()]
    ['N', '@@RARE@@']
"""

RARE_CATEGORY = "@@RARE@@"
"""Replaces all categories outside the category set of a model."""
