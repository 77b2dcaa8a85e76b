"""Corpora and runs of `lisa annotate` that tests share."""

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

from lisa_allennlp.__main__ import parse

WORDS = ("She", "saw", "him", ".")


def write_corpus(path: Path, rows: int, bad: Tuple[int, ...] = ()) -> Path:
    """Lines of JSON with ids, of which some cannot be labelled."""
    lines = (
        {"id": n, "token": []} if n in bad else {"id": n, "tokens": [*WORDS[: 1 + n % 4]], "n": n}
        for n in range(rows)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def annotate(*given: object) -> None:
    args = parse(["annotate", *map(str, given)])
    args.run(args)


def shards(folder: Path) -> Dict[str, bytes]:
    """The contents of the shards and of their errors, by name."""
    files = [*folder.glob("shard-*.*"), *folder.glob("errors/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def rows(folder: Path, pattern: str = "shard-*.jsonl") -> List[Dict[str, Any]]:
    lines = (path.read_text().splitlines() for path in sorted(folder.glob(pattern)))
    return [json.loads(line) for shard in lines for line in shard]


def errors(folder: Path) -> List[Dict[str, Any]]:
    return rows(folder, "errors/*.jsonl")
