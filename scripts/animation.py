"""
Draws docs/images/edit.svg: an arc is dragged to another head, and the roles follow. Both states are
labels of `english`.

    python scripts/animation.py
"""

import re
from pathlib import Path

import lisa_allennlp
from lisa_allennlp.apps.show.comparison import differences
from lisa_allennlp.apps.show.layout import lay_out
from lisa_allennlp.apps.show.svg import NAMESPACE, Drawing, draw, number
from lisa_allennlp.apps.show.texts import describe
from lisa_allennlp.apps.show.theme import stylesheet
from lisa_allennlp.sentence.sentence import Sentence

FILE = Path(__file__).parents[1] / "docs/images/edit.svg"
WORDS = ["She", "promised", "to", "call", "him", "yesterday", "."]
DEPENDENT, HEAD = 5, 1
SECONDS = 8
SCALE = 1.8

# The shares of the time at which the drag begins and ends.
GRAB, DROP = 0.2, 0.42
STYLE = f"""
.before{{animation:before {SECONDS}s infinite}}.after{{animation:after {SECONDS}s infinite}}
.moving{{animation:moving {SECONDS}s infinite;fill:none;stroke:#0b5cad;stroke-width:2}}
@keyframes before{{0%,{DROP:.0%}{{opacity:1}}{DROP + 0.02:.0%},96%{{opacity:0}}100%{{opacity:1}}}}
@keyframes after{{0%,{DROP:.0%}{{opacity:0}}{DROP + 0.02:.0%},96%{{opacity:1}}100%{{opacity:0}}}}
@keyframes moving{{
0%,{GRAB - 0.04:.0%}{{opacity:0}}{GRAB:.0%},{DROP:.0%}{{opacity:1}}
{DROP + 0.02:.0%},100%{{opacity:0}}
}}
@media (prefers-color-scheme:dark){{.moving{{stroke:#7dbdff}}}}
@media (prefers-reduced-motion:reduce){{.before,.moving{{display:none}}.after{{animation:none}}}}
"""


def place(markup: str, pattern: str) -> "tuple[float, float]":
    found = re.search(rf'{pattern}.*?x="([\d.]+)" y="([\d.]+)"', markup)
    assert found
    return float(found[1]), float(found[2])


def moving(picture: Drawing) -> str:
    """A ring that goes from the label of the arc to the new head, and the line that it pulls."""
    start = place(picture.markup, f'data-dependent="{DEPENDENT + 1}".*?class="relation"')
    end = place(picture.markup, f'data-token="{HEAD}".*?class="word')
    low = place(picture.markup, f'data-token="{DEPENDENT}".*?class="word')

    def line(x: float, y: float) -> str:
        top, foot = number(min(y, low[1]) - 45), number(low[1] - 19)
        a, b = number(low[0]), number(x)
        return f"M{a} {foot}C{a} {top} {b} {top} {b} {number(y)}"

    times = f'keyTimes="0;{GRAB};{DROP};1" dur="{SECONDS}s" repeatCount="indefinite"'
    first, last = (start[0], start[1] - 4), (end[0], end[1] - 5)
    values = ";".join(line(*at) for at in (first, first, last, last))
    bend = f'<animate attributeName="d" values="{values}" {times}/>'
    ways = (
        f'<animate attributeName="c{axis}" values="{a};{a};{b};{b}" {times}/>'
        for axis, a, b in zip("xy", map(number, first), map(number, last), strict=True)
    )
    rope = f'<path stroke-dasharray="6 4">{bend}</path>'
    return f'<g class="moving">{rope}<circle r="7">{"".join(ways)}</circle></g>'


def animation(before: Sentence, after: Sentence) -> str:
    layout = lay_out(before)
    first = draw(before, layout, before=before)
    second = draw(after, layout, differences(after, before), before)
    width, height = second.width, second.height
    return (
        f'<svg xmlns="{NAMESPACE}" class="lisa" role="img" aria-label="{describe(after)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" width="{number(width * SCALE)}" '
        f'height="{number(height * SCALE)}"><style>{stylesheet("auto")}{STYLE}</style>'
        '<rect class="background" width="100%" height="100%"/>'
        f'<g class="before">{first.markup}</g><g class="after">{second.markup}</g>'
        f"{moving(first)}</svg>\n"
    )


if __name__ == "__main__":
    lisa = lisa_allennlp.load()
    own = lisa({"tokens": WORDS})
    heads = [*own.heads[:DEPENDENT], HEAD + 1, *own.heads[DEPENDENT + 1 :]]
    FILE.write_text(
        animation(own, lisa({"tokens": WORDS, "head_indices": heads})), encoding="utf-8"
    )
