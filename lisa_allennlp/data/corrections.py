"""
Corrections: what a person set in a labelled sentence. They are the key `corrections` of the
sentence's record, to which they have been applied, in a file `NAME.corrections.jsonl`.

    >>> record = {"number": 1, "heads": {"0": 2}}
    >>> corrections_of(Sentence(["He", "sang"], extra={"corrections": record}))
    Corrections(number=1, accepted=False, heads={0: 2}, labels={}, pos={}, predicates={}, ...)
"""

from typing import Any, Dict, List, NamedTuple, Optional

from lisa_allennlp.data.formats.columns import PathName
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import LabelledSpan
from lisa_allennlp.data.json_values import expected_of, fields_of, shown
from lisa_allennlp.data.sentence import Sentence

KEY = "corrections"
"""The key of a sentence's record."""

ENDING = ".corrections.jsonl"
"""The end of the name of a file of corrections."""


class Corrections(NamedTuple):
    """
    The corrections of a sentence, by 0-based token. In JSON, these are the keys, as strings, of
    its objects; all but `number` may be missing.

    # Parameters

    number : `int`
        The position of the sentence in its corpus, from 1.
    accepted : `bool`
        Whether a person has checked the whole sentence; otherwise only what is below.
    heads : `Dict[int, int]`
        1-based heads, 0 for the root.
    """

    number: int
    accepted: bool = False
    heads: Dict[int, int] = {}
    labels: Dict[int, str] = {}
    pos: Dict[int, str] = {}
    predicates: Dict[int, bool] = {}
    senses: Dict[int, str] = {}
    roles: Dict[int, List[LabelledSpan]] = {}


def corrections_of(sentence: Sentence) -> Optional[Corrections]:
    """Returns the corrections of a sentence that `check_corrections` has checked, if it has any."""
    record = sentence.extra.get(KEY)
    if record is None:
        return None
    by_token = {
        key: {int(token): item for token, item in value.items()}
        for key, value in record.items()
        if isinstance(value, dict)
    }
    return Corrections(**{**record, **by_token})


def check_corrections(path: PathName, line: int, sentence: Sentence) -> None:
    """Raises a `CorpusFormatError` if a sentence has corrections that do not fit it."""
    record: Any = sentence.extra.get(KEY)
    if record is None:
        return
    length = len(sentence.words)
    if not isinstance(record, dict) or "number" not in record:
        raise CorpusFormatError(path, line, f"{shown(record, 80)} in `{KEY}`", "its `number`")
    hints = fields_of(Corrections)
    for key, value in record.items():
        if key not in hints:
            raise CorpusFormatError(path, line, f"`{KEY}.{key}`", f"one of {', '.join(hints)}")
        if expected := expected_of(hints[key], value):
            raise CorpusFormatError(path, line, f"{shown(value, 80)} in `{KEY}.{key}`", expected)
        for token in value if isinstance(value, dict) else ():
            if not token.isdecimal() or int(token) >= length:
                expected = f"a token from 0 to {length - 1}"
                raise CorpusFormatError(path, line, f"{shown(token)} in `{KEY}.{key}`", expected)
    for head in record.get("heads", {}).values():
        if not 0 <= head <= length:
            expected = f"a token from 1 to {length}, or 0"
            raise CorpusFormatError(path, line, f"{head} in `{KEY}.heads`", expected)
