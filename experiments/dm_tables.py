"""
Tables 2 to 5 of "Deep Biaffine Attention for Neural Dependency Parsing" (Dozat & Manning 2017): the
rows of the paper's own systems. `published/dm.json` has the published figures on test data.

The dev columns are not in the paper; the paper's sentences per second are left out.
"""

from typing import Any, Dict, Mapping, Tuple

from experiments.papers import (
    Cell,
    Evaluation,
    Network,
    Paper,
    PublishedSystem,
    PublishedTable,
    Row,
    Table,
    read_published,
)

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

_NAMES = {
    "β2 = .999": "beta2_999",
    "shallow, 50% drop": "shallow_half_dropped",
}

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
    """Returns the paper with its tables. LISA's corpora have trees too."""
    title, tables = read_published("dm")
    return Paper(
        title,
        {**_TREEBANKS, **lisa_corpora},
        "lib/parts.jsonnet",
        ("published", "small"),
        "treebank",
        [_table(table) for table in tables.values()],
        treebanks=frozenset(_TREEBANKS),
    )


def _table(published: PublishedTable) -> Table:
    """Returns the paper's table, and dev columns for corpora whose test part is set aside."""
    # The paper leaves punctuation out in the Penn Treebanks only.
    metrics = ("uas_with_punct", "las_with_punct") if published.number == 5 else ("uas", "las")
    columns = (*(f"dev {name}" for name in published.columns), *published.columns)
    rows = [_row(system, metrics) for system in published.systems]
    return Table(published.number, published.title, ("parser",), columns, rows)


def _row(system: PublishedSystem, metrics: Tuple[str, ...]) -> Row:
    network = _network(system.name)
    cells = [
        Cell(Evaluation(network, part), metric) for part in ("dev", "test") for metric in metrics
    ]
    figures: Dict[str, Tuple[Any, ...]] = {
        corpus: (None, None, *by_part["test"]) for corpus, by_part in system.figures.items()
    }
    return Row((system.name,), tuple(cells), figures)


def _network(system: str) -> Network:
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
