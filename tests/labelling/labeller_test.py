"""The door, with untrained models: sentences, documents, streams, and what cannot be labelled."""

import copy
import json
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
import torch

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.groups import InputError, ModelError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import MOST_CHARACTERS, PIECE_LENGTH
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Frame, Morphology, Parse, Sentence
from tests import ROOT

TEXTS = [
    "She left. He stayed.\n\nThe end",
    "",
    "The dog that she saw chased him, didn't it? 😀",
    " \n ",
    "They ( all ) left .",
]
WORDS = "The dog that she saw chased him".split()


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["lisa"], engine="torch")


def comparable(answer: Any) -> Any:
    """Without what rounding changes from batch to batch."""
    described = answer.to_dict()
    for sentence in described.get("sentences", [described]):
        sentence.pop("predicate_probabilities")
    return described


def test_a_document(lisa: Labeller) -> None:
    text = TEXTS[0]
    document = lisa.document(text)
    assert [sentence.words for sentence in document.sentences] == [
        ["She", "left", "."],
        ["He", "stayed", "."],
        ["The", "end"],
    ]
    for sentence in document.sentences:
        alone = lisa(sentence.words)
        assert (sentence.heads, sentence.pos) == (alone.heads, alone.pos)
        assert [f.tags for f in sentence.frames] == [f.tags for f in alone.frames]
        for token in sentence.tokens:
            assert text[token.start_char : token.end_char] == token.text
        for span in (span for frame in sentence.frames for span in frame.roles):
            assert text[span.start_char : span.end_char] == span.text
    assert lisa.document({"text": "", "id": 7}) == Document("", [], {"id": 7})
    long = lisa.document("word " * (2 * PIECE_LENGTH + 1))
    assert [len(sentence.words) for sentence in long.sentences] == [PIECE_LENGTH, PIECE_LENGTH, 1]


@pytest.mark.medium
def test_streams_keep_the_order(lisa: Labeller) -> None:
    inputs: List[Any] = [*TEXTS, ["Two", "words"], {"tokens": ["She"], "id": 3}] * 2
    documents: List[Any] = [*TEXTS, {"text": TEXTS[0], "id": 7}]
    alone = [comparable(lisa(content)) for content in inputs]
    of_documents = [comparable(lisa.document(text)) for text in documents]
    for batch_size, processes in ((1, 1), (4, 1), (1000, 1), (4, 2)):
        options: Any = {"batch_size": batch_size, "processes": processes}
        assert [comparable(answer) for answer in lisa.pipe(inputs, **options)] == alone
        found = lisa.documents(iter(documents), **options)
        assert [comparable(document) for document in found] == of_documents


def test_groups_hold_about_as_many_sentences(lisa: Labeller) -> None:
    read: List[int] = []

    def texts() -> Any:
        for number in range(6):
            read.append(number)
            yield "Go on. " * 200

    for size, expected in ((3, 1), (7, 3)):
        read.clear()
        next(lisa.documents(texts(), batch_size=size))
        # A document of 1,400 characters counts as three sentences.
        assert len(read) == expected


@pytest.mark.parametrize(
    "options, message",
    [
        ({"on_error": "skip"}, "on_error is 'skip'; expected 'raise' or 'yield'"),
        ({"batch_size": 0}, "batch_size is 0; expected a positive integer"),
        ({"processes": 2}, "processes is 2; expected 1 for a model on a GPU"),
        ({"inputs": "She left."}, 'inputs: found "She left."; expected several inputs'),
    ],
)
def test_options_of_a_stream_are_checked_before_it_is_read(
    lisa: Labeller, monkeypatch: pytest.MonkeyPatch, options: Dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(lisa.engine, "device", "cuda:0")
    for call in (lisa.pipe, lisa.documents):
        with pytest.raises(ConfigurationError, match=message):
            call(**{"inputs": [], **options})


def test_threads_label_at_once_and_change_neither_model_nor_reader(lisa: Labeller) -> None:
    before = copy.deepcopy(lisa.engine.model.state_dict())
    instances = list(lisa.engine.dataset_reader.read(ROOT / "fixtures/sample/dev.gold_conll"))[:5]
    fields = [list(instance.fields) for instance in instances]
    lisa.engine.model.get_metrics(reset=True)

    def work(_: int) -> List[Any]:
        lisa.label([lisa.engine.request(instance) for instance in instances])
        return [comparable(sentence) for sentence in lisa.pipe(TEXTS, batch_size=2)]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(8))) == [work(0)] * 8
    assert [list(instance.fields) for instance in instances] == fields
    for name, value in lisa.engine.model.state_dict().items():
        assert torch.equal(value, before[name])
    assert not {"srl_f1", "uas"} & lisa.engine.model.get_metrics().keys()


