"""
The tables and figures of the papers: the network and the evaluation behind each row of the papers'
own systems. The published figures are in `published`.
"""

from dataclasses import replace
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from experiments.papers.parts import (
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

_SA = {"GloVe": Network("sa_glove", "sa_small"), "ELMo": Network("sa_elmo", "sa_small_elmo")}
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
    """
    Returns the tables and figures of "Linguistically-Informed Self-Attention for Semantic Role
    Labeling" (Strubell et al. 2018), whose Table 7 may have a column for LISA with a CRF.

    The trees of +D&M come from a parser with ELMo, even if LISA uses GloVe vectors (section 4).
    Some things are not in the paper: the column "strict F1" (excess predicates count), predicates
    scored by position in Table 5, the other decoders of Table 7, the rows of LISA's parses decoded
    as trees, and the dev rows of Tables 4 and 5.
    """
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
        tagger=_LISA["GloVe"],
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


def _lisa_table(
    published: PublishedTable,
    columns: Sequence[str],
    cells: Callable[[PublishedSystem, str], Sequence[Optional[Cell]]],
    remarks: Sequence[str],
    unpublished: Sequence[str] = (),
) -> Table:
    """
    Returns a table with a row per part of the corpus and system with published figures on it, and
    the cells of our systems. On the parts `unpublished`, all of our systems are measured.
    """
    rows = []
    for part, title in PART_TITLES.items():
        for system in published.systems:
            figures = system.on_part(part)
            if figures or (part in unpublished and not system.is_other):
                labels = title, system.words, system.name
                own = [None] * len(columns) if system.is_other else cells(system, part)
                rows.append(Row(labels, tuple(own), _padded(figures, len(columns))))
    headings = ("data", "words", "system")
    return Table(published.number, published.title, headings, tuple(columns), rows, tuple(remarks))


def _padded(figures: Dict[str, Figures], width: int) -> Dict[str, Figures]:
    return {c: (*row, *[None] * (width - len(row))) for c, row in figures.items()}


def _trees(system: str, parser: Network) -> Dict[str, Any]:
    """Returns the arguments of an `Evaluation` for +D&M and +Gold in the name of a system."""
    return {
        "parser": parser if system.endswith("+D&M") else None,
        "gold_trees": system.endswith("+Gold"),
    }


def _srl_table(
    published: PublishedTable, networks: Dict[str, Dict[str, Network]], parser: Network
) -> Table:
    metrics = {
        "P": "srl_precision",
        "R": "srl_recall",
        "F1": "srl_f1",
        "strict F1": "srl_f1_strict",
    }

    def cells(system: PublishedSystem, part: str) -> List[Cell]:
        network = networks[system.name.partition(" ")[0]][system.words]
        evaluation = Evaluation(network, part, **_trees(system.name, parser))
        return [Cell(evaluation, metric) for metric in metrics.values()]

    remark = "Strict F1 counts predicates that are not in gold as errors; P, R and F1 do not."
    return _lisa_table(published, [*metrics], cells, [remark])


def _parsing_table(published: PublishedTable, parser: Network) -> Table:
    """
    The paper's Table 4, and dev rows, which serve corpora whose test part is set aside. Each row of
    a LISA is followed by one of its trees.
    """
    metrics = {"POS": "pos_accuracy", "UAS": "uas", "LAS": "las"}

    def cells(system: PublishedSystem, part: str) -> List[Optional[Cell]]:
        is_parser = system.name == "D&M"
        evaluation = Evaluation(parser if is_parser else _LISA[system.words], part)
        found = [Cell(evaluation, metric) for metric in metrics.values()]
        return [None, *found[1:]] if is_parser else [*found]

    remark = (
        "LISA's UAS and LAS are of each token's best head, as in the paper, but in the rows "
        '"MST" of the maximum spanning tree. D&M\'s are of maximum spanning trees.'
    )
    table = _lisa_table(published, [*metrics], cells, [remark], unpublished=["dev"])
    rows = []
    for row in table.rows:
        rows.append(row)
        source = None if row.cells[0] is None else row.cells[0].source
        if isinstance(source, Evaluation):
            mst = replace(source, variant="mst", overrides={"model.parse_decoder": "mst"})
            labels = (*row.labels[:-1], f"{row.labels[-1]}, MST")
            rows.append(Row(labels, tuple(Cell(mst, metric) for metric in metrics.values()), {}))
    return replace(table, rows=rows)


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

    def cells(system: PublishedSystem, part: str) -> List[Cell]:
        evaluation = Evaluation(_LISA[system.words], part)
        return [Cell(evaluation, metric) for metric in metrics.values()]

    remark = (
        "P, R and F1 are srl-eval.pl's V row, as in the paper: predicates that are not in gold do "
        "not count. By position, they are errors."
    )
    return _lisa_table(published, [*metrics], cells, [remark], unpublished=["dev"])


def _parses_table(published: PublishedTable, comparison: Comparison) -> Table:
    figures = {system.name: system.on_part(comparison.part) for system in published.systems}
    rows = [
        Row(
            (name,),
            tuple(Cell(comparison, f"{column} {name}") for column in published.columns),
            figures.get(name, {}),
        )
        for name in (*figures, "LISA LAS", "D&M LAS")
    ]
    remarks = (
        "On dev with GloVe vectors; the paper names neither the part nor the vectors.",
        "LAS is the mean over the sentences of a group, as F1 is.",
        "LISA's trees are maximum spanning trees here.",
    )
    columns = published.columns
    return Table(published.number, published.title, ("system",), columns, rows, remarks)


def _decoding_table(published: PublishedTable, parser: Network, with_crf: bool) -> Table:
    def cells(system: PublishedSystem, part: str) -> List[Cell]:
        trees, lisa = _trees(system.name, parser), _LISA[system.words]
        decoded = [
            Evaluation(lisa, part, variant=name, overrides={"model.role_decoder": config}, **trees)
            for name, config in _DECODERS.items()
        ]
        decoded += [Evaluation(network, part, **trees) for network in (lisa, _CRF)]
        return [Cell(evaluation, "srl_f1") for evaluation in decoded[: len(columns)]]

    columns = ["greedy F1", "Viterbi F1", "constraints F1", "default F1"]
    remarks = [
        "Viterbi adds the probabilities of transitions in the training data to log scores, as the "
        "authors' code does. Unlike theirs, it forbids what BIO forbids, also scores the first "
        "label of a sentence, and adds 1 to each count. Constraints only forbid illegal "
        "transitions. The default is the config's decoder, which all other tables use."
    ]
    if with_crf:
        columns.append("CRF F1")
        remarks.append("The CRF is trained, in a network of its own.")
    return _lisa_table(published, columns, cells, remarks)


_SHALLOW = {"model.attention": {"type": "shallow_biaffine"}}

OVERRIDES: Mapping[str, Mapping[str, Any]] = {
    "shallow": _SHALLOW,
    "shallow, 50% drop": {**_SHALLOW, "model.dropout": 0.5},
    "shallow, 300d": {**_SHALLOW, "model.encoder.hidden_dim": 300},
    # The paper's footnote: more hidden units did not fit into their GPU.
    "MLP": {"model.attention": {"type": "mlp", "arc_dim": 200}},
    "3 layers, 300d": {"model.encoder.hidden_dim": 300},
    "3 layers, 200d": {"model.encoder.hidden_dim": 200},
    "2 layers, 400d": {"model.encoder.num_layers": 2},
    "4 layers, 400d": {"model.encoder.num_layers": 4},
    "GRU": {"model.encoder.cell": "gru"},
    "Cif-LSTM": {"model.encoder.cell": "cif_lstm"},
    "no word dropout": {"model.word_dropout": 0.0},
    "no tag dropout": {"model.tag_dropout": 0.0},
    "no tags": {"model.pos_tag_embedding": None},
    "β2 = .999": {"trainer.optimizer.betas": [0.9, 0.999]},
}
"""
What each of the paper's systems changes in the parser's config, by the system's name in the tables.
All other systems are the default parser.
"""

_NAMES = {"β2 = .999": "beta2_999", "shallow, 50% drop": "shallow_half_dropped"}

_TREEBANKS = {
    "treebank": "the given treebank",
    "ptb-sd-3.5.0": "PTB-SD 3.5.0",
    "ptb-sd-3.3.0": "PTB-SD 3.3.0",
    "ctb-5.1": "CTB 5.1",
    "conll2009-catalan": "CoNLL-2009 Catalan",
    "conll2009-chinese": "CoNLL-2009 Chinese",
    "conll2009-czech": "CoNLL-2009 Czech",
    "conll2009-english": "CoNLL-2009 English",
    "conll2009-german": "CoNLL-2009 German",
    "conll2009-spanish": "CoNLL-2009 Spanish",
}


def dm_paper(lisa_corpora: Mapping[str, str]) -> Paper:
    """
    Returns the tables of "Deep Biaffine Attention for Neural Dependency Parsing" (Dozat & Manning
    2017). LISA's corpora have trees too. The dev columns are not in the paper, for corpora whose
    test part is set aside. Sentences per second are the published ones only, on the authors' GPU.
    """
    title, tables = read_published("dm")
    return Paper(
        title,
        {**_TREEBANKS, **lisa_corpora},
        "lib/parts.jsonnet",
        ("published", "small"),
        "treebank",
        [_dm_table(table) for table in tables.values()],
        tagger=_LISA["GloVe"],
        treebanks=frozenset(_TREEBANKS),
    )


class _Column(NamedTuple):
    """A part of the corpus, the position of its published figure, and our metric, if we measure."""

    part: str
    position: int
    metric: Optional[str]


def _dm_table(published: PublishedTable) -> Table:
    # The paper leaves punctuation out in the Penn Treebanks only.
    metrics = ("uas_with_punct", "las_with_punct") if published.number == 5 else ("uas", "las")
    columns = {
        f"{prefix}{name}": _Column(part, position, metric)
        for prefix, part in (("dev ", "dev"), ("", "test"))
        for position, (name, metric) in enumerate(zip(("UAS", "LAS"), metrics, strict=True))
    }
    if "sentences/s" in published.columns:
        columns["sentences/s"] = _Column("test", 2, None)
    return _system_table(published, "parser", _dm_network, columns)


def _dm_network(system: str) -> Network:
    if system not in OVERRIDES:
        return Network("dm_glove", "dm_small", reads="trees")
    variant = _NAMES.get(system, system.lower().replace(", ", "_").replace(" ", "_"))
    return Network(
        "dm_glove",
        "dm_small",
        reads="trees",
        variant=variant.replace("-", "_"),
        overrides=OVERRIDES[system],
    )


_CONFIGS = {
    "MLP": "mlp",
    "Elman RNN": "elman",
    "Jordan RNN": "jordan",
    "forward LSTM": "lstm",
    "bi-LSTM": "bilstm",
    "stacked bi-LSTM (depth 2)": "stacked_bilstm",
    "stacked bi-LSTM (no dyn)": "stacked_bilstm_no_dyn",
    "stacked bi-LSTM (no char)": "stacked_bilstm_no_char",
    "stacked bi-LSTM (drop emb)": "stacked_bilstm_drop_emb",
    "stacked bi-LSTM (no dropout)": "stacked_bilstm_no_dropout",
    "one layer (origin)": "stacked_bilstm",
    "one layer (CNN)": "stacked_bilstm_cnn_gate",
    "two layer (MLP)": "stacked_bilstm_mlp_gate",
    "averaging": "stacked_bilstm_averaging",
}
"""The config of each of the paper's systems, by the system's name in the tables."""


_WITH_DROPOUT_ON_GATES = {"dynamic window, dropout (eq. 10)": "lstm"}
_PLAIN = {"no dynamic window": "lstm_no_dyn"}
_CURVES = {
    2: {
        **_WITH_DROPOUT_ON_GATES,
        "dropout on words (eq. 12)": "lstm_drop_words",
        "dynamic window, no dropout (eq. 9)": "lstm_no_gate_dropout",
        **_PLAIN,
    },
    3: {**_WITH_DROPOUT_ON_GATES, **_PLAIN},
}
"""The configs of the curves in Figures 2 and 3, all of forward LSTMs."""


_MENTIONED = {
    "MLP (no dyn)": "mlp_no_dyn",
    "Elman RNN (no dyn)": "elman_no_dyn",
    "Jordan RNN (no dyn)": "jordan_no_dyn",
    "forward LSTM (no dyn)": "lstm_no_dyn",
    "bi-LSTM (no dyn)": "bilstm_no_dyn",
    "stacked bi-LSTM (400 cells)": "stacked_bilstm_400_cells",
    "stacked bi-LSTM (600 cells)": "stacked_bilstm_600_cells",
}
"""The configs of networks that the paper mentions without figures, by the names of their rows."""


def ccg_paper(with_mentioned: bool = False) -> Paper:
    """
    Returns the tables and figures of "A Dynamic Window Neural Network for CCG Supertagging" (Wu,
    Zhang & Zong 2016), with published accuracies on sections 00 and 23 of CCGbank. Table 2 may have
    rows of networks that the paper only mentions.
    """
    title, tables = read_published("ccg")
    columns = {part: _Column(part, 0, "accuracy") for part in ("dev", "test")}
    mentioned = list(_MENTIONED) if with_mentioned else []
    return Paper(
        title,
        {"sample": "the sample", "ewt": "the English Web Treebank", "ccgbank": "CCGbank"},
        "ccg/lib/parts.jsonnet",
        ("published",),
        "ccgbank",
        [
            _system_table(tables[2], "network", _ccg_network, columns, mentioned),
            _system_table(tables[3], "filter", _ccg_network, {"dev": columns["dev"]}),
        ],
        [
            Figure(2, "dropout on gates and words", "curves", _lstms(2)),
            Figure(3, "LSTMs with and without a dynamic window", "curves", _lstms(3)),
            Figure(4, "gates of words during training", "gates", {"MLP": _ccg_network("MLP")}),
        ],
    )


def _ccg_network(system: str) -> Network:
    config = {**_CONFIGS, **_MENTIONED}.get(system, system)
    return Network(f"ccg/{config}", reads="supertags", records_gates=config == "mlp")


def _lstms(figure: int) -> Dict[str, Network]:
    return {name: _ccg_network(config) for name, config in _CURVES[figure].items()}


def _system_table(
    published: PublishedTable,
    heading: str,
    network: Callable[[str], Network],
    columns: Mapping[str, _Column],
    unpublished: Sequence[str] = (),
) -> Table:
    """Returns a table with a row per system; `unpublished` are those without published figures."""

    def cells(name: str) -> Tuple[Optional[Cell], ...]:
        own = network(name)
        return tuple(
            None if c.metric is None else Cell(Evaluation(own, c.part), c.metric)
            for c in columns.values()
        )

    rows = []
    for system in published.systems:
        figures = {
            corpus: tuple(
                by_part[c.part][c.position] if c.part in by_part else None for c in columns.values()
            )
            for corpus, by_part in system.figures.items()
        }
        own = (None,) * len(columns) if system.is_other else cells(system.name)
        rows.append(Row((system.name,), own, figures))
    rows += [Row((name,), cells(name), {}) for name in unpublished]
    return Table(published.number, published.title, (heading,), tuple(columns), rows)
