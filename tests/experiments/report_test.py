import dataclasses

import pytest

from experiments.report import Report, ReportRow, ReportTable, format_values

REPORT = Report(
    paper="A paper",
    data="ewt",
    corpora={"ewt": "EWT", "one": "Corpus One", "two": "Corpus Two"},
    size="small",
    seeds=[1, 2],
    overrides={"": {"trainer.num_epochs": 1}, "dm": {}},
    tables=[
        ReportTable(
            1,
            "things",
            ["system"],
            ["P", "F1"],
            [
                ReportRow(["A"], [[1.0, 2.0], [3.0, 3.5]], {"one": [90.0, None]}, []),
                ReportRow(["B é"], [None, None], {"two": [80.5, None]}, ["B é: no data"]),
            ],
        )
    ],
)


def test_round_trip():
    again = Report.from_json(REPORT.to_json())
    assert again == REPORT
    assert again.to_markdown() == REPORT.to_markdown()


def test_figures_of_other_corpora_are_labelled():
    assert REPORT.to_markdown() == (
        "# A paper\n"
        "\n"
        "Our figures: EWT, configs of small size.\n"
        "The paper's figures are on another corpus, Corpus One and Corpus Two.\n"
        "Mean over the seeds 1, 2 (with the figure of each).\n"
        'Changed in all configs: `{"trainer.num_epochs": 1}`.\n'
        "\n"
        "## Table 1: things\n"
        "\n"
        "| system | P | P, paper (Corpus One) | P, paper (Corpus Two) | F1 |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| A | 1.50 (1.00, 2.00) | 90.00 | – | 3.25 (3.00, 3.50) |\n"
        "| B é | – | – | 80.50 | – |\n"
        "\n"
        "- B é: no data\n"
    )


def test_figures_of_the_same_corpus_stand_alone():
    markdown = dataclasses.replace(REPORT, data="one", seeds=[]).to_markdown()
    assert "| system | P | P, paper | F1 |\n" in markdown
    assert "another corpus" not in markdown and "seeds" not in markdown


@pytest.mark.parametrize(
    "values, expected",
    [
        (None, "–"),
        ([], "–"),
        ([0.0], "0.00"),
        ([1.0, 2.0, 6.0], "3.00 (1.00, 2.00, 6.00)"),
    ],
)
def test_format_values(values, expected: str):
    assert format_values(values) == expected
