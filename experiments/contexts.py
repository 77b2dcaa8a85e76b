"""What the commands that fit the contexts of senses, roles and tokens share."""

import argparse
from pathlib import Path
from typing import Sequence

from lisa_allennlp import pretrained
from lisa_allennlp.data.annotated_files import read_annotated
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.inference.model import InferenceModel


def make_parser(documentation: str) -> argparse.ArgumentParser:
    """Returns a parser of the arguments `corpus` and `model`."""
    parser = argparse.ArgumentParser(description=documentation.strip().partition("\n\n")[0])
    text = "a folder with ewt-train.gold_conll and ewt-train.conllu, and those of dev"
    parser.add_argument("--corpus", type=Path, required=True, help=text)
    parser.add_argument("--model", default="english", help="(default: %(default)s)")
    return parser


def open_network(model_name: str) -> InferenceModel:
    """Opens a model whose tags and predicates are those of the network alone."""
    model = InferenceModel.open(pretrained.resolve(model_name))
    model._decoder._token_context = None
    return model


def read_treebank(path: Path) -> Sequence[Sentence]:
    """Returns the sentences of a treebank with their frames and trees."""
    return read_annotated(path, parses=True).bare_sentences
