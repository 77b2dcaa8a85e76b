"""
Corrections of a labelled sentence by a person, and the sentence with its corrections
(`request_for`, `apply`). A file `NAME.corrections.jsonl` has a record of each corrected sentence,
with the corrections under the key `corrections`. Models learn only from labels that a person has
annotated or set (`KnownLabels`).

    >>> record = {"number": 1, "heads": {"0": 2}}
    >>> corrections_of(Sentence(["He", "sang"], extra={"corrections": record}))
    Corrections(number=1, accepted=False, heads={0: 2}, labels={}, pos={}, predicates={}, ...)
"""

from dataclasses import replace
from itertools import chain, groupby
from typing import Any, Collection, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.json_values import bad_value, expected_of, fields_of, shown
from lisa_allennlp.english.languages import are_universal_tags
from lisa_allennlp.english.morphology import are_english_tags, english_morphology
from lisa_allennlp.formats.columns import PathName
from lisa_allennlp.formats.conllu import without_enhanced
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.roles import (
    CONTINUATION,
    VERB,
    LabelledSpan,
    bio_to_spans,
    lemma_of_roleset,
    spans_to_bio,
)
from lisa_allennlp.sentence.sentence import (
    Frame,
    GivenFrame,
    Morphology,
    Parse,
    Sentence,
    self_loop_heads,
)

KEY = "corrections"

ENDING = ".corrections.jsonl"

PARTS = ("pos", "parse", "frames")

_VERB_TAG = "VERB"

HELD_OUT = 5
"""Every fifth accepted sentence is held out."""


class Corrections(NamedTuple):
    """
    The corrections of a sentence, by 0-based token. In JSON, these are the keys, as strings, of
    its objects; all but `number` may be missing.

    # Parameters

    number : `int`
        The position of the sentence in its corpus, from 1.
    accepted : `bool`
        Whether a person has checked the whole sentence, or only the labels below.
    heads : `Dict[int, int]`
        1-based heads, 0 for the root.
    comment : `str`
        A person's note on the sentence. Models do not learn from it.
    """

    number: int
    accepted: bool = False
    heads: Dict[int, int] = {}
    labels: Dict[int, str] = {}
    pos: Dict[int, str] = {}
    predicates: Dict[int, bool] = {}
    senses: Dict[int, str] = {}
    roles: Dict[int, List[LabelledSpan]] = {}
    upos: Dict[int, str] = {}
    lemmas: Dict[int, str] = {}
    comment: str = ""


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


def check_corrections(path: PathName, line: Optional[int], sentence: Sentence) -> None:
    if KEY not in sentence.extra:
        return
    record: Any = sentence.extra[KEY]
    length = len(sentence.words)
    tokens = set(map(str, range(length)))
    if not isinstance(record, dict) or "number" not in record:
        raise CorpusFormatError(
            path, line, f"{shown(record, 80)} in `{KEY}`", "an object with `number`"
        )
    hints = fields_of(Corrections)
    for key, value in record.items():
        if key not in hints:
            raise CorpusFormatError(path, line, f"`{KEY}.{key}`", f"one of {', '.join(hints)}")
        if expected := expected_of(hints[key], value):
            raise CorpusFormatError(path, line, f"{shown(value, 80)} in `{KEY}.{key}`", expected)
        for token in value if isinstance(value, dict) else ():
            if token not in tokens:
                expected = f"a token from 0 to {length - 1}"
                raise CorpusFormatError(path, line, f"{shown(token)} in `{KEY}.{key}`", expected)
    for token, head in record.get("heads", {}).items():
        if not 0 <= head <= length or head == int(token) + 1:
            expected = f"another token from 1 to {length}, or 0"
            raise CorpusFormatError(path, line, f"{head} in `{KEY}.heads`", expected)
    for token, spans in record.get("roles", {}).items():
        taken = {int(token)}
        for role, first, last in spans:
            if not 0 <= first <= last < length or taken.intersection(range(first, last + 1)):
                found = f"{shown([role, first, last], 80)} in `{KEY}.roles`"
                expected = f"a first and a last token from 0 to {length - 1}, around no other span"
                raise CorpusFormatError(path, line, found, expected)
            taken.update(range(first, last + 1))


