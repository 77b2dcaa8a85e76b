"""
Tables 1 to 5, 7 and 9 of "Linguistically-Informed Self-Attention for Semantic Role Labeling"
(Strubell et al. 2018): all their rows that are systems of the paper, with its figures.

The trees of +D&M are those of a parser with ELMo, also where LISA has GloVe vectors (section 4).
Beyond the paper are the columns "strict F1" (excess predicates count) and "CRF F1", the rows of
LISA's parses decoded as trees, and the rows of dev in Tables 4 and 5.
"""

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from experiments.systems import (
    PART_TITLES,
    Cell,
    Evaluation,
    Network,
    Paper,
    Row,
    Table,
)

Figures = Tuple[Optional[float], ...]

_SA = {
    "GloVe": Network("sa_glove", "sa_small"),
    "ELMo": Network("sa_elmo", "sa_small_elmo"),
}
_LISA = {
    "GloVe": Network("lisa_glove", "lisa_small"),
    "ELMo": Network("lisa_elmo", "lisa_small_elmo"),
}
_SA_GOLD_PREDICATES = {"GloVe": Network("sa_glove_gold_predicates", "sa_small_gold_predicates")}
_LISA_GOLD_PREDICATES = {
    "GloVe": Network("lisa_glove_gold_predicates", "lisa_small_gold_predicates")
}
_CRF = Network(
    "lisa_glove",
    "lisa_small",
    variant="crf",
    # A CRF's loss is of whole sequences: there are no single labels to smooth.
    overrides={"model.role_decoder": {"type": "crf"}, "model.label_smoothing": 0.0},
)
_GREEDY = {"model.role_decoder": {"type": "greedy"}}

PARSERS = {
    "glove": Network("dm_glove", "dm_small", reads="trees"),
    "elmo": Network("dm_elmo", "dm_small", reads="trees"),
}
"""The Dozat & Manning parsers. There is one small one, which has no ELMo."""


class _System(NamedTuple):
    """A row of a table before it is split by parts of the corpus."""

    words: str
    name: str
    published: Dict[Tuple[str, str], Figures]


def lisa_paper(parser: Network) -> Paper:
    """
    # Parameters

    parser : `Network`
        The source of the trees of +D&M.

    # Returns

    `Paper`
    """
    predicted = {"SA": _SA, "LISA": _LISA}
    given = {"SA": _SA_GOLD_PREDICATES, "LISA": _LISA_GOLD_PREDICATES}
    return Paper(
        "Linguistically-Informed Self-Attention for Semantic Role Labeling",
        {
            "sample": "the sample",
            "ewt": "the English Web Treebank",
            "conll2005": "CoNLL-2005",
            "conll2012": "CoNLL-2012",
        },
        "lib/parts.jsonnet",
        ("published", "small"),
        [
            _srl_table(1, "CoNLL-2005, predicted predicates", _TABLE_1, predicted, parser),
            _srl_table(2, "CoNLL-2005 test, gold predicates", _TABLE_2, given, parser),
            _srl_table(3, "CoNLL-2012, predicted predicates", _TABLE_3, predicted, parser),
            _parsing_table(parser),
            _predicate_table(),
            _decoding_table(parser),
            _srl_table(9, "CoNLL-2005 dev, gold predicates", _TABLE_9, given, parser),
        ],
    )


def _by_part(systems: List[_System]) -> Iterator[Tuple[str, _System, Dict[str, Figures]]]:
    """Each part of the corpus with each system that has figures there, by corpus."""
    for part in PART_TITLES:
        for system in systems:
            figures = {c: f for (c, p), f in system.published.items() if p == part}
            if figures:
                yield part, system, figures


def _trees(system: str, parser: Network) -> Dict[str, Any]:
    """What of an `Evaluation` is said by +D&M and +Gold in a system's name."""
    return {
        "parser": parser if system.endswith("+D&M") else None,
        "gold_trees": system.endswith("+Gold"),
    }


def _evaluation(network: Network, part: str, system: str, parser: Network) -> Evaluation:
    return Evaluation(network, part, **_trees(system, parser))


def _padded(figures: Dict[str, Figures], width: int) -> Dict[str, Tuple[Optional[float], ...]]:
    return {c: (*row, *[None] * (width - len(row))) for c, row in figures.items()}


