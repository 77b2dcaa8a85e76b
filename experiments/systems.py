"""The parts of tables: networks, evaluations, cells, rows and papers."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Network:
    """
    A network to train.

    # Parameters

    config : `str`
        The config at published size: a path below `training_configs`, without `.jsonnet`.
    small_config : `str`, optional
        The config for two CPU cores; `None` if there is only one size.
    reads : `str`, optional (default = `"roles"`)
        The file of a part of the corpus that evaluations read: `roles`, `trees` or `supertags`.
    variant : `str`, optional
        Distinguishes networks with the same config.
    overrides : `Mapping[str, Any]`, optional
        Overrides of the config, by dotted key.
    """

    config: str
    small_config: Optional[str] = None
    reads: str = "roles"
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def config_at(self, size: str) -> str:
        """The config at a size, `published` or `small`."""
        return self.small_config if size == "small" and self.small_config else self.config

    def name_at(self, size: str) -> str:
        """The network's name: the name of the config and the variant."""
        name = self.config_at(size).rpartition("/")[-1]
        return f"{name}.{self.variant}" if self.variant else name

    def needs_elmo_at(self, size: str) -> bool:
        """Whether the config at a size reads ELMo's weights."""
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
        The parser of the injected trees.
    gold_trees : `bool`, optional (default = `False`)
        Whether to inject gold trees.
    variant : `str`, optional
        Distinguishes evaluations of the same network and part.
    overrides : `Mapping[str, Any]`, optional
        Overrides of the trained model's config, by dotted key.
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
        The name of a score (in percent) in the output of `lisa evaluate`.
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
        One cell per column; `None` if there is nothing to measure.
    published : `Dict[str, Tuple[Optional[float], ...]]`
        The published figures of the columns, by corpus.
    """

    labels: Tuple[str, ...]
    cells: Tuple[Optional[Cell], ...]
    published: Dict[str, Tuple[Optional[float], ...]]

    @property
    def label(self) -> str:
        """The row's labels in one line."""
        return ", ".join(filter(None, self.labels))


@dataclass(frozen=True)
class Table:
    """
    # Parameters

    number : `int`
        The number in the paper.
    title : `str`
    headings : `Tuple[str, ...]`
        The headings of the rows' labels.
    columns : `Tuple[str, ...]`
        The headings of the rows' cells.
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
        The corpora of the paper's configs: values of `LISA_DATA` and names to print.
    parts : `str`
        The Jsonnet file below `training_configs` that lists the corpora's files.
    sizes : `Sequence[str]`
        The sizes of the configs.
    tables : `List[Table]`
    """

    title: str
    corpora: Mapping[str, str]
    parts: str
    sizes: Sequence[str]
    tables: List[Table]


PART_TITLES = {"dev": "dev", "test": "test", "brown": "Brown test"}
"""The names of corpus parts in tables; `test` is CoNLL-2005's Wall Street Journal."""
