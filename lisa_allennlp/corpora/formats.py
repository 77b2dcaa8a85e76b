"""
The names of the formats of inputs and shards. The help of `lisa annotate` lists them, so importing
this module imports nothing else.

>>> list(FORMATS)
['json', 'lines', 'text', 'parquet']
"""

from typing import Dict

from lisa_allennlp.labelling.input_formats import INPUT_FORMATS

PARQUET = "parquet"

FORMATS: Dict[str, str] = {**INPUT_FORMATS, PARQUET: "a sentence or document per row"}
"""The formats of inputs, and what they mean."""

OUTPUT_FORMATS: Dict[str, str] = {
    "jsonl": "JSON lines",
    "jsonl.gz": "compressed JSON lines",
    PARQUET: "needs pyarrow",
}
"""The formats of shards, which are the endings of their names."""

ID_COLUMN = "id"
"""The column with the ids of rows, unless another is named."""
