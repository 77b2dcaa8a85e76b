"""
Where two people differ in a corpus that both annotated or corrected, part by part, so that a third
person can choose. A choice is a set of corrections (`formats.corrections`) of the sentence in which
choosing begins (`Pair.start`).

    >>> from lisa_allennlp.sentence.sentence import Parse, Sentence
    >>> words, heads = ["She", "sang"], [1, 1]
    >>> one, two = (Sentence(words, parse=Parse(heads, [tag, "root"])) for tag in ("dep", "nsubj"))
    >>> [difference] = disagreements(one, two)
    >>> difference.part, [choice.text for choice in difference.choices]
    ('“She”: relation', ['dep', 'nsubj'])
    >>> difference.choices[1].corrections
    {'labels': {'0': 'nsubj'}}
"""

import os
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple

from lisa_allennlp.apps.show.texts import printable, typed
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import (
    AnnotatedFile,
    check_same_sentences,
    read_annotated,
)
from lisa_allennlp.formats.corpus_files import check_same_words
from lisa_allennlp.formats.corrections import ENDING, KEY, check_corrections, is_accepted
from lisa_allennlp.sentence.roles import (
    CONTINUATION,
    UNKNOWN,
    LabelledSpan,
    bio_to_spans,
    is_core,
)
from lisa_allennlp.sentence.sentence import Frame, Sentence

Values = Dict[str, Dict[str, Any]]
"""By key and token, as in JSON."""


class Choice(NamedTuple):
    text: str
    corrections: Values


class Difference(NamedTuple):
    """A difference between two people: its name, its word (0-based), and both annotations."""

    part: str
    token: int
    choices: Tuple[Choice, Choice]


@dataclass(frozen=True)
class Pair:
    """
    A sentence as two people have it, or as the only person has it who corrected it. `path` is the
    file of the first person, `number` the position in the corpus, from 1.
    """

    path: str
    number: int
    place: str
    first: Sentence
    second: Optional[Sentence]

    @property
    def differences(self) -> List[Difference]:
        return [] if self.second is None else disagreements(self.first, self.second)

    @property
    def agreed(self) -> Sentence:
        """The accepted reading, or else the first; one without `corrections` counts as accepted."""
        found = self.first
        if self.second is not None and _is_whole(self.second) and not _is_whole(found):
            found = self.second
        accepted = {"number": self.number, "accepted": True}
        return replace(found, extra={**found.extra, KEY: found.extra.get(KEY, accepted)})

    @property
    def start(self) -> Sentence:
        """The first person's sentence, with the predicates and parts that only the second has."""
        one, two = self.first, self.second or self.first
        extra = {key: value for key, value in one.extra.items() if key != KEY}
        frames = two.frames if one.frames is None else one.frames
        if frames is not None:
            others = [f for f in two.frames or [] if one.frame_at(f.predicate) is None]
            frames = sorted([*(one.frames or ()), *others], key=lambda frame: frame.predicate)
        return replace(
            one,
            extra=extra,
            pos=two.pos if one.pos is None else one.pos,
            parse=two.parse if one.parse is None else one.parse,
            frames=frames,
        )


def disagreements(first: Sentence, second: Sentence) -> List[Difference]:
    """
    Lists the parts in which two readings of the same words differ: tags, arcs, predicates, senses
    and groups of spans. A part that one reading lacks is not compared. The choices of different
    parts do not overlap; together, those of one reading are this reading.
    """
    first, second = first.as_typed(), second.as_typed()
    return [*_tags(first, second), *_arcs(first, second), *_frames(first, second)]


def _tags(first: Sentence, second: Sentence) -> Iterator[Difference]:
    for token, tags in enumerate(zip(first.pos or (), second.pos or (), strict=False)):
        if len({*tags}) > 1:
            yield _difference(first, token, "tag", [(tag, {"pos": tag}) for tag in tags])


def _arcs(first: Sentence, second: Sentence) -> Iterator[Difference]:
    arcs = [[*zip(s.heads or (), s.head_tags or (), strict=True)] for s in (first, second)]
    for token, ((head, label), (other, other_label)) in enumerate(zip(*arcs, strict=False)):
        if head != other:
            both = ((head, label), (other, other_label))
            choices = [
                (f"{_head(first, h)} ({printable(name)})", {"heads": h, "labels": name})
                for h, name in both
            ]
            yield _difference(first, token, "head", choices)
        elif label != other_label:
            labels = [(name, {"labels": name}) for name in (label, other_label)]
            yield _difference(first, token, "relation", labels)


