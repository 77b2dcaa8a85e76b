"""`predict` with another default."""

import argparse

from allennlp.commands.predict import Predict
from allennlp.commands.subcommand import Subcommand

import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.commands.predict import BATCH_SIZE, LisaPredict


def parse(command: Subcommand, *arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_subparser(parser.add_subparsers())
    return parser.parse_args(["predict", "model.tar.gz", "in.jsonl", *arguments])


def test_it_takes_the_place_of_allennlps() -> None:
    assert Subcommand.by_name("predict") is LisaPredict


def test_only_the_batch_size_differs() -> None:
    ours, theirs = vars(parse(LisaPredict())), vars(parse(Predict()))
    assert (ours.pop("batch_size"), theirs.pop("batch_size")) == (BATCH_SIZE, 1)
    assert ours == theirs


def test_a_given_batch_size_is_taken() -> None:
    assert parse(LisaPredict(), "--batch-size", "7").batch_size == 7