@pytest.mark.parametrize("engine", [None, "torch"])
def test_penn_tokens_are_labelled_as_what_they_stand_for(engine: Any) -> None:
    lisa = lisa_allennlp.load("english-fast", engine=engine)
    words = 'He asked , " Will you sell and / or keep them ? "'.split()
    penn = r"He asked /, `` Will you sell and \/ or keep them /? ''".split()
    typed, given = lisa(words), lisa(penn)
    assert given.words == penn
    for name in ("pos", "heads", "head_tags"):
        assert getattr(given, name) == getattr(typed, name)
    assert [(f.sense, f.tags) for f in given.frames] == [(f.sense, f.tags) for f in typed.frames]


def test_details(lisa: Labeller) -> None:
    given = {"tokens": WORDS[:3], "head_indices": [2, 3, 2], "allow_cycles": True}
    own, injected, empty = lisa.pipe([WORDS, given, ""], details=True)
    assert own.arc_scores.shape == own.attention.shape == (7, 7)
    assert injected.heads == [2, 3, 2] and "allow_cycles" not in injected.to_dict()
    assert lisa(WORDS).arc_scores is None
    assert empty.arc_scores.shape == empty.attention.shape == (0, 0)
    json.dumps(own.to_dict())


@pytest.mark.medium
def test_probabilities_are_added_on_request_and_change_nothing(
    lisa: Labeller, archives: Dict[str, Path]
) -> None:
    sure = lisa_allennlp.load(archives["lisa"], probabilities=True)
    for plain, full in zip(lisa.pipe(TEXTS), sure.pipe(TEXTS), strict=True):
        assert plain.pos_probabilities is None and plain.head_probabilities is None
        assert (full.pos, full.parse, full.predicates) == (plain.pos, plain.parse, plain.predicates)
        assert len(full.pos_probabilities) == len(full.head_probabilities) == len(full.words)
        for frame in full.frames:
            assert frame.probability == full.predicate_probabilities[frame.predicate]
            assert all(0 <= span.probability <= 1 for span in frame.roles)
    given = sure({"tokens": ["She", "left"], "head_indices": [2, 0], "head_tags": ["x", "y"]})
    assert given.head_probabilities is None


def test_improbable_arguments_are_left_out() -> None:
    def labelled(least: float) -> Sentence:
        options = {"probabilities": True, "min_probability": least}
        words = "They bought the house because they liked the garden .".split()
        return lisa_allennlp.load("english-fast", **options)(words)

    every = labelled(0.0)
    # No frame keeps all of its arguments.
    least = max(min(span.probability for span in frame.roles) for frame in every.frames) + 1e-4
    for some, full in zip(labelled(least).frames, every.frames, strict=True):
        assert len(some.roles) < len(full.roles)
        kept = [s for s in full.roles if s.role == "V" or s.probability >= least]
        assert list(some.roles) == kept


def test_auxiliaries_are_left_out_unless_they_are_given() -> None:
    words = ["It", "has", "been", "sold", "."]
    every = lisa_allennlp.load("english-fast")
    without = lisa_allennlp.load("english-fast", auxiliaries=False)
    assert every(words).predicates == without(words, auxiliaries=True).predicates == [1, 2, 3]
    (sold,) = without(words).frames
    assert sold == every(words).frame_at(3)
    assert without(words).events == every(words).events
    assert next(every.pipe([words], auxiliaries=False)).predicates == [3]
    assert every.document("It was sold.", auxiliaries=False).sentences[0].predicates == [2]
    for given in ({"predicates": [1, 3]}, {"given_roles": [{"index": 1}]}):
        assert without({"tokens": words, **given}).predicates == [1, 3]