def _frames(first: Sentence, second: Sentence) -> Iterator[Difference]:
    if first.frames is None or second.frames is None:
        return
    for token in sorted({*first.predicates, *second.predicates}):  # type: ignore[misc]
        one, other = first.frame_at(token), second.frame_at(token)
        if one is None or other is None:
            yield _difference(first, token, "predicate", [_whole(f) for f in (one, other)])
            continue
        senses = one.sense, other.sense
        if len({*senses}) > 1 and UNKNOWN not in senses:
            texts = [" ".join(filter(None, (f.sense, f.explained.gloss))) for f in (one, other)]
            choices = [(t, {"senses": s}) for t, s in zip(texts, senses, strict=True)]
            yield _difference(first, token, "sense", choices)
        for tokens in _groups(one, other):
            spans = [covering(frame, tokens) for frame in (one, other)]
            words = " … ".join(typed(first, *run) for run in _runs(tokens))
            found = [(_roles(first, chosen), {"roles": chosen}) for chosen in spans]
            yield _difference(first, token, f"role of “{words}”", found)


def _difference(sentence: Sentence, token: int, part: str, choices: Any) -> Difference:
    by_token = [
        Choice(printable(text), {key: {str(token): value} for key, value in values.items()})
        for text, values in choices
    ]
    one, other = by_token
    return Difference(f"{_word(sentence, token)}: {part}", token, (one, other))


def _word(sentence: Sentence, token: int) -> str:
    is_twice = sentence.words.count(sentence.words[token]) > 1
    return f"“{typed(sentence, token, token)}”" + f" ({token + 1})" * is_twice


def _head(sentence: Sentence, head: int) -> str:
    return "the root" if head == 0 else _word(sentence, head - 1)


def _whole(frame: Optional[Frame]) -> Tuple[str, Dict[str, Any]]:
    if frame is None:
        return "no predicate", {"predicates": False}
    roles = covering(frame, {*range(len(frame.tags))})
    values: Dict[str, Any] = {"predicates": True, "senses": frame.sense, "roles": roles}
    found = " ".join(f"[{s.role}: {typed(frame, s.first, s.last)}]" for s in frame.arguments)
    known = {key: value for key, value in values.items() if value != UNKNOWN and value != []}
    return f"{frame.name} {found}".strip(), known


def _roles(sentence: Sentence, spans: List[LabelledSpan]) -> str:
    named = [f"{role} “{typed(sentence, a, b)}”" for role, a, b in spans if role != "O"]
    return ", ".join(named) or "no role"


def covering(frame: Frame, tokens: Set[int]) -> List[LabelledSpan]:
    """
    Returns the spans of a frame that begin in some tokens, and spans of `O` for the rest of these
    tokens, in text order; without the predicate itself.
    """
    spans = _spans(frame)
    taken = {token for _, first, last in spans for token in range(first, last + 1)}
    rest = [LabelledSpan("O", *run) for run in _runs(tokens - taken - {frame.predicate})]
    found = [span for span in spans if span.first in tokens]
    return sorted([*found, *rest], key=lambda span: span.first)


def _spans(frame: Frame) -> List[LabelledSpan]:
    """Leaves out the predicate. A particle in its span counts as its continuation."""
    found = []
    for role, first, last in bio_to_spans(frame.tags):
        if first <= frame.predicate <= last:
            role, first = CONTINUATION + role, frame.predicate + 1
        if first <= last:
            found.append(LabelledSpan(role, first, last))
    return found


def _runs(tokens: Set[int]) -> List[Tuple[int, int]]:
    groups = groupby(enumerate(sorted(tokens)), lambda pair: pair[1] - pair[0])
    runs = [[token for _, token in group] for _, group in groups]
    return [(run[0], run[-1]) for run in runs]


def _groups(one: Frame, other: Frame) -> List[Set[int]]:
    """The tokens of differing spans, in groups that one has to choose together."""
    groups: List[List[LabelledSpan]] = []
    for span in sorted({*_spans(one)} ^ {*_spans(other)}, key=lambda span: span.first):
        near = [group for group in groups if any(_belong(span, known) for known in group)]
        groups = [group for group in groups if group not in near] + [[*chain(*near), span]]
    tokens = [{i for _, first, last in group for i in range(first, last + 1)} for group in groups]
    return sorted(tokens, key=min)


