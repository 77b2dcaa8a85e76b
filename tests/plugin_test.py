"""What the plug-in leaves as it is: AllenNLP's names, and the models of other packages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest
import spacy

from benchmarks.house import REPLACED, run
from tests import ROOT


@pytest.mark.slow
def test_no_name_of_allennlp_is_replaced() -> None:
    assert run(REPLACED, ROOT) == []


COMMANDS = """
import json, sys
from allennlp.commands import main

for arguments in json.loads(sys.stdin.read()):
    sys.argv[1:] = arguments
    main(prog="allennlp")
"""

TAGGED = [
    "the###D\tcat###N\tsat###V",
    "a###D\tdog###N\tran###V\tfast###R",
    "cats###N\trun###V",
]

TEXTS = [
    {"text": "The cat sat.", "label": "pets"},
    {"text": "It rained on the dog.", "label": "weather"},
    {"text": "Cats run!", "label": "pets"},
]


def experiment(data: Path, reader: Dict[str, Any], model: Dict[str, Any]) -> Dict[str, Any]:
    embedding = {"tokens": {"type": "embedding", "embedding_dim": 4}}
    return {
        "dataset_reader": reader,
        "train_data_path": str(data),
        "validation_data_path": str(data),
        "model": {"text_field_embedder": {"token_embedders": embedding}, **model},
        "data_loader": {"batch_size": 2, "shuffle": True},
        "trainer": {"num_epochs": 2, "optimizer": "adam", "cuda_device": -1},
    }


def lstm(kind: str) -> Dict[str, Any]:
    return {"type": kind, "input_size": 4, "hidden_size": 3}


def run_commands(folder: Path, inputs: Path, options: List[str]) -> Dict[str, Any]:
    """What the three commands write, without durations and the use of memory."""
    language = json.dumps({"language": str(inputs / "blank_en")})
    predictors = {
        "tagger": ["--predictor", "sentence_tagger", "--predictor-args", language],
        "classifier": ["--predictor", "text_classifier"],
    }
    commands = []
    for name, predictor in predictors.items():
        archive, output = f"{folder}/{name}/model.tar.gz", ["--output-file", f"{folder}/{name}"]
        commands += [
            ["train", f"{inputs}/{name}.json", "-s", f"{folder}/{name}"],
            ["evaluate", archive, f"{inputs}/{name}", output[0], f"{output[1]}.eval"],
            ["predict", archive, f"{inputs}/sentences", *predictor, output[0], f"{output[1]}.out"],
        ]
    subprocess.run(
        [sys.executable, "-c", COMMANDS],
        input=json.dumps([[*command, *options] for command in commands]),
        text=True,
        check=True,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Without the plug-ins of the user.
        env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(ROOT)},
    )
    found: Dict[str, Any] = {}
    for name in predictors:
        found[f"{name}.labels"] = (folder / f"{name}.out").read_text()
        found[f"{name}.weights"] = (folder / name / "best.th").read_bytes()
        metrics = json.loads((folder / name / "metrics.json").read_text())
        metrics.update(json.loads((folder / f"{name}.eval").read_text()))
        kept = {k: v for k, v in metrics.items() if not k.endswith(("_MB", "_duration"))}
        found[f"{name}.metrics"] = kept
    return found


@pytest.mark.slow
def test_models_of_allennlp_are_the_same_with_the_plug_in(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    spacy.blank("en").to_disk(inputs / "blank_en")
    tokenizer = {"type": "spacy", "language": str(inputs / "blank_en")}
    (inputs / "tagger").write_text("\n".join(TAGGED) + "\n")
    (inputs / "classifier").write_text("".join(json.dumps(text) + "\n" for text in TEXTS))
    sentences = [{"sentence": text["text"]} for text in TEXTS]
    (inputs / "sentences").write_text("".join(json.dumps(text) + "\n" for text in sentences))
    configs = {
        "tagger": experiment(
            inputs / "tagger",
            {"type": "sequence_tagging"},
            {"type": "simple_tagger", "encoder": lstm("lstm")},
        ),
        "classifier": experiment(
            inputs / "classifier",
            {"type": "text_classification_json", "tokenizer": tokenizer},
            {"type": "basic_classifier", "seq2vec_encoder": lstm("lstm")},
        ),
    }
    for name, config in configs.items():
        (inputs / f"{name}.json").write_text(json.dumps(config))
    found = []
    for number, options in enumerate([[], ["--include-package", "lisa_allennlp"]]):
        # Folders of one name, which the files of weights contain.
        folder = tmp_path / str(number) / "run"
        folder.mkdir(parents=True)
        found.append(run_commands(folder, inputs, options))
    assert found[0] == found[1]
