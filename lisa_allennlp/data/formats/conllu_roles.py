"""
CoNLL-U with semantic roles in the column MISC. Keys and values are those of the columns of
Universal PropBank 2.0, except that commas separate arguments, as `|` separates the keys of MISC:

- `UP:PRED=LEMMA.SENSE` marks a predicate. `_` stands for an unknown lemma or sense.
- `UP:ARGSPANS=ROLE:FIRST-LAST,...` has its arguments, if any: their first and last token ids.

As in Universal PropBank, the predicate itself (`V`) is an argument only if it has more tokens than
the marked one. The comment `# predicates = 0` tells a sentence without predicates from one without
annotation. `%`, `|`, `,`, `.` and blanks within names are percent-encoded.

    >>> import io
    >>> from lisa_allennlp.data.sentence import Frame
    >>> words, tags = ["She", "sang", "a", "song"], ["B-ARG0", "B-V", "B-ARG1", "I-ARG1"]
    >>> sentence = Sentence(words, frames=[Frame(1, tags, lemma="sing", sense="sing.01")])
    >>> file = io.StringIO()
    >>> write_conllu_roles([sentence], file)
    >>> lines = file.getvalue().splitlines()
    >>> lines[1].split("\\t")[-1]
    'UP:PRED=sing.01|UP:ARGSPANS=ARG0:1-1,ARG1:3-4'
    >>> next(parse_conllu_roles(lines, "dev.conllu")).sentence == sentence
    True
"""

import re
from dataclasses import replace
from typing import Dict, Iterable, Iterator, List, Optional, TextIO, Tuple
from urllib.parse import unquote

from lisa_allennlp.data.formats.columns import (
    LocatedSentence,
    PathName,
    frames_in_order,
    read_number,
)
from lisa_allennlp.data.formats.conllu import (
    CommentedRows,
    conllu_rows,
    parse_conllu_rows,
    write_conllu_rows,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import VERB, LabelledSpan, bio_to_spans, spans_to_bio
from lisa_allennlp.data.formats.rolesets import join_roleset, split_roleset
from lisa_allennlp.data.sentence import UNKNOWN, Frame, Sentence

_MISC = 9
_PREDICATE, _SPANS = "UP:PRED", "UP:ARGSPANS"
_NO_VALUE = "_"
_NO_PREDICATES = "# predicates = 0"
_SPAN = re.compile(r"(?P<role>[^|,]+):(?P<first>[0-9]+)-(?P<last>[0-9]+)")


def parse_conllu_roles(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    Reads sentences as `parse_conllu` does, with their roles. Trees are not required.

    # Parameters

    lines, path :
        As in `parse_conllu`.

    # Returns

    `Iterator[LocatedSentence]`
        The frames of a sentence are `None` if it has neither a predicate nor the comment
        `# predicates = 0`.

    # Raises

    `CorpusFormatError`
        If a line is malformed or there are no sentences.
    """
    for item in parse_conllu_rows(lines, path, requires_parses=False):
        sentence = replace(item.located.sentence, frames=_read_frames(path, item))
        yield LocatedSentence(sentence, item.located.line_numbers)


def _read_frames(path: PathName, item: CommentedRows) -> Optional[List[Frame]]:
    frames = []
    for position, (row, line) in enumerate(zip(item.rows, item.located.line_numbers, strict=True)):
        misc = _read_misc(row[_MISC])
        if _PREDICATE in misc:
            if not misc[_PREDICATE]:
                found = f"{_PREDICATE} without a value"
                raise CorpusFormatError(path, line, found, f"{_PREDICATE}=LEMMA.SENSE")
            spans = misc.get(_SPANS, _NO_VALUE)
            tags = _read_tags(path, line, position, spans, len(item.rows))
            frames.append(Frame(position, tags, *_read_roleset(misc[_PREDICATE])))
        elif _SPANS in misc:
            found = f"{_SPANS} without {_PREDICATE}"
            raise CorpusFormatError(path, line, found, f"{_PREDICATE}=LEMMA.SENSE too")
    return frames if frames or _NO_PREDICATES in item.comments else None


def _read_misc(misc: str) -> Dict[str, str]:
    pairs = (item.partition("=") for item in misc.split("|"))
    return {key: value for key, _, value in pairs}


def _read_roleset(roleset: str) -> Tuple[str, str]:
    """The lemma and the sense of a predicate."""
    lemma, _, number = roleset.rpartition(".") if "." in roleset else (roleset, "", _NO_VALUE)
    lemma, number = _decode(lemma), _decode(number)
    return lemma, join_roleset(lemma, number)


def _read_tags(path: PathName, line: int, predicate: int, arguments: str, length: int) -> List[str]:
    spans = []
    for argument in arguments.split(",") if arguments != _NO_VALUE else []:
        match = _SPAN.fullmatch(argument)
        if match is None:
            found = f"'{argument}' in {_SPANS}"
            raise CorpusFormatError(path, line, found, "ROLE:FIRST-LAST with two token ids")
        role, first, last = match.groups()
        ends = [read_number(end) or length + 1 for end in (first, last)]
        spans.append(LabelledSpan(unquote(role), ends[0] - 1, ends[1] - 1))
    try:
        tags = spans_to_bio(spans, length)
    except ValueError as error:
        expected = f"disjoint spans of the tokens 1 to {length}"
        raise CorpusFormatError(path, line, f"'{arguments}' in {_SPANS}", expected) from error
    if tags[predicate] == "O" and all(span.role != VERB for span in spans):
        tags[predicate] = f"B-{VERB}"
    return tags


def write_conllu_roles(sentences: Iterable[Sentence], file: TextIO) -> None:
    """
    Writes words, parts of speech (as XPOS), parses and roles. Missing values become `_`. Without
    frames, the result is that of `write_conllu`.

    # Raises

    `ValueError`
        If a value is empty or contains a tab or line break, or a frame is malformed.
    """
    for sentence in sentences:
        write_conllu_rows(rows_with_roles(sentence), file)


def rows_with_roles(sentence: Sentence) -> CommentedRows:
    """The columns and comments of a sentence, as `write_conllu_roles` writes them."""
    rows = list(conllu_rows(sentence))
    if sentence.frames is not None:
        for frame in frames_in_order(sentence):
            rows[frame.predicate][_MISC] = _misc(frame)
    comments = [_NO_PREDICATES] if sentence.frames == [] else []
    return CommentedRows(LocatedSentence(sentence, []), rows, comments)


def _misc(frame: Frame) -> str:
    spans = bio_to_spans(frame.tags)
    verbs = [span for span in spans if span.role == VERB]
    if verbs == [LabelledSpan(VERB, frame.predicate, frame.predicate)]:
        spans.remove(verbs[0])
    arguments = ",".join(f"{_encode(role)}:{first + 1}-{last + 1}" for role, first, last in spans)
    lemma, number = (
        _NO_VALUE if value == UNKNOWN else _encode(value)
        for value in split_roleset(frame.lemma, frame.sense)
    )
    return f"{_PREDICATE}={lemma}.{number}" + (f"|{_SPANS}={arguments}" if arguments else "")


def _encode(value: str) -> str:
    """The value with `%XX` for characters that separate values, and for a value `_`."""
    if value == _NO_VALUE:
        return "%5F"
    return re.sub(r"[%|,. \t\r\n]", lambda match: f"%{ord(match.group()):02X}", value)


def _decode(value: str) -> str:
    return UNKNOWN if value in ("", _NO_VALUE) else unquote(value)
