"""
Corrections: what a person set in a labelled sentence. They are the key `corrections` of the
sentence's record, to which they have been applied, in a file `NAME.corrections.jsonl`. What nobody
has annotated or set teaches nothing (`KnownLabels`).

    >>> record = {"number": 1, "heads": {"0": 2}}
    >>> corrections_of(Sentence(["He", "sang"], extra={"corrections": record}))
    Corrections(number=1, accepted=False, heads={0: 2}, labels={}, pos={}, predicates={}, ...)
"""

from dataclasses import replace
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence

from lisa_allennlp.data.formats.columns import PathName, read_number
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.roles import LabelledSpan
from lisa_allennlp.data.json_values import expected_of, fields_of, shown
from lisa_allennlp.data.sentence import Frame, Sentence

KEY = "corrections"
"""The key of a sentence's record."""

ENDING = ".corrections.jsonl"
"""The end of the name of a file of corrections."""

HELD_OUT = 5
"""Of so many accepted sentences, the last one is held out."""


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
            position = read_number(token)
            if position is None or position >= length:
                expected = f"a token from 0 to {length - 1}"
                raise CorpusFormatError(path, line, f"{shown(token)} in `{KEY}.{key}`", expected)
    for head in record.get("heads", {}).values():
        if not 0 <= head <= length:
            expected = f"a token from 1 to {length}, or 0"
            raise CorpusFormatError(path, line, f"{head} in `{KEY}.heads`", expected)


class KnownLabels(NamedTuple):
    """
    The annotation of a sentence by token, `None` where it is unknown. Heads are 0-based, and a root
    is its own head. `frames` is `None` if no frame is known with all of its roles.
    """

    pos: Sequence[Optional[str]]
    predicates: Sequence[Optional[bool]]
    heads: Sequence[Optional[int]]
    head_tags: Sequence[Optional[str]]
    frames: Optional[List[Frame]]

    @classmethod
    def of(cls, sentence: Sentence) -> "KnownLabels":
        """
        Returns all annotation of a sentence without corrections, or of one that a person has
        accepted; of any other, the tags, heads, relations and predicates that a person set.
        """
        length = len(sentence.words)
        corrections = corrections_of(sentence)
        if corrections is not None and not corrections.accepted:
            heads = {i: i if head == 0 else head - 1 for i, head in corrections.heads.items()}
            tokens = range(length)
            return cls(
                [corrections.pos.get(i) for i in tokens],
                [corrections.predicates.get(i) for i in tokens],
                [heads.get(i) for i in tokens],
                [corrections.labels.get(i) for i in tokens],
                frames=None,
            )
        unknown: List[Any] = [None] * length
        frames, parse = sentence.frames, sentence.parse
        predicates = unknown
        if frames is not None:
            predicates = [sentence.frame_at(i) is not None for i in range(length)]
        return cls(
            sentence.pos or unknown,
            predicates,
            unknown if parse is None else parse.head_indices,
            unknown if parse is None else parse.head_tags,
            frames,
        )


def is_accepted(sentence: Sentence) -> bool:
    """Whether a person has corrected the sentence and checked it as a whole."""
    corrections = corrections_of(sentence)
    return corrections is not None and corrections.accepted


def held_out(sentences: Iterable[Sentence]) -> List[Sentence]:
    """Returns every fifth of the sentences that a person has accepted, to score a model on."""
    return list(filter(is_accepted, sentences))[HELD_OUT - 1 :: HELD_OUT]


def is_partial(sentence: Sentence, trees: bool = True) -> bool:
    """
    Whether a sentence lacks tags, roles or, if there should be `trees`, its tree; or a person has
    corrected it and not accepted it.
    """
    is_corrected = corrections_of(sentence) is not None and not is_accepted(sentence)
    parts = (sentence.pos, sentence.frames, *[sentence.parse] * trees)
    return is_corrected or any(part is None for part in parts)


def annotated_whole(sentence: Sentence) -> Sentence:
    """
    Returns the sentence as gold, which metrics can score: without its labels if a person has
    corrected it and not accepted it.
    """
    if corrections_of(sentence) is None or is_accepted(sentence):
        return sentence
    return replace(sentence, pos=None, frames=None, parse=None)
