"""
The formats of inputs to label and of labelled corpora, and the size of groups. The help of commands
shows them, so importing this module imports nothing else.
"""

from typing import Dict

JSON, LINES, TEXT, PARQUET = "json", "lines", "text", "parquet"
CONLLU, GOLD_CONLL = "conllu", "gold_conll"

INPUT_FORMATS: Dict[str, str] = {
    JSON: "a sentence or document per line",
    LINES: "plain text, a document per line",
    TEXT: "plain text, one document",
    CONLLU: "sentences with tokens, tags and trees",
    GOLD_CONLL: "sentences with tokens and tags",
    PARQUET: "a sentence or document per row",
}
"""The formats that `lisa predict` and `lisa annotate` read, and what they mean."""

CORPORA = (CONLLU, GOLD_CONLL)
"""The formats of sentences in several lines, whose annotation is kept."""

DEFAULT_FORMATS = (
    "by the name: text for .txt, conllu, gold_conll, parquet; for other names, conllu and "
    "gold_conll by the content, otherwise json"
)
"""Which format an input has unless it is given."""

SHARD_FORMATS: Dict[str, str] = {
    "jsonl": "JSON lines",
    "jsonl.gz": "compressed JSON lines",
    PARQUET: "needs pyarrow",
}
"""The formats that `lisa annotate` writes, which are the endings of the files' names."""

TABLE_FORMATS = (PARQUET, "csv")
"""The formats of the tables that `lisa annotate` writes."""

ID_COLUMN = "id"
"""The column with the ids of rows, unless another is named."""

GROUP_SIZE = 1000
"""
The number of sentences to read before labelling them in batches of similar length. The larger the
group, the less padding.
"""
