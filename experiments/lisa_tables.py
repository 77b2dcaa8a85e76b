"""
Tables 1 to 9 and Figures 3 to 6 of "Linguistically-Informed Self-Attention for Semantic Role
Labeling" (Strubell et al. 2018): the rows of the paper's own systems. `published/lisa.json` has the
published figures.

The trees of +D&M come from a parser with ELMo, even if LISA uses GloVe vectors (section 4).
Some things are not in the paper: the column "strict F1" (excess predicates count), predicates
scored by position in Table 5, the other decoders of Table 7, the rows of LISA's parses decoded as
trees, and the dev rows of Tables 4 and 5.
"""

from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

from experiments.papers import (
    PART_TITLES,
    Cell,
    Comparison,
    Evaluation,
    Figure,
    Figures,
    Network,
    Paper,
    PublishedSystem,
    PublishedTable,
    Row,
    Table,
    read_published,
)

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
    # The loss of a CRF is over whole sequences, so there are no single labels to smooth.
    overrides={"model.role_decoder": {"type": "crf"}, "model.label_smoothing": 0.0},
)
_DECODERS: Mapping[str, Mapping[str, Any]] = {
    "greedy": {"type": "greedy"},
    "authors": {"type": "viterbi", "transitions": "probability"},
    "constraints": {"type": "viterbi", "transitions": "none"},
}
"""Decoders other than the default, by the variant of their evaluations."""

_PLOTS = {
    3: ("F1 after the corrections of He et al. (2017)", "corrections"),
    4: ("merges and splits by phrase type", "phrase_types"),
    5: ("F1 by sentence length", "sentence_length"),
    6: ("F1 by the distance of the predicate from the argument", "predicate_distance"),
}
"""The titles of the figures, and the names of their plots."""

CORPORA = {
    "sample": "the sample",
    "ewt": "the English Web Treebank",
    "conll2005": "CoNLL-2005",
    "conll2012": "CoNLL-2012",
}
"""The corpora of LISA's configs, and names to print."""

PARSERS = {
    "glove": Network("dm_glove", "dm_small", reads="trees"),
    "elmo": Network("dm_elmo", "dm_small", reads="trees"),
}
"""The Dozat & Manning parsers. The small one has no ELMo."""


def lisa_paper(parser: Network, with_crf: bool = False) -> Paper:
    """Returns the paper with its tables, whose Table 7 may have a column for LISA with a CRF."""
    title, tables = read_published("lisa")
    predicted = {"SA": _SA, "LISA": _LISA}
    comparison = _comparison(parser)
    given = {"SA": _SA_GOLD_PREDICATES, "LISA": _LISA_GOLD_PREDICATES}
    return Paper(
        title,
        CORPORA,
        "lib/parts.jsonnet",
        ("published", "small"),
        "conll2005",
        [
            _srl_table(tables[1], predicted, parser),
            _srl_table(tables[2], given, parser),
            _srl_table(tables[3], predicted, parser),
            _parsing_table(tables[4], parser),
            _predicate_table(tables[5]),
            _parses_table(tables[6], comparison),
            _decoding_table(tables[7], parser, with_crf),
            _parses_table(tables[8], comparison),
            _srl_table(tables[9], given, parser),
        ],
        [
            Figure(number, title, plot, comparison=comparison)
            for number, (title, plot) in _PLOTS.items()
        ],
    )


def _comparison(parser: Network) -> Comparison:
    sa, lisa = _SA["GloVe"], _LISA["GloVe"]
    systems = {
        "SA": Evaluation(sa, "dev"),
        "LISA": Evaluation(lisa, "dev"),
        "LISA +D&M": Evaluation(lisa, "dev", parser=parser),
        "LISA +Gold": Evaluation(lisa, "dev", gold_trees=True),
    }
    return Comparison(systems, {"D&M": parser})


def _by_part(
    table: PublishedTable, unpublished: Sequence[str] = ()
) -> Iterator[Tuple[str, PublishedSystem, Dict[str, Figures]]]:
    """
    Each part of the corpus, each system with published figures on it, and these figures by corpus.
    The parts `unpublished` have no published figures; all systems are measured on them.
    """
    for part in PART_TITLES:
        for system in table.systems:
            figures = system.on_part(part)
            if figures or part in unpublished:
                yield part, system, figures


def _trees(system: str, parser: Network) -> Dict[str, Any]:
    """Returns the arguments of an `Evaluation` for +D&M and +Gold in the name of a system."""
    return {
        "parser": parser if system.endswith("+D&M") else None,
        "gold_trees": system.endswith("+Gold"),
    }


def _evaluation(network: Network, part: str, system: str, parser: Network) -> Evaluation:
    return Evaluation(network, part, **_trees(system, parser))


def _labels(part: str, system: PublishedSystem) -> Tuple[str, ...]:
    return PART_TITLES[part], system.words, system.name


def _padded(figures: Dict[str, Figures], width: int) -> Dict[str, Figures]:
    return {c: (*row, *[None] * (width - len(row))) for c, row in figures.items()}


