"""The tables of the papers: their published figures, their networks and their configs."""

import json
import re

import pytest

from experiments.papers.parts import networks_of, read_published
from experiments.papers.tables import CORPORA, OVERRIDES, PARSERS, ccg_paper, dm_paper, lisa_paper
from tests import ROOT

LISA = lisa_paper(PARSERS["elmo"])
PAPERS = {"ccg": ccg_paper(), "dm": dm_paper(CORPORA), "lisa": LISA}


def test_the_parser_s_page_has_the_overrides_of_its_tables():
    """docs/parser.md lists the rows that differ from the default parser, with their overrides."""
    page = (ROOT / "docs" / "parser.md").read_text()
    rows = re.findall(r"^\| (.+?) \| `'(.+)'` \|$", page, re.MULTILINE)
    documented = {name: json.loads(text) for name, text in rows}
    assert {name: documented.get(name) for name in OVERRIDES} == OVERRIDES


@pytest.mark.parametrize("size", ["published", "small"])
def test_every_network_has_a_config_and_a_name_of_its_own(size: str):
    crf = lisa_paper(PARSERS["glove"], with_crf=True)
    for paper in (crf, ccg_paper(with_mentioned=True), *PAPERS.values()):
        cells = (cell for table in paper.tables for row in table.rows for cell in row.cells)
        evaluations = [e for cell in cells if cell is not None for e in cell.source.evaluations]
        networks = networks_of(evaluations)
        networks += [network for figure in paper.figures for network in figure.all_networks]
        for network in networks:
            assert (ROOT / "training_configs" / f"{network.config_at(size)}.jsonnet").exists()
        names = {network.name_at(size) for network in networks}
        configs = {(n.config_at(size), json.dumps(dict(n.overrides))) for n in networks}
        assert len(names) == len(configs)


@pytest.mark.parametrize("name", PAPERS)
def test_every_figure_is_a_percentage_in_a_row_of_the_paper_s_tables(name: str):
    _, tables = read_published(name)
    for table in PAPERS[name].tables:
        rows = [figures for row in table.rows for figures in row.published.values()]
        systems = tables[table.number].systems
        parts = [
            part for s in systems for by_part in s.figures.values() for part in by_part.values()
        ]
        assert all(len(figures) == len(tables[table.number].columns) for figures in parts)
        in_rows, in_file = (
            sorted(f for fs in of for f in fs if f is not None) for of in (rows, parts)
        )
        assert in_rows == in_file and 0 < in_rows[0]
        assert in_rows[-1] < 100 or "sentences/s" in table.columns