def test_given_roles_are_those_of_the_answer(lisa: Labeller, archives: Dict[str, Path]) -> None:
    items = [
        {"index": 4, "sense": "see.01", "spans": [["R-ARG1", 2, 2], ["ARG1", 0, 1], ["O", 5, 6]]}
    ]
    given = {"tokens": WORDS, "given_roles": items, "id": 3}
    for labeller in (lisa, lisa_allennlp.load(archives["lisa"], min_probability=1.0)):
        sentences = list(labeller.pipe([given, WORDS, {**given, "predicates": [5, 4]}]))
        assert comparable(sentences[1]) == comparable(labeller(WORDS))
        assert sentences[2].predicates == [4, 5]
        for sentence in (sentences[0], sentences[2]):
            frame = sentence.frame_at(4)
            assert (frame.lemma, frame.sense) == ("see", "see.01")
            assert {("R-ARG1", 2, 2), ("ARG1", 0, 1)} <= {
                (s.role, s.first, s.last) for s in frame.roles
            }
            assert frame.tags[5:] == ["O", "O"] and sentence.extra == {"id": 3}
    for span, message in (
        (["ARG9", 0, 0], "expected O or a role that the model knows for one word: ARG0, ARG1"),
        (["ARGM-NEG", 0, 1], "expected O or a role that the model knows for several words: ARG0"),
    ):
        with pytest.raises(InputError, match=f"`given_roles` of predicate 4: found .*{message}"):
            lisa({"tokens": WORDS, "given_roles": [{"index": 4, "spans": [span]}]})
    with pytest.raises(InputError, match="`given_roles`: .* with it instead of `text`"):
        lisa.document({"text": "She left.", "given_roles": []})


def test_a_parser(archives: Dict[str, Path]) -> None:
    parser = lisa_allennlp.load(archives["deep_biaffine_parser"])
    words, pos = ["She", "saw", "(", "him", ")"], ["PRP", "VBD", "(", "XX", ")"]
    given = {"tokens": words, "pos": pos, "id": 3}
    empty, full = parser.pipe([{"tokens": []}, given], details=True)
    assert (empty.words, empty.pos, empty.heads) == ([], [], [])
    assert (full.words, full.pos, full.extra) == (words, pos, {"id": 3})
    assert full.heads.count(0) == 1
    assert [tag == "root" for tag in full.head_tags] == [head == 0 for head in full.heads]
    assert full.arc_scores.shape == (5, 5) and full.attention is None
    assert full.frames is None and full.supertags is None
    with pytest.raises(ConfigurationError, match="expected also `pos`, one tag per word"):
        parser("She left .")
    with pytest.raises(ConfigurationError, match="expected `tokens` with `pos`"):
        parser.document("She left. He stayed.")


def test_a_supertagger(archives: Dict[str, Path]) -> None:
    empty, full = lisa_allennlp.load(archives["ccg_supertagger"], beta=0.5).pipe(["", "She left."])
    assert (empty.supertags, empty.candidates) == ([], [])
    assert full.supertags == ["N", "N", "N"] and len(full.candidates) == 3
    assert full.heads is None and full.frames is None


class Raising(list):
    def __iter__(self) -> Any:
        raise OSError("no items")


