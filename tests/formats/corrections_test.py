"""What a person set in a sentence, how it reads then, and what it teaches."""

import json
from dataclasses import replace
from typing import Any, Dict, List, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.corrections import (
    HELD_OUT,
    PARTS,
    Corrections,
    KnownLabels,
    apply,
    check_corrections,
    corrections_of,
    held_out,
    request_for,
)
from lisa_allennlp.formats.json_lines import parse_json_lines
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.roles import bio_to_spans, spans_to_bio
from lisa_allennlp.sentence.sentence import Frame, Morphology, Parse, Sentence
from tests.sentence.sentences import SAMPLE


def corrected(**corrections: Any) -> Sentence:
    return replace(SAMPLE[1], extra={"corrections": {"number": 1, **corrections}})


def test_all_of_an_accepted_sentence_is_known_and_of_others_what_a_person_set() -> None:
    whole = KnownLabels.of(SAMPLE[1])
    assert whole == (["#", "CD", "."], [False] * 3, [1, 1, 1], ["dep", "root", "punct"], [])
    assert KnownLabels.of(corrected(accepted=True)) == whole
    part = corrected(heads={"0": 2, "2": 0}, labels={"1": "root"}, pos={"0": "$"})
    heads, labels = [1, None, 2], [None, "root", None]
    assert KnownLabels.of(part) == (["$", None, None], [None] * 3, heads, labels, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"other": True},
        {"heads": {"0": 4}},
        {"pos": {"01": "CD"}},
        {"labels": {"9" * 5000: "dep"}},
        {"roles": {"0": [["ARG1", 2, 1]]}},
        {"heads": {"0": 1}},
        {"roles": {"0": [["ARG1", 0, 1]]}},
        {"roles": {"0": [["ARG1", 1, 2], ["O", 2, 2]]}},
    ],
)
def test_corrections_that_do_not_fit_are_refused(wrong: Dict[str, Any]) -> None:
    check_corrections("a", 1, corrected(heads={"0": 3}, roles={"0": [["ARG1", 1, 2]]}))
    with pytest.raises(CorpusFormatError, match="^a:1: found .*`corrections"):
        check_corrections("a", 1, corrected(**wrong))


def test_every_fifth_accepted_sentence_is_held_out() -> None:
    sentences = [corrected(number=n, accepted=n % 3 > 0) for n in range(1, 40)]
    accepted = [n for n in range(1, 40) if n % 3]
    found = [sentence.extra["corrections"]["number"] for sentence in held_out(sentences)]
    assert found == [n for i, n in enumerate(accepted, start=1) if i % HELD_OUT == 0]
    assert not held_out(SAMPLE * 5)


OWN = Sentence(
    "She sold him the old car yesterday".split(),
    pos="PRP VBD PRP DT JJ NN NN".split(),
    pos_probabilities=[0.9] * 7,
    frames=[
        Frame(1, "B-ARG0 B-V B-ARG2 B-ARG1 I-ARG1 I-ARG1 I-ARG1".split(), "sell", "sell.01"),
        Frame(5, "O O O O B-ARG1 B-V O".split(), "car", "car.01", span_probabilities=[0.7, 1]),
    ],
    parse=Parse([1, 1, 1, 5, 5, 1, 1], "nsubj root iobj det amod obj obl".split()),
    head_probabilities=[0.8] * 7,
    offsets=[(0, 3), (4, 8), (9, 12), (13, 16), (17, 20), (21, 24), (25, 34)],
    extra={"id": 7},
    morphology=Morphology(
        "PRON VERB PRON DET ADJ NOUN NOUN".split(), "she sell he the OLD car yesterday".split()
    ),
)
TOKENS = range(7)


def modelled(request: Request) -> Sentence:
    """What a model would answer: what is asked for, and labels of its own for all else."""
    frames = {frame["index"]: frame for frame in request.given_roles}
    predicates = {1, *frames}
    if request.predicates is not None:
        predicates = {i for i in TOKENS if request.predicates[i]}
    answered = []
    for i in sorted(predicates):
        spans = [span for span in frames.get(i, {}).get("spans", []) if span[0] != "O"]
        tags = spans_to_bio([*spans, ("V", i, i)], 7)
        answered.append(Frame(i, tags, sense=frames.get(i, {}).get("sense", "be.01")))
    heads = [t and 1 for t in TOKENS] if request.head_indices is None else request.head_indices
    known: Any = {"pos_probabilities": [0.5] * 7, "head_probabilities": [0.5] * 7}
    parse = Parse(heads, ["dep"] * 7)
    return Sentence(OWN.words, ["NN"] * 7, answered, parse, **known)


def by_token(values: "st.SearchStrategy[Any]") -> "st.SearchStrategy[Dict[int, Any]]":
    return st.dictionaries(st.sampled_from(TOKENS), values, max_size=3)


@st.composite
def disjoint_spans(draw: Any, predicate: int) -> List[Any]:
    """Spans beside a predicate, cut out of the sentence."""
    cuts = sorted(draw(st.sets(st.integers(0, 7), max_size=5)) | {predicate, predicate + 1})
    spans = [
        [draw(st.sampled_from(["ARG0", "ARG1", "O"])), start, end - 1]
        for start, end in zip(cuts, cuts[1:], strict=False)
        if start != predicate
    ]
    return draw(st.permutations(spans))


