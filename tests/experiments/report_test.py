import pytest

from experiments.report import format_values, to_markdown

REPORT = {
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
                },
                {
                    "labels": ["B é"],
                    "values": [None, None],
                    "published": {"two": [80.5, None]},
                    "notes": ["B é: no data"],
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
Mean over the seeds 1, 2 (with the figure of each).
Changed in all configs: `{"trainer.num_epochs": 1}`.

## Table 1: things

| system | P | P, paper (Corpus One) | P, paper (Corpus Two) | F1 |
| --- | --- | --- | --- | --- |
| A | 1.50 (1.00, 2.00) | 90.00 | – | 3.25 (3.00, 3.50) |
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


def test_figures_of_the_same_corpus_stand_alone():
    markdown = to_markdown({**REPORT, "data": "one", "seeds": []})
    assert "| system | P | P, paper | F1 |\n" in markdown
    assert "another corpus" not in markdown and "seeds" not in markdown


@pytest.mark.parametrize(
    "values, expected",
    [(None, "–"), ([], "–"), ([0.0], "0.00"), ([1.0, 2.0, 6.0], "3.00 (1.00, 2.00, 6.00)")],
)
def test_format_values(values, expected: str):
    assert format_values(values) == expected
