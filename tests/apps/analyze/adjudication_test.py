"""Where two people differ, and what a third one chooses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.apps.analyze.adjudication import (
    Difference,
    Pair,
    disagreements,
    names_of,
    read_pairs,
    with_known,
)
from lisa_allennlp.apps.show.comparison import described, differences
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.corrections import (
    KEY,
    PARTS,
    apply,
    check_corrections,
    corrections_of,
    request_for,
)
from lisa_allennlp.sentence.roles import spans_to_bio
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence, self_loop_heads
from tests import ROOT

LENGTH = 5


@st.composite
def frames(draw: st.DrawFn, predicate: int) -> Frame:
    roles = st.sampled_from(["O", "O", "ARG0", "ARG1", "C-ARG1", "ARGM-TMP", "C-V"])
    tags: List[str] = []
    for token in range(LENGTH):
        role = "V" if token == predicate else draw(roles)
        goes_on = bool(tags) and tags[-1][2:] == role != "V" and draw(st.booleans())
        if role == "C-V" and tags and tags[-1][2:] == "V":
            # As corpora have a particle beside its verb.
            role, goes_on = "V", True
        tags.append("O" if role == "O" else f"{'I' if goes_on else 'B'}-{role}")
    return Frame(predicate, tags, "go", draw(st.sampled_from(["go.01", "go.02"])))


@st.composite
def readings(draw: st.DrawFn) -> Sentence:
    words = [f"w{i}" for i in range(LENGTH)]
    heads = [draw(st.sampled_from([h for h in range(6) if h != i + 1])) for i in range(LENGTH)]
    labels, tags = (
        draw(st.lists(st.sampled_from(names), min_size=LENGTH, max_size=LENGTH))
        for names in (["obj", "obl"], ["NN", "VB"])
    )
    predicates = sorted(draw(st.sets(st.integers(0, LENGTH - 1), max_size=3)))
    return Sentence(
        words,
        pos=tags,
        parse=Parse(self_loop_heads(heads), labels),
        frames=[draw(frames(predicate)) for predicate in predicates],
    )


def together(found: List[Difference], persons: List[int]) -> Dict[str, Any]:
    """The corrections that choose these persons' parts."""
    all_of_them: Dict[str, Any] = {}
    for difference, person in zip(found, persons, strict=True):
        for key, values in difference.choices[person].corrections.items():
            for token, value in values.items():
                known = all_of_them.setdefault(key, {})
                known[token] = [*known.get(token, []), *value] if key == "roles" else value
    return all_of_them


def adjudicated(start: Sentence, chosen: Dict[str, Any]) -> Sentence:
    """How a sentence of people reads with corrections, by a model that knows nothing."""
    marked = replace(start, extra={KEY: json.loads(json.dumps({"number": 1, **chosen}))})
    check_corrections("", None, marked)
    corrections = corrections_of(marked)
    assert corrections is not None
    answer, asked = start, request_for(start, corrections, PARTS)
    if asked is not None:
        parse = Parse(asked.head_indices or [], ["?"] * LENGTH)
        answer = replace(start, pos=["?"] * LENGTH, parse=parse, frames=[])
    return apply(start, answer, corrections, PARTS)


@settings(deadline=None)
@given(readings(), readings(), st.data())
def test_choosing_all_of_one_person_gives_that_reading(
    first: Sentence, second: Sentence, data: st.DataObject
) -> None:
    found = disagreements(first, second)
    start = Pair("", 1, "", first, second).start
    assert bool(found) == bool(described(differences(first, second), differences(second, first)))
    for person, wanted in enumerate((first, second)):
        reading = adjudicated(start, together(found, [person] * len(found)))
        assert (reading.pos, reading.parse) == (wanted.pos, wanted.parse)
        known = [(f.predicate, f.sense, f.tags) for f in wanted.frames or []]
        assert [(f.predicate, f.sense, f.tags) for f in reading.frames or []] == known
    # What both have is there whatever is chosen, and each part is as one of them has it.
    persons = data.draw(st.lists(st.integers(0, 1), min_size=len(found), max_size=len(found)))
    mixed = adjudicated(start, together(found, persons))
    for difference, person in zip(found, persons, strict=True):
        others = [Pair("", 1, "", mixed, one).differences for one in (first, second)]
        places = [{(d.part, d.token, d.choices[1].text) for d in other} for other in others]
        chosen = difference.choices[person].text
        assert (difference.part, difference.token, chosen) not in places[person]
    for tags in zip(first.pos or [], second.pos or [], mixed.pos or [], strict=True):
        assert tags[2] in tags[:2]