@st.composite
def edits(draw: Any) -> Tuple[Dict[str, Any], List[str]]:
    """The record of corrections that a page makes, and the parts that people annotated."""
    parts = draw(st.lists(st.sampled_from(PARTS), unique=True))
    changed = draw(by_token(st.booleans()))
    predicates = [i for i in TOKENS if changed.get(i, i in (1, 5))]
    framed = by_token(st.just(None)).map(lambda found: [i for i in found if i in predicates])
    heads = draw(by_token(st.integers(0, 7)))
    record = {
        "number": 1,
        "accepted": draw(st.booleans()),
        "heads": {i: head for i, head in heads.items() if head != i + 1},
        "labels": draw(by_token(st.sampled_from(["obl", "dep"]))),
        "pos": draw(by_token(st.sampled_from(["NNP", "VB"]))),
        "predicates": changed,
        "senses": {i: "go.02" for i in draw(framed)},
        "roles": {i: draw(disjoint_spans(i)) for i in draw(framed)},
    }
    return json.loads(json.dumps(record)), parts


def words_of(tags: List[str]) -> List[str]:
    """The role of each word, without the difference between first and second pieces."""
    return [tag[2:].removeprefix("C-") or "O" for tag in tags]


@given(edits())
def test_what_a_person_set_and_annotated_is_what_one_reads(
    found: Tuple[Dict[str, Any], List[str]],
) -> None:
    record, parts = found
    marked = replace(OWN, extra={"corrections": record})
    check_corrections("a", 1, marked)
    corrections = corrections_of(marked)
    assert corrections is not None
    asked = request_for(OWN, corrections, parts)
    answer = OWN if asked is None else modelled(asked)
    read = apply(OWN, answer, corrections, parts)
    assert (read.words, read.offsets, read.extra) == (OWN.words, OWN.offsets, OWN.extra)
    assert read.parse and read.pos and OWN.parse and OWN.pos and answer.parse and answer.pos
    for i in TOKENS:
        own_or_model = OWN if "parse" in parts else answer
        head = corrections.heads.get(i, (own_or_model.heads or [])[i])
        assert (read.heads or [])[i] == head
        source = answer if i in corrections.heads else own_or_model
        assert source.parse
        assert read.parse.head_tags[i] == corrections.labels.get(i, source.parse.head_tags[i])
        tag = (OWN if "pos" in parts else answer).pos or []
        assert read.pos[i] == corrections.pos.get(i, tag[i])
    is_known = corrections.predicates or "frames" in parts
    known = [i for i in TOKENS if corrections.predicates.get(i, i in (1, 5))]
    assert read.predicates == (known if is_known else answer.predicates)
    for frame in read.frames or []:
        i = frame.predicate
        source = OWN if "frames" in parts and i in (1, 5) else answer
        before = source.frame_at(i)
        assert before is not None
        assert frame.sense == corrections.senses.get(i, before.sense)
        roles = words_of(before.tags)
        for role, first, last in corrections.roles.get(i, []):
            roles[first : last + 1] = [role] * (last + 1 - first)
            assert role == "O" or (role, first, last) in bio_to_spans(frame.tags)
        assert words_of(frame.tags) == roles
        spans = bio_to_spans(frame.tags)
        assert spans_to_bio(spans, 7) == frame.tags
        assert frame.span_probabilities is None or frame.tags == before.tags
    if "pos" in parts or corrections.pos:
        assert read.pos_probabilities is None
    if "parse" in parts or corrections.labels:
        assert read.head_probabilities is None
    # It is a line of a file of corrections.
    saved = replace(read, extra={**read.extra, "corrections": record})
    ((again, _),) = parse_json_lines([json.dumps(saved.to_dict())], "a")
    check_corrections("a", 1, again)
    assert again == saved and corrections_of(again) == corrections


def test_the_model_answers_only_what_enters_the_network() -> None:
    def asked(*given: str, **corrections: Any) -> Any:
        return request_for(OWN, Corrections(1, **corrections), given)

    assert asked() is asked(labels={0: "dep"}, pos={0: "NN"}) is None
    tree = Request(Sentence(OWN.words), [1, 1, 5, 5, 5, 1, 1], given_roles=[])
    assert asked(heads={2: 6}) == tree
    assert asked(predicates={5: False}).predicates == [0, 1, 0, 0, 0, 0, 0]
    assert asked(senses={1: "sell.02"}).given_roles == [
        {"index": 1, "sense": "sell.02", "spans": []}
    ]
    roles: Any = {1: [["ARG9", 2, 2]]}
    # The model need not know the roles that people annotated.
    assert asked("frames", predicates={5: False}, roles=roles) is None
    found = asked("frames", "parse", predicates={2: True}, roles={**roles, 2: []})
    assert OWN.parse and found.predicates == [0, 1, 1, 0, 0, 1, 0]
    assert found.head_indices == OWN.parse.head_indices
    assert found.named_predicates == {1, 2, 5} and [f["index"] for f in found.given_roles] == [2]
    with pytest.raises(ConfigurationError, match="found 1"):
        asked(predicates={1: False}, senses={1: "sell.02"})
    for part, wrong in (("frames", {"roles": roles}), ("parse", {"labels": {0: "dep"}})):
        with pytest.raises(ConfigurationError, match=f"none of its {part}"):
            request_for(replace(OWN, **{part: None}), Corrections(1, **wrong))  # type: ignore


def test_what_is_cut_in_two_is_continued_and_words_follow_their_tags() -> None:
    spans: Any = {1: [["O", 4, 4]]}
    corrections = Corrections(1, roles=spans, pos={3: "NNP"}, senses={1: "go.02"})
    read = apply(OWN, OWN, corrections, ["frames"])
    (frame, _) = read.frames or []
    assert frame.tags == "B-ARG0 B-V B-ARG2 B-ARG1 O B-C-ARG1 I-C-ARG1".split()
    assert (frame.lemma, frame.sense) == ("go", "go.02")
    # Those of other words stay as they were annotated.
    assert read.upos == "PRON VERB PRON PROPN ADJ NOUN NOUN".split()
    assert read.lemmas == "she sell he the OLD car yesterday".split()
