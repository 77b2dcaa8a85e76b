"""Tables of an `Analysis` for the terminal, and a folder with an HTML page, JSON and figures."""

import io
import json
import re
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from lisa_allennlp.apps.analyze.analysis import Analysis
from lisa_allennlp.apps.analyze.breakdowns import Bin, counts_of_role
from lisa_allennlp.apps.analyze.frame_pairs import MarkedSpan
from lisa_allennlp.apps.analyze.intervals import Score
from lisa_allennlp.apps.analyze.plots import FIGURES, PNG_DOTS_PER_INCH, STEP_TITLES, figures
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.tables import Cell, Table
from lisa_allennlp.scoring.counts import Counts
from lisa_allennlp.sentence.roles import VERB

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE_NAME, FIGURES_NAME = "report.html", "report.json"

TEMPLATE = Path(__file__).with_name("report.html.jinja")

# The declarations before the image, and Matplotlib's note about itself.
_NOT_INLINE = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>", re.DOTALL)
_IDENTIFIER = re.compile(r'(?<= id=")|(?<=href="#)|(?<=url\(#)')


def report_files() -> List[str]:
    plots = [f"{name}{ending}" for name in FIGURES for ending in (".svg", ".png")]
    return [PAGE_NAME, FIGURES_NAME, *plots]


def write_report(analysis: Analysis, folder: Union[str, PathLike]) -> Path:
    """
    Writes `report.html`, which is complete by itself; `report.json`, with all figures; and each
    plot as `.svg` and `.png`. Replaces files of these names. Returns the page's path.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # No file gets its name before all are complete.
    with ExitStack() as stack:

        def write(name: str, text: str) -> None:
            partial = stack.enter_context(complete_file(folder / name))
            partial.write_text(text, encoding="utf-8")

        svgs = {}
        for name, figure in figures(analysis).items():
            svgs[name] = _svg(figure)
            write(f"{name}.svg", svgs[name])
            partial = stack.enter_context(complete_file(folder / f"{name}.png"))
            figure.savefig(partial, dpi=PNG_DOTS_PER_INCH, format="png")
        described = json.dumps(analysis.to_dict(), ensure_ascii=False, indent=1)
        write(FIGURES_NAME, described + "\n")
        write(PAGE_NAME, render_html(analysis, svgs))
    return folder / PAGE_NAME


def render_html(analysis: Analysis, svgs: Dict[str, str]) -> str:
    """Returns the page. All text of the corpus and all names are escaped; `svgs` are not."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    # Without declarations, and with identifiers that differ between the SVGs of the page.
    plots = {
        name: _IDENTIFIER.sub(f"{name}-", _NOT_INLINE.sub("", svg)) for name, svg in svgs.items()
    }
    return template.render(
        analysis=analysis,
        plots=plots,
        step_titles={name: title.replace("\n", " ") for name, title in STEP_TITLES.items()},
        segments=segments,
        counts_of_role=counts_of_role,
    )


class Segment(NamedTuple):
    text: str
    role: Optional[str] = None
    is_right: bool = True


def segments(words: Sequence[str], spans: Sequence[MarkedSpan]) -> Iterator[Segment]:
    position = 0
    for span in spans:
        if span.first > position:
            yield Segment(" ".join(words[position : span.first]))
        yield Segment(span.text, span.role, span.is_right)
        position = span.last + 1
    if position < len(words):
        yield Segment(" ".join(words[position:]))


def _svg(figure: "Figure") -> str:
    from matplotlib import rc_context

    file = io.StringIO()
    # Without a date and with a fixed salt, the same figure gives the same file.
    with rc_context({"svg.hashsalt": "lisa", "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def tables(analysis: Analysis) -> Iterator[Table]:
    """Yields the scores of all arguments, the known breakdowns of these scores, and the faults."""
    overall = analysis.overall.items()
    yield Table(["", "P", "R", "F1"], [[name, *_percents({"": score})] for name, score in overall])
    one = len(analysis.systems) == 1
    systems = [h for name in analysis.systems for h in ("P" if one else f"{name} P", "R", "F1")]
    groups: List[Tuple[str, str, Optional[Sequence[Bin]]]] = [
        ("predicate", "frames", analysis.word_classes),
        ("roleset in train", "frames", analysis.roleset_frequencies),
        ("words", "sentences", analysis.sentence_lengths),
    ]
    for name, sizes, bins in groups:
        if bins is not None:
            rows = [[item.label, item.size, *_percents(item.scores)] for item in bins]
            yield Table([name, sizes, *systems], rows)
    roles = counts_of_role(analysis.roles).items()
    rows = [[r, _num_gold(counts), *_percents(counts)] for r, counts in roles if r != VERB]
    yield Table(["role", "arguments", *systems], rows)
    faults = {"gold": analysis.gold_faults, **analysis.faults}.items()
    headings = ["frames of", "frames", "repeated core role", "R-X or C-X without X", "either"]
    rows = [[name, f.frames, f.repeated, f.orphans, f.malformed] for name, f in faults]
    if analysis.gold_faults.objects is not None:
        headings += ["objects", "not covered", "%", "obliques and clauses"]
        headings += ["of these not covered", "% of these"]
        for row, (_, found) in zip(rows, faults, strict=True):
            for total, bare in filter(None, (found.objects, found.phrases)):
                row += [total, bare, 100 * bare / max(total, 1)]
    yield Table(headings, rows)


def _percents(scores: Mapping[str, Union[Score, Counts]]) -> List[Cell]:
    return [v for score in scores.values() for v in (score.precision, score.recall, score.f1)]


def _num_gold(scores: Mapping[str, Counts]) -> int:
    first = next(iter(scores.values()))
    return first.correct + first.missed