def _srl_table(
    number: int,
    title: str,
    systems: List[_System],
    networks: Dict[str, Dict[str, Network]],
    parser: Network,
) -> Table:
    metrics = {
        "P": "srl_precision",
        "R": "srl_recall",
        "F1": "srl_f1",
        "strict F1": "srl_f1_strict",
    }
    rows = []
    for part, system, figures in _by_part(systems):
        network = networks[system.name.partition(" ")[0]][system.words]
        evaluation = _evaluation(network, part, system.name, parser)
        cells = tuple(Cell(evaluation, metric) for metric in metrics.values())
        labels = (PART_TITLES[part], system.words, system.name)
        rows.append(Row(labels, cells, _padded(figures, len(cells))))
    return Table(number, title, ("data", "words", "system"), tuple(metrics), rows)


def _parsing_table(parser: Network) -> Table:
    metrics = {"POS": "pos_accuracy", "UAS": "uas", "LAS": "las"}
    rows = []
    for part, system, figures in _by_part(_TABLE_4):
        if system.name == "D&M":
            evaluation = Evaluation(parser, part)
            scores = (None, Cell(evaluation, "uas"), Cell(evaluation, "las"))
            rows.append(Row((PART_TITLES[part], system.words, system.name), scores, figures))
            continue
        for suffix, overrides in (("", {}), (", MST", {"model.parse_decoder": "mst"})):
            evaluation = Evaluation(
                _LISA[system.words], part, variant=suffix[2:].lower(), overrides=overrides
            )
            labels = (PART_TITLES[part], system.words, system.name + suffix)
            cells = tuple(Cell(evaluation, metric) for metric in metrics.values())
            rows.append(Row(labels, cells, {} if suffix else figures))
    title = "parsing and tagging"
    return Table(4, title, ("data", "words", "system"), tuple(metrics), rows)


def _predicate_table() -> Table:
    metrics = {"P": "predicate_precision", "R": "predicate_recall", "F1": "predicate_f1"}
    rows = []
    for part, system, figures in _by_part(_TABLE_5):
        evaluation = Evaluation(_LISA[system.words], part)
        cells = tuple(Cell(evaluation, metric) for metric in metrics.values())
        rows.append(Row((PART_TITLES[part], system.words, system.name), cells, figures))
    title = "predicate detection"
    return Table(5, title, ("data", "words", "system"), tuple(metrics), rows)


def _decoding_table(parser: Network) -> Table:
    rows = []
    for part, system, figures in _by_part(_TABLE_7):
        trees = _trees(system.name, parser)
        lisa = _LISA[system.words]
        decoded = (
            Evaluation(lisa, part, variant="greedy", overrides=_GREEDY, **trees),
            Evaluation(lisa, part, **trees),
            Evaluation(_CRF, part, **trees),
        )
        cells = tuple(Cell(evaluation, "srl_f1") for evaluation in decoded)
        labels = (PART_TITLES[part], system.words, system.name)
        rows.append(Row(labels, cells, _padded(figures, len(cells))))
    columns = ("greedy F1", "Viterbi F1", "CRF F1")
    return Table(7, "decoding, dev", ("data", "words", "system"), columns, rows)


def _of(corpus: str, **parts: Figures) -> Dict[Tuple[str, str], Figures]:
    return {(corpus, part): figures for part, figures in parts.items()}


# Precision, recall and F1.
_TABLE_1 = [
    _System(
        "GloVe",
        "SA",
        _of(
            "conll2005",
            dev=(83.52, 81.28, 82.39),
            test=(84.17, 83.28, 83.72),
            brown=(72.98, 70.1, 71.51),
        ),
    ),
    _System(
        "GloVe",
        "LISA",
        _of(
            "conll2005",
            dev=(83.1, 81.39, 82.24),
            test=(84.07, 83.16, 83.61),
            brown=(73.32, 70.56, 71.91),
        ),
    ),
    _System(
        "GloVe",
        "LISA +D&M",
        _of(
            "conll2005",
            dev=(84.59, 82.59, 83.58),
            test=(85.53, 84.45, 84.99),
            brown=(75.8, 73.54, 74.66),
        ),
    ),
    _System("GloVe", "LISA +Gold", _of("conll2005", dev=(87.91, 85.73, 86.81))),
    _System(
        "ELMo",
        "SA",
        _of(
            "conll2005",
            dev=(85.78, 84.74, 85.26),
            test=(86.21, 85.98, 86.09),
            brown=(77.1, 75.61, 76.35),
        ),
    ),
    _System(
        "ELMo",
        "LISA",
        _of(
            "conll2005",
            dev=(86.07, 84.64, 85.35),
            test=(86.69, 86.42, 86.55),
            brown=(78.95, 77.17, 78.05),
        ),
    ),
    _System(
        "ELMo",
        "LISA +D&M",
        _of(
            "conll2005",
            dev=(85.83, 84.51, 85.17),
            test=(87.13, 86.67, 86.90),
            brown=(79.02, 77.49, 78.25),
        ),
    ),
    _System("ELMo", "LISA +Gold", _of("conll2005", dev=(88.51, 86.77, 87.63))),
]