def request_for(
    own: Sentence, corrections: Corrections, given: Collection[str] = ()
) -> Optional[Request]:
    """
    Returns the request to a model for a sentence with corrections, or `None` if the sentence itself
    (`own`) suffices: relations and tags never enter the network, and parts that people annotated
    (`given`, some of `PARTS`) need no answer. Raises a `ConfigurationError` if the sentence lacks a
    part that is corrected, or a word with roles is no predicate.
    """
    _, _, heads, labels, pos, predicates, senses, roles, upos, lemmas, _ = corrections
    corrected = (pos, heads or labels, predicates or senses or roles, upos, lemmas)
    for part, values in zip((*PARTS, "upos", "lemmas"), corrected, strict=True):
        if values and getattr(own, part) is None:
            raise bad_value(f"`{KEY}`", values, f"none of its {part}, which the sentence lacks")
    known = frozenset(own.predicates or ()) if "frames" in given else frozenset()
    # What people annotated may have roles that the model does not know.
    asked_frames = sorted({*senses, *roles} - known)
    new = {token for token, is_one in predicates.items() if is_one or "frames" not in given}
    if not (heads or new or asked_frames):
        return None
    tree = marks = None
    if heads or "parse" in given:
        tree = self_loop_heads(_with(own.heads or (), heads))
    if predicates or "frames" in given:
        positions = {*_predicates(own, corrections)}
        if wrong := {*asked_frames} - positions:
            raise bad_value(f"`{KEY}.predicates`", min(wrong), "the words with senses or roles")
        marks = [int(token in positions) for token in range(len(own.words))]
    given_frames = [_given_frame(i, senses.get(i), roles.get(i, ())) for i in asked_frames]
    return Request(Sentence(own.words), tree, predicates=marks, given_roles=given_frames)


def _given_frame(index: int, sense: Optional[str], spans: Iterable[Sequence[Any]]) -> GivenFrame:
    frame: GivenFrame = {"index": index, "spans": [LabelledSpan(*span) for span in spans]}
    return {**frame, "sense": sense} if sense else frame


def apply(
    own: Sentence, answer: Sentence, corrections: Corrections, given: Collection[str] = ()
) -> Sentence:
    """
    Returns a sentence with its corrections: the model's answer to `request_for`, or else the
    sentence itself (`own`), with the corrections that never entered the network and the parts that
    people annotated (`given`). Parts that people changed have no probabilities.
    """
    pos, labels, frames = corrections.pos, corrections.labels, answer.frames
    if "pos" in given:
        pos = {**dict(enumerate(own.pos or ())), **pos}
    if "parse" in given:
        known = {i: tag for i, tag in enumerate(own.head_tags or ()) if i not in corrections.heads}
        labels = {**known, **labels}
    if "frames" in given:
        of_predicates = {f.predicate: f for f in chain(answer.frames or (), own.frames or ())}
        frames = [of_predicates[i] for i in _predicates(own, corrections)]
    parse = answer.parse and Parse(answer.parse.head_indices, _with(answer.parse.head_tags, labels))
    found = replace(
        answer,
        pos=answer.pos and _with(answer.pos, pos),
        parse=parse,
        frames=frames and [_corrected(frame, corrections) for frame in frames],
        predicate_probabilities=None if "frames" in given else answer.predicate_probabilities,
        pos_probabilities=None if pos else answer.pos_probabilities,
        head_probabilities=None if labels else answer.head_probabilities,
        offsets=own.offsets,
        extra=own.extra if parse == own.parse else without_enhanced(own.extra),
        arc_scores=None,
        attention=None,
    )
    pairs = zip(_morphology(own, found), (corrections.upos, corrections.lemmas), strict=True)
    morphology = Morphology(*(values and _with(values, own_ones) for values, own_ones in pairs))
    return replace(found, morphology=morphology)


