"""The colours of pictures and pages. Colour-blind people can tell the colours of roles apart."""

import re
from typing import Dict, NamedTuple, Tuple


def role_class(role: str) -> str:
    """The class of a role's colour: ARG0, ARG1, ARG2, other numbers, predicates, the rest."""
    match = re.fullmatch(r"(?:[CR]-)?(?:(V)|A(?:RG)?([0-9A]))", role)
    if match is None:
        return "am"
    verb, number = match.groups()
    return "v" if verb else f"a{number}" if number in "012" else "a3"


class Palette(NamedTuple):
    """Colours as `#rrggbb`; of each class of roles, those of the background and of the text."""

    background: str
    panel: str
    text: str
    muted: str
    line: str
    different: str
    roles: Dict[str, Tuple[str, str]]


LIGHT = Palette(
    background="#ffffff",
    panel="#f3f5f7",
    text="#1b1f24",
    muted="#5a636d",
    line="#7d8894",
    different="#b8340b",
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
    roles={
        "a0": ("#17436c", "#d9ebfc"),
        "a1": ("#68400f", "#ffe7cc"),
        "a2": ("#14503a", "#d3f3e2"),
        "a3": ("#66254a", "#fbdcec"),
        "am": ("#41357a", "#e8e3fa"),
        "v": ("#d5dae0", "#15191e"),
    },
)


_GREY = ("#ffffff", "#1b1f24")

PALETTES = {
    "light": LIGHT,
    "dark": DARK,
    "grey": LIGHT._replace(
        different="#1b1f24", roles={**dict.fromkeys(LIGHT.roles, _GREY), "v": LIGHT.roles["v"]}
    ),
}

THEMES = ("auto", *PALETTES)
"""`auto` follows the reader's system, and `grey` has no colours."""


def stylesheet(theme: str) -> str:
    """CSS for pictures in one of `THEMES`. All selectors are below `.lisa`."""
    if theme == "auto":
        dark = f"@media (prefers-color-scheme:dark){{{_colours(DARK)}}}"
        return _SHAPES + _colours(LIGHT) + dark
    return _SHAPES + _colours(PALETTES[theme])


def page_stylesheet() -> str:
    """CSS for a page whose `data-theme` is "light" or "dark"; it is printed light."""
    dark = f':where(:root[data-theme="dark"]){{{_colours(DARK)}{_marks(DARK)}}}'
    return f"{_SHAPES}{_colours(LIGHT)}{_marks(LIGHT)}@media screen{{{dark}}}"


def _marks(palette: Palette) -> str:
    return "".join(
        f"mark.{name}{{background:{fill};color:{text}}}"
        for name, (fill, text) in palette.roles.items()
    )


# Colours are not CSS variables, which only browsers know.
_SHAPES = (
    ".lisa{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle}"
    ".lisa .word{font-size:15px}.lisa .predicate,.lisa .v{font-weight:bold}"
    ".lisa .tag,.lisa .relation,.lisa .role{font-size:10.5px}"
    ".lisa .name{font-size:12px;font-weight:bold;text-anchor:start}"
    ".lisa .arc{fill:none;stroke-width:1.2}.lisa .span rect{stroke-width:.7}"
    ".lisa .relation{paint-order:stroke;stroke-width:5px;stroke-linejoin:round}"
    ".lisa .reference rect,.lisa .continuation rect{stroke-dasharray:3 2}"
    ".lisa .different .arc{stroke-width:2.4;stroke-dasharray:5 2}"
    ".lisa .different text,.lisa text.different{font-weight:bold;text-decoration:underline}"
    ".lisa .different .relation{text-decoration:none}.lisa .different rect{stroke-width:2.4}"
    ".lisa .ghost .arc{stroke-dasharray:1.5 3.5;stroke-width:1.6;stroke-linecap:round}"
    ".lisa .ghost .role{text-decoration:line-through}"
)


def _colours(palette: Palette) -> str:
    roles = "".join(
        f".lisa .{name} rect{{fill:{fill};stroke:{text}}}.lisa .{name} text{{fill:{text}}}"
        for name, (fill, text) in palette.roles.items()
    )
    return (
        f".lisa .background{{fill:{palette.background}}}"
        f".lisa .panel{{fill:{palette.panel}}}"
        f".lisa .word,.lisa .name{{fill:{palette.text}}}"
        f".lisa .tag{{fill:{palette.muted}}}"
        f".lisa .ghost .role{{fill:{palette.muted}}}"
        f".lisa .relation{{fill:{palette.muted};stroke:{palette.background}}}"
        f".lisa .arc{{stroke:{palette.line}}}"
        f"{roles}"
        f".lisa .different path,.lisa .different rect{{stroke:{palette.different}}}"
        f".lisa .different .relation,.lisa .different.word,.lisa .different.tag"
        f"{{fill:{palette.different}}}"
    )
