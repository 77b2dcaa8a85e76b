"""Questions as lines, and hits as a concordance with aligned predicates, for the terminal."""

import shlex
from itertools import accumulate
from typing import List, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from lisa_allennlp.apps.find.corpus import Count, LeftOut, Salient
from lisa_allennlp.apps.find.hit import Hit
from lisa_allennlp.apps.find.question import FILLED, POLARITIES, Question, frame_of
from lisa_allennlp.apps.show.terminal import ROLE_STYLES
from lisa_allennlp.apps.show.texts import printable
from lisa_allennlp.apps.show.theme import role_class
from lisa_allennlp.common.tables import format_table

_POLARITY = {"affirmed": "said to be so", "negated": "negated or denied", "any": "so or not"}


def question_line(question: Question) -> Text:
    """
    Describes a question: its rolesets with their meaning, its roles with what the first one calls
    them and what must fill them, and how its events must be.

    >>> question_line(Question(["buy.01"], roles={"ARG0": "apple"}, asked=["ARG1"])).plain
    'buy.01 (purchase): ARG0 (buyer) = apple, ARG1 (thing bought) = ?; said to be so'
    """
    frame = frame_of(question)
    line = Text()
    for sense, gloss in frame.senses:
        line.append(" or " * bool(line)).append(sense, "bold").append(f" ({gloss})" * bool(gloss))
    if question.like:
        line.append(f" or {len(frame.alike)} like it ({', '.join(frame.alike)})")
    if question.lemmas:
        line.append(" or " * bool(line)).append(f"lemma {' or '.join(question.lemmas)}")
    line.append("" if line else "any event")
    for place, (role, meaning, value) in enumerate(frame.roles):
        line.append(", " if place else ": ").append(role, ROLE_STYLES[role_class(role)])
        line.append(f" ({meaning})" * bool(meaning)).append(" = ")
        line.append(_words(value), "bold" * (value == FILLED))
    is_chosen = bool(question.factuality) and question.polarity == POLARITIES[0]
    others = [*question.factuality] if is_chosen else [_POLARITY[question.polarity]]
    others += [] if is_chosen else question.factuality
    others += [f"{name} {_words(value)}" for name, value in question.where.items()]
    line.append(f"; {', '.join(others)}")
    return Text(printable(line.plain), spans=line.spans)


def concordance(hits: Sequence[Hit], width: int = 80, first: int = 1) -> List[Text]:
    """
    Draws hits as lines of at most `width` columns, or 40: numbers, from `first` on, ids of
    sentences, and as much of each sentence as fits around its predicate.
    """
    names = [_name(hit) for hit in hits]
    digits = len(str(first + len(hits)))
    named = min(width // 4, max(map(cell_len, names), default=0))
    width = max(width, 40)
    room = width - digits - named - 4
    lines = []
    for number, (hit, name) in enumerate(zip(hits, names, strict=True), start=first):
        # Tables that somebody edited may have no place for the predicate.
        sentence, start = _shown(hit), hit.places[0].start if hit.places else 0
        before = room * 2 // 5
        left, right = _end(sentence[:start], before), sentence[start:]
        right.truncate(room - before, overflow="ellipsis")
        label = _end(Text(name), named).plain
        margin = " " * (named - cell_len(label) + 2 + before - cell_len(left.plain))
        lines.append(Text.assemble((f"{number:>{digits}}  {label}{margin}", "dim"), left, right))
    return lines


def count_table(
    counts: Sequence[Count], roles: Sequence[str], width: int = 80, number: str = "number"
) -> str:
    names = [
        [*(printable(head) or "none" for head in count.heads), f"{count.number:,}"]
        for count in counts
    ]
    headings = [*roles, number]
    used = sum(max(map(cell_len, column)) + 2 for column in zip(headings, *names, strict=True))
    examples = (Text(printable("; ".join(count.examples))) for count in counts)
    rows = []
    for name, example in zip(names, examples, strict=True):
        example.truncate(max(width - used - 2, 20), overflow="ellipsis")
        rows.append([*name, example.plain])
    return format_table(rows, [*headings, "examples"], width)


def salient_table(found: Sequence[Salient], width: int = 80) -> str:
    counts = [
        Count((printable(one.event), f"{one.number:,}"), one.rest, one.examples) for one in found
    ]
    return count_table(counts, ["event", "here"], width, "elsewhere")


def sense_line(numbers: Mapping[str, int]) -> str:
    """Reports the hits of each sense, and the option that asks for one."""
    listed = ", ".join(f"{sense} {number:,}" for sense, number in numbers.items())
    return f"  by sense: {listed} (--sense NAME asks for one)"


def left_out_lines(found: Sequence[LeftOut]) -> List[str]:
    flags = {"polarity": "--any-polarity", "like": "--like"}
    return [
        f"  {one.number:,} more {one.text} "
        f"({flags.get(one.option) or f'--{one.option} {shlex.quote(one.value)}'})"
        for one in found
    ]


def _words(value: str) -> str:
    alternatives = [word or "none" for word in value.split("|")]
    return value if value.startswith("/") else " or ".join(alternatives)


def _name(hit: Hit) -> str:
    return printable(
        f"{hit.sentence}" if hit.document is None else f"{hit.document}:{hit.sentence}"
    )


def _end(text: Text, room: int) -> Text:
    over = cell_len(text.plain) - room
    if over <= 0:
        return text
    widths = accumulate(map(cell_len, text.plain))
    cut = next(place for place, width in enumerate(widths, start=1) if width > over)
    return Text("…") + text[cut:]


def _shown(hit: Hit) -> Text:
    plain = "".join(
        " " if character.isspace() else character if printable(character) == character else "�"
        for character in hit.text
    )
    text = Text(plain, no_wrap=True)
    for role, start, end in hit.places:
        text.stylize(ROLE_STYLES[role_class(role)], start, end)
    return text
