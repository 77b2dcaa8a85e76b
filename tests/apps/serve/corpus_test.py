"""The corpus of `lisa serve --corpus`: reading, lists, and corrections that are saved."""

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, List

import pytest

import lisa_allennlp
from lisa_allennlp.apps.analyze.adjudication import Pair
from lisa_allennlp.apps.serve.corpus import (
    Corpus,
    OldVersionError,
    adjudicated,
    certainty,
    read_corpus,
)
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.corrections import Corrections, corrections_of
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.sentence.sentence import Sentence
from tests import ROOT
from tests.apps.serve.services import running

SAMPLE = ROOT / "fixtures/sample"


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten sentences of the sample, with the trees beside them."""
    folder = tmp_path_factory.mktemp("corpus")
    for name in ("dev.gold_conll", "dev.conllu"):
        shutil.copy(SAMPLE / name, folder)
    return folder / "dev.gold_conll"


def test_people_s_annotation_is_the_start(gold: Path, tiny: Labeller) -> None:
    expected = read_annotated(gold, parses=True).bare_sentences
    entries = read_corpus([str(gold)], tiny, 256)
    assert [entry.start.words for entry in entries] == [s.words for s in expected]
    for entry, sentence in zip(entries, expected, strict=True):
        assert entry.start.frames == sentence.frames and entry.start.parse == sentence.parse
        assert entry.start.pos == sentence.pos and entry.given == ("pos", "parse", "frames")
        assert 0 < entry.certainty < 1 and entry.start.pos_probabilities is None
    numbers = [entry.number for entry in entries]
    assert numbers == list(range(1, len(expected) + 1))


def test_the_model_labels_what_a_file_lacks(gold: Path, tiny: Labeller) -> None:
    entries = read_corpus([str(gold.with_name("dev.conllu"))], tiny, 256)
    for entry in entries[:3]:
        model = tiny({"tokens": entry.start.words, "head_indices": entry.start.heads})
        assert [(f.predicate, f.sense, f.tags) for f in entry.start.frames] == [
            (f.predicate, f.sense, f.tags) for f in model.frames
        ]
        assert entry.given == ("pos", "parse")


def test_inputs_and_predictions(tmp_path: Path, tiny: Labeller) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("It rained. We stayed inside.")
    inputs = tmp_path / "inputs.jsonl"
    inputs.write_text('"It rained."\n{"id": 7, "tokens": ["We", "stayed"]}\n')
    predicted = tmp_path / "predicted.jsonl"
    sentence = tiny({"tokens": ["We", "stayed"], "id": 7}, probabilities=True)
    predicted.write_text(json.dumps(sentence.to_dict()) + "\n")
    entries = read_corpus([str(text), str(inputs), str(predicted)], tiny, 256)
    assert [len(entry.start.words) for entry in entries] == [3, 4, 3, 2, 2]
    assert [entry.number for entry in entries] == [1, 2, 1, 2, 1]
    assert {entry.given for entry in entries} == {()}
    assert entries[0].start.offsets[0] == (0, 2) and entries[3].start.extra == {"id": 7}
    one, two = entries[3:]
    assert two.start.to_dict() == sentence.to_dict()
    assert (one.start.heads, one.start.pos) == (sentence.heads, sentence.pos)
    assert one.certainty == pytest.approx(two.certainty, abs=1e-4)
    with pytest.raises(ConfigurationError, match="notes.txt.*of 4 words"):
        read_corpus([str(text)], tiny, 3)


def test_certainty() -> None:
    texts = ["She sold him the car.", "him sold car the she of to"]
    good, garbled = lisa_allennlp.load("english-fast", probabilities=True).pipe(texts)
    assert 0 < certainty(garbled) < certainty(good) <= 1
    one = replace(good, frames=[], pos_probabilities=[0.5] * 6)
    assert certainty(one) == pytest.approx((3 + sum(one.head_probabilities)) / 12)
    with pytest.raises(ValueError, match="without probabilities"):
        certainty(Sentence(["Hm"]))


@pytest.fixture
def corpus(gold: Path, tiny: Labeller, tmp_path: Path) -> Corpus:
    return Corpus(read_corpus([str(gold)], tiny, 256), tmp_path)


ROLES = {
    "accepted": True,
    "roles": {"0": [["ARG1", 1, 1]]},
    "pos": {"0": "VB"},
    "predicates": {"0": True},
}


def corrected(corpus: Corpus, index: int) -> Any:
    start = corpus.entries[index].start
    return replace(start, pos=["VB", *start.pos[1:]])


def test_what_is_saved_is_there_again(corpus: Corpus, tmp_path: Path) -> None:
    entries = corpus.entries
    first = corpus.save(3, corrected(corpus, 3), ROLES, "")
    corpus.save(1, corrected(corpus, 1), {"accepted": False, "heads": {"0": 2}}, "")
    path = tmp_path / "dev.corrections.jsonl"
    located = read_annotated(path).sentences
    assert [s.extra["corrections"]["number"] for s, _ in located] == [2, 4]
    found = corrections_of(located[1][0])
    assert found == Corrections(
        4, True, pos={0: "VB"}, roles={0: [["ARG1", 1, 1]]}, predicates={0: True}
    )
    again = Corpus(entries, tmp_path)
    for index in range(len(entries)):
        assert again.sentence(index) == corpus.sentence(index)
    assert again.sentence(3)["version"] == first
    assert again.sentence(3)["saved"]["pos"][0] == "VB"
    # Without corrections, a sentence has no line; without lines, there is no file.
    again.save(1, None, {}, again.sentence(1)["version"])
    assert len(read_annotated(path).sentences) == 1
    again.save(3, None, {}, first)
    assert not path.exists()


def test_what_another_model_said_stays_until_it_is_corrected(
    corpus: Corpus, tmp_path: Path
) -> None:
    def edited(corpus: Corpus, index: int, corrections: Any) -> Sentence:
        """How a sentence reads with the labels of a model that says NEW."""

        async def edit(start: Sentence, *_: Any) -> Sentence:
            return replace(start, pos=["NEW"] * len(start.words))

        return asyncio.run(corpus.edited(index, corrections, edit))

    old = [corrected(corpus, index) for index in range(2)]
    corpus.save(0, old[0], {"accepted": True}, "")
    corpus.save(1, old[1], ROLES, "")
    again = Corpus(corpus.entries, tmp_path)
    assert again.entries[0].start.pos == old[0].pos
    assert edited(again, 0, {}).pos == old[0].pos
    for _ in range(2):
        assert edited(again, 1, {**ROLES, "accepted": False}).pos == old[1].pos
        new = edited(again, 1, {"heads": {"0": 2}})
        assert set(new.pos) == {"NEW"}
        again.save(1, new, {"heads": {"0": 2}}, again.sentence(1)["version"])


def test_corrections_are_a_corpus_again(corpus: Corpus, tiny: Labeller, tmp_path: Path) -> None:
    given = {"tokens": corpus.entries[0].start.words, "predicates": [0]}
    reading = tiny(given, probabilities=True)
    frame = replace(reading.frames[0], span_probabilities=None)
    corpus.save(0, replace(reading, frames=[frame]), {"accepted": True}, "")
    (entry,) = read_corpus([str(tmp_path / "dev.corrections.jsonl")], tiny, 256)
    assert entry.start.frames[0].tags == frame.tags and "corrections" not in entry.start.extra
    assert 0 < entry.certainty < 1


def test_an_old_version_is_refused_and_nothing_lost(corpus: Corpus, tmp_path: Path) -> None:
    version = corpus.save(0, corrected(corpus, 0), ROLES, "")
    text = (tmp_path / "dev.corrections.jsonl").read_text()
    with pytest.raises(OldVersionError):
        corpus.save(0, corrected(corpus, 0), {"accepted": False}, "")
    assert (tmp_path / "dev.corrections.jsonl").read_text() == text
    assert corpus.save(0, corrected(corpus, 0), {"accepted": False}, version) != version
    (tmp_path / "dev.corrections.jsonl").write_text(text + text)
    with pytest.raises(ConfigurationError, match="another program"):
        corpus.save(1, corrected(corpus, 1), ROLES, "")


def test_corrections_of_another_corpus_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    corpus.save(0, corrected(corpus, 0), ROLES, "")
    with pytest.raises(ConfigurationError, match="dev.corrections.jsonl:1"):
        Corpus([replace(e, number=e.number - 1) for e in corpus.entries[1:]], tmp_path)
    with pytest.raises(ConfigurationError, match="the number of a sentence"):
        Corpus(corpus.entries[1:], tmp_path)
    twice = [*corpus.entries, *(replace(e, path="other/dev.conllu") for e in corpus.entries)]
    with pytest.raises(ConfigurationError, match="dev.corrections.jsonl"):
        Corpus(twice, tmp_path)


def test_lists(corpus: Corpus) -> None:
    def numbers(order: str = "corpus", search: str = "", offset: int = 0, limit: int = 999) -> Any:
        return [s["number"] for s in corpus.listed(order, search, offset, limit)["sentences"]]

    total = len(corpus.entries)
    assert numbers() == [*range(1, total + 1)] and numbers(offset=2, limit=3) == [3, 4, 5]
    sure = [corpus.entries[number - 1].certainty for number in numbers("certainty")]
    assert sure == sorted(sure) and len(sure) == total
    frame = corpus.entries[1].start.frames[0]
    for term in (frame.sense, frame.arguments[0].role.lower(), corpus.entries[1].start.words[0]):
        found = numbers(search=term)
        assert 2 in found
        for number, entry in enumerate(corpus.entries, start=1):
            line = json.dumps(entry.start.to_dict()).lower()
            has = f'"{term.lower()}"' in line
            assert has or number not in found
    corpus.save(4, corrected(corpus, 4), ROLES, "")
    corpus.save(2, corrected(corpus, 2), {"accepted": False}, "")
    assert numbers("corrected") == [3, 5]
    assert numbers("open") == [n for n in range(1, total + 1) if n != 5]
    counts = corpus.listed("corpus", "", 0, 1)
    assert (counts["corrected"], counts["accepted"], counts["found"]) == (2, 1, total)
    assert numbers("corrected", "nowhere.01") == []


def test_paths(corpus: Corpus, tiny: Labeller, tmp_path: Path) -> None:
    with running(tiny, corpus=corpus) as service:
        assert service.ask("GET", "/info").json["saves"]
        found = service.ask("GET", "/sentence?number=2").json
        corrections = {**ROLES, "number": 4}
        body = {"corrections": corrections, "version": found["version"]}
        moved = tmp_path.rename(tmp_path.with_name("moved"))
        unwritten = service.ask("POST", "/sentence?number=2", body)
        assert unwritten.status == 507 and "dev.corrections.jsonl: cannot" in unwritten.error
        moved.rename(tmp_path)
        saved = service.ask("POST", "/sentence?number=2", body)
        assert saved.status == 200
        found = service.ask("GET", "/sentence?number=2").json
        assert found["version"] == saved.json["version"]
        assert found["saved"]["corrections"]["number"] == 2
        # What people annotated stays; what is saved is what is shown.
        asked = {"sentence": 2, "corrections": {"heads": {"0": 0}, **ROLES}}
        shown = service.ask("POST", "/edit", asked).json["answer"]
        assert shown["verbs"][1:] == found["start"]["verbs"] and shown["predicted_heads"][0] == 0
        again = {"corrections": asked["corrections"], "version": found["version"]}
        assert service.ask("POST", "/sentence?number=2", again).status == 200
        found = service.ask("GET", "/sentence?number=2").json
        assert found["saved"] == {**shown, "corrections": {**again["corrections"], "number": 2}}
        assert service.ask("POST", "/sentence?number=2", body).status == 409
        listed = service.ask("GET", "/corpus?order=corrected").json
        assert [s["number"] for s in listed["sentences"]] == [2]
        for wrong in ({"heads": {"999": 1}}, {"pos": {"0": ""}}, {"roles": {"0": [["", 0, 0]]}}):
            body = {"corrections": wrong, "version": ""}
            assert service.ask("POST", "/sentence?number=3", body).status == 422
        assert "1 to" in service.ask("GET", "/sentence?number=0").error
        # Pages of other origins can send neither this type nor this host.
        plain = json.dumps(body).encode()
        asked = service.ask("POST", "/sentence?number=2", plain, Content_Type="text/plain")
        assert asked.status == 415
        assert service.ask("GET", "/corpus", Host="evil.example").status == 400
        senses = service.ask("GET", "/rolesets?word=sold&tag=VBD").json
        assert senses[0]["sense"] == "sell.01" and senses[0]["roles"]["ARG1"] == "Thing Sold"


def test_without_a_folder_nothing_is_saved(gold: Path, tiny: Labeller) -> None:
    corpus = Corpus(read_corpus([str(gold)], tiny, 256))
    with running(tiny, corpus=corpus) as service:
        body = {"corrections": ROLES, "version": ""}
        assert "--save" in service.ask("POST", "/sentence?number=1", body).error
    with running(tiny) as service:
        assert "--corpus" in service.ask("GET", "/corpus").error


def test_pages_under_unknown_names_save_nothing(gold: Path, tiny: Labeller, tmp_path: Path) -> None:
    corpus = Corpus(read_corpus([str(gold)], tiny, 256), tmp_path)
    with running(tiny, corpus=corpus, hosts=["*", "lisa.example"]) as service:
        body = {"corrections": {}, "version": ""}

        def status(host: str, **headers: str) -> int:
            return service.ask("POST", "/sentence?number=1", body, Host=host, **headers).status

        # A browser sends the Origin, which a rebound page has in common with its Host.
        assert status("evil.example", Origin="http://evil.example") == 400
        assert not list(tmp_path.glob("*.corrections.jsonl"))
        assert service.ask("GET", "/corpus", Host="evil.example").status == 200
        assert status("lisa.example", Origin="http://lisa.example") == 200


def test_the_same_labels_of_the_same_words_are_found(corpus: Corpus, tmp_path: Path) -> None:
    """Each part by brute force, over sentences that nobody has corrected."""
    corpus = Corpus(corpus.entries[:20], tmp_path)

    def places(label: Any) -> Any:
        return {
            (index, token): label(entry.start, token)
            for index, entry in enumerate(corpus.entries)
            for token in range(len(entry.start.words))
        }

    def roleset(start: Sentence, token: int) -> Any:
        frame = start.frame_at(token)
        return frame and (frame.lemma, frame.sense)

    corpus.save(5, corrected(corpus, 5), ROLES, "")
    for part, label in {
        "pos": lambda start, token: (start.words[token], start.pos[token]),
        "labels": lambda start, token: (start.words[token], start.head_tags[token]),
        "senses": roleset,
    }.items():
        known, most = places(label), 0
        for (index, token), wanted in known.items():
            found = corpus.alike(index, part, token, "other")
            same = {
                place
                for place, one in known.items()
                if wanted and one == wanted and place[0] not in (index, 5)
            }
            assert {(s["number"] - 1, t) for s in found["sentences"] for t in s["tokens"]} == same
            assert found["found"] == len({place[0] for place in same})
            if same:
                assert (found["word"], found["before"]) == wanted
                assert corpus.alike(index, part, token, wanted[1])["found"] == 0
            most = max(most, len(same))
        assert most > 0, part


def test_what_comes_back_is_whole(tmp_path: Path, tiny: Labeller) -> None:
    """Text, ids and spaces are there, but no enhanced dependencies of another tree."""
    rows = ["1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t2:nsubj\t_"]
    rows += ["2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t0:root\tSpaceAfter=No"]
    rows += ["2.1\tit\t_\t_\t_\t_\t_\t_\t2:obj\t_", "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_"]
    blocks = [[f"# sent_id = {name}", "# text = She left.", *rows, ""] for name in "ab"]
    texts = ["\n".join([*block, ""]) for block in blocks]
    (tmp_path / "dev.conllu").write_text("".join(texts))
    (tmp_path / "notes.txt").write_text("She left.")
    saved = tmp_path / "saved"
    saved.mkdir()
    files = [str(tmp_path / name) for name in ("dev.conllu", "notes.txt")]
    with running(tiny, corpus=Corpus(read_corpus(files, tiny, 256), saved)) as service:

        def save(number: int, corrections: Any) -> Any:
            body = {"corrections": corrections, "version": ""}
            return service.ask("POST", f"/sentence?number={number}", body)

        def written(query: str = "") -> List[str]:
            body = service.ask("GET", f"/corrections{query}").body.decode()
            return body.split("\n\n")[:-1]

        for key, wrong in (("pos", "NONE"), ("labels", "bogus"), ("upos", "NN")):
            assert f"`corrections.{key}`: found" in save(1, {key: {"0": wrong}}).error
        # The file's own are not the model's.
        labels = {"heads": {"2": 1}, "pos": {"0": "PRP"}, "labels": {"2": "punct"}}
        new = {"upos": {"0": "NOUN"}, "lemmas": {"0": "her"}, "comment": "unsure"}
        assert save(1, {**labels, **new}).status == 200
        assert save(2, {"comment": "fine?"}).status == 200
        assert save(3, {"accepted": True}).status == 200
        first, second, third = (one.replace("# predicates = 0\n", "") for one in written())
        expected = texts[0].replace("2\tpunct\t2:punct", "1\tpunct\t_").replace("\t2:nsubj", "\t_")
        expected = expected.replace("\t0:root", "\t_").replace("she\tPRON", "her\tNOUN")
        expected = expected.replace(rows[2] + "\n", "")
        columns = [
            [line.split("\t")[:9] for line in text.splitlines()]
            for text in (first, expected.strip())
        ]
        assert columns[0] == columns[1]
        assert "SpaceAfter=No" in first
        assert rows[2] in second and "# sent_id = b" in second
        assert {"# sent_id = notes-1", "# text = She left."} < {*third.splitlines()}
        assert "SpaceAfter=No" in third
        marks = service.ask("GET", "/corpus").json["sentences"]
        assert [one["mark"] for one in marks] == ["corrected", "commented", "accepted"]
        commented = service.ask("GET", "/corpus?order=commented").json["sentences"]
        assert [one["number"] for one in commented] == [1, 2]
        assert save(2, None).status == 409
        assert len(written("?uncorrected=true")) == 3


def test_what_two_people_agree_upon_is_saved_and_the_rest_is_chosen(
    corpus: Corpus, gold: Path, tmp_path: Path
) -> None:
    """The third file goes on from both people's corrections, as if one person had made them."""
    sentences = [entry.start for entry in corpus.entries[:3]]
    known = {"number": 1, "accepted": True, "heads": {"1": 0}}
    mine = replace(sentences[0], extra={"corrections": known})
    theirs = replace(mine, pos=["VB", *mine.pos[1:]])
    others = [None, replace(sentences[2])]
    pairs = [
        Pair(str(gold), number, f"ann:{number}", first, second)
        for number, first, second in zip(
            (1, 2, 7), (mine, *sentences[1:]), (theirs, *others), strict=True
        )
    ]
    folder = tmp_path / "third"
    folder.mkdir()
    third = Corpus(*_arguments(pairs, folder), people=["ann", "ben"])
    path = folder / "dev.corrections.jsonl"

    def numbers() -> Any:
        saved = [corrections_of(sentence) for sentence, _ in read_annotated(path).sentences]
        return [(one.number, one.accepted, one.heads, one.pos) for one in saved if one]

    assert numbers() == [(2, True, {}, {}), (7, True, {}, {})]
    listed = third.listed("differing", "", 0, 10)
    assert [(one["number"], one["differences"]) for one in listed["sentences"]] == [(1, 1)]
    assert [one["number"] for one in third.listed("corpus", "", 0, 10)["sentences"]] == [1, 2, 7]
    ((mine_again, tag),) = [one["choices"] for one in third.sentence(0)["differences"]]
    assert mine_again["corrections"] == {"pos": {"0": mine.pos[0]}}
    chosen = {**tag["corrections"], "accepted": False}
    version = third.save(0, theirs, chosen, "")
    assert numbers()[0] == (1, False, {}, {0: "VB"})
    third.save(0, theirs, {**chosen, "accepted": True}, version)
    assert numbers()[0] == (1, True, {1: 0}, {0: "VB"})
    again = Corpus(*_arguments(pairs, folder))
    assert [again.sentence(i)["version"] for i in range(3)] == [
        third.sentence(i)["version"] for i in range(3)
    ]
    # What one of them has changed since is chosen from there.
    changed = replace(sentences[1], pos=["X", *sentences[1].pos[1:]])
    pairs[1] = replace(pairs[1], first=changed, second=sentences[1])
    start = Corpus(*_arguments(pairs, folder)).entries[1].start
    assert start.pos == changed.pos


def _arguments(pairs: Any, folder: Path) -> Any:
    entries, agreed = adjudicated(pairs)
    return entries, folder, None, agreed
