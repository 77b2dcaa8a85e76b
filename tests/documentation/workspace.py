"""The files that the documented commands name, made from the sample."""

import contextlib
import gzip
import io
import itertools
import json
import os
import shutil
from pathlib import Path
from typing import Dict, List

import pyarrow.parquet

from lisa_allennlp import __main__ as command_line
from tests import ROOT

LINKS = ("benchmarks", "experiments", "fixtures", "requirements", "training_configs")

SOURCES = {
    "AUTO": "ccg/AUTO",
    "UD_English-EWT": "ewt_sources/UD_English-EWT",
    "propbank-frames": "frames",
    "propbank-release": "ewt_sources/propbank-release",
}
"""The releases of corpora that the pages name, and the project's own examples of them."""

SENTENCES = 10
"""The number of sentences of the sample in each file."""


def first_sentences(source: Path, target: Path, number: int = SENTENCES) -> None:
    """Copies the first sentences of a file whose sentences end with blank lines."""
    blocks = source.read_text().split("\n\n")[:number]
    end = "#end document\n" if source.suffix == ".gold_conll" else ""
    target.write_text("\n\n".join(blocks) + "\n\n" + end)


def run(arguments: List[str], error: str = "") -> str:
    """Runs a `lisa` command, which may have to fail, and returns what it printed."""
    printed, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        status = command_line.main(arguments)
    output, message = map(_text, (printed, errors))
    command = f"lisa {' '.join(arguments)}"
    if error:
        shown = " ".join(message.replace(f"{ROOT}/", "").split())
        assert status == 1 and error in shown, f"{command}: {message}"
    else:
        assert status == 0, f"{command}: {message[-2000:]}"
    return output


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def make_workspace(folder: Path, models: Dict[str, Path]) -> None:
    """Fills a folder with the files that the pages name."""
    for name in LINKS:
        (folder / name).symlink_to(ROOT / name)
    for name, source in SOURCES.items():
        (folder / name).symlink_to(ROOT / "fixtures" / source)
    with gzip.open(ROOT / "fixtures/sample/vectors.100d.txt.gz") as vectors:
        (folder / "glove.6B.100d.txt").write_bytes(vectors.read())
    endings = ("gold_conll", "conllu", "tags.conllu")
    for name in ("train", "test"):
        for ending in endings:
            first_sentences(ROOT / f"fixtures/sample/{name}.{ending}", folder / f"{name}.{ending}")
    for name in ("DATA", "DATA.gold_conll"):
        shutil.copy(folder / "test.gold_conll", folder / name)
    for name in ("DATA.conllu", "DATA.better.conllu"):
        shutil.copy(folder / "test.conllu", folder / name)
    shutil.copy(folder / "test.tags.conllu", folder / "DATA.tags.conllu")
    for name in ("TRAIN", "DEV", "TEST"):
        shutil.copy(folder / "test.conllu", folder / name)
        shutil.copy(folder / "test.conllu", folder / f"{name}.conllu")
    for corpus in ("EWT", "MINE"):
        (folder / corpus).mkdir()
        shutil.copy(ROOT / "fixtures/sample/vectors.100d.txt.gz", folder / corpus)
        for part, ending in itertools.product(("train", "dev"), endings):
            shutil.copy(folder / f"test.{ending}", folder / corpus / f"ewt-{part}.{ending}")
    texts = ["She sold him the car.", "The company said it would buy the plant."]
    lines = [json.dumps({"id": i, "sentence": text}) for i, text in enumerate(texts)]
    for name in ("sentences.jsonl", "FILE"):
        (folder / name).write_text("\n".join(lines) + "\n")
    (folder / "documents.jsonl").write_text(json.dumps({"text": " ".join(texts)}) + "\n")
    for name in ("notes.txt", "pages.txt", "notes/first.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(texts) + "\n")
    accepted = {"words": texts[0][:-1].split(), "predicates": [1], "corrections": {"number": 1}}
    accepted["verbs"] = [{"index": 1, "sense": "sell.01", "tags": ["B-ARG0", "B-V", *["O"] * 3]}]
    accepted["corrections"]["accepted"] = True
    (folder / "corrections").mkdir()
    (folder / "corrections/notes.corrections.jsonl").write_text(json.dumps(accepted) + "\n")
    (folder / "corpus").mkdir()
    with gzip.open(folder / "corpus/first.jsonl.gz", "wt") as corpus:
        corpus.writelines(line + "\n" for line in lines)
    columns = {"body": texts, "url": ["a", "b"], "title": ["", ""], "date": ["", ""]}
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "pages.parquet")
    rows = "".join(f'"{text}",{number}\n' for number, text in enumerate(texts))
    (folder / "reviews.csv").write_text(f"body,stars\n{rows}")
    (folder / "about.md").write_text("A model of a few sentences.\n")
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/activate").touch()
    for name, path in models.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(path, folder / name)
