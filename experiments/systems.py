"""The types of which tables consist: networks, evaluations, cells, rows and papers."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Network:
    """
    A network to train.

    # Parameters

    config : `str`
        Its config at published size: a path below `training_configs`, without `.jsonnet`.
    small_config : `str`, optional
        Its config for two CPU cores; `None` if there is one size only.
    reads : `str`, optional (default = `"roles"`)
        Which file of a part of the corpus it is evaluated on: `roles`, `trees` or `supertags`.
    variant : `str`, optional
        Tells it from other networks of the same config.
    overrides : `Mapping[str, Any]`, optional
        Changes of its config, by dotted key.
    """

    config: str
    small_config: Optional[str] = None
    reads: str = "roles"
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def config_at(self, size: str) -> str:
        """Its config at a size, `published` or `small`."""
        return self.small_config if size == "small" and self.small_config else self.config

    def name_at(self, size: str) -> str:
        """What to call it: the name of its config, and its variant."""
        name = self.config_at(size).rpartition("/")[-1]
        return f"{name}.{self.variant}" if self.variant else name

    def needs_elmo_at(self, size: str) -> bool:
        """Whether it reads ELMo's weights."""
        return "elmo" in self.config_at(size)


@dataclass(frozen=True)
class Evaluation:
    """
    A network's scores on a part of the corpus.

    # Parameters

    network : `Network`
    part : `str`
        `dev`, `test` (CoNLL-2005: the Wall Street Journal) or `brown`.
    parser : `Network`, optional
        Whose trees are injected.
    gold_trees : `bool`, optional (default = `False`)
        Whether the gold trees are injected.
    variant : `str`, optional
        Tells it from other evaluations of the same network and part.
    overrides : `Mapping[str, Any]`, optional
        Changes of the trained model's config, by dotted key.
    """

    network: Network
    part: str
    parser: Optional[Network] = None
    gold_trees: bool = False
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """
    # Parameters

    evaluation : `Evaluation`
    metric : `str`
        The name of the score, a percentage, in what `lisa evaluate` writes.
    """

    evaluation: Evaluation
    metric: str


@dataclass(frozen=True)
class Row:
    """
    # Parameters

    labels : `Tuple[str, ...]`
        The values under the table's headings.
    cells : `Tuple[Optional[Cell], ...]`
        One per column; `None` where there is nothing to measure.
    published : `Dict[str, Tuple[Optional[float], ...]]`
        By the corpus on which they were measured, the published figures of the columns.
    """

    labels: Tuple[str, ...]
    cells: Tuple[Optional[Cell], ...]
    published: Dict[str, Tuple[Optional[float], ...]]

    @property
    def label(self) -> str:
        """All its labels in one line."""
        return ", ".join(filter(None, self.labels))


@dataclass(frozen=True)
class Table:
    """
    # Parameters

    number : `int`
        As in the paper.
    title : `str`
    headings : `Tuple[str, ...]`
        Of the rows' labels.
    columns : `Tuple[str, ...]`
        Of the rows' cells.
    rows : `List[Row]`
    """

    number: int
    title: str
    headings: Tuple[str, ...]
    columns: Tuple[str, ...]
    rows: List[Row]


@dataclass(frozen=True)
class Paper:
    """
    # Parameters

    title : `str`
    corpora : `Mapping[str, str]`
        The values of `LISA_DATA` that its configs know, and the names of these corpora.
    parts : `str`
        The Jsonnet file below `training_configs` that says which files the corpora have.
    sizes : `Sequence[str]`
        The sizes in which it has configs.
    tables : `List[Table]`
    """

    title: str
    corpora: Mapping[str, str]
    parts: str
    sizes: Sequence[str]
    tables: List[Table]


PART_TITLES = {"dev": "dev", "test": "test", "brown": "Brown test"}
"""How the parts of corpora are called in tables; `test` is CoNLL-2005's Wall Street Journal."""
