"""The models in the package."""

import hashlib
import json
from typing import Callable, Dict

import pytest

import lisa_allennlp
from lisa_allennlp.apps.show import svg, terminal
from lisa_allennlp.apps.show.figures import Pictured
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.sentence.sentence import Sentence
from tests import ROOT

LIMITS = {"english": 61_500_000, "english-fast": 15_500_000}
"""In bytes."""


@pytest.fixture(scope="module")
def lisa() -> Callable[[str], Sentence]:
    return lisa_allennlp.load()


@pytest.fixture(scope="module")
def labelled(lisa: Callable[[str], Sentence]) -> Sentence:
    return lisa("Can you send me the file before we meet on Friday?")


@pytest.mark.parametrize("name", pretrained.names())
def test_the_folder(name: str) -> None:
    folder = pretrained.FOLDER / name
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size < LIMITS[name]
    info = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    weights = (folder / "weights.safetensors").read_bytes()
    assert info["sha256"] == hashlib.sha256(weights).hexdigest()
    assert "CC BY-SA 4.0" in info["license"]
    assert "UD_English-EWT" in (folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.medium
@pytest.mark.parametrize(
    "sentence, sense, arguments",
    [
        ("It surprised me.", "surprise.01", {"ARG0": "It", "ARG1": "me"}),
        (
            "The decision disappointed investors.",
            "disappoint.01",
            {"ARG0": "The decision", "ARG1": "investors"},
        ),
        (
            "Amazon's acquisition of Whole Foods surprised analysts.",
            "surprise.01",
            {"ARG0": "Amazon's acquisition of Whole Foods", "ARG1": "analysts"},
        ),
        ("Apple unveils new iPhone.", "unveil.01", {"ARG0": "Apple", "ARG1": "new iPhone"}),
        ("The Fed raised rates.", "raise.01", {"ARG0": "The Fed", "ARG1": "rates"}),
        ("The senator ran for office.", "run.02", {"ARG0": "The senator", "ARG1": "for office"}),
        (
            "That she won surprised everyone.",
            "surprise.01",
            {"ARG0": "That she won", "ARG1": "everyone"},
        ),
        ("Turn off the light.", "turn_off.07", {"ARG1": "the light"}),
        ("He hung up the phone.", "hang_up.03", {"ARG0": "He", "ARG1": "the phone"}),
        ("I told 'em to leave.", "leave.11", {"ARG0": "'em"}),
    ],
)
def test_sentences_that_must_work(
    lisa: Callable[[str], Sentence], sentence: str, sense: str, arguments: Dict[str, str]
) -> None:
    (frame,) = [f for f in lisa(sentence).frames or [] if f.sense == sense]
    spans = {span.role: span.text for span in frame.roles if span.role.startswith("ARG")}
    assert spans == arguments


@pytest.mark.medium
def test_the_example_of_the_readme(labelled: Sentence) -> None:
    assert terminal.table(labelled) in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.medium
def test_the_pictures_of_the_docs(labelled: Sentence) -> None:
    picture = (ROOT / "docs/images/sentence.svg").read_text(encoding="utf-8")
    assert picture == svg.sentence_svg(labelled) + "\n"
    shown = terminal.picture(Pictured(labelled)).plain
    assert shown in (ROOT / "docs/show.md").read_text(encoding="utf-8")