def _table(
    published: PublishedTable,
    columns: Tuple[str, ...],
    rows: List[Row],
    remarks: Tuple[str, ...] = (),
) -> Table:
    headings = ("data", "words", "system")
    return Table(published.number, published.title, headings, columns, rows, remarks)


def _srl_table(
    published: PublishedTable, networks: Dict[str, Dict[str, Network]], parser: Network
) -> Table:
    metrics = {
        "P": "srl_precision",
        "R": "srl_recall",
        "F1": "srl_f1",
        "strict F1": "srl_f1_strict",
    }
    rows = []
    for part, system, figures in _by_part(published):
        network = networks[system.name.partition(" ")[0]][system.words]
        evaluation = _evaluation(network, part, system.name, parser)
        cells = tuple(Cell(evaluation, metric) for metric in metrics.values())
        rows.append(Row(_labels(part, system), cells, _padded(figures, len(cells))))
    remarks = ("Strict F1 counts predicates that are not in gold as errors; P, R and F1 do not.",)
    return _table(published, tuple(metrics), rows, remarks)


def _parsing_table(published: PublishedTable, parser: Network) -> Table:
    """The paper's Table 4 and dev rows, which serve corpora whose test part is set aside."""
    metrics = {"POS": "pos_accuracy", "UAS": "uas", "LAS": "las"}
    rows = []
    for part, system, figures in _by_part(published, unpublished=("dev",)):
        labels = _labels(part, system)
        if system.name == "D&M":
            evaluation = Evaluation(parser, part)
            scores = (None, Cell(evaluation, "uas"), Cell(evaluation, "las"))
            rows.append(Row(labels, scores, figures))
            continue
        for suffix, overrides in (("", {}), (", MST", {"model.parse_decoder": "mst"})):
            evaluation = Evaluation(
                _LISA[system.words], part, variant=suffix[2:].lower(), overrides=overrides
            )
            cells = tuple(Cell(evaluation, metric) for metric in metrics.values())
            rows.append(Row((*labels[:-1], labels[-1] + suffix), cells, {} if suffix else figures))
    remarks = (
        "LISA's UAS and LAS are of each token's best head, as in the paper, but in the rows "
        '"MST" of the maximum spanning tree. D&M\'s are of maximum spanning trees.',
    )
    return _table(published, tuple(metrics), rows, remarks)


def _predicate_table(published: PublishedTable) -> Table:
    """Returns the paper's Table 5 and dev rows, as in `_parsing_table`."""
    metrics = {
        "P": "srl_v_precision",
        "R": "srl_v_recall",
        "F1": "srl_v_f1",
        "P by position": "predicate_precision",
        "R by position": "predicate_recall",
        "F1 by position": "predicate_f1",
    }
    rows = []
    for part, system, figures in _by_part(published, unpublished=("dev",)):
        evaluation = Evaluation(_LISA[system.words], part)
        cells = tuple(Cell(evaluation, metric) for metric in metrics.values())
        rows.append(Row(_labels(part, system), cells, _padded(figures, len(cells))))
    remarks = (
        "P, R and F1 are srl-eval.pl's V row, as in the paper: predicates that are not in gold do "
        "not count. By position, they are errors.",
    )
    return _table(published, tuple(metrics), rows, remarks)


def _parses_table(published: PublishedTable, comparison: Comparison) -> Table:
    """Returns the paper's Table 6 or 8."""
    rows = [
        Row(
            (system.name,),
            tuple(Cell(comparison, f"{column} {system.name}") for column in published.columns),
            system.on_part(comparison.part),
        )
        for system in published.systems
    ]
    remarks = (
        "On dev with GloVe vectors; the paper names neither the part nor the vectors.",
        "LISA's trees are maximum spanning trees here.",
    )
    columns = published.columns
    return Table(published.number, published.title, ("system",), columns, rows, remarks)


def _decoding_table(published: PublishedTable, parser: Network, with_crf: bool) -> Table:
    rows = []
    for part, system, figures in _by_part(published):
        trees = _trees(system.name, parser)
        lisa = _LISA[system.words]
        decoded = [
            Evaluation(lisa, part, variant=name, overrides={"model.role_decoder": config}, **trees)
            for name, config in _DECODERS.items()
        ]
        decoded.append(Evaluation(lisa, part, **trees))
        if with_crf:
            decoded.append(Evaluation(_CRF, part, **trees))
        cells = tuple(Cell(evaluation, "srl_f1") for evaluation in decoded)
        rows.append(Row(_labels(part, system), cells, _padded(figures, len(cells))))
    columns = ["greedy F1", "Viterbi F1", "constraints F1", "default F1"]
    remarks = [
        "Viterbi adds the probabilities of transitions in the training data to log scores, as the "
        "authors' code does. Constraints only forbid illegal transitions. The default is the "
        "config's decoder, which all other tables use.",
    ]
    if with_crf:
        columns.append("CRF F1")
        remarks.append("The CRF is trained, in a network of its own.")
    return _table(published, tuple(columns), rows, tuple(remarks))
