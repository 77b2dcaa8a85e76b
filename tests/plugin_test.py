"""The plug-in leaves the models of other packages as they are."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import pytest
import spacy

from tests import ROOT

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

TEXTS = ["The cat sat.", "It rained on the dog.", "Cats run!"]


def run_commands(folder: Path, inputs: Path, options: List[str]) -> List[Any]:
    """What the three commands write, without durations and the use of memory."""
    language = json.dumps({"language": str(inputs / "blank_en")})
    predictor = ["--predictor", "sentence_tagger", "--predictor-args", language]
    archive = "out/model.tar.gz"
    commands = [
        ["train", f"{inputs}/config.json", "-s", "out"],
        ["evaluate", archive, f"{inputs}/tagged", "--output-file", "scores"],
        ["predict", archive, f"{inputs}/sentences", *predictor, "--output-file", "labels"],
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
    metrics = json.loads((folder / "out/metrics.json").read_text())
    metrics.update(json.loads((folder / "scores").read_text()))
    kept = {k: v for k, v in metrics.items() if not k.endswith(("_MB", "_duration"))}
    return [(folder / "labels").read_text(), (folder / "out/best.th").read_bytes(), kept]


@pytest.mark.slow
def test_models_of_allennlp_are_the_same_with_the_plug_in(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    spacy.blank("en").to_disk(inputs / "blank_en")
    (inputs / "tagged").write_text("\n".join(TAGGED) + "\n")
    (inputs / "sentences").write_text("\n".join(json.dumps({"sentence": t}) for t in TEXTS))
    embedding = {"tokens": {"type": "embedding", "embedding_dim": 4}}
    config = {
        "dataset_reader": {"type": "sequence_tagging"},
        "train_data_path": str(inputs / "tagged"),
        "validation_data_path": str(inputs / "tagged"),
        "model": {
            "type": "simple_tagger",
            "text_field_embedder": {"token_embedders": embedding},
            "encoder": {"type": "lstm", "input_size": 4, "hidden_size": 3},
        },
        "data_loader": {"batch_size": 2, "shuffle": True},
        "trainer": {"num_epochs": 2, "optimizer": "adam", "cuda_device": -1},
    }
    (inputs / "config.json").write_text(json.dumps(config))
    found = []
    for number, options in enumerate([[], ["--include-package", "lisa_allennlp"]]):
        # Folders of one name, which the files of weights contain.
        folder = tmp_path / str(number) / "run"
        folder.mkdir(parents=True)
        found.append(run_commands(folder, inputs, options))
    assert found[0] == found[1]
