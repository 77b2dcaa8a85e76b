"""
The JSON lines that `lisa predict` writes: `Sentence.to_dict` or `Document.to_dict`, one sentence or
document per line.

    >>> import sys
    >>> from lisa_allennlp.sentence.sentence import Frame
    >>> write_json_lines([Sentence(["Sing"], frames=[Frame(0, ["B-V"])])], sys.stdout)
    {"words": ["Sing"], "predicates": [0], "verbs": [{"verb": "Sing", "index": 0, ...}]}
    >>> [(sentence, _)] = parse_json_lines(['{"words": ["Rain"], "verbs": []}'], "roles.jsonl")
    >>> sentence.words, sentence.frames
    (['Rain'], [])
"""

import json
from dataclasses import replace
from typing import Any, Dict, Iterable, Iterator, List, Optional, TextIO

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.json_values import expected_of, fields_of, is_unicode, shown
from lisa_allennlp.formats.columns import (
    LocatedSentence,
    PathName,
    at_least_one,
    check_frame,
    tree_from_columns,
)
from lisa_allennlp.sentence.document import SENTENCES, Document
from lisa_allennlp.sentence.roles import VERB, bio_to_spans
from lisa_allennlp.sentence.sentence import NOT_PER_WORD, FrameRecord, Sentence, SentenceRecord

_RECORD = "a record that `lisa predict` writes"


def parse_json_lines(lines: Iterable[str], path: PathName) -> Iterator[LocatedSentence]:
    """
    Reads sentences; blank lines are skipped. Without `verbs`, the frames are `None`. Sentences of a
    document have its text and, as in `Document.with_ids`, its other keys. Frames of AllenNLP's SRL
    models have no `index`. Refuses errors, as `--skip-bad-lines` writes them.
    """
    sentences = (
        located
        for number, line in enumerate(lines, start=1)
        if line.strip()
        for located in _read_line(path, number, line)
    )
    return at_least_one(sentences, path)


def _read_line(path: PathName, number: int, line: str) -> List[LocatedSentence]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        found = f"'{line.strip()[:80]}', which is not JSON ({error})"
        raise CorpusFormatError(path, number, found, _RECORD) from error
    return read_answer(path, number, record)


def read_answer(path: PathName, number: int, record: Any) -> List[LocatedSentence]:
    if not isinstance(record, dict) or SENTENCES not in record or "words" in record:
        return [read_record(path, number, record)]
    _check(path, number, SENTENCES, List[SentenceRecord], record[SENTENCES])
    located = [read_record(path, number, sentence) for sentence in record[SENTENCES]]
    text = record.get("text")
    if text is not None:
        _check(path, number, "text", str, text)
    extra = {key: value for key, value in record.items() if key not in ("text", SENTENCES)}
    sentences = [replace(sentence, text=text) for sentence, _ in located]
    document = Document(text or "", sentences, extra)
    lines = (item.line_numbers for item in located)
    return list(map(LocatedSentence, document.with_ids(), lines))


def read_record(path: PathName, number: int, record: Any) -> LocatedSentence:
    """Reads a `SentenceRecord`, with the errors of `parse_json_lines`."""
    if not isinstance(record, dict):
        raise CorpusFormatError(path, number, f"the sentence {shown(record, 80)}", _RECORD)
    if "words" not in record:
        found = f"an object without `words` (its keys are {', '.join(record) or 'none'})"
        if "error" in record:
            found = f"a sentence that was not labelled ({record['error']})"
        raise CorpusFormatError(path, number, found, _RECORD)
    _check(path, number, "words", List[str], record["words"])
    if isinstance(record.get("verbs"), list):
        record = {**record, "verbs": _with_indices(record["verbs"], record["words"])}
    if not record["words"]:
        raise CorpusFormatError(path, number, "a sentence without words", "at least one word")
    length = len(record["words"])
    for key, hint in fields_of(SentenceRecord).items():
        if key in record:
            size = None if key in NOT_PER_WORD else length
            _check(path, number, key, hint, record[key], size)
    for key in ("arc_scores", "attention"):
        for row in record.get(key, ()):
            _check(path, number, key, List[float], row, length)
    _check_tree(path, number, record, length)
    _check_verbs(path, number, record.get("verbs", ()), length)
    return LocatedSentence(Sentence.from_dict(record), [number] * length)


def _with_indices(verbs: List[Any], words: List[str]) -> List[Any]:
    """Adds `index`, which AllenNLP's frames lack: of the V, or else of the word's next place."""
    found: List[Any] = []
    before = -1
    for verb in verbs:
        if isinstance(verb, dict) and "index" not in verb and isinstance(verb.get("tags"), list):
            marks = [n for n, tag in enumerate(verb["tags"]) if tag == f"B-{VERB}"]
            marks += [n for n, word in enumerate(words) if n > before and word == verb.get("verb")]
            verb = {**verb, "index": marks[0]} if marks else verb
            before = marks[0] if marks else before
        found.append(verb)
    return found


def _check(
    path: PathName, line: int, key: str, hint: Any, value: Any, length: Optional[int] = None
) -> None:
    if expected := expected_of(hint, value, length):
        found = shown(value, 80)
        if isinstance(value, list):
            wrong = (shown(item, 80) for item in value if expected_of(hint, [item]))
            found = next(wrong, f"{len(value)} items")
        raise CorpusFormatError(path, line, f"{found} in `{key}`", expected)


def _check_tree(path: PathName, number: int, record: Dict[str, Any], length: int) -> None:
    heads, head_tags = record.get("predicted_heads"), record.get("predicted_dependencies")
    if (heads is None) != (head_tags is None):
        found = f"only one of {heads=} and {head_tags=}"
        raise CorpusFormatError(path, number, found, "both heads and labels of the tree")
    if heads is not None and head_tags is not None:
        # Answers to requests with `allow_cycles` may have no root.
        columns = list(map(str, heads)), head_tags
        tree_from_columns(path, [number] * length, *columns, needs_root=False)


def _check_verbs(path: PathName, number: int, verbs: Iterable[Any], length: int) -> None:
    before = set()
    for verb in verbs:
        if not {"index", "tags"} <= set(verb):
            expected = "an object with `tags`, and `index` unless the tags have a V"
            raise CorpusFormatError(path, number, f"{shown(verb, 80)} in `verbs`", expected)
        check_frame(path, number, verb["index"], verb["tags"], length)
        for key, hint in fields_of(FrameRecord).items():
            if key in verb:
                _check(path, number, key, hint, verb[key])
        spans, probabilities = bio_to_spans(verb["tags"]), verb.get("span_probabilities")
        if probabilities is not None and len(probabilities) != len(spans):
            found = f"{len(probabilities)} items in `span_probabilities`"
            raise CorpusFormatError(path, number, found, f"{len(spans)}, one per span")
        if verb["index"] in before:
            found = f"two frames of the predicate {verb['index']}"
            raise CorpusFormatError(path, number, found, "one frame per predicate")
        before.add(verb["index"])


def write_json_lines(sentences: Iterable[Sentence], file: TextIO) -> None:
    for sentence in sentences:
        described = sentence.to_dict()
        line = json.dumps(described, ensure_ascii=False)
        # Lone surrogates, which other keys of an input may hold, are escaped as they were there.
        file.write((line if is_unicode(line) else json.dumps(described)) + "\n")
