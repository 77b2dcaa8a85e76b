import copy
import statistics
from typing import Any, Dict

import pytest
import scipy.stats

from experiments.papers.report import (
    add_significance,
    to_markdown,
    welch_p_value,
)

REPORT: Dict[str, Any] = {
    "paper": "A paper",
    "data": "ewt",
    "corpora": {"ewt": "EWT", "one": "Corpus One", "two": "Corpus Two"},
    "size": "small",
    "seeds": [1, 2],
    "overrides": {"": {"trainer.num_epochs": 1}, "dm": {}},
    "tables": [
        {
            "number": 1,
            "title": "things",
            "headings": ["system"],
            "columns": ["P", "F1"],
            "rows": [
                {
                    "labels": ["A"],
                    "values": [[1.0, 2.0], [3.0, 3.5]],
                    "published": {"one": [90.0, None]},
                    "notes": [],
                    "against": None,
                    "p_values": [None, None],
                },
                {
                    "labels": ["B é"],
                    "values": [None, None],
                    "published": {"two": [80.5, None]},
                    "notes": ["B é: no data"],
                    "against": None,
                    "p_values": [None, None],
                },
            ],
            "differences": ["Measured on EWT.", "One seed."],
        }
    ],
    "figures": [
        {
            "number": 3,
            "title": "curves",
            "file": "figures/figure3.svg",
            "notes": [],
            "differences": ["Trained on EWT."],
        },
        {"number": 4, "title": "gates", "file": None, "notes": ["not run yet"], "differences": []},
    ],
    "networks": {"a": ["`x`: 1 (2)"], "b": [], "c": ["`x`: 1 (2)"]},
    "trainings": [["`a`", "3", "2", "0:01:00"]],
}


def test_figures_of_other_corpora_are_labelled():
    assert (
        to_markdown(REPORT)
        == """\
# A paper

Our figures: EWT, configs of small size.
The paper's figures are on another corpus, Corpus One and Corpus Two.
Mean ± standard deviation over the seeds 1, 2 (with the figure of each).
Changed in all configs: `{"trainer.num_epochs": 1}`.

## Table 1: things

| system | P | P, paper (Corpus One) | P, paper (Corpus Two) | F1 |
| --- | --- | --- | --- | --- |
| A | 1.50 ± 0.71 (1.00, 2.00) | 90.00 | – | 3.25 ± 0.35 (3.00, 3.50) |
| B é | – | – | 80.50 | – |

Missing scores:

- B é: no data

Differences from the paper's protocol:

- Measured on EWT.
- One seed.

## Figure 3: curves

![Figure 3](figures/figure3.svg)

Differences from the paper's protocol:

- Trained on EWT.

## Figure 4: gates

Missing:

- not run yet

## Networks

`a`, `c`:

- `x`: 1 (2)

## Trainings

| training | epochs | best epoch | time (of its last run) |
| --- | --- | --- | --- |
| `a` | 3 | 2 | 0:01:00 |
"""
    )


def with_rows(*rows: Dict[str, Any]) -> Dict[str, Any]:
    columns = {"headings": ["data", "words", "system"], "columns": ["F1"]}
    rows = tuple({"published": {}, "notes": [], **row} for row in rows)
    report = copy.deepcopy({**REPORT, "tables": [{**REPORT["tables"][0], **columns}]})
    report["tables"][0]["rows"] = list(rows)
    add_significance(report)
    return report


SA = {"labels": ["dev", "GloVe", "SA"], "values": [[70.0, 71.0, 72.0]]}
LISA = {"labels": ["dev", "GloVe", "LISA"], "values": [[74.0, 74.5, 75.0]]}
ELMO = {"labels": ["dev", "ELMo", "SA"], "values": [[80.0, 81.0]]}
MINE = {"labels": ["dev", "", "mine & co"], "values": [[73.0, 75.0]], "published": {"ewt": [70.0]}}


def test_rows_are_compared_with_the_first_of_the_same_data_and_words():
    report = with_rows({**SA, "labels": ["dev", "GloVe", "old"], "values": [None]}, SA, LISA, ELMO)
    rows = report["tables"][0]["rows"]
    assert [row["against"] for row in rows] == [None, None, "dev, GloVe, SA", None]
    assert rows[1]["p_values"] == [None]
    (p_value,) = rows[2]["p_values"]
    assert f"| dev, GloVe, LISA | dev, GloVe, SA | {p_value:.4f} |" in to_markdown(report)
    # The user's rows name no words.
    assert with_rows(ELMO, MINE)["tables"][0]["rows"][1]["against"] == "dev, ELMo, SA"
    assert "p-values" not in to_markdown(with_rows({**SA, "values": [[70.0]]}, LISA))


def test_p_values_of_a_t_distribution():
    """Welch's statistic and its degrees of freedom, written out; and what cannot be tested."""
    first, second = [70.0, 71.0, 72.5], [74.0, 74.2]
    parts = [statistics.variance(x) / len(x) for x in (first, second)]
    statistic = (statistics.mean(first) - statistics.mean(second)) / sum(parts) ** 0.5
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 1)
    expected = 2 * scipy.stats.t.sf(abs(statistic), freedom)
    assert welch_p_value(first, second) == pytest.approx(expected)
    assert welch_p_value(first, [74.0]) is None
    assert welch_p_value([1.0, 1.0], [2.0, 2.0]) is None
