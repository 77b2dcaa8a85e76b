from typing import Dict

import pytest
from matplotlib.figure import Figure

from lisa_allennlp.apps.analyze.analysis import Analysis, analyze
from lisa_allennlp.apps.analyze.plots import figures
from tests.apps.analyze.systems import GOLD, WORSE


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyze(GOLD, {"right": GOLD, "$worse$": WORSE})


@pytest.fixture(scope="module")
def drawn(analysis: Analysis) -> Dict[str, Figure]:
    return figures(analysis)


def test_lines_have_the_figures_of_the_analysis(drawn: Dict[str, Figure], analysis: Analysis):
    [axes] = drawn["corrections"].axes
    for container, steps in zip(axes.containers, analysis.corrections.values(), strict=True):
        line, _, (bars,) = container  # type: ignore[misc]
        assert line.get_ydata().tolist() == [step.score.f1 for step in steps]
        ends = [segment[:, 1].tolist() for segment in bars.get_segments()]
        for (low, high), step in zip(ends, steps, strict=True):
            assert low == pytest.approx(min(step.score.f1_low, step.score.f1))
            assert high == pytest.approx(max(step.score.f1_high, step.score.f1))
    [axes] = drawn["sentence_length"].axes
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels[:2] == ["1-10\nn = 3", "11-20\nn = 0"]
    line, *_ = axes.containers[0]
    assert str(line.get_ydata().tolist()) == "[100.0, nan, nan, nan, nan]"