def test_parts_are_told_in_words_and_grouped() -> None:
    words = "She put the fire out yesterday".split()

    def reading(sense: str, *spans: Any) -> Sentence:
        return Sentence(
            words, frames=[Frame(1, spans_to_bio([*spans, ("V", 1, 1)], 6), "put", sense)]
        )

    one = reading("put_out.10", ("ARG0", 0, 0), ("ARG1", 2, 3), ("ARGM-TMP", 5, 5))
    two = reading("put.01", ("ARG0", 0, 0), ("ARG1", 2, 2), ("ARG2", 3, 4))
    sense, object, time = disagreements(one, two)
    assert object.part == "“put”: role of “the fire out”"
    assert sense.part == "“put”: sense" and sense.choices[1].text.startswith("put.01 ")
    assert [c.text for c in object.choices] == [
        "ARG1 “the fire”",
        "ARG1 “the”, ARG2 “fire out”",
    ]
    assert object.choices[0].corrections == {"roles": {"1": [("ARG1", 2, 3), ("O", 4, 4)]}}
    assert [c.text for c in time.choices] == ["ARGM-TMP “yesterday”", "no role"]
    # One argument in two places is one question.
    (one_place,) = disagreements(
        reading("put.01", ("ARG1", 2, 3)), reading("put.01", ("ARG1", 5, 5))
    )
    assert one_place.part == "“put”: role of “the fire … yesterday”"
    assert [c.text for c in one_place.choices] == ["ARG1 “the fire”", "ARG1 “yesterday”"]


def test_an_accepted_sentence_has_the_corrections_of_its_start_too() -> None:
    frame = Frame(1, spans_to_bio([("ARG1", 2, 3), ("V", 1, 1)], 4))
    reading = Sentence(["She", "sold", "the", "car"], frames=[frame])
    known = {"number": 3, "accepted": True, "heads": {"0": 2}, "pos": {"0": "X"}}
    known["roles"] = {"1": [["ARG2", 2, 2]], "3": [["ARG0", 0, 0]]}
    chosen = {"accepted": True, "pos": {"0": "PRP"}, "roles": {"1": [["ARG1", 2, 3]]}}
    assert with_known(known, chosen, reading) == {
        "accepted": True,
        "heads": {"0": 2},
        "pos": {"0": "PRP"},
        "roles": {"1": [("O", 0, 0), ("ARG1", 2, 3)]},
    }


def record(number: Optional[int], words: str, tags: str, **corrections: Any) -> str:
    known = {} if number is None else {KEY: {"number": number, **corrections}}
    return json.dumps({"words": words.split(), "pos": tags.split(), **known}) + "\n"


def write(folder: Path, name: str, *lines: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(lines))
    return folder


def test_two_people_s_folders(tmp_path: Path) -> None:
    ann, ben = tmp_path / "ann", tmp_path / "ben"
    name = "dev.corrections.jsonl"
    same = record(1, "It rained", "PRP VBD")
    write(ann, name, same, record(2, "We stay", "PRP VBP", accepted=True), record(4, "Hm", "UH"))
    accepted = record(1, "It rained", "PRP VBD", accepted=True)
    write(ben, name, accepted, record(2, "We stay", "PRP VB"))
    write(ben, "test.corrections.jsonl", record(1, "Go", "VB"))
    pairs = read_pairs(str(ann), str(ben))
    assert [(Path(p.path).name, p.number, len(p.differences)) for p in pairs] == [
        (name, 1, 0),
        (name, 2, 1),
        (name, 4, 0),
        ("test.corrections.jsonl", 1, 0),
    ]
    assert pairs[0].agreed.extra[KEY] == {"number": 1, "accepted": True}
    assert pairs[2].agreed.extra[KEY] == {"number": 4} and KEY not in pairs[1].start.extra
    assert names_of(str(ann), str(ben)) == ("ann", "ben")
    write(ben, name, record(2, "We left", "PRP VBD"))
    with pytest.raises(ConfigurationError, match="found the word 'left'"):
        read_pairs(str(ann), str(ben))
    write(ben, name, record(3, "We left", "PRP VBD"))
    with pytest.raises(ConfigurationError, match="no sentence that .*ann has"):
        read_pairs(str(ann), str(ben))


def test_two_annotated_files(tmp_path: Path) -> None:
    gold = ROOT / "fixtures/sample/dev.gold_conll"
    (pair, *others) = pairs = read_pairs(str(gold), str(gold))
    sentences = read_annotated(gold, parses=True).bare_sentences
    assert [p.first for p in pairs] == sentences and not any(p.differences for p in pairs)
    assert pair.agreed.extra[KEY] == {"number": 1, "accepted": True} and others
    lines = gold.read_text().split("\n\n")
    shorter = tmp_path / "shorter.gold_conll"
    shorter.write_text("\n\n".join([*lines[:-2], lines[-1]]))
    with pytest.raises(ConfigurationError, match="dev.gold_conll"):
        read_pairs(str(gold), str(shorter))
