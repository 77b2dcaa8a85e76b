"""
The JSON lines that `lisa predict` writes: `Sentence.to_dict` or `Document.to_dict`, one sentence or
document per line.

    >>> import sys
    >>> from lisa_allennlp.data.sentence import Frame
    >>> write_json_lines([Sentence(["Sing"], frames=[Frame(0, ["B-V"])])], sys.stdout)
    {"words": ["Sing"], "predicates": [0], "verbs": [{"verb": "Sing", "index": 0, ...}]}
    >>> [(sentence, _)] = parse_json_lines(['{"words": ["Rain"], "verbs": []}'], "roles.jsonl")
    >>> sentence.words, sentence.frames
    (['Rain'], [])
"""

import json
from typing import Any, Dict, Iterable, Iterator, List, Optional, TextIO

from lisa_allennlp.data.document import SENTENCES
from lisa_allennlp.data.formats.columns import (
    LocatedSentence,
    PathName,
    at_least_one,
    check_frame,
    tree_from_columns,
)
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import bio_to_spans
from lisa_allennlp.data.sentence import Sentence

_RECORD = "a record that `lisa predict` writes"
_TAG_KEYS = ("pos", "supertags", "predicted_dependencies")
_WORDWISE_KEYS = (
    "predicted_heads",
    "predicate_probabilities",
    "pos_probabilities",
    "head_probabilities",
    "candidates",
    "offsets",
)