@pytest.mark.parametrize(
    "is_document, content, message",
    [
        (True, 7, "the document: found 7; expected raw text, or an object with `text`"),
        (True, {"text": "a", "sentences": 3}, "`sentences`: found 3; expected a list of objects"),
        (True, "a" * (MOST_CHARACTERS + 1), "found a document of more than 5,000,000 characters"),
        (False, ["word"] * 2001, "found a sentence of 2001 words; expected at most"),
        (False, {"tokens": Raising(["a"])}, "OSError: no items"),
    ],
)
def test_a_bad_input_costs_itself_alone(
    lisa: Labeller, is_document: bool, content: Any, message: str
) -> None:
    call, stream = (lisa.document, lisa.documents) if is_document else (lisa, lisa.pipe)
    with pytest.raises(InputError) as raised:
        call(content)
    assert message in raised.value.message
    first, error, last = stream(["Go.", content, "Go."], on_error="yield")
    assert isinstance(error, InputError) and (error.place, error.position) == ("input 2", 2)
    assert comparable(first) == comparable(last)
    found = stream(["Go.", content])
    next(found)
    with pytest.raises(InputError, match="^input 2: "):
        next(found)


def test_answers_before_a_failure_of_the_source_are_not_lost(lisa: Labeller) -> None:
    def texts() -> Any:
        yield from ["She left.", "Stop", "They left."]
        raise OSError("the source is gone")

    seen = []
    with pytest.raises(OSError, match="the source is gone"):
        for sentence in lisa.pipe(texts(), batch_size=2):
            seen.append(sentence.words[0])
    assert seen == ["She", "Stop", "They"]


class OddError(Exception):
    """An error that nobody knows."""


def fail_oddly() -> None:
    raise OddError("two\nlines \ud800")


INPUTS = ["Go.", "Boom!", "She left.", "A Boom.", "Stop."]


def break_network(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[], None], word: str = "Boom"
) -> List[int]:
    """Makes the network fail for sentences with a word, or for all; the sizes of its batches."""
    predict = Lisa.predict_sentences
    sizes: List[int] = []

    def failing(self: Lisa, **inputs: Any) -> Any:
        sentences = [item["sentence"] for item in inputs["metadata"]]
        sizes.append(len(sentences))
        if not word or any(word in sentence.words for sentence in sentences):
            fault()
        return predict(self, **inputs)

    monkeypatch.setattr(Lisa, "predict_sentences", failing)
    return sizes


def check_results(results: List[Any], reason: str) -> None:
    assert [isinstance(result, InputError) for result in results] == [False, True] * 2 + [False]
    for error in results[1::2]:
        assert error.reason.startswith(reason) and "\n" not in error.reason
        assert error.reason.encode() and error.__cause__ is not None


