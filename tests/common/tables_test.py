"""Tables in every style."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.tables import Table, latex_text, write_table

texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=8)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers() | st.none()
tables = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        st.lists(texts, min_size=width, max_size=width),
        st.lists(st.lists(texts | numbers, min_size=width, max_size=width), max_size=4),
        st.just(1),
    )
)


@given(tables)
def test_csv_keeps_every_cell(table: Table) -> None:
    read = list(csv.reader(io.StringIO(write_table(table, "csv") + "\n"), strict=True))
    assert read[0] == list(table.headings)
    for cells, row in zip(read[1:], table.rows, strict=True):
        for cell, value in zip(cells, row, strict=True):
            # Floats are unrounded.
            assert (float(cell) if isinstance(value, float) else cell) == (
                "" if value is None else value if isinstance(value, float) else str(value)
            )


@given(tables)
def test_a_row_of_latex_has_a_cell_per_column(table: Table) -> None:
    begin, _, headings, _, *rows, _, _ = write_table(table, "latex").splitlines()
    columns = re.fullmatch(r"\\begin{tabular}{(l+r*)}", begin)
    assert columns is not None and len(rows) == len(table.rows)
    for line in (headings, *rows):
        assert line.endswith(r"\\")
        assert len(re.findall(r"(?<!\\)&", line)) == len(columns[1]) - 1
        # Nothing begins a comment or mathematics.
        assert not re.search(r"(?<!\\)[%#]", line.replace(r"$\pm$", ""))


@given(texts)
def test_latex_shows_the_text(text: str) -> None:
    shown = {r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^"}
    shown.update({r"$\pm$": "±", "{[}": "[", "--": "–", **{f"\\{c}": c for c in "&%$#_{}"}})
    pattern = "|".join(map(re.escape, shown))
    if "--" not in text:
        assert re.sub(pattern, lambda match: shown[match[0]], latex_text(text)) == text


@pytest.mark.parametrize(
    "style, row",
    [
        ("text", "a  -  0.3"),
        ("markdown", "| a | – | 0.3 |"),
        ("latex", r"a & -- & 0.3 \\"),
        ("csv", f'"a","",{1 / 3}'),
    ],
)
def test_missing_figures_and_digits(style: str, row: str) -> None:
    table = Table(["", "x", "y"], [["a", None, 1 / 3]])
    assert row in [line.rstrip() for line in write_table(table, style, "{:.1f}".format).split("\n")]
