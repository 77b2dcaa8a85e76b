"""The component in blank pipelines, against `lisa_allennlp.load` on the same tokens."""

import json
import pickle
import shutil
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, Token

import lisa_allennlp
from lisa_allennlp.apps.spacy.component import LisaComponent, save_model, saved_model
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.sentence.sentence import Sentence
from tests.apps.spacy.conftest import WORDS
from tests.apps.spacy.pipelines import annotation, pipeline

TEXTS = [
    "She sold him the car. They left it.",
    "",
    "  \n",
    "They ( all ) left  it , didn't they?\n\n \tShe sold😀 it... ",
    "😀",
]


@pytest.fixture(scope="module")
def nlp(models: Dict[str, Path]) -> Language:
    return pipeline(models["lisa"])


@pytest.fixture(scope="module")
def injecting(models: Dict[str, Path]) -> Language:
    return pipeline(models["lisa"], parse="doc")


@pytest.fixture(scope="module")
def lisa(models: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(models["lisa"])


def labelled_words(doc: Doc, lisa: Labeller) -> List[Tuple[List[int], Sentence]]:
    """Each sentence of the Doc as the labeller labels it, with the positions of its words."""
    found = []
    for sentence in doc.sents:
        words = [token for token in sentence if not token.is_space]
        found.append(([token.i for token in words], lisa([token.text for token in words])))
    return found


def check(doc: Doc, lisa: Labeller) -> None:
    """A Doc has the labels of `lisa` on its words, and a place in the tree for all tokens."""
    predicates = []
    for positions, expected in labelled_words(doc, lisa):
        assert [doc[i].tag_ for i in positions] == expected.pos
        assert [doc[i].pos_ for i in positions] == expected.upos
        assert [doc[i].lemma_ for i in positions] == expected.lemmas
        heads = [0 if doc[i].head.i == i else positions.index(doc[i].head.i) + 1 for i in positions]
        assert heads == expected.heads
        tags = [{"ROOT": "root"}.get(doc[i].dep_, doc[i].dep_) for i in positions]
        assert tags == expected.head_tags
        for frame in expected.frames or []:
            predicates.append(positions[frame.predicate])
            found = doc[predicates[-1]]._.frame
            assert [(s.label_, s.start, s.end - 1) for s in found.roles] == [
                (role.role, positions[role.first], positions[role.last]) for role in frame.roles
            ]
            assert (found.sense, found.lemma) == (frame.sense, frame.lemma)
    assert [frame.predicate.i for frame in doc._.frames] == predicates
    spans = [span for frame in doc._.frames for span in frame.roles]
    assert list(doc.spans["srl"]) == spans
    assert {int(span.id_) for span in spans} == set(predicates)
    for sentence in doc.sents:
        assert sum(token.head.i == token.i for token in sentence) == 1
        before: Optional[Token] = None
        for token in sentence:
            assert sentence.start <= token.head.i < sentence.end
            assert (token.tag_ == "_SP") == (token.pos_ == "SPACE") == token.is_space
            below = [other for other in sentence if other.head == token and other != token]
            assert list(token.children) == below
            if not token.is_space:
                before = token
            assert not token.is_space or before is None or token.head == before


@pytest.mark.medium
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from([*WORDS, " ", "\n", "\t ", "left. ", "\u00a0", "é"])).map(
        " ".join
    )
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
)
def test_any_text_is_labelled_as_by_load(text: str, nlp: Language, lisa: Labeller) -> None:
    check(nlp(text), lisa)


def test_pipe_labels_as_call_and_load(nlp: Language, lisa: Labeller) -> None:
    docs = [nlp(text) for text in TEXTS]
    for doc in docs:
        check(doc, lisa)
    # The texts have frames with arguments, and several sentences.
    assert sum(len(doc._.frames) for doc in docs) > 3
    assert any(span.label_ != "V" for doc in docs for span in doc.spans["srl"])
    assert len(list(docs[0].sents)) == 2 and len(list(docs[3].sents)) > 1
    alone = list(map(annotation, docs)) * 3
    assert list(map(annotation, nlp.pipe(TEXTS * 3, batch_size=4))) == alone
    assert list(map(annotation, nlp.pipe(TEXTS * 3, n_process=2, batch_size=1))) == alone
    pairs = zip(TEXTS, range(5), strict=True)
    assert [context for _, context in nlp.pipe(pairs, as_tuples=True)] == list(range(5))