def parse_json_lines(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    Blank lines are skipped.

    # Parameters

    lines : `Iterable[str]`
        An open file, or the result of `columns.read_lines`.
    path : `PathName`
        The name of the file, for errors.

    # Returns

    `Iterator[LocatedSentence]`
        Reads lazily. Sentences have what their records have; without `verbs`, the frames are
        `None`. All tokens of a sentence, and all sentences of a document, are in one line.

    # Raises

    `CorpusFormatError`
        If a line is not such a record, reports an error (as `--skip-bad-lines` writes it), has no
        words, or its parts do not fit together; or if there are no sentences.
    """
    sentences = (
        read_record(path, number, record)
        for number, line in enumerate(lines, start=1)
        if line.strip()
        for record in _read_records(path, number, line)
    )
    return at_least_one(sentences, path)


def _read_records(path: PathName, number: int, line: str) -> List[Any]:
    """The records of the sentences in a line."""
    record = _read_record(path, number, line)
    if SENTENCES not in record or "words" in record:
        return [record]
    _check_list(path, number, SENTENCES, record[SENTENCES], None, strings=False)
    return record[SENTENCES]


def read_record(path: PathName, number: int, record: Any) -> LocatedSentence:
    """Reads a record of a sentence, with the errors of `parse_json_lines`."""
    _check_record(path, number, record)
    length = len(record["words"])
    for key in (*_TAG_KEYS, *_WORDWISE_KEYS):
        if key in record:
            _check_list(path, number, key, record[key], length, strings=key in _TAG_KEYS)
    if "predicted_heads" in record or "predicted_dependencies" in record:
        heads, head_tags = record.get("predicted_heads"), record.get("predicted_dependencies")
        if heads is None or head_tags is None:
            found = f"only one of {heads=} and {head_tags=}"
            raise CorpusFormatError(path, number, found, "both heads and labels of the tree")
        for head in heads:
            if type(head) is not int:
                found = f"{_shown(head)} in `predicted_heads`"
                raise CorpusFormatError(path, number, found, "integers")
        # Answers to requests with `allow_cycles` may have no root.
        columns = list(map(str, heads)), head_tags
        tree_from_columns(path, [number] * length, *columns, needs_root=False)
    _check_verbs(path, number, record.get("verbs"), length)
    try:
        sentence = Sentence.from_dict(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        found = f"{type(error).__name__}: {error}"
        raise CorpusFormatError(path, number, found, _RECORD) from error
    return LocatedSentence(sentence, [number] * length)


def _read_record(path: PathName, number: int, line: str) -> Dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        found = f"'{line.strip()[:80]}', which is not JSON ({error})"
        raise CorpusFormatError(path, number, found, _RECORD) from error
    if not isinstance(record, dict):
        raise CorpusFormatError(path, number, f"'{line.strip()[:80]}'", _RECORD)
    return record


def _check_record(path: PathName, number: int, record: Any) -> None:
    if not isinstance(record, dict):
        raise CorpusFormatError(path, number, f"the sentence {_shown(record)}", _RECORD)
    if "error" in record and "words" not in record:
        found = f"a sentence that was not labelled ({record['error']})"
        raise CorpusFormatError(path, number, found, _RECORD)
    if "words" not in record:
        found = f"an object without `words` (its keys are {', '.join(record) or 'none'})"
        raise CorpusFormatError(path, number, found, _RECORD)
    _check_list(path, number, "words", record["words"], None, strings=True)
    if not record["words"]:
        raise CorpusFormatError(path, number, "a sentence without words", "at least one word")


def _check_list(
    path: PathName, number: int, key: str, value: Any, length: Optional[int], strings: bool
) -> None:
    if not isinstance(value, list):
        raise CorpusFormatError(path, number, f"`{key}`: {_shown(value)}", "a list")
    if length is not None and len(value) != length:
        found = f"{len(value)} items in `{key}`"
        raise CorpusFormatError(path, number, found, f"{length}, one per word")
    for item in value if strings else ():
        if not isinstance(item, str) or not item or not _is_unicode(item):
            expected = "non-empty strings of Unicode text"
            raise CorpusFormatError(path, number, f"{_shown(item)} in `{key}`", expected)


def _is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogates, which JSON can escape but UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: Any) -> str:
    try:
        return json.dumps(value)[:80]
    except RecursionError:
        return "a value nested too deeply to be shown"


def _check_verbs(path: PathName, number: int, verbs: Any, length: int) -> None:
    if verbs is None:
        return
    _check_list(path, number, "verbs", verbs, None, strings=False)
    before = set()
    for verb in verbs:
        if not isinstance(verb, dict) or not {"index", "tags"} <= set(verb):
            expected = "an object with `index` and `tags`"
            raise CorpusFormatError(path, number, f"{_shown(verb)} in `verbs`", expected)
        check_frame(path, number, verb["index"], verb["tags"], length)
        for key in ("lemma", "sense"):
            if key in verb:
                _check_list(path, number, key, [verb[key]], None, strings=True)
        _check_glosses(path, number, verb.get("gloss"), verb.get("role_glosses"))
        if "span_probabilities" in verb:
            _check_span_probabilities(path, number, verb)
        if verb["index"] in before:
            found = f"two frames of the predicate {verb['index']}"
            raise CorpusFormatError(path, number, found, "one frame per predicate")
        before.add(verb["index"])


def _check_glosses(path: PathName, number: int, gloss: Any, of_roles: Any) -> None:
    if gloss is not None and not isinstance(gloss, str):
        raise CorpusFormatError(path, number, f"{_shown(gloss)} as `gloss`", "a string or null")
    strings = isinstance(of_roles, dict) and all(isinstance(g, str) for g in of_roles.values())
    if of_roles is not None and not strings:
        expected = "an object with a string for each role"
        raise CorpusFormatError(path, number, f"{_shown(of_roles)} as `role_glosses`", expected)


def _check_span_probabilities(path: PathName, number: int, verb: Dict[str, Any]) -> None:
    key = "span_probabilities"
    _check_list(path, number, key, verb[key], None, strings=False)
    spans = bio_to_spans(verb["tags"])
    if len(verb[key]) != len(spans):
        found = f"{len(verb[key])} items in `{key}`"
        raise CorpusFormatError(path, number, found, f"{len(spans)}, one per span")


def write_json_lines(sentences: Iterable[Sentence], file: TextIO) -> None:
    """Writes all that `Sentence.to_dict` has."""
    for sentence in sentences:
        described = sentence.to_dict()
        line = json.dumps(described, ensure_ascii=False)
        # Lone surrogates, which other keys of an input may hold, are escaped as they were there.
        file.write((line if _is_unicode(line) else json.dumps(described)) + "\n")
