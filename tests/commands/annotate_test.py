"""The options of `lisa annotate`."""

import argparse
from pathlib import Path
from typing import List

import pytest

from lisa_allennlp.commands.annotate import parse_devices, parse_part
from lisa_allennlp.common.errors import ConfigurationError
from tests.corpora.corpora import annotate, write_corpus


def test_parts() -> None:
    assert parse_part("3/64") == (3, 64)
    for text in ("0/4", "5/4", "3", "a/b", "1/2/3", "-1/2"):
        with pytest.raises(argparse.ArgumentTypeError, match=f"found {text}"):
            parse_part(text)


def test_devices() -> None:
    assert parse_devices("0,3") == [0, 3]
    for text in ("", "0,", "-1", "0,0", "cuda:0"):
        with pytest.raises(argparse.ArgumentTypeError, match=f"found {text}"):
            parse_devices(text)


@pytest.mark.parametrize(
    "options, message",
    [
        (["--cuda-device", "0", "--processes", "2"], "--cuda-device: found --processes too"),
        (["--address", "local", "--shard", "1/2"], "--address: found --cuda-device or --shard"),
        (["--check"], "--check: found no .*manifest.json"),
    ],
)
def test_options_that_are_refused(tmp_path: Path, options: List[str], message: str) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 1)
    with pytest.raises(ConfigurationError, match=message):
        annotate(corpus, "--output", tmp_path / "out", *options)
    assert not (tmp_path / "out").exists()


def test_outputs_that_are_refused(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 1)
    with pytest.raises(ConfigurationError, match="--output: found the file"):
        annotate(corpus, "--output", corpus)
    with pytest.raises(ConfigurationError, match="--output: found .* or is in the input"):
        annotate(corpus, "--output", tmp_path)
    with pytest.raises(ConfigurationError, match="--output: found .*/out, which has or is in"):
        annotate(tmp_path, "--output", tmp_path / "out")