def test_docs_from_words(nlp: Language, lisa: Labeller) -> None:
    words = ["She", "sold", " ", "New York", ".", "It", "left"]
    doc = nlp(Doc(nlp.vocab, words=words, spaces=[False] * len(words)))
    check(doc, lisa)
    assert [sentence.start for sentence in doc.sents] == [0, 5]
    # Given sentence boundaries are kept.
    starts: List[Any] = [True, False, False, True, False, True, False]
    doc = nlp(Doc(nlp.vocab, words=words, sent_starts=starts))
    assert [sentence.start for sentence in doc.sents] == [0, 3, 5]
    check(doc, lisa)
    doc = Doc(nlp.vocab, words=words, tags=["X"] * 7, heads=[4] * 7, deps=["x"] * 7)
    for _ in range(2):
        check(nlp(doc), lisa)


@pytest.mark.medium
def test_what_is_set_is_chosen(models: Dict[str, Path], nlp: Language) -> None:
    chosen = pipeline(models["lisa"], set_tags=False, parse=None, spans_key=None)
    doc, full = chosen(TEXTS[0]), nlp(TEXTS[0])
    assert not doc.has_annotation("TAG") and not doc.has_annotation("DEP")
    assert not doc.has_annotation("SENT_START") and not doc.spans
    assert annotation(doc)["frames"] == annotation(full)["frames"] != []
    assert list(pipeline(models["lisa"], spans_key="roles")(TEXTS[0]).spans) == ["roles"]


@pytest.mark.medium
def test_sa(models: Dict[str, Path]) -> None:
    doc = pipeline(models["sa"], parse=None)(TEXTS[0])
    sa = lisa_allennlp.load(models["sa"])
    assert [token.tag_ for token in doc][:6] == sa(["She", "sold", "him", "the", "car", "."]).pos
    assert doc._.frames and not doc.has_annotation("DEP")
    assert not doc.has_annotation("POS") and not doc.has_annotation("LEMMA")
    with pytest.raises(ConfigurationError, match="`parse` is 'lisa'"):
        pipeline(models["sa"])


def chain_parser(doc: Doc) -> Doc:
    """Attaches each token to the one before it, in sentences of up to four tokens."""
    for token in doc:
        token.is_sent_start = token.i % 4 == 0
    for token in doc:
        token.head = doc[token.i - 1 if token.i % 4 else token.i]
        token.dep_ = f"label{token.i}"
    return doc


@pytest.mark.medium
def test_the_parse_of_the_doc_is_injected(injecting: Language, lisa: Labeller) -> None:
    doc = injecting(chain_parser(injecting.make_doc(TEXTS[3])))
    assert [token.dep_ for token in doc] == [f"label{i}" for i in range(len(doc))]
    for start in range(0, len(doc), 4):
        words = [token for token in doc[start : start + 4] if not token.is_space]
        # Without whitespace, the chain is a chain, too.
        chain = list(range(len(words)))
        expected = lisa({"tokens": [token.text for token in words], "head_indices": chain})
        found = [frame for frame in doc._.frames if start <= frame.predicate.i < start + 4]
        assert [frame.predicate.i for frame in found] == [
            words[i].i for i in expected.predicates or []
        ]
        for frame, other in zip(found, expected.frames or [], strict=True):
            assert [span.label_ for span in frame.roles] == [span.role for span in other.roles]
            assert [span.text for span in frame.roles] == [
                doc[words[span.first].i : words[span.last].i + 1].text for span in other.roles
            ]


@pytest.mark.medium
def test_errors(injecting: Language, archives: Dict[str, Path]) -> None:
    with pytest.raises(ConfigurationError, match=r"\[lisa\] found a Doc without a parse"):
        injecting("She left.")
    with pytest.raises(ConfigurationError, match=r"\[lisa\] found <SupertagLabeller"):
        pipeline(archives["ccg_supertagger"], parse=None)


