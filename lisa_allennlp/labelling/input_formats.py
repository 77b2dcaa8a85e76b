"""
The formats of inputs to label and of labelled corpora, and the size of groups. The help of commands
shows them, so importing this module imports nothing else.
"""

from typing import Dict

JSON, LINES, TEXT, CSV, TSV, PARQUET = "json", "lines", "text", "csv", "tsv", "parquet"
SENTENCE_LINES = "sentences"
CONLLU, GOLD_CONLL, CONLL05, CONLL09 = "conllu", "gold_conll", "conll05", "conll09"
VERTICAL = "vertical"

INPUT_FORMATS: Dict[str, str] = {
    JSON: "a sentence or document per line",
    LINES: "plain text, a document per line",
    SENTENCE_LINES: "plain text, a sentence per line",
    TEXT: "plain text, one document",
    CSV: "a document per row, after a line with the names of the columns",
    TSV: "the same with tabs",
    CONLLU: "sentences with tokens, tags and trees",
    GOLD_CONLL: "sentences with tokens and tags",
    CONLL05: "sentences with tokens, tags and perhaps trees",
    CONLL09: "sentences with tokens, tags and trees",
    VERTICAL: "a token per line, or in the first column, and a blank line after each sentence",
    PARQUET: "a sentence or document per row",
}

ANNOTATED = (CONLLU, GOLD_CONLL, CONLL05, CONLL09)
"""The formats of sentences in several lines, whose annotation is kept."""

CORPORA = (*ANNOTATED, VERTICAL)

TABLES = (CSV, TSV, PARQUET)

DEFAULT_FORMATS = (
    "by the content: conllu, gold_conll, conll05, conll09, vertical or json; otherwise by the "
    "name: .txt, .csv, .tsv, .conllu, .conllup, .gold_conll, .conll, .jsonl, .parquet; else text, "
    "or lines for standard input"
)

SHARD_FORMATS: Dict[str, str] = {
    "jsonl": "JSON lines",
    "jsonl.gz": "compressed JSON lines",
    PARQUET: "needs pyarrow",
}
"""The formats of `lisa annotate`, which are the endings of its files."""

TABLE_FORMATS = (PARQUET, CSV)

ID_COLUMN = "id"

GROUP_SIZE = 1000
"""The sentences to read before sorting them into batches. Larger groups need less padding."""
