"""
The names of the formats of annotated files. Commands list them in their help, so importing this
module imports nothing else.

>>> set(READABLE_FORMATS) < set(WRITABLE_FORMATS)
True
"""

READABLE_FORMATS = ("props", "bio", "gold_conll", "conll05", "conllu", "json")
"""The formats that `lisa_allennlp.data.annotated_files` reads."""

WRITABLE_FORMATS = (
    "json",
    "conllu",
    "gold_conll",
    "conll05",
    "combined_bio",
    "props",
    "bio",
    "csv",
)
"""The formats that `lisa_allennlp.data.conversion` writes."""