@pytest.mark.medium
def test_a_bad_doc_costs_itself_alone(models: Dict[str, Path]) -> None:
    nlp = pipeline(models["lisa"], parse="doc")
    chains = [chain_parser(nlp.make_doc(text)) for text in TEXTS[:2]]
    docs = [chains[0], nlp.make_doc("no parse"), chains[1]]
    failed: List[str] = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.extend(d.text for d in docs))
    assert [doc.text for doc in nlp.pipe(docs)] == TEXTS[:2]
    assert failed == ["no parse"]


def test_heads_of_a_doc_with_a_cycle(injecting: Language) -> None:
    component: Any = injecting.get_pipe("lisa")
    words = ["She", "left", "."]
    doc = Doc(injecting.vocab, words=words, heads=[1, 0, 0], deps=["x"] * 3)
    with pytest.raises(ConfigurationError, match="the cycle 1"):
        component(doc)
    # Words below a cycle of whitespace are roots.
    doc = Doc(injecting.vocab, words=["Go", " ", "\n"], heads=[1, 2, 1], deps=["x"] * 3)
    assert [frame.predicate.text for frame in component(doc)._.frames] in ([], ["Go"])


@pytest.mark.medium
def test_a_saved_pipeline_works_elsewhere(models: Dict[str, Path], tmp_path: Path) -> None:
    # As a training leaves it: a folder with the weights in it.
    shutil.copytree(models["lisa"].parent, tmp_path / "training")
    nlp = pipeline(tmp_path / "training", spans_key="roles")
    expected = annotation(nlp(TEXTS[0]))
    nlp.to_disk(tmp_path / "saved")
    shutil.rmtree(tmp_path / "training")
    (tmp_path / "saved").rename(tmp_path / "moved")
    with pytest.raises(ConfigurationError, match="found no model any more"):
        nlp.to_disk(tmp_path / "again")

    loaded = spacy.load(tmp_path / "moved")
    assert annotation(loaded(TEXTS[0])) == expected
    loaded.to_disk(tmp_path / "copy")
    assert annotation(spacy.load(tmp_path / "copy")(TEXTS[0])) == expected

    component: Any = pickle.loads(pickle.dumps(loaded.get_pipe("lisa")))
    assert annotation(component(loaded.make_doc(TEXTS[0]))) == expected


def contents(folder: Path) -> dict:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_a_folder_has_one_model(tmp_path: Path) -> None:
    exported, saved, archive = (tmp_path / name for name in ("exported", "saved", "a.tar.gz"))
    (exported / "vocabulary").mkdir(parents=True)
    for name in ("config.json", "weights.safetensors", "vocabulary/joint_tags.txt"):
        (exported / name).write_text(f"the {name}")
    archive.write_text("an archive")
    for model in ("english", exported, archive, None, archive, exported):
        save_model(model, saved)
        assert len(list(saved.iterdir())) == 1
        found = saved_model(saved)
        if isinstance(model, Path) and model.is_file():
            assert Path(found or "").read_text() == "an archive"
        else:
            assert found == model or contents(Path(found or "")) == contents(exported)
    # A model may be saved to the place that it was loaded from.
    before = contents(saved)
    save_model(Path(saved_model(saved) or "").resolve(), saved)
    assert contents(saved) == before


def test_another_version_or_nothing_is_reported(tmp_path: Path) -> None:
    save_model("english", tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), "lisa_allennlp": "0.0.1"}))
    with pytest.warns(UserWarning, match="lisa-allennlp 0.0.1"):
        assert saved_model(tmp_path) == "english"
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/none: found no model"):
        saved_model(tmp_path / "none")
    (path,) = tmp_path.iterdir()
    path.write_text('{"model": "english"}')
    with pytest.raises(ConfigurationError, match=r"^\[lisa\]: cannot be opened"):
        LisaComponent().from_disk(tmp_path)


def test_auxiliaries_are_left_out_and_roles_have_head_words() -> None:
    doc = pipeline("english-fast", auxiliaries=False)("The old cars of Google were sold to a man.")
    (frame,) = doc._.frames
    heads = {span.label_: span.root.lemma_ for span in frame.roles}
    assert heads == {"ARG1": "car", "V": "sell", "ARG2": "man"}
