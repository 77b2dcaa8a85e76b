"""
Reads the example sentences of PropBank's frame files, each with the roles of one predicate. The
files give the text of each argument; its place is found in the sentence.
"""

import hashlib
import itertools
import re
from collections import Counter
from dataclasses import replace
from os import PathLike
from typing import Collection, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union
from xml.etree import ElementTree

from lisa_allennlp.sentence.roles import (
    CONTINUATION,
    VERB,
    LabelledSpan,
    lemma_of_roleset,
    spans_to_bio,
)
from lisa_allennlp.sentence.sentence import Frame, Sentence
from lisa_allennlp.text.propbank_frames import frame_files, parse_files
from lisa_allennlp.text.raw_text import RawTextTokenizer

_TRACE = re.compile(r"(?<!\S)\[?\*[\w?]*\*?(?:-\d+)?\]?(?:-\d+)?|\[\*[\w?]*\*?(?:-\d+)?\](?:-\d+)?")
_INDEX = re.compile(r"(?<=[\w\])])-\d+(?![\w-])")
_BRACKETS = re.compile(r"\[([^][]*)\]|\(([^()]*)\)(?=\()|(?<=\))\(([^()]*)\)")
_QUOTES = str.maketrans({"`": "'", "‘": "'", "’": "'", "“": '"', "”": '"'})
_ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}

_AUXILIARIES = re.compile(
    r"^ *(?:\[?(?:be|been|is|are|was|were|has|have|had|will|to)\]?,? +)+(?=\S)", re.IGNORECASE
)
"""Parts of some files' predicates (`was nosing`) that the roleset does not cover."""

LEFT_OUT = "left out on request"
NO_TEXT = "no text or no predicate"
TRACE = "an argument that is a trace"
NOT_FOUND = "words that are not found in one sentence"
OTHER_ROLE = "a role without a number or a function"
UNKNOWN_ROLE = "a role that the model does not predict"


class FrameExample(NamedTuple):
    """
    A roleset, an example in tokens of the English Web Treebank, the 0-based position of a predicate
    with this roleset, and its roles as BIO labels.
    """

    sense: str
    words: List[str]
    predicate: int
    tags: List[str]


class FrameExamples:
    """
    Reads the examples from the files of `frame_files`, except those with an `example_digest` in
    `leave_out`, such as examples that overlap with evaluation data, and those with an argument that
    cannot be placed, such as a trace. `skipped` counts the examples left out, by reason.
    """

    def __init__(
        self,
        folder: Union[str, PathLike],
        leave_out: Collection[str] = frozenset(),
    ) -> None:
        self._files = frame_files(folder)
        self._leave_out = frozenset(leave_out)
        self._tokenizer = RawTextTokenizer("en")
        self.skipped: Counter[str] = Counter()

    def __iter__(self) -> Iterator[FrameExample]:
        self.skipped.clear()
        for root in parse_files(self._files):
            for roleset in root.iter("roleset"):
                sense = roleset.get("id", "")
                # The predicate of a light verb is a noun, whose roleset is another one.
                if sense.endswith(".LV"):
                    continue
                for element in roleset.iter("example"):
                    found = self._read(sense, element)
                    if isinstance(found, str):
                        self.skipped[found] += 1
                    else:
                        yield found

    def _read(self, sense: str, element: ElementTree.Element) -> Union[FrameExample, str]:
        text = element.findtext("text") or ""
        verbs = [rel.text for rel in element.findall("rel") if rel.text]
        if not text.strip() or len(verbs) != 1:
            return NO_TEXT
        if example_digest(text) in self._leave_out:
            return LEFT_OUT
        arguments: List[Tuple[str, List[str]]] = []
        for argument in element.findall("arg"):
            role, pieces = _role_of(argument), _pieces(argument.text or "")
            if role is None or pieces is None:
                return OTHER_ROLE if role is None else TRACE
            arguments.append((role, pieces))
        cleaned = _cleaned(text)
        sentences = [
            [cleaned[start:end] for start, end in sentence]
            for sentence in self._tokenizer.sentences(cleaned, max_words=200)
        ]
        # The particle of `hung up` may be further right.
        is_own = sense.startswith(("be.", "be_", "have."))
        rel = verbs[0] if is_own else _AUXILIARIES.sub("", verbs[0])
        forms = [verb for verb in (_pieces(rel), _cleaned(rel).split()) if verb]
        for words, verb in itertools.product(sentences, forms):
            spans = _place(words, [(VERB, verb), *arguments])
            if spans is not None:
                return FrameExample(sense, words, spans[0].first, spans_to_bio(spans, len(words)))
        return NOT_FOUND


