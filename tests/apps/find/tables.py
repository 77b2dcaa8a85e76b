"""Small tables of events."""

import csv
import json
from pathlib import Path
from typing import Any, Dict, List, Sequence

import pyarrow
from pyarrow import parquet

ROLES = ("ARG0", "ARG1", "ARG2", "ARGM-CAU", "ARGM-PRP")

_STRINGS = ("document", "sentence", "text", "predicate", "event", "lemma", "sense", "factuality")
_INTEGERS = ("text_start", "predicate_index", "start_char", "end_char")
_TYPES = {
    **dict.fromkeys(_STRINGS, pyarrow.string()),
    **dict.fromkeys(_INTEGERS, pyarrow.int32()),
    "negated": pyarrow.bool_(),
    "happened": pyarrow.float64(),
    "to_whom": pyarrow.string(),
    "tense": pyarrow.string(),
    "voice": pyarrow.string(),
    "stars": pyarrow.string(),
}


def event(
    sense: str, fillers: Dict[str, Sequence[str]], text: str = "", **values: Any
) -> Dict[str, Any]:
    """
    A row for an event with the lemmas of the heads of its fillers, whose words are the lemmas in
    capitals: the sentence is `APPLE sell CAR because-of CRISIS`.
    """
    lemma = sense.partition(".")[0]
    row: Dict[str, Any] = {
        **dict.fromkeys([*_TYPES, *ROLES]),
        **{"document": "d", "sentence": "1", "negated": False, "factuality": "asserted"},
        **{"tense": "past", "voice": "active"},
        **{"predicate": lemma, "event": lemma, "lemma": lemma, "sense": sense},
    }
    words = [lemma]
    for role, heads in fillers.items():
        row[role], row[f"{role}_heads"] = " and ".join(heads).upper(), list(heads)
        words.insert(0 if role == "ARG0" else len(words), row[role])
    row["text"] = text or " ".join(words)
    row["predicate_index"] = row["text"].split().index(lemma)
    row["to_whom"] = row["ARG2"]
    return {**row, **values}


def write_parquet(path: Path, rows: Sequence[Dict[str, Any]]) -> Path:
    fields = [pyarrow.field(name, type_) for name, type_ in _TYPES.items()]
    for role in ROLES:
        fields.append(pyarrow.field(role, pyarrow.string()))
        fields.append(pyarrow.field(f"{role}_heads", pyarrow.list_(pyarrow.string())))
        fields.append(pyarrow.field(f"{role}_offsets", pyarrow.list_(pyarrow.int32())))
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(rows), pyarrow.schema(fields)), path)
    return path


def write_csv(path: Path, rows: Sequence[Dict[str, Any]]) -> Path:
    """Lists as in other tables: one text is itself, several are JSON."""
    names = parquet.read_schema(write_parquet(path.with_suffix(".parquet"), rows)).names
    path.with_suffix(".parquet").unlink()
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(names)
        writer.writerows([_cell(row.get(name)) for name in names] for row in rows)
    return path


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        is_text = len(value) == 1 and isinstance(value[0], str)
        return value[0] if is_text else json.dumps(value)
    return "" if value is None else value


SALES: List[Dict[str, Any]] = [
    event("sell.01", {"ARG0": ["Apple"], "ARG1": ["phone", "tablet"]}, stars="1"),
    event("sell.01", {"ARG0": ["he"], "ARG1": ["Phone"], "ARG2": ["Google"]}, stars="5"),
    event("sell.01", {"ARG1": ["car"], "ARGM-CAU": ["crisis"]}, stars="2"),
    event("sell.01", {"ARG1": ["shoe"]}, negated=True, factuality="denied"),
    event("sell.01", {"ARG1": ["glove"], "ARGM-PRP": ["buy"]}, factuality="denied"),
    event("give.01", {"ARG0": ["he"], "ARG1": ["book"], "ARG2": ["child"]}, stars="2"),
    event("buy.01", {"ARG0": ["google"], "ARG1": ["New York"]}, factuality="wanted"),
    event("acquire.01", {"ARG0": ["Google"], "ARG1": ["YouTube"]}, text="Google acquire it"),
]

ENDLESS = property(
    lambda query: (
        f"({query.__dict__['condition']}) OR "
        "(SELECT sum(a.range) FROM range(1000000) a, range(1000000) b) = 0"
    ),
    lambda query, condition: query.__dict__.update(condition=condition),
)
"""A `condition` of `Query` that takes hours."""