def _with(values: Sequence[Any], changes: Mapping[int, Any]) -> List[Any]:
    return [changes.get(token, value) for token, value in enumerate(values)]


def _predicates(own: Sentence, corrections: Corrections) -> List[int]:
    known = frozenset(own.predicates or ())
    tokens = range(len(own.words))
    return [token for token in tokens if corrections.predicates.get(token, token in known)]


def _corrected(frame: Frame, corrections: Corrections) -> Frame:
    sense = corrections.senses.get(frame.predicate, frame.sense)
    if sense != frame.sense:
        # Glosses and probabilities of the other roleset do not hold for this one.
        frame = Frame(frame.predicate, frame.tags, lemma_of_roleset(sense), sense)
    tags = _with_spans(frame.tags, corrections.roles.get(frame.predicate, ()))
    return frame if tags == frame.tags else replace(frame, tags=tags, span_probabilities=None)


def _with_spans(tags: List[str], spans: Sequence[LabelledSpan]) -> List[str]:
    if not spans:
        return tags
    taken = {token for _, first, last in spans for token in range(first, last + 1)}
    pieces = [span for span in spans if span[0] != "O"]
    for role, first, last in bio_to_spans(tags):
        for is_taken, tokens in groupby(range(first, last + 1), taken.__contains__):
            if not is_taken:
                piece = [*tokens]
                pieces.append(LabelledSpan(role, piece[0], piece[-1]))
                role = CONTINUATION + role.removeprefix(CONTINUATION)
    found = spans_to_bio(pieces, len(tags))
    for token, label in enumerate(found[1:], start=1):
        # A particle beside its verb is one span with it.
        if label[2:] == CONTINUATION + VERB and found[token - 1][2:] == VERB:
            found[token] = f"I-{VERB}"
    return found


def _morphology(own: Sentence, found: Sentence) -> Morphology:
    """The universal tags and lemmas, which follow the tags and the tree where these changed."""
    known = Morphology(own.upos, own.lemmas)
    if own.pos is None or found.pos is None or None in (own.parse, found.parse):
        return known
    tags = {*own.pos, *found.pos}
    if are_universal_tags(tags):
        return known._replace(upos=found.pos)
    if not are_english_tags(tags):
        return known
    changes = zip(known, english_morphology(own), english_morphology(found), strict=True)
    return Morphology(
        *(
            old
            and [o if b == a else a for o, b, a in zip(old, before or (), after or (), strict=True)]
            for old, before, after in changes
        )
    )


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
    def of(cls, sentence: Sentence, with_unmarked_verbs: bool = True) -> "KnownLabels":
        """
        Returns all annotation of a sentence without corrections, or of one that a person has
        accepted; of any other, the tags, heads, relations and predicates that a person set. Without
        `with_unmarked_verbs`, it is unknown whether verbs without a frame are predicates in a
        sentence that nobody has corrected.
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
        if frames is not None and corrections is None and not with_unmarked_verbs:
            tags = sentence.upos or sentence.pos or unknown
            predicates = [
                is_predicate or (None if tag == _VERB_TAG else False)
                for tag, is_predicate in zip(tags, predicates, strict=True)
            ]
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
    """Whether tags, roles or (if `trees`) the tree are missing, or corrections are not accepted."""
    is_corrected = corrections_of(sentence) is not None and not is_accepted(sentence)
    parts = (sentence.pos, sentence.frames, *[sentence.parse] * trees)
    return is_corrected or any(part is None for part in parts)


def annotated_whole(sentence: Sentence) -> Sentence:
    """Returns the sentence as gold for metrics: bare if it is corrected but not accepted."""
    if corrections_of(sentence) is None or is_accepted(sentence):
        return sentence
    return replace(sentence, pos=None, frames=None, parse=None)
