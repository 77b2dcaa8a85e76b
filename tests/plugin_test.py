"""What the plug-in leaves as it is: AllenNLP's names, and the models of other packages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest
import spacy

from tests import ROOT

SNAPSHOTS = """
import inspect, json, logging, os, sys, torch, torch.multiprocessing, tqdm
from allennlp.common import Registrable
from lisa_allennlp.common.importing import import_all

import_all("allennlp", exclude=(
    "allennlp.sanity_checks", "allennlp.tools", "allennlp.confidence_checks.task_checklists",
))

def snapshot():
    found = {f"os.environ.{k}": sys.intern(value) for k, value in os.environ.items()}
    for owner, registered in list(Registrable._registry.items()):
        for name, entry in list(registered.items()):
            found[f"{owner.__name__}.register({name})"] = entry
    others = (json, logging, os, sys, torch, torch.nn.Module, torch.multiprocessing, tqdm)
    modules = [m for name, m in sys.modules.items() if name.partition(".")[0] == "allennlp"]
    for module in (*modules, *others):
        for name, value in list(vars(module).items()):
            place = f"{module.__name__}.{name}"
            found[place] = value
            if inspect.isclass(value) and value.__module__ == module.__name__:
                for attribute, own in list(vars(value).items()):
                    found[f"{place}.{attribute}"] = own
    return found

before = snapshot()
import lisa_allennlp.plugin
after = snapshot()
print(json.dumps([name for name in before if after.get(name) is not before[name]]))
"""

NOT_REPLACED = (
    # Python's own caches of abstract classes, and what a module remembers of its warnings.
    "._abc_impl",
    ".__abstractmethods__",
    ".__warningregistry__",
    ".__annotations__",
)


@pytest.mark.slow
def test_no_name_of_allennlp_is_replaced() -> None:
    output = subprocess.check_output([sys.executable, "-W", "ignore", "-c", SNAPSHOTS], text=True)
    replaced = json.loads(output.splitlines()[-1])
    assert [name for name in replaced if not name.endswith(NOT_REPLACED)] == []


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
    language = str(inputs / "blank_en")
    predictors = {
        "tagger": ("sentence_tagger", ["--predictor-args", json.dumps({"language": language})]),
        "classifier": ("text_classifier", []),
    }
    commands = []
    for name, (predictor, arguments) in predictors.items():
        out, archive = folder / name, str(folder / name / "model.tar.gz")
        commands += [
            ["train", str(inputs / f"{name}.json"), "-s", str(out)],
            [
                "evaluate",
                archive,
                str(inputs / name),
                "--output-file",
                str(folder / f"{name}.eval"),
            ],
            ["predict", archive, str(inputs / "sentences"), "--predictor", predictor, *arguments]
            + ["--output-file", str(folder / f"{name}.out"), "--silent"],
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