# Precision, recall and F1.
_TABLE_2 = [
    _System(
        "GloVe", "SA", _of("conll2005", test=(84.7, 84.24, 84.47), brown=(73.89, 72.39, 73.13))
    ),
    _System(
        "GloVe", "LISA", _of("conll2005", test=(84.72, 84.57, 84.64), brown=(74.77, 74.32, 74.55))
    ),
    _System(
        "GloVe",
        "LISA +D&M",
        _of("conll2005", test=(86.02, 86.05, 86.04), brown=(76.65, 76.44, 76.54)),
    ),
]

# Precision, recall and F1.
_TABLE_3 = [
    _System("GloVe", "SA", _of("conll2012", dev=(82.32, 79.76, 81.02), test=(82.55, 80.02, 81.26))),
    _System(
        "GloVe", "LISA", _of("conll2012", dev=(81.77, 79.65, 80.70), test=(81.86, 79.56, 80.70))
    ),
    _System(
        "GloVe",
        "LISA +D&M",
        _of("conll2012", dev=(82.97, 81.14, 82.05), test=(83.3, 81.38, 82.33)),
    ),
    _System("GloVe", "LISA +Gold", _of("conll2012", dev=(87.57, 85.32, 86.43))),
    _System("ELMo", "SA", _of("conll2012", dev=(84.35, 82.14, 83.23), test=(84.39, 82.21, 83.28))),
    _System(
        "ELMo", "LISA", _of("conll2012", dev=(84.19, 82.56, 83.37), test=(83.97, 82.29, 83.12))
    ),
    _System(
        "ELMo", "LISA +D&M", _of("conll2012", dev=(84.09, 82.65, 83.36), test=(84.14, 82.64, 83.38))
    ),
    _System("ELMo", "LISA +Gold", _of("conll2012", dev=(88.22, 86.53, 87.36))),
]

# Dev, of which Tables 4 and 5 have nothing, is for corpora whose tests are to be left alone.
_DEV = _of("conll2005", dev=(None, None, None))

# POS accuracy, UAS and LAS.
_TABLE_4 = [
    _System(
        "",
        "D&M",
        {
            **_DEV,
            **_of("conll2005", test=(None, 96.48, 94.40), brown=(None, 92.56, 88.52)),
            **_of("conll2012", test=(None, 94.99, 92.59)),
        },
    ),
    _System(
        "GloVe",
        "LISA",
        {
            **_DEV,
            **_of("conll2005", test=(96.92, 94.92, 91.87), brown=(94.26, 90.31, 85.82)),
            **_of("conll2012", test=(96.81, 93.35, 90.42)),
        },
    ),
    _System(
        "ELMo",
        "LISA",
        {
            **_DEV,
            **_of("conll2005", test=(97.80, 96.28, 93.65), brown=(95.77, 93.36, 88.75)),
            **_of("conll2012", test=(98.11, 94.84, 92.23)),
        },
    ),
]

# Precision, recall and F1 of predicates.
_TABLE_5 = [
    _System(
        "GloVe",
        "LISA",
        {
            **_DEV,
            **_of("conll2005", test=(98.9, 97.9, 98.4), brown=(95.5, 91.9, 93.7)),
            **_of("conll2012", test=(99.8, 94.7, 97.2)),
        },
    ),
]

# F1 of greedy and of Viterbi decoding.
_TABLE_7 = [
    _System(
        "GloVe",
        "LISA",
        {**_of("conll2005", dev=(81.99, 82.24)), **_of("conll2012", dev=(80.11, 80.70))},
    ),
    _System(
        "GloVe",
        "LISA +D&M",
        {**_of("conll2005", dev=(83.37, 83.58)), **_of("conll2012", dev=(81.55, 82.05))},
    ),
    _System(
        "GloVe",
        "LISA +Gold",
        {**_of("conll2005", dev=(86.57, 86.81)), **_of("conll2012", dev=(85.94, 86.43))},
    ),
]

# Precision, recall and F1.
_TABLE_9 = [
    _System("GloVe", "SA", _of("conll2005", dev=(83.12, 82.81, 82.97))),
    _System("GloVe", "LISA", _of("conll2005", dev=(83.6, 83.74, 83.67))),
    _System("GloVe", "LISA +D&M", _of("conll2005", dev=(85.04, 85.51, 85.27))),
    _System("GloVe", "LISA +Gold", _of("conll2005", dev=(89.11, 89.38, 89.25))),
]
