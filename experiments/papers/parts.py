"""
The parts of a paper: networks, evaluations, cells, rows, tables and figures, and the published
figures in the files of `published`.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple, Union


@dataclass(frozen=True)
class Network:
    """
    A network to train. Configs are paths below `training_configs`, without `.jsonnet`; overrides
    are by dotted key. The variant distinguishes networks with the same config.
    """

    config: str
    # For two CPU cores; `None` if there is only one size.
    small_config: Optional[str] = None
    # The file of a part of the corpus that evaluations read: `roles`, `trees` or `supertags`.
    reads: str = "roles"
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    records_gates: bool = False

    def config_at(self, size: str) -> str:
        return self.small_config if size == "small" and self.small_config else self.config

    def name_at(self, size: str) -> str:
        name = self.config_at(size).rpartition("/")[-1]
        return f"{name}.{self.variant}" if self.variant else name

    @property
    def needs_predicates(self) -> bool:
        return self.config.endswith("_gold_predicates")

    def needs_elmo_at(self, size: str) -> bool:
        return "elmo" in self.config_at(size)


@dataclass(frozen=True)
class Evaluation:
    """
    A network's scores on a part of the corpus, perhaps with injected trees: gold ones, or those of
    a parser. The variant distinguishes evaluations of the same network and part.
    """

    network: Network
    # `dev`, `test` (CoNLL-2005: the Wall Street Journal) or `brown`.
    part: str
    parser: Optional[Network] = None
    gold_trees: bool = False
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)

    @property
    def evaluations(self) -> List["Evaluation"]:
        return [self]


@dataclass(frozen=True)
class Comparison:
    """
    The errors of several systems, and the trees of further parsers, on the dev part of the corpus,
    as `lisa analyze` compares them.
    """

    systems: Mapping[str, Evaluation]
    parsers: Mapping[str, Network]

    part = "dev"

    @property
    def evaluations(self) -> List[Evaluation]:
        return list(self.systems.values())


@dataclass(frozen=True)
class Own:
    """
    Trained models of the user, one per seed, on a part of the corpus. `reads` and the overrides are
    those of the evaluation whose place they take.
    """

    name: str
    models: Tuple[Path, ...]
    part: str
    reads: str
    variant: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)

    # Nothing is trained.
    evaluations: ClassVar[Sequence[Evaluation]] = ()


Source = Union[Evaluation, Comparison, Own]
"""What fills a cell."""


@dataclass(frozen=True)
class Cell:
    source: Source
    # The name of a score (in percent) in the output of `lisa evaluate`, or the column and the row
    # of a table of parses.
    metric: str


@dataclass(frozen=True)
class Row:
    """
    A system's labels, its cells by column (`None` if there is nothing to measure), and the
    published figures of the columns by corpus.
    """

    labels: Tuple[str, ...]
    cells: Tuple[Optional[Cell], ...]
    published: Dict[str, Tuple[Optional[float], ...]]

    @property
    def label(self) -> str:
        return ", ".join(filter(None, self.labels))


@dataclass(frozen=True)
class Table:
    """A table with the paper's number, and the headings of the rows' labels and cells."""

    number: int
    title: str
    headings: Tuple[str, ...]
    columns: Tuple[str, ...]
    rows: List[Row]
    # What the columns measure differently from the paper, whatever is trained.
    remarks: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure of trainings or of a comparison, with the paper's number."""

    number: int
    title: str
    # Of trainings, what `experiments.papers.supertagger_plots` draws: `curves` or `gates`. Of a
    # comparison, the name of the plot that `lisa analyze` draws.
    kind: str
    # The networks by the name of their curves; `gates` takes one network.
    networks: Mapping[str, Network] = field(default_factory=dict)
    comparison: Optional[Comparison] = None

    @property
    def all_networks(self) -> List[Network]:
        if self.comparison is None:
            return list(self.networks.values())
        return networks_of(self.comparison.evaluations)


@dataclass(frozen=True)
class Paper:
    """The tables and figures of a paper, and the corpora of its configs with names to print."""

    title: str
    corpora: Mapping[str, str]
    # The Jsonnet file below `training_configs` that lists the corpora's files.
    parts: str
    sizes: Sequence[str]
    # A corpus of the paper, for which the configs have the published settings.
    reference: str
    tables: List[Table]
    figures: List[Figure] = field(default_factory=list)
    # Tags the corpus for the parser, if there are no files of predicted tags.
    tagger: Optional[Network] = None
    # The corpora whose files `--train`, `--dev` and `--test` name. The configs call each of them
    # `treebank`.
    treebanks: FrozenSet[str] = frozenset()


def networks_of(evaluations: Sequence[Evaluation]) -> List[Network]:
    networks: List[Network] = []
    for evaluation in evaluations:
        for network in (evaluation.network, evaluation.parser):
            if network is not None and network not in networks:
                networks.append(network)
    return networks


PART_TITLES = {"dev": "dev", "test": "test", "brown": "Brown test"}
"""The names of corpus parts in tables; `test` is CoNLL-2005's Wall Street Journal."""

Figures = Tuple[Optional[float], ...]


@dataclass(frozen=True)
class PublishedSystem:
    """A system of one table, with its percentages by corpus and part of the corpus."""

    # The word representations, `GloVe` or `ELMo`; empty if the table has none.
    words: str
    name: str
    figures: Dict[str, Dict[str, Figures]]
    # Whether it is a system of other authors, of which there are published figures only.
    is_other: bool = False

    def on_part(self, part: str) -> Dict[str, Figures]:
        return {corpus: parts[part] for corpus, parts in self.figures.items() if part in parts}


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper, with its number there and the headings of its figures."""

    number: int
    title: str
    columns: Tuple[str, ...]
    systems: List[PublishedSystem]


def read_published(paper: str) -> Tuple[str, Dict[int, PublishedTable]]:
    """Reads the title of a paper and its tables by number, from a file in `published`."""
    file = Path(__file__).parent / "published" / f"{paper}.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    tables = {}
    for table in content["tables"]:
        systems = [
            PublishedSystem(
                system.get("words", ""),
                system["system"],
                {
                    corpus: {part: tuple(figures) for part, figures in parts.items()}
                    for corpus, parts in system["figures"].items()
                },
                system.get("is_other", False),
            )
            for system in table["systems"]
        ]
        number, columns = table["number"], tuple(table["columns"])
        tables[number] = PublishedTable(number, table["title"], columns, systems)
    return content["title"], tables
