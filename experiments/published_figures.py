"""Reads the papers' published figures from the files in `published`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

FOLDER = Path(__file__).parent / "published"

Figures = Tuple[Optional[float], ...]


@dataclass(frozen=True)
class PublishedSystem:
    """
    A system with its figures in one table.

    # Parameters

    words : `str`
        The word representations, `GloVe` or `ELMo`; empty if the table has none.
    name : `str`
    figures : `Dict[str, Dict[str, Figures]]`
        The figures of the table's columns by corpus and part of the corpus: percentages, or `None`
        if the table has no figure.
    """

    words: str
    name: str
    figures: Dict[str, Dict[str, Figures]]

    def on_part(self, part: str) -> Dict[str, Figures]:
        """The figures on a part of the corpus, by corpus."""
        return {corpus: parts[part] for corpus, parts in self.figures.items() if part in parts}


@dataclass(frozen=True)
class PublishedTable:
    """
    # Parameters

    number : `int`
        The number in the paper.
    title : `str`
    columns : `Tuple[str, ...]`
        The headings of the figures.
    systems : `List[PublishedSystem]`
    """

    number: int
    title: str
    columns: Tuple[str, ...]
    systems: List[PublishedSystem]


@dataclass(frozen=True)
class PublishedPaper:
    """
    # Parameters

    title : `str`
    tables : `Dict[int, PublishedTable]`
        The tables by number.
    """

    title: str
    tables: Dict[int, PublishedTable]


def read_published(paper: str) -> PublishedPaper:
    """
    # Parameters

    paper : `str`
        The name of a file in `published` without its suffix.
    """
    content = json.loads((FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
    tables = {table["number"]: _table(table) for table in content["tables"]}
    return PublishedPaper(content["title"], tables)


def _table(table: Dict[str, Any]) -> PublishedTable:
    systems = [
        PublishedSystem(system.get("words", ""), system["system"], _figures(system["figures"]))
        for system in table["systems"]
    ]
    return PublishedTable(table["number"], table["title"], tuple(table["columns"]), systems)


def _figures(corpora: Dict[str, Dict[str, List[Optional[float]]]]) -> Dict[str, Dict[str, Figures]]:
    return {
        corpus: {part: tuple(figures) for part, figures in parts.items()}
        for corpus, parts in corpora.items()
    }
