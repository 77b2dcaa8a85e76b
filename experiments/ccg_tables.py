"""
Tables 2 and 3 of "A Dynamic Window Neural Network for CCG Supertagging" (Wu, Zhang & Zong 2016):
all their rows that are systems of the paper, with its accuracies on sections 00 and 23 of CCGbank.
"""

from typing import Optional

from experiments.systems import Cell, Evaluation, Network, Paper, Row, Table


def ccg_paper() -> Paper:
    """
    # Returns

    `Paper`
    """
    return Paper(
        "A Dynamic Window Neural Network for CCG Supertagging",
        {"sample": "the sample", "ewt": "the English Web Treebank", "ccgbank": "CCGbank"},
        "ccg/lib/parts.jsonnet",
        ("published",),
        [
            Table(2, "supertagging accuracy", ("network",), ("dev", "test"), _TABLE_2),
            Table(3, "accuracy of other filters", ("filter",), ("dev",), _TABLE_3),
        ],
    )


def _row(name: str, config: str, dev: float, test: Optional[float] = None) -> Row:
    network = Network(f"ccg/{config}", reads="supertags")
    published = {"dev": dev} if test is None else {"dev": dev, "test": test}
    cells = tuple(Cell(Evaluation(network, part), "accuracy") for part in published)
    return Row((name,), cells, {"ccgbank": tuple(published.values())})


_TABLE_2 = [
    _row("MLP", "mlp", 92.06, 92.28),
    _row("Elman RNN", "elman", 92.74, 92.89),
    _row("Jordan RNN", "jordan", 92.61, 92.75),
    _row("forward LSTM", "lstm", 93.39, 93.51),
    _row("bi-LSTM", "bilstm", 94.1, 94.13),
    _row("stacked bi-LSTM (depth 2)", "stacked_bilstm", 94.4, 94.69),
    _row("stacked bi-LSTM (no dyn)", "stacked_bilstm_no_dyn", 94.02, 94.09),
    _row("stacked bi-LSTM (no char)", "stacked_bilstm_no_char", 93.89, 94.21),
    _row("stacked bi-LSTM (drop emb)", "stacked_bilstm_drop_emb", 94.13, 94.33),
    _row("stacked bi-LSTM (no dropout)", "stacked_bilstm_no_dropout", 94.06, 94.25),
]

_TABLE_3 = [
    _row("one layer (origin)", "stacked_bilstm", 94.4),
    _row("one layer (CNN)", "stacked_bilstm_cnn_gate", 94.05),
    _row("two layer (MLP)", "stacked_bilstm_mlp_gate", 94.23),
    _row("averaging", "stacked_bilstm_averaging", 93.95),
]
