"""
What is asked, and what is found, for the terminal: a question as a frame, and hits as a concordance
whose predicates stand in one column. The attribute `plain` of the lines has them without colours.
"""

from typing import Dict, List, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lisa_allennlp.common.tables import format_table
from lisa_allennlp.data.formats.propbank_frames import packaged_inventory
from lisa_allennlp.search.corpus import Count
from lisa_allennlp.search.hit import Hit
from lisa_allennlp.search.question import FILLED, Question, readings
from lisa_allennlp.visualisation.terminal import ROLE_STYLES
from lisa_allennlp.visualisation.texts import printable
from lisa_allennlp.visualisation.theme import role_class

_POLARITY = {"affirmed": "not negated", "negated": "negated or denied", "any": "negated or not"}

_ADJUNCTS = {"ARGM-TMP": "when", "ARGM-LOC": "where", "ARGM-MNR": "how"}

_WIDEST_NAME = 20


def question_lines(question: Question) -> List[Text]:
    """
    Draws a question as a frame: its rolesets with their meaning, its roles with what the first one
    calls them and what must fill them, and how its events must be.

    >>> for line in question_lines(Question(["sell.01"], roles={"ARG0": "apple"}, asked=["ARG1"])):
    ...     print(line.plain)
    sell.01  commerce: seller, giving in exchange for money
      ARG0  Seller      apple
      ARG1  Thing Sold  ?
      not negated
    """
    inventory = packaged_inventory()
    lines = []
    meanings: Dict[str, str] = {}
    for sense in question.senses:
        roleset = inventory.roleset(sense)
        gloss = "" if roleset is None else roleset.gloss
        meanings = meanings or (_ADJUNCTS if roleset is None else {**_ADJUNCTS, **roleset.roles})
        lines.append(Text.assemble((sense, "bold"), f"  {gloss}".rstrip()))
    if question.like:
        roles = list(question.conditions)
        alike = [sense for reading in readings(question, roles)[1:] for sense in reading.senses]
        lines.append(Text(f"or {len(alike)} like it: {', '.join(sorted(alike))}"))
    if question.lemmas:
        lines.append(Text(f"lemma {' or '.join(question.lemmas)}"))
    shown = {role: value.replace("|", " or ") for role, value in question.conditions.items()}
    rows = [(role, meanings.get(role, ""), value) for role, value in shown.items()]
    for role, meaning, value in rows:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        style = ROLE_STYLES[role_class(role)]
        line = Text("  ").append(role, style).append(" " * (widths[0] - len(role)))
        line.append(f"  {meaning:<{widths[1]}}  " if widths[1] else "  ")
        lines.append(line.append(value, "bold" * (value == FILLED)))
    others = [_POLARITY[question.polarity], *question.factuality]
    others += [f"{name} {value.replace('|', ' or ')}" for name, value in question.where.items()]
    lines.append(Text(f"  {', '.join(others)}", "dim"))
    return [Text(printable(line.plain), spans=line.spans) for line in lines]


def concordance(hits: Sequence[Hit], width: int = 80, first: int = 1) -> List[Text]:
    """
    Draws hits as lines of at most `width` columns: their numbers, from `first` on, the sentence's
    id, and as much of the sentence as fits around the predicate.
    """
    names = [_name(hit) for hit in hits]
    digits = len(str(first + len(hits)))
    named = min(_WIDEST_NAME, max(map(cell_len, names), default=0))
    room = max(20, width - digits - named - 4)
    lines = []
    for number, (hit, name) in enumerate(zip(hits, names, strict=True), start=first):
        sentence, start = _shown(hit), hit.places[0].start
        left, right = sentence[:start], sentence[start:]
        before = room * 2 // 5
        while cell_len(left.plain) > before:
            left = left[1:]
            if cell_len(left.plain) == before:
                left = Text("…") + left[1:]
        right.truncate(room - before, overflow="ellipsis")
        line = Text(f"{number:>{digits}}  ", "dim")
        line.append(set_cell_size(name, named) if cell_len(name) <= named else _end(name, named))
        line.append("  " + " " * (before - cell_len(left.plain))).append_text(left)
        lines.append(line.append_text(right))
    return lines


def count_table(counts: Sequence[Count], roles: Sequence[str], width: int = 80) -> str:
    """Draws counts as a table with a line for each, folded to the width."""
    rows = [
        [*map(printable, count.heads), f"{count.number:,}", printable("; ".join(count.examples))]
        for count in counts
    ]
    shown = [[*row[:-1], _short(row[-1], width // 2)] for row in rows]
    return format_table(shown, [*roles, "number", "examples"], width)


def _name(hit: Hit) -> str:
    return printable(
        f"{hit.sentence}" if hit.document is None else f"{hit.document}:{hit.sentence}"
    )


def _end(name: str, width: int) -> str:
    """The end of a name, which tells more than its beginning."""
    return "…" + name[-width + 1 :]


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _shown(hit: Hit) -> Text:
    """The sentence with the styles of its roles, and one column for each character."""
    plain = "".join(
        " " if character.isspace() else character if printable(character) == character else "�"
        for character in hit.text
    )
    text = Text(plain, no_wrap=True)
    for role, start, end in hit.places:
        text.stylize(ROLE_STYLES[role_class(role)], start, end)
    return text
