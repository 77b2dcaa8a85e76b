"""What the commands that fit the contexts of senses, roles and tokens share."""

import argparse
import shutil
from pathlib import Path
from typing import Sequence

import numpy

from lisa_allennlp import pretrained
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.request import Request
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.decoding.decoder import FrameStage
from lisa_allennlp.decoding.fitting import Choices
from lisa_allennlp.decoding.lexicon import FILES
from lisa_allennlp.decoding.log_linear import LogLinear, alternative_scores
from lisa_allennlp.inference.model import InferenceModel
from lisa_allennlp.training.metrics import (
    DependencyScore,
    PosAccuracy,
    PredicateScore,
    SenseAccuracy,
    SrlScore,
)


def make_parser(documentation: str) -> argparse.ArgumentParser:
    """Returns a parser of the arguments `corpus`, `model` and `out`."""
    parser = argparse.ArgumentParser(description=documentation.strip().partition("\n\n")[0])
    text = "a folder with ewt-train.gold_conll and ewt-train.conllu, and those of dev"
    parser.add_argument("--corpus", type=Path, required=True, help=text)
    parser.add_argument("--model", default="english", help="(default: %(default)s)")
    text = "a folder for the weights, which gets those of the package first (default: the package)"
    parser.add_argument("--out", type=use_folder, help=text)
    return parser


def use_folder(name: str) -> None:
    """Lets `english` name the lexicon of a folder, which has that of the package at first."""
    Path(name).mkdir(parents=True, exist_ok=True)
    for field, path in FILES.items():
        FILES[field] = Path(name, path.name)
        if not FILES[field].is_file():
            shutil.copy(path, FILES[field])


def open_network(model_name: str) -> InferenceModel:
    """Opens a model whose tags and predicates are those of the network alone."""
    model = InferenceModel.open(pretrained.resolve(model_name))
    model.decoder.token_stages.clear()
    return model


def replace_stage(model: InferenceModel, kind: type, stages: Sequence[FrameStage]) -> None:
    """Puts others in the place of a context."""
    own = model.decoder.frame_stages
    (number,) = [number for number, stage in enumerate(own) if isinstance(stage, kind)]
    own[number : number + 1] = stages


def read_treebank(path: Path) -> Sequence[Sentence]:
    """Returns the sentences of a treebank with their frames and trees."""
    return read_annotated(path, parses=True).bare_sentences


def accuracy(choices: Choices, weights: LogLinear) -> float:
    """Returns the share of choices whose right alternative has the highest score, in percent."""
    scores = alternative_scores(weights.scores(choices.features), choices.places)
    best = (scores + choices.offsets).argmax(1)
    return 100 * numpy.mean(best == choices.gold)


def save(name: str, weights: LogLinear) -> None:
    """Writes weights into the package, or into the folder of `--out`."""
    weights.save(FILES[name])
    number = numpy.count_nonzero(weights.weights)
    print(f"{name}: {number:,} weights of {len(weights.features):,} features")


def measure(name: str, model: InferenceModel, gold: Sequence[Sentence]) -> None:
    """Prints what contexts change."""
    labelled, found = model.label(list(map(Request, gold))), []
    for kind in (PosAccuracy, DependencyScore, PredicateScore, SenseAccuracy, SrlScore):
        metric = kind()
        metric(labelled, gold)
        found += [f"{key} {value:.2f}" for key, value in metric.get_metric().items()]
    print(f"dev with {name}: {', '.join(found)}")
