"""A gold file and predictions for the tests of `score` and `compare`."""

import json
from pathlib import Path
from typing import Iterable

from lisa_allennlp.formats import conllu
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence

WORDS = ["She", "sold", "him", "cars", "."]
TREE = Parse([1, 1, 1, 1, 1], ["nsubj", "root", "iobj", "obj", "punct"])
GOLD = Sentence(
    WORDS, frames=[Frame(1, "B-ARG0 B-V B-ARG2 B-ARG1 O".split(), "sell", "sell.01")], parse=TREE
)
PREDICTED = Sentence(
    WORDS,
    frames=[
        Frame(1, "B-ARG0 B-V B-ARG1 I-ARG1 O".split(), "sell", "sell.01"),
        Frame(3, "O O O B-V O".split(), "car", "car.01"),
    ],
    parse=Parse([1, 1, 3, 1, 0], ["nsubj", "root", "det", "obj", "punct"]),
)


def write_json_lines(path: Path, sentences: Iterable[Sentence]) -> Path:
    path.write_text("".join(json.dumps(sentence.to_dict()) + "\n" for sentence in sentences))
    return path


def write_conllu(path: Path, sentences: Iterable[Sentence]) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        conllu.write_conllu(sentences, file)
    return path
