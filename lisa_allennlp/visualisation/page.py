"""
An HTML page of pictures. It needs no other file, no network and no script, and its browser searches
the words of all sentences.

    >>> from lisa_allennlp.data.sentence import Sentence
    >>> page = html_page([Pictured(Sentence(["Tom", "&", "Jerry"]))], "Cartoons")
    >>> "Tom &amp; Jerry" in page, "<script" in page
    (True, False)
"""

from pathlib import Path
from typing import Iterable, Optional

from lisa_allennlp.visualisation.figures import (
    NO_DIFFERENCES,
    Figure,
    Pictured,
    figure_svg,
    make_figure,
)
from lisa_allennlp.visualisation.printable import printable
from lisa_allennlp.visualisation.svg import below
from lisa_allennlp.visualisation.theme import DARK, LIGHT, Palette, stylesheet

TEMPLATE = Path(__file__).with_name("page.html.jinja")

_LEGEND = {
    "v": "predicate",
    "a0": "ARG0",
    "a1": "ARG1",
    "a2": "ARG2",
    "a3": "ARG3–5",
    "am": "ARGM",
}


def html_page(
    items: Iterable[Pictured], title: str, theme: str = "auto", width: Optional[float] = None
) -> str:
    """
    # Parameters

    items : `Iterable[Pictured]`
        A figure for each.
    title : `str`
    theme : `str`, optional (default = `"auto"`)
        One of `THEMES`.
    width : `float`, optional
        As for `make_figure`.

    # Raises

    `ConfigurationError`
        As `make_figure`.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    items = list(items)
    figures = [make_figure(item, width) for item in items]
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        title=printable(title),
        figures=figures,
        width=width or 0,
        different=_different(items, figures),
        no_differences=NO_DIFFERENCES,
        legend=_LEGEND,
        colours=page_colours(theme) + stylesheet(theme),
        svg=lambda figure: figure_svg(figure, None),
        height=lambda figure: below(figure.drawings).height,
    )


def page_colours(theme: str) -> str:
    """
    # Parameters

    theme : `str`
        One of `THEMES`.

    # Returns

    `str`
        CSS: the colours of the page outside the pictures, as variables, and those of the legend.
    """
    if theme == "auto":
        dark = f"@media (prefers-color-scheme:dark){{{_colours(DARK)}}}"
        return f":root{{color-scheme:light dark}}{_colours(LIGHT)}{dark}"
    return f":root{{color-scheme:{theme}}}{_colours(DARK if theme == 'dark' else LIGHT)}"


def _colours(palette: Palette) -> str:
    variables = {
        "background": palette.background,
        "text": palette.text,
        "muted": palette.muted,
        "different": palette.different,
        "rule": palette.panel,
    }
    root = "".join(f"--{name}:{colour};" for name, colour in variables.items())
    return f":root{{{root}}}" + "".join(
        f".legend .{name}{{background:{fill};color:{text}}}"
        for name, (fill, text) in palette.roles.items()
    )


def _different(items: Iterable[Pictured], figures: Iterable[Figure]) -> Optional[int]:
    """How many comparisons found differences; `None` if nothing is compared."""
    pairs = zip(items, figures, strict=True)
    notes = [figure.note for item, figure in pairs if item.other is not None]
    return sum(note != NO_DIFFERENCES for note in notes) if notes else None
