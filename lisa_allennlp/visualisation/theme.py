"""
The colours of pictures, for light and dark backgrounds. The colours of roles can be told apart by
colour-blind people, and each role is written beside its colour.

    >>> role_class("R-ARG1"), role_class("A1"), role_class("ARGM-TMP"), role_class("V")
    ('a1', 'a1', 'am', 'v')
    >>> ".word{fill:#1b1f24}" in stylesheet("light")
    True
    >>> "prefers-color-scheme" in stylesheet("auto"), "prefers-color-scheme" in stylesheet("dark")
    (True, False)
"""

import re
from dataclasses import dataclass
from typing import Dict, Tuple

THEMES = ("auto", "light", "dark")
"""The names of the themes; `auto` follows the reader's system."""

ROLE_CLASSES = ("a0", "a1", "a2", "a3", "am", "v")
"""The classes of roles: ARG0, ARG1, ARG2, the other numbered ones, all others, and predicates."""

_NUMBERED = re.compile(r"(?:[CR]-)?A(?:RG)?(?P<number>[0-9A])")
_VERB = re.compile(r"(?:[CR]-)?V")


def role_class(role: str) -> str:
    """The class of a role, which has a colour."""
    if _VERB.fullmatch(role):
        return "v"
    match = _NUMBERED.fullmatch(role)
    if match is None:
        return "am"
    return f"a{match['number']}" if match["number"] in "012" else "a3"


@dataclass(frozen=True)
class Palette:
    """
    Colours as `#rrggbb`.

    # Parameters

    background, panel : `str`
        Behind the picture, and behind what stands out from it.
    text, muted : `str`
        Words, and what is less important.
    line : `str`
        Arcs.
    different : `str`
        Marks.
    heat : `str`
        Full attention. No attention is `background`.
    roles : `Dict[str, Tuple[str, str]]`
        The background and the text of each of `ROLE_CLASSES`.
    """

    background: str
    panel: str
    text: str
    muted: str
    line: str
    different: str
    heat: str
    roles: Dict[str, Tuple[str, str]]


LIGHT = Palette(
    background="#ffffff",
    panel="#f3f5f7",
    text="#1b1f24",
    muted="#5a636d",
    line="#7d8894",
    different="#b8340b",
    heat="#0b5cad",
    roles={
        "a0": ("#cfe4f9", "#0a3d70"),
        "a1": ("#fde0bf", "#6b3600"),
        "a2": ("#c8ecd9", "#0c4a30"),
        "a3": ("#f7d3e6", "#6a1644"),
        "am": ("#e4def5", "#3f2a7a"),
        "v": ("#353c45", "#ffffff"),
    },
)

DARK = Palette(
    background="#15191e",
    panel="#20262d",
    text="#e8ebee",
    muted="#a0a9b3",
    line="#7b8793",
    different="#ff9068",
    heat="#7dbdff",
    roles={
        "a0": ("#17436c", "#d9ebfc"),
        "a1": ("#68400f", "#ffe7cc"),
        "a2": ("#14503a", "#d3f3e2"),
        "a3": ("#66254a", "#fbdcec"),
        "am": ("#41357a", "#e8e3fa"),
        "v": ("#d5dae0", "#15191e"),
    },
)


def stylesheet(theme: str) -> str:
    """
    # Parameters

    theme : `str`
        One of `THEMES`.

    # Returns

    `str`
        CSS for the classes in the pictures of this package. All selectors are below `.lisa`.
    """
    if theme == "dark":
        return _SHAPES + _colours(DARK)
    light = _SHAPES + _colours(LIGHT)
    if theme == "light":
        return light
    return f"{light}@media (prefers-color-scheme:dark){{{_colours(DARK)}}}"


# Colours are not CSS variables, which only browsers know.
_SHAPES = (
    ".lisa{font-family:Helvetica,Arial,'Liberation Sans',sans-serif}"
    ".lisa{text-anchor:middle}"
    ".lisa .word{font-size:15px}.lisa .predicate{font-weight:bold}"
    ".lisa .tag,.lisa .relation,.lisa .role,.lisa .axis{font-size:10.5px}"
    ".lisa .name{font-size:12px;font-weight:bold;text-anchor:start}"
    ".lisa .side{text-anchor:end}.lisa .start{text-anchor:start}"
    ".lisa .probability{font-size:9px}"
    ".lisa .arc{fill:none;stroke-width:1.2}.lisa .span rect,.lisa .span path{stroke-width:.7}"
    ".lisa .relation{paint-order:stroke;stroke-width:5px;stroke-linejoin:round}"
    ".lisa .v,.lisa .sense{font-weight:bold}"
    ".lisa .reference rect,.lisa .continuation rect,"
    ".lisa .reference path,.lisa .continuation path{stroke-dasharray:3 2}"
    ".lisa .different .arc{stroke-width:2.4;stroke-dasharray:5 2}"
    ".lisa .different text,.lisa text.different{font-weight:bold;text-decoration:underline}"
    ".lisa .different rect,.lisa .different.span path{stroke-width:2.4}"
    ".lisa .head{fill:none;stroke-width:1.6}.lisa .other{stroke-dasharray:2 2}"
)


def _colours(palette: Palette) -> str:
    roles = "".join(
        f".lisa .{name} rect,.lisa .{name} path{{fill:{fill};stroke:{text}}}"
        f".lisa .{name} text{{fill:{text}}}"
        for name, (fill, text) in palette.roles.items()
    )
    return (
        f".lisa .background{{fill:{palette.background}}}"
        f".lisa .panel{{fill:{palette.panel}}}"
        f".lisa .word{{fill:{palette.text}}}"
        f".lisa .name{{fill:{palette.text}}}"
        f".lisa .tag,.lisa .axis{{fill:{palette.muted}}}"
        f".lisa .relation{{fill:{palette.muted};stroke:{palette.background}}}"
        f".lisa .arc{{stroke:{palette.line}}}"
        f"{roles}"
        f".lisa .heat{{fill:{palette.heat}}}"
        f".lisa .head{{stroke:{palette.text}}}"
        f".lisa .different path,.lisa .different rect{{stroke:{palette.different}}}"
        f".lisa .different .relation,.lisa .different.word,.lisa .different.tag"
        f"{{fill:{palette.different}}}"
    )
