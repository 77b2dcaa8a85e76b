"""
Outputs that are complete or absent, and reports with fingerprints of the sources, so that a
repeated preparation keeps what it has finished.
"""

import hashlib
import json
import os
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, TextIO, TypeVar

from rich.console import Console
from rich.progress import track

from lisa_allennlp.common.complete_files import PARTIAL, complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.sentence.sentence import Sentence

Item = TypeVar("Item")
Report = TypeVar("Report")


@dataclass
class ConllReport:
    """
    The contents of a prepared split of CoNLL-2005 or CoNLL-2012, or why it was skipped. `published`
    is the number of sentences in the literature, `flat_trees` the places of mismatched brackets.
    The hint is for users who find more sentences than published.
    """

    split: str
    published: int
    sentences: int = 0
    tokens: int = 0
    predicates: int = 0
    skipped: Optional[str] = None
    missing_documents: List[str] = field(default_factory=list)
    flat_trees: List[str] = field(default_factory=list)
    hint_for_more: str = ""

    def count(self, sentence: Sentence) -> None:
        self.sentences += 1
        self.tokens += len(sentence.words)
        self.predicates += len(sentence.frames or [])

    def warnings(self) -> List[str]:
        warnings = []
        if self.sentences != self.published:
            differ = (
                f"found {self.sentences:,} sentences; expected {self.published:,}, as published"
            )
            if self.sentences > self.published and self.hint_for_more:
                differ += f"; {self.hint_for_more}"
            warnings.append(differ)
        if self.missing_documents:
            number, first = len(self.missing_documents), self.missing_documents[0]
            warnings.append(f"{number} of the listed documents missing: {first} ...")
        if self.flat_trees:
            number, first = len(self.flat_trees), self.flat_trees[0]
            warnings.append(
                f"{number} of the sentences converted as a single constituent, since their "
                f"brackets do not match: {first} ..."
            )
        return warnings

    def to_json(self) -> Dict[str, Any]:
        return {**asdict(self), "warnings": self.warnings()}

    @classmethod
    def from_json(cls, values: Dict[str, Any]) -> "ConllReport":
        return cls(**{key: value for key, value in values.items() if key != "warnings"})


def shown(items: Iterable[Item], name: str, total: Optional[int] = None) -> Iterator[Item]:
    console = Console(stderr=True)
    yield from track(items, name, total, console=console, transient=True)


def fingerprint(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        stat = path.stat() if path.is_file() else None
        state = (stat.st_size, stat.st_mtime_ns) if stat is not None else None
        # Unlike `resolve`, this accepts a link to itself.
        digest.update(f"{os.path.realpath(path)} {state}\n".encode())
    return digest.hexdigest()


def check_replaceable(report: Path, *outputs: Path) -> None:
    """Refuses outputs that exist without the report, finished or not, of an earlier run."""
    is_ours = report.is_file() or any(report.parent.glob(f".{report.name}.*{PARTIAL}"))
    for path in outputs:
        if path.exists() and not is_ours:
            kind = "folder" if path.is_dir() else "file"
            raise ConfigurationError(
                f"{path}: found a {kind} without the {report.name} of `lisa prepare`; expected a "
                f"new {kind}, or one that `lisa prepare` may replace"
            )


@contextmanager
def written_whole(*paths: Path) -> Iterator[List[TextIO]]:
    """Opens files, which get their names only when the block has succeeded, the first last."""
    with ExitStack() as complete, ExitStack() as opened:
        partial = [complete.enter_context(complete_file(path)) for path in paths]
        yield [opened.enter_context(open(path, "w", encoding="utf-8")) for path in partial]


def write_report(file: TextIO, values: Dict[str, Any], made_from: Dict[str, Any]) -> None:
    """`made_from` has the sources and options that determine the output."""
    json.dump({**values, "made_from": made_from}, file, indent=1, ensure_ascii=False)
    file.write("\n")


def read_report(
    path: Path, made_from: Dict[str, Any], from_json: Callable[[Dict[str, Any]], Report]
) -> Optional[Report]:
    """Reads an earlier report; `None` without one, or if sources or version differ."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return from_json(values) if values.pop("made_from") == made_from else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None
