"""
The formats of inputs to label and of labelled corpora, and the size of groups. The help of commands
shows them, so importing this module imports nothing else.
"""

from typing import Dict

JSON, LINES, TEXT, PARQUET = "json", "lines", "text", "parquet"

INPUT_FORMATS: Dict[str, str] = {
    JSON: "a sentence or document per line",
    LINES: "plain text, a document per line",
    TEXT: "plain text, one document",
}
"""The formats that `lisa predict` reads, and what they mean."""

CORPUS_FORMATS: Dict[str, str] = {**INPUT_FORMATS, PARQUET: "a sentence or document per row"}
"""The formats that `lisa annotate` reads."""

SHARD_FORMATS: Dict[str, str] = {
    "jsonl": "JSON lines",
    "jsonl.gz": "compressed JSON lines",
    PARQUET: "needs pyarrow",
}
"""The formats that `lisa annotate` writes, which are the endings of the files' names."""

ID_COLUMN = "id"
"""The column with the ids of rows, unless another is named."""

GROUP_SIZE = 1000
"""
The number of sentences to read before labelling them in batches of similar length. The larger the
group, the less padding.
"""
