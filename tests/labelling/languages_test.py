"""A model for another language than English, from the training to its answers for raw text."""

import json
import shutil
from pathlib import Path
from typing import Iterator

import pytest
import spacy

import lisa_allennlp
from lisa_allennlp import __main__ as command_line
from lisa_allennlp.common.errors import ConfigurationError
from tests import FIXTURES, ROOT
from tests.tiny_transformer import make_tiny_transformer

pytestmark = pytest.mark.medium

TEXT = "El médico nadó del pueblo al mar."
WORDS = "El médico nadó de el pueblo a el mar .".split()

SMALL = {
    "trainer.num_epochs": 1,
    "model.encoder.num_layers": 3,
    "model.encoder.predicate_layer": 1,
    "model.encoder.parse_layer": 2,
    # Every token is a predicate.
    "model.predicate_threshold": 0.0,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a training on the Spanish sample, and in it the exported model."""
    found = tmp_path_factory.mktemp("spanish")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("LISA_LANGUAGE", "es")
        changes = json.dumps(SMALL)
        assert not command_line.main(["train", "lisa_treebank", "-s", f"{found}", "-o", changes])
        exported = ["export", f"{found}/model.tar.gz", f"{found}/out", "--license", "mit"]
        assert not command_line.main(exported)
    yield found


@pytest.mark.parametrize("model, engine", [("model.tar.gz", "torch"), ("out", "onnx")])
def test_raw_text_is_split_as_in_the_treebank(folder: Path, model: str, engine: str) -> None:
    lisa = lisa_allennlp.load(folder / model, engine=engine)
    sentence = lisa(TEXT)
    assert sentence.words == WORDS
    assert sentence.pos == sentence.upos and sentence.lemmas is None
    assert sentence.frames is not None and len(sentence.frames) == len(WORDS)
    of_seen_words = {"El", "médico", "pueblo"}
    # The training data has rolesets for none of these words: English rules would invent them.
    assert {frame.sense for frame in sentence.frames} == {"-"}
    assert of_seen_words < {frame.verb for frame in sentence.frames}
    rows = sentence.to_conllu().splitlines()
    assert [row.split("\t")[1] for row in rows if "-" in row.split("\t")[0]] == ["del", "al"]


def test_a_model_splits_sentences_by_its_treebank(folder: Path) -> None:
    """In NumPy, PyTorch and spaCy; as English, text is split by the English network."""
    (learnt,) = (folder / "vocabulary/sentence_splitter_labels.txt").read_text().splitlines()
    exported = folder / "out/vocabulary/sentence_splitter_labels.txt"
    assert exported.read_text() == f"{learnt}\n"
    text = "El médico nadó . Los niños leen"
    network = json.loads(learnt)
    # With this bias, no sentence ends.
    network["layers"][-1]["bias"] = [-100_000]
    for content, number in ((json.dumps(network), 1), (learnt, 2)):
        exported.write_text(f"{content}\n")
        for engine in ("onnx", "torch"):
            lisa = lisa_allennlp.load(folder / "out", engine=engine)
            assert len(lisa.document(text).sentences) == number
        nlp = spacy.blank("es")
        nlp.add_pipe("lisa", config={"model": str(folder / "out")})
        assert len(list(nlp(text).sents)) == number
    assert len(lisa_allennlp.load(folder / "out", language="en").document(text).sentences) == 2


def test_over_a_hugging_face_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text has letters that the encoder's word pieces lack."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("LISA_TRANSFORMER", make_tiny_transformer(tmp_path / "tiny"))
    files = ["-s", f"{tmp_path}/out", "-o", json.dumps(SMALL)]
    assert not command_line.main(["train", "lisa_treebank_transformer", *files])
    sentence = lisa_allennlp.load(tmp_path / "out/model.tar.gz")(TEXT)
    assert sentence.words == WORDS and sentence.lemmas is None
    assert sentence.frames is not None and len(sentence.frames) == len(WORDS)
    scores = ["evaluate", f"{tmp_path}/out/model.tar.gz", f"{FIXTURES}/languages/dev.conllup"]
    assert not command_line.main(scores)


def test_words_need_no_tokenizer(folder: Path, tmp_path: Path) -> None:
    network = Path(shutil.copytree(folder / "out", tmp_path / "ja")) / "network.json"
    network.write_text(network.read_text().replace('"language": "es"', '"language": "ja"'))
    lisa = lisa_allennlp.load(tmp_path / "ja")
    assert lisa(WORDS).words == WORDS
    with pytest.raises(ConfigurationError, match="^language is 'ja'.*pip install"):
        list(lisa.documents([TEXT, TEXT], on_error="yield"))


def test_universal_tags_are_scored_against_universal_tags(folder: Path, tmp_path: Path) -> None:
    """Also where the treebank has tags of its own."""
    lines = (FIXTURES / "languages/dev.conllup").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    for row in rows:
        if row[0].isdigit():
            row[4] = f"own-{row[3]}"
    own = tmp_path / "own.conllup"
    own.write_text("\n".join("\t".join(row) for row in rows) + "\n\n")
    scores = []
    for corpus in (FIXTURES / "languages/dev.conllup", own):
        output = tmp_path / f"{corpus.stem}.json"
        arguments = ["evaluate", f"{folder}/out", f"{corpus}", "--output-file", f"{output}"]
        assert not command_line.main(arguments)
        scores.append(json.loads(output.read_text()))
    assert scores[0] == scores[1]


def test_the_language_can_be_overridden(folder: Path) -> None:
    assert lisa_allennlp.load(folder / "out", language="en")(TEXT).words[3] == "del"