def _belong(span: LabelledSpan, other: LabelledSpan) -> bool:
    """Whether two spans overlap, are parts of an argument, or fill a role that is there once."""
    roles = [found.role.removeprefix(CONTINUATION) for found in (span, other)]
    is_one = is_core(roles[0]) or (span.role, other.role) != (*roles,)
    overlap = span.first <= other.last and other.first <= span.last
    return overlap or (is_one and roles[0] == roles[1])


def with_known(
    known: Mapping[str, Any], chosen: Mapping[str, Any], reading: Sentence
) -> Dict[str, Any]:
    """
    Returns the corrections of a sentence that starts with another person's `known` ones and gets
    the `chosen` ones, given its `reading` with all of them.
    """
    frames = {str(frame.predicate): frame for frame in reading.frames or []}
    found = {**chosen}
    for key, values in known.items():
        if isinstance(values, dict):
            found[key] = {**values, **chosen.get(key, {})}
    for key in {"senses", "roles"} & found.keys():
        found[key] = {token: value for token, value in found[key].items() if token in frames}
    # Spans of both may overlap.
    for token in {*known.get("roles", ())} & {*frames}:
        found["roles"][token] = covering(frames[token], {*range(len(reading.words))})
    return found


def read_pairs(first: str, second: str) -> List[Pair]:
    """
    Reads two folders with files of corrections of the same names, or two annotated files. Raises a
    `ConfigurationError` if their sentences differ.
    """
    paths = _pairs_of_files(first, second)
    found = [pair for both in paths for pair in _read(*both)]
    if not any(pair.second is not None for pair in found):
        raise ConfigurationError(
            f"{second}: found no sentence that {first} has, too; expected files of one corpus"
        )
    return found


def names_of(first: str, second: str) -> Tuple[str, str]:
    """
    Returns the names of two people, which are the last parts of the paths that differ.

    >>> names_of("data/ann/dev.corrections.jsonl", "data/ben/dev.corrections.jsonl")
    ('ann', 'ben')
    """
    parts = [os.path.abspath(path).removesuffix(ENDING).split(os.sep) for path in (first, second)]
    both = zip(*(reversed(found) for found in parts), strict=False)
    return next(((one, other) for one, other in both if one != other), (first, second))


def _pairs_of_files(first: str, second: str) -> List[Tuple[str, ...]]:
    for path in (first, second):
        if not os.path.exists(path):
            raise ConfigurationError(f"found no file or folder {path}; expected corrections")
    if not (os.path.isdir(first) and os.path.isdir(second)):
        return [(first, second)]
    folders = Path(first), Path(second)
    names = sorted({path.name for folder in folders for path in folder.glob(f"*{ENDING}")})
    return [tuple(str(f / name) for f in folders if (f / name).exists()) for name in names]


def _read(first: str, second: Optional[str] = None) -> Iterator[Pair]:
    files = [read_annotated(path, parses=True) for path in (first, second) if path is not None]
    places = [*map(_places, files)]
    if len(files) == 2 and not any(KEY in s.extra for file in files for s in file.bare_sentences):
        check_same_sentences(*files)
    for number in sorted({*chain(*places)}):
        found = [
            (file, file.sentences[by_number[number]], by_number[number])
            for file, by_number in zip(files, places, strict=True)
            if number in by_number
        ]
        (file, item, index), *others = found
        for other, other_item, other_index in others:
            check_same_words(file.files[index], item, other.files[other_index], other_item)
        second_reading = others[0][1].sentence if others else None
        yield Pair(first, number, file.place(index), item.sentence, second_reading)


def _places(annotated: AnnotatedFile) -> Dict[int, int]:
    """The 0-based positions of sentences by their numbers in the corpus."""
    if not annotated.has_words:
        raise ConfigurationError(f"{annotated.path}: found no words; expected a format with words")
    for sentence, (line, *_) in annotated.sentences:
        check_corrections(annotated.path, line, sentence)
    return {
        sentence.extra.get(KEY, {}).get("number", index + 1): index
        for index, sentence in enumerate(annotated.bare_sentences)
    }


def _is_whole(sentence: Sentence) -> bool:
    return KEY not in sentence.extra or is_accepted(sentence)
