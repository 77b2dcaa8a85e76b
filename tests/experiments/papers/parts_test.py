import json
import re

import pytest

from experiments.papers.parts import networks_of
from experiments.papers.tables import CORPORA, OVERRIDES, PARSERS, ccg_paper, dm_paper, lisa_paper
from tests import ROOT

LISA = lisa_paper(PARSERS["elmo"])
PAPERS = {"ccg": ccg_paper(), "dm": dm_paper(CORPORA), "lisa": LISA}


def test_the_parser_s_page_has_the_overrides_of_its_tables():
    """docs/results/parsers.md lists rows other than the default parser, with their overrides."""
    page = (ROOT / "docs" / "results" / "parsers.md").read_text()
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
