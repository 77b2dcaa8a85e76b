"""
Tables 2 and 3 and Figures 2 to 4 of "A Dynamic Window Neural Network for CCG Supertagging" (Wu,
Zhang & Zong 2016): the rows of the paper's own systems. `published/ccg.json` has the published
accuracies on sections 00 and 23 of CCGbank.
"""

from typing import Dict, Mapping, Tuple

from experiments.papers import (
    Cell,
    Evaluation,
    Figure,
    Network,
    Paper,
    PublishedSystem,
    PublishedTable,
    Row,
    Table,
    read_published,
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


def ccg_paper() -> Paper:
    """Returns the paper with its tables."""
    title, tables = read_published("ccg")
    return Paper(
        title,
        {"sample": "the sample", "ewt": "the English Web Treebank", "ccgbank": "CCGbank"},
        "ccg/lib/parts.jsonnet",
        ("published",),
        "ccgbank",
        [
            _table(tables[2], "network", ("dev", "test")),
            _table(tables[3], "filter", ("dev",)),
        ],
        [
            Figure(2, "dropout on gates and words", "curves", _networks(_CURVES[2])),
            Figure(3, "LSTMs with and without a dynamic window", "curves", _networks(_CURVES[3])),
            Figure(4, "gates of words during training", "gates", {"MLP": _network("mlp")}),
        ],
    )


def _network(config: str) -> Network:
    return Network(f"ccg/{config}", reads="supertags", records_gates=config == "mlp")


def _networks(configs: Mapping[str, str]) -> Dict[str, Network]:
    return {name: _network(config) for name, config in configs.items()}


def _table(published: PublishedTable, heading: str, parts: Tuple[str, ...]) -> Table:
    """Returns a table of accuracies with a column per part of the corpus."""
    rows = [_row(system, parts) for system in published.systems]
    return Table(published.number, published.title, (heading,), parts, rows)


def _row(system: PublishedSystem, parts: Tuple[str, ...]) -> Row:
    network = _network(_CONFIGS[system.name])
    cells = tuple(Cell(Evaluation(network, part), "accuracy") for part in parts)
    figures = {
        corpus: tuple(by_part[part][0] for part in parts)
        for corpus, by_part in system.figures.items()
    }
    return Row((system.name,), cells, figures)