def completed(
    examples: Sequence[FrameExample], labelled: Sequence[Sentence], skipped: "Counter[str]"
) -> List[Sentence]:
    """
    Puts examples' frames into the sentences as a model labelled them. Leaves out, and counts,
    examples with a role that the model predicts nowhere.
    """
    known = {tag for sentence in labelled for frame in sentence.frames or [] for tag in frame.tags}
    roles = {tag[2:] for tag in known}
    corpus = []
    for example, sentence in zip(examples, labelled, strict=True):
        unknown = {tag[2:] for tag in example.tags} - roles
        if unknown:
            skipped[UNKNOWN_ROLE] += 1
            continue
        lemma = lemma_of_roleset(example.sense)
        annotated = Frame(example.predicate, example.tags, lemma, example.sense)
        others = [f for f in sentence.frames or [] if f.predicate != example.predicate]
        frames = sorted([*others, annotated], key=lambda frame: frame.predicate)
        corpus.append(replace(sentence, frames=frames))
    return corpus


def example_digest(text: str) -> str:
    """Returns 16 hexadecimal digits of the SHA-256 of lower-cased letters (a to z) and digits."""
    kept = re.sub("[^a-z0-9]", "", text.lower())
    return hashlib.sha256(kept.encode()).hexdigest()[:16]


def _role_of(argument: ElementTree.Element) -> Optional[str]:
    number, function = argument.get("n", ""), argument.get("f", "").upper()
    if number.isdigit() or number.upper() == "A":
        return f"ARG{number.upper()}"
    return f"ARGM-{function}" if number.upper() == "M" and function.isalpha() else None


def _cleaned(text: str) -> str:
    if "*" in text:
        text = _BRACKETS.sub(r"\1\2\3", _INDEX.sub("", _TRACE.sub(" ", text)))
    for escaped, character in _ESCAPED.items():
        text = text.replace(escaped, character)
    return " ".join(text.translate(_QUOTES).split())


def _pieces(text: str) -> Optional[List[str]]:
    # `which -> charges` names what the pronoun refers to.
    text = text.partition("->")[0]
    if _TRACE.sub("", _INDEX.sub("", text)).strip("[] ") == "":
        return None
    bracketed = [next(filter(None, groups), "") for groups in _BRACKETS.findall(text)]
    whole = bracketed if len(bracketed) > 1 else [text.strip("[]")]
    return [_cleaned(_INDEX.sub("", _TRACE.sub(" ", piece))) for piece in whole]


def _place(
    words: Sequence[str], texts: Sequence[Tuple[str, Sequence[str]]]
) -> Optional[List[LabelledSpan]]:
    """The spans of the verb, which comes first, and of the arguments; `None` if one is missing."""
    spans: List[LabelledSpan] = []
    for role, pieces in texts:
        for number, piece in enumerate(pieces):
            free = [
                (first, last)
                for first, last in _find(words, piece)
                if all(last < span.first or span.last < first for span in spans)
            ]
            if not free:
                return None
            near = spans[0].first if spans else 0
            first, last = min(free, key=lambda place: abs(place[0] - near))
            spans.append(LabelledSpan(CONTINUATION + role if number else role, first, last))
    return spans


def _find(words: Sequence[str], text: str) -> List[Tuple[int, int]]:
    wanted = re.sub(r"\s", "", text).lower()
    wanted = wanted.rstrip(".,;") or wanted
    places: List[Tuple[int, int]] = []
    for first in range(len(words)):
        found = ""
        for last in range(first, len(words)):
            found += words[last].lower()
            if not wanted.startswith(found):
                break
            if found == wanted:
                places.append((first, last))
    return places
