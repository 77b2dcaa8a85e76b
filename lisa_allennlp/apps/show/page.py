"""Pictures as HTML: self-contained pages without scripts, and the cells of notebooks."""

from pathlib import Path
from typing import Iterable, Optional

from lisa_allennlp.apps.show.figures import NO_DIFFERENCES, Pictured, figures_svg, make_figure
from lisa_allennlp.apps.show.svg import sentence_svg
from lisa_allennlp.apps.show.texts import printable
from lisa_allennlp.apps.show.theme import PALETTES, stylesheet
from lisa_allennlp.sentence.sentence import Sentence

TEMPLATE = Path(__file__).with_name("page.html.jinja")


def html_page(
    items: Iterable[Pictured],
    title: str,
    theme: str = "auto",
    width: Optional[float] = None,
    summary: Optional[str] = None,
) -> str:
    """
    Draws a figure for each item; `theme` and `width` as in `figures_svg`. The summary below the
    title counts the items by default.
    """
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    figures = [make_figure(item, width) for item in items]
    # Only comparisons have notes.
    notes = [figure.note for figure in figures if figure.note]
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        title=printable(title),
        figures=figures,
        width=width or 0,
        summary=summary,
        different=sum(note != NO_DIFFERENCES for note in notes) if notes else None,
        no_differences=NO_DIFFERENCES,
        theme=theme,
        palettes=PALETTES,
        pictures=stylesheet(theme),
        svg=lambda figure: figures_svg([figure], None),
    )


def cell(sentence: Sentence) -> str:
    return f'<div style="overflow-x:auto">{sentence_svg(sentence, width=1000)}</div>'