def test_whatever_the_fault(lisa: Labeller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lisa_allennlp.labelling.labeller.available_cores", lambda: 2)
    break_network(monkeypatch, fail_oddly)
    reason = "OddError: two lines \\ud800"
    for stream in (lisa.pipe, lisa.documents):
        check_results(list(stream(INPUTS, on_error="yield")), reason)
    results = list(lisa.pipe(INPUTS, on_error="yield", batch_size=2, processes=2))
    check_results(results, reason)
    assert "in failing" in str(results[1].__cause__)


def test_memory_of_the_failure_is_released(lisa: Labeller, monkeypatch: pytest.MonkeyPatch) -> None:
    tensors: List[Any] = []

    def fail() -> None:
        tensor = torch.zeros(3)
        assert all(reference() is None for reference in tensors)
        tensors.append(weakref.ref(tensor))
        raise MemoryError

    break_network(monkeypatch, fail)
    check_results(list(lisa.pipe(INPUTS, on_error="yield")), "MemoryError")
    assert len(tensors) > 2


@pytest.mark.parametrize("processes", [1, 2])
def test_a_broken_model_ends_the_run_at_once(
    lisa: Labeller, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    sizes = break_network(monkeypatch, fail_oddly, word="")
    with pytest.raises(ModelError, match="^cannot label any sentence: OddError: two lines"):
        list(lisa.pipe(INPUTS * 50, on_error="yield", processes=processes))
    # One batch of the inputs, and one simple sentence. Other processes have lists of their own.
    assert sizes[1:] == [1] or processes == 2


def test_the_annotation_of_a_file_is_kept() -> None:
    lisa = lisa_allennlp.load("english-fast")
    words = ["Time", "flies", "."]
    own = lisa(words)
    given = Sentence(
        words,
        ["NNP", "_", "."],
        frames=[Frame(0, ["B-V", "O", "O"])],
        parse=Parse([0, 0, 0], ["root", "dep", "punct"]),
        morphology=Morphology(None, ["TIME", "_", "_"]),
        extra={"id": 7},
    )
    found = lisa(given)
    assert found.pos == ["NNP", *own.pos[1:]] != own.pos
    assert found.lemmas == ["TIME", *own.lemmas[1:]]
    # The universal tags are those of the tags.
    assert (found.upos, found.extra) == (["PROPN", *own.upos[1:]], {"id": 7})
    injected = {"tokens": words, "head_indices": [0, 1, 1], "head_tags": ["root", "dep", "punct"]}
    assert (found.parse, found.frames) == (given.parse, lisa(injected).frames)
    # CoNLL-U without XPOS has the universal tags as tags.
    universal = Sentence(words, ["NOUN"] * 3, morphology=Morphology(["NOUN"] * 3))
    found = lisa(universal)
    assert (found.pos, found.upos, found.parse) == (own.pos, ["NOUN"] * 3, own.parse)


def test_given_heads_stay_and_the_others_are_predicted() -> None:
    words = "He put the key on the table .".split()
    for name in ("english-fast", "english"):
        lisa = lisa_allennlp.load(name)
        own = lisa(words).parse
        part = Parse([-1] * 4 + [3, -1, -1, -1], ["_"] * 4 + ["_", "det", "_", "_"])
        found = lisa(Sentence(words, injected_parse=part)).parse
        assert found.head_indices[4] == 3 != own.head_indices[4]
        assert found.head_indices[:4] == own.head_indices[:4]
        assert "_" not in found.head_tags and found.head_tags[5] == "det"
        assert found.children and found.subtree(1) == tuple(range(8))


def test_foreign_trees(caplog: pytest.LogCaptureFixture) -> None:
    words = "He put the key on the table .".split()
    tags = "nsubj ROOT det dobj prep det pobj punct".split()
    foreign = Sentence(words, parse=Parse([1, 1, 3, 1, 1, 6, 4, 1], tags))
    lisa = lisa_allennlp.load("english-fast")
    subtype = replace(foreign, parse=Parse([1] * 8, ["obl:other"] * 8))
    assert lisa(subtype).parse == subtype.parse and not caplog.messages
    assert [s.parse for s in lisa.pipe([foreign, foreign])] == [foreign.parse] * 2
    (note,) = caplog.messages
    assert "dobj, pobj, prep" in note
    free = lisa_allennlp.load("english-fast", ignore_trees=True)
    given = {"tokens": words, "head_indices": foreign.heads, "head_tags": tags}
    for content in (foreign, given):
        assert free(content).to_dict() == lisa(words).to_dict()


def test_tags_of_a_file_stay_where_they_are_the_universal_ones() -> None:
    rows = [f"{number}\t--\t_\tSYM\tSYM\t_\t_\t_\t_\t_\n" for number in (1, 2)]
    given = Sentence.from_conllu("".join(rows))
    assert lisa_allennlp.load("english-fast")(given).pos == ["SYM", "SYM"]


@pytest.mark.medium
def test_what_other_models_read_of_a_file(archives: Dict[str, Path]) -> None:
    parse = Parse([0, 0], ["root", "dep"])
    given = Sentence(["Go", "!"], ["VB", "."], [Frame(0, ["B-V", "O"])], parse, extra={"id": 7})
    found = lisa_allennlp.load(archives["ccg_supertagger"])(given)
    assert (found.pos, found.parse, found.frames) == (given.pos, parse, None)
    assert found.supertags is not None and found.extra == given.extra
    parser = lisa_allennlp.load(archives["deep_biaffine_parser"])
    assert parser(given).parse == parser({"tokens": given.words, "pos": given.pos}).parse
    cycle = Sentence(["Go", "!", "."], parse=Parse([1, 0, 2], ["a", "b", "root"]))
    with pytest.raises(InputError, match="`head_indices`: .*; expected a tree without the cycle"):
        lisa_allennlp.load(archives["lisa"])(cycle)
