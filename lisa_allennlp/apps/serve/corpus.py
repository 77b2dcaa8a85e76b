"""
The sentences of `lisa serve --corpus`, in lists that can be searched, and people's corrections,
which `--save` keeps (`formats.corrections`). With `--adjudicate`, a third person chooses between
the readings of two.
"""

import asyncio
import hashlib
import json
import os
import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import (
    Any,
    Awaitable,
    Callable,
    Dict,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from rich.console import Console
from rich.progress import track

from lisa_allennlp.apps.analyze.adjudication import Difference, Pair, covering, with_known
from lisa_allennlp.apps.serve.labelling import labels_in, labels_of
from lisa_allennlp.apps.serve.lessons import Lessons
from lisa_allennlp.apps.show.texts import typed
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.compression import bare_name
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.adaptation import can_learn
from lisa_allennlp.decoding.label_names import verb_of
from lisa_allennlp.decoding.options import Lesson
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.corrections import ENDING, KEY, PARTS, check_corrections
from lisa_allennlp.formats.json_lines import parse_json_lines
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_formats import JSON, PARQUET
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.sources import is_annotated, located, open_source
from lisa_allennlp.labelling.writing import format_answer, to_json
from lisa_allennlp.sentence.document import ID, Document
from lisa_allennlp.sentence.request import Request, marks_of, requests_of
from lisa_allennlp.sentence.roles import UNKNOWN, VERB
from lisa_allennlp.sentence.sentence import Frame, Sentence

ORDERS = ("corpus", "certainty", "corrected", "open", "differing", "commented")
"""
The lists: in the order of the corpus; sentences that nobody has accepted, the least certain first;
corrected ones; open ones; sentences in which two people differ; and commented ones.
"""

MOST_ALIKE = 100
"""The most sentences to which one correction is offered."""

MOST_SHOWN = 1000
"""The most readings that are kept until they are saved."""


class OldVersionError(Exception):
    """Somebody has saved the sentence since the version that a correction is based on."""


@dataclass(frozen=True)
class Entry:
    """
    A sentence, `number` in its file (from 1). `given` has the parts that people annotated, of
    `pos`, `parse` and `frames`; JSON lines count as predictions.
    """

    path: str
    number: int
    place: str
    start: Sentence
    given: Tuple[str, ...]
    certainty: Optional[float] = None
    request: Optional[Request] = None
    """The request to the model, if the frames of the start are its own."""
    own: Optional[Sentence] = None
    """The start without what accepted sentences have taught, if they have taught something."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """The corrections that the start has already, if it is a person's."""
    differences: Sequence[Difference] = ()


class _Read(NamedTuple):
    """A sentence's own annotation, if any; whether people made it; and the request to the model."""

    path: str
    number: int
    place: str
    words: List[str]
    given: Optional[Sentence]
    is_of_people: bool
    request: Optional[Request]


class _Saved(NamedTuple):
    sentence: Sentence
    line: str

    @property
    def mark(self) -> str:
        """Whether a person has accepted the sentence, or only corrected it or commented on it."""
        record = self.sentence.extra[KEY]
        if record.get("accepted"):
            return "accepted"
        has_more = not record.get("comment") or _key(0, record) != _key(0, {})
        return "corrected" if has_more else "commented"


class Corpus:
    """
    The sentences, by position from 0, and their corrections from and for the folder `save`, if any.
    With a labeller, accepted sentences change at once how uncorrected ones read (`lessons`).
    Threads may share it, but only one process may open it (`running.hold_folder`). Sentences on
    which two `people` have `agreed` are saved at once.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        save: Optional[Path] = None,
        labeller: Optional[Labeller] = None,
        agreed: Optional[Mapping[int, Sentence]] = None,
        people: Sequence[str] = (),
    ) -> None:
        self.people = [*people]
        self.entries = [*entries]
        own = [entry.number for entry in entries]
        self.numbers = own if len({*own}) == len(own) else [*range(1, len(own) + 1)]
        """Numbers for people: in the file or, of several files, in the corpus."""
        self._save = save
        self._lock = threading.Lock()
        self._saved: Dict[int, _Saved] = {}
        self._shown: Dict[Tuple[int, str], Sentence] = {}
        self._names: Dict[str, Set[str]] = {}
        self._terms = [_terms(entry.start) for entry in entries]
        self._files: Dict[str, List[int]] = defaultdict(list)
        self._stamps: Dict[str, Tuple[int, ...]] = {}
        for index, entry in enumerate(entries):
            self._files[entry.path].append(index)
        if save is not None:
            self._read_corrections()
        for index, reading in (agreed or {}).items():
            self._saved.setdefault(index, _Saved(reading, to_json(reading)))
        if save is not None and agreed:
            for corpus_file in self._files:
                self._write(corpus_file, self._saved)
        self.lessons: Optional[Lessons] = None
        if save is not None and labeller is not None and can_learn(labeller.engine):
            saved = {index: saved.sentence for index, saved in self._saved.items()}
            self.lessons = Lessons(labeller, saved)
        self.turn = asyncio.Lock()
        self._lessons_of_starts: Dict[int, Optional[Lesson]] = {}
        self._stale: Set[int] = set()
        if self.lessons is not None:
            self.mark_stale(self.lessons.lemmas)

    @property
    def saves(self) -> bool:
        return self._save is not None

    def sentence(self, index: int) -> Dict[str, Any]:
        entry = self.entries[index]
        saved = self._saved.get(index)
        return {
            "number": self.numbers[index],
            "place": entry.place,
            "given": list(entry.given),
            "start": entry.start.to_dict(),
            "own": None if entry.own is None else entry.own.to_dict(),
            "learned": list(self._learned(entry)),
            "saved": None if saved is None else saved.sentence.to_dict(),
            "version": _version(saved),
            "differences": [
                {**one._asdict(), "choices": [choice._asdict() for choice in one.choices]}
                for one in entry.differences
            ],
        }

    def _learned(self, entry: Entry) -> Iterator[Dict[str, Any]]:
        """The predicates that a lesson changed, the lesson's sentences, and the way to undo it."""
        for own in (entry.own and entry.own.frames) or ():
            frame = entry.start.frame_at(own.predicate)
            if frame is None or self.lessons is None:
                continue
            if (own.sense, own.tags) != (frame.sense, frame.tags):
                teachers = self.lessons.teachers(_lemmas([own, frame]))
                roles = covering(own, {*range(len(own.tags))})
                values = {"senses": own.sense, "roles": roles}
                yield {
                    "predicate": own.predicate,
                    "sentences": [self.numbers[teacher] for teacher in teachers],
                    "corrections": {k: {str(own.predicate): v} for k, v in values.items() if v},
                }

    def mark_stale(self, lemmas: FrozenSet[str]) -> None:
        frames = ((index, entry.start.frames or ()) for index, entry in enumerate(self.entries))
        self._stale.update(index for index, own in frames if lemmas & _lemmas(own))

    def accepted_predicates(self) -> List[Dict[str, Any]]:
        """Lists the predicates of accepted sentences; those that the model doubts come first."""
        saved = [
            (index, own.sentence) for index, own in self._saved.items() if own.mark == "accepted"
        ]
        frames = [(i, s.predicate_probabilities, f) for i, s in saved for f in s.frames or ()]
        found: List[Dict[str, Any]] = [
            {
                "number": self.numbers[index],
                "predicate": frame.words[frame.predicate],
                "roleset": frame.name,
                "probability": None if shares is None else shares[frame.predicate],
            }
            for index, shares, frame in frames
        ]
        return sorted(found, key=lambda one: (one["probability"] is None, one["probability"]))

    async def refresh_listed(
        self, listed: Dict[str, Any], label: Callable[..., Awaitable[Sentence]]
    ) -> bool:
        """Reads listed sentences again that a lesson may have changed; returns if any were."""
        numbers = {one["number"] for one in listed["sentences"]}
        found = [i for i in tuple(self._stale) if self.numbers[i] in numbers]
        reading = (self.refresh(index, label) for index in found)
        results = await asyncio.gather(*reading, return_exceptions=True)
        # A sentence that cannot be read now is tried again with the next list.
        self._stale.difference_update(i for i, e in zip(found, results, strict=True) if e is None)
        return bool(found)

    async def refresh(self, index: int, label: Callable[..., Awaitable[Sentence]]) -> None:
        """Reads a sentence again with the present lesson, unless it is given or corrected."""
        entry, lessons = self.entries[index], self.lessons
        if lessons is None or entry.request is None or index in self._saved:
            return
        # A sentence that is being saved may teach more.
        async with self.turn:
            lesson = lessons.present
        if self._lessons_of_starts.get(index, lessons.start) is lesson:
            return
        answer = await label(entry.request, lesson)
        with self._lock:
            if index not in self._saved:
                start = replace(entry.start, frames=answer.frames)
                self.entries[index] = replace(
                    entry, start=start, own=entry.own or entry.start, certainty=certainty(answer)
                )
                self._terms[index] = _terms(start)
                self._lessons_of_starts[index] = lesson
                self._shown = {key: own for key, own in self._shown.items() if key[0] != index}

    def listed(self, order: str, search: str, offset: int, limit: int) -> Dict[str, Any]:
        """Lists the sentences of an order with all words, rolesets and roles of a search."""
        with self._lock:
            marks = {index: saved.mark for index, saved in self._saved.items()}
        wanted = search.casefold().split()
        found: Iterable[int] = range(len(self.entries))
        if order in ("certainty", "open"):
            found = [index for index in found if marks.get(index) != "accepted"]
        if order == "certainty":
            found = sorted(found, key=lambda index: self.entries[index].certainty or 0)
        elif order == "corrected":
            found = sorted(marks)
        elif order == "commented":
            found = [i for i in sorted(marks) if self._saved[i].sentence.extra[KEY].get("comment")]
        elif order == "differing":
            found = (index for index in found if self.entries[index].differences)
        listed = [index for index in found if self._terms[index].issuperset(wanted)]
        shown = [(index, self.entries[index]) for index in listed[offset : offset + limit]]
        sentences = [
            {
                "number": self.numbers[index],
                "text": typed(entry.start.as_typed()),
                "certainty": entry.certainty and round(entry.certainty, 4),
                "differences": len(entry.differences),
                "mark": marks.get(index, ""),
            }
            for index, entry in shown
        ]
        return {
            "total": len(self.entries),
            "corrected": len(marks),
            "accepted": [*marks.values()].count("accepted"),
            "found": len(listed),
            "sentences": sentences,
        }

    def alike(self, index: int, part: str, token: int, value: str) -> Dict[str, Any]:
        """
        Finds uncorrected sentences in which the same word has the same tag (`pos`), relation
        (`labels`) or, by its lemma, roleset (`senses`), if this is not `value`.
        """
        wanted = _labels(self.entries[index].start, part).get(token)
        if wanted is None or wanted[1] == value:
            return {"found": 0, "word": "", "before": value, "sentences": []}
        found = []
        for other, entry in enumerate(self.entries):
            if other != index and other not in self._saved:
                labels = _labels(entry.start, part)
                if tokens := [token for token, label in labels.items() if label == wanted]:
                    found.append((other, tokens, entry.start))
        sentences = [
            {"number": self.numbers[other], "text": typed(start.as_typed()), "tokens": tokens}
            for other, tokens, start in found[:MOST_ALIKE]
        ]
        word, before = wanted
        return {"found": len(found), "word": word, "before": before, "sentences": sentences}

    async def edited(
        self, index: int, corrections: Mapping[str, Any], edit: Callable[..., Awaitable[Sentence]]
    ) -> Sentence:
        """
        Returns the reading with corrections: as shown or saved, even by another model, or else from
        `edit`, given the start, the corrections and the parts that people annotated.
        """
        entry, key, saved = self.entries[index], _key(index, corrections), self._saved.get(index)
        if saved is not None and _key(index, saved.sentence.extra[KEY]) == key:
            self._shown[key] = saved.sentence
        elif key not in self._shown:
            self._shown[key] = await edit(entry.start, corrections, entry.given)
        if len(self._shown) > MOST_SHOWN:
            del self._shown[next(iter(self._shown))]
        return self._shown[key]

    def save(
        self, index: int, reading: Optional[Sentence], corrections: Mapping[str, Any], base: str
    ) -> str:
        """
        Writes a sentence's reading and corrections; `None` deletes its line. Returns the new
        version. Raises an `OldVersionError` if `base` is not the present version, and a
        `ConfigurationError` if the corrections do not fit, or another program has changed the file.
        """
        entry = self.entries[index]
        if self._save is None:
            raise ConfigurationError("found no folder to save to; expected lisa serve --save DIR")
        new: Dict[int, _Saved] = {}
        if reading is not None:
            if entry.known and corrections.get("accepted"):
                corrections = with_known(entry.known, corrections, reading)
            record = {**corrections, "number": entry.number}
            reading = replace(reading, extra={**entry.start.extra, **reading.extra, KEY: record})
            line = to_json(reading)
            # Only readable records are saved.
            for item in parse_json_lines([line], entry.place):
                check_corrections(entry.place, entry.number, item.sentence)
            new[index] = _Saved(reading, line)
        with self._lock:
            if base != _version(self._saved.get(index)):
                raise OldVersionError
            others = {other: saved for other, saved in self._saved.items() if other != index}
            changed = {**others, **new}
            self._write(entry.path, changed)
            self._saved = changed
            self._terms[index] = _terms(reading or entry.start)
        if self.lessons is not None:
            self.mark_stale(self.lessons.learn(index, reading))
        return _version(new.get(index))

    def written(self, output_format: str, uncorrected: bool) -> str:
        found = {i: entry.start for i, entry in enumerate(self.entries)} if uncorrected else {}
        found.update((index, saved.sentence) for index, saved in self._saved.items())
        return "".join(format_answer(found[index], output_format) for index in sorted(found))

    def names(self, key: str) -> Set[str]:
        """Returns the labels of the files, and of two people, that corrections may name."""
        if key in self._names:
            return self._names[key]
        choices = (c for e in self.entries for d in e.differences for c in d.choices)
        found = [labels_in(key, choice.corrections.get(key, {})) for choice in choices]
        saved = (one.sentence for one in tuple(self._saved.values()))
        found += [labels_of(own, key) for own in (*(e.start for e in self.entries), *saved)]
        return self._names.setdefault(key, set[str]().union(*found))

    def _write(self, corpus_file: str, saved: Mapping[int, _Saved]) -> None:
        path = self._path(corpus_file)
        if _stamp(path) != self._stamps[corpus_file]:
            raise ConfigurationError(
                f"{path}: found changes of another program; expected none while lisa serve "
                "runs (start it again to read them)"
            )
        lines = [saved[i].line for i in self._files[corpus_file] if i in saved]
        if lines:
            with complete_file(path) as partial:
                partial.write_text("".join(lines), encoding="utf-8")
        else:
            path.unlink(missing_ok=True)
        self._stamps[corpus_file] = _stamp(path)

    def _path(self, corpus_file: str) -> Path:
        assert self._save is not None
        return self._save / corrections_name(corpus_file)

    def _read_corrections(self) -> None:
        owners: Dict[Path, str] = {}
        for corpus_file, indices in self._files.items():
            path = self._path(corpus_file)
            if path in owners:
                raise ConfigurationError(
                    f"--corpus: found {owners[path]} and {corpus_file}, whose corrections would "
                    f"both be {path}; expected different names"
                )
            owners[path] = corpus_file
            self._stamps[corpus_file] = _stamp(path)
            if not path.exists():
                continue
            numbers = {self.entries[index].number: index for index in indices}
            for sentence, (line, *_) in read_annotated(path, "json").sentences:
                check_corrections(path, line, sentence)
                number = sentence.extra.get(KEY, {}).get("number", 0)
                if number not in numbers:
                    found = f"no `number`, or {number}"
                    expected = f"the number of a sentence of {corpus_file}"
                    raise CorpusFormatError(path, line, found, expected)
                index = numbers[number]
                if sentence.words != self.entries[index].start.words:
                    found = f"the words '{' '.join(sentence.words)[:80]}'"
                    expected = f"those of {self.entries[index].place}"
                    raise CorpusFormatError(path, line, found, expected)
                self._saved[index] = _Saved(sentence, to_json(sentence))
                self._terms[index] = _terms(sentence)
                entry = self.entries[index]
                is_as_it_was = _key(index, sentence.extra[KEY]) == _key(index, {})
                if is_as_it_was and not entry.differences:
                    # What a person accepted as it was, perhaps of another model.
                    start = replace(sentence, extra=entry.start.extra)
                    self.entries[index] = replace(entry, start=start)


def certainty(sentence: Sentence) -> float:
    """Returns the mean probability of a sentence's labels. Raises a `ValueError` without any."""
    found = [*(sentence.pos_probabilities or []), *(sentence.head_probabilities or [])]
    for frame in sentence.frames or []:
        others = (span.probability for span in frame.roles if span.role != VERB)
        found += [share for share in (frame.probability, *others) if share is not None]
    if not found:
        raise ValueError(f"found {sentence} without probabilities; expected them")
    return sum(found) / len(found)


def corrections_name(corpus_file: str) -> str:
    """
    Returns the name of the file with the corrections of a corpus.

    >>> corrections_name("corpus/dev/"), corrections_name("notes.txt.gz")
    ('dev.corrections.jsonl', 'notes.corrections.jsonl')
    >>> corrections_name("ann/dev.v1.corrections.jsonl")
    'dev.v1.corrections.jsonl'
    """
    name = bare_name(os.path.basename(os.path.normpath(corpus_file)))
    if name.endswith(ENDING):
        return name
    return (os.path.splitext(name)[0] or name) + ENDING


def check_apart(save: str, paths: Iterable[str]) -> None:
    """Raises a `ConfigurationError` if saving to a folder would overwrite what is read."""
    for path in paths:
        written = (save, os.path.join(save, corrections_name(path)))
        if os.path.realpath(path) in map(os.path.realpath, written):
            raise ConfigurationError(
                f"--save: found {save}, but {path} is read; expected another folder"
            )


def adjudicated(pairs: Sequence[Pair]) -> Tuple[List[Entry], Dict[int, Sentence]]:
    """Returns the sentences in which two people differ; and the others, by position."""
    entries, agreed = [], {}
    for index, pair in enumerate(pairs):
        start, differences = pair.start, pair.differences
        given = tuple(part for part in PARTS if getattr(start, part) is not None)
        known = {} if differences == [] else pair.first.extra.get(KEY, {})
        named = pair.path, pair.number, pair.place
        entries.append(Entry(*named, start, given, known=known, differences=differences))
        if not differences:
            agreed[index] = pair.agreed
    return entries, agreed


def read_corpus(
    paths: Sequence[str],
    labeller: Labeller,
    most_words: int,
    processes: int = 1,
    input_format: Optional[str] = None,
    text_column: Optional[str] = None,
) -> List[Entry]:
    """
    Reads annotated files and inputs; the model labels missing parts and rates its certainty of each
    sentence without probabilities. Raises a `ConfigurationError` for a sentence that is too long,
    or an error in a file.
    """
    if "given_roles" not in labeller.keys or not labeller.has_parse:
        raise ConfigurationError("--corpus: found another model; expected a LISA model")
    read = [i for path in paths for i in _read(path, labeller, input_format, text_column)]
    for item in read:
        if len(item.words) > most_words:
            raise ConfigurationError(
                f"{item.place}: found a sentence of {len(item.words)} words; expected at most "
                f"{most_words} (lisa serve --max-words)"
            )
    labelled = _label([item for item in read if item.request is not None], labeller, processes)
    entries: List[Entry] = []
    for path, number, place, _, given, is_of_people, request in read:
        if request is None:
            start = model = given
        else:
            model = next(labelled)
            start = model if given is None else _filled(given, model)
        assert start is not None and model is not None
        known = [part for part in PARTS if is_of_people and getattr(given, part) is not None]
        own = request if given is None or given.frames is None else None
        name = f"{corrections_name(path).removesuffix(ENDING)}-{number}"
        start = replace(start, extra={ID: name, **start.extra})
        entries.append(Entry(path, number, place, start, tuple(known), certainty(model), own))
    if not entries:
        raise ConfigurationError(f"--corpus: found no sentences in {', '.join(paths)}")
    return entries


def _label(read: Sequence[_Read], labeller: Any, processes: int) -> Iterator[Sentence]:
    options = labeller.options_of(False, probabilities=True)
    items = [Item(item.request, item.place, n) for n, item in enumerate(read, start=1)]
    results = labeller.stream(items, lambda asked: asked, options, processes=processes)
    console = Console(stderr=True)
    # A bar that is only disabled still ends with a line.
    console.quiet = not console.is_terminal
    yield from track(results, "serve: labels the corpus", len(items), console=console)


def _read(
    path: str, labeller: Labeller, input_format: Optional[str], text_column: Optional[str]
) -> Iterator[_Read]:
    if not os.path.isfile(path) and not os.path.isdir(path):
        raise ConfigurationError(f"--corpus: found no file or folder {path}; expected one")
    if is_annotated(path, input_format):
        yield from _read_annotated(path, input_format)
        return
    with open_source(path, input_format, text_column) as source:
        number = 0
        for place, content in source.inputs():
            with located(place):
                asked = labeller.read_any(content)
            if isinstance(asked, Document):
                asked = replace(asked, sentences=asked.with_ids())
            for request in requests_of(asked):
                if words := request.sentence.words:
                    number += 1
                    yield _Read(path, number, place, words, None, False, request)


def _read_annotated(path: str, input_format: Optional[str]) -> Iterator[_Read]:
    annotated = read_annotated(path, input_format, parses=True)
    for index, sentence in enumerate(annotated.bare_sentences):
        place = annotated.place(index)
        if not annotated.has_words:
            raise ConfigurationError(f"{path}: found no words; expected a format with words")
        # Whoever opens corrections as a corpus starts from them.
        extra = {key: value for key, value in sentence.extra.items() if key != KEY}
        given = replace(sentence, extra=extra)
        asked = _request_of(given)
        is_of_people = annotated.format not in (JSON, PARQUET)
        yield _Read(path, index + 1, place, given.words, given, is_of_people, asked)


def _request_of(given: Sentence) -> Optional[Request]:
    """The request for the parts that an annotated sentence lacks, or else for probabilities."""
    has_all = None not in (given.pos, given.parse, given.frames)
    if has_all and given.pos_probabilities is not None:
        # Corrected frames have no probabilities.
        with suppress(ValueError):
            certainty(given)
            return None
    bare = Request(Sentence(given.words))
    if has_all:
        return bare
    heads = None if given.parse is None else given.parse.head_indices
    marks = None if given.frames is None else marks_of(given)
    return replace(bare, head_indices=heads, predicates=marks)


def _filled(given: Sentence, model: Sentence) -> Sentence:
    """A sentence with the model's labels where it has none, and no probabilities of others."""
    has_parse, has_frames = given.parse is not None, given.frames is not None
    return replace(
        given,
        pos=model.pos if given.pos is None else given.pos,
        pos_probabilities=model.pos_probabilities if given.pos is None else None,
        parse=given.parse if has_parse else model.parse,
        head_probabilities=None if has_parse else model.head_probabilities,
        frames=given.frames if has_frames else model.frames,
        predicate_probabilities=None if has_frames else model.predicate_probabilities,
        morphology=given.morphology or model.morphology,
    )


def _labels(sentence: Sentence, part: str) -> Dict[int, Tuple[str, str]]:
    if part == "senses":
        return {frame.predicate: (frame.lemma, frame.sense) for frame in sentence.frames or []}
    labels = (sentence.pos if part == "pos" else sentence.head_tags) or []
    return dict(enumerate(zip(sentence.words, labels, strict=False)))


def _key(index: int, corrections: Mapping[str, Any]) -> Tuple[int, str]:
    others = ("number", "accepted", "comment")
    known = {key: value for key, value in corrections.items() if value and key not in others}
    return index, json.dumps(known, sort_keys=True)


def _lemmas(frames: Iterable[Frame]) -> FrozenSet[str]:
    return frozenset(verb_of(frame.sense or UNKNOWN) for frame in frames)


def _version(saved: Optional[_Saved]) -> str:
    return "" if saved is None else hashlib.sha256(saved.line.encode()).hexdigest()[:16]


def _stamp(path: Path) -> Tuple[int, ...]:
    if not path.exists():
        return ()
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _terms(sentence: Sentence) -> FrozenSet[str]:
    terms = [*sentence.words]
    for frame in sentence.frames or []:
        terms += [frame.sense, frame.lemma, *(span.role for span in frame.arguments)]
    return frozenset(term.casefold() for term in terms)
