"""The options of `lisa annotate`."""

import argparse
from pathlib import Path
from typing import List

import pytest

from lisa_allennlp.apps.annotate.command import parse_devices, parse_part
from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.annotate.corpora import annotate, write_corpus


def test_parts_and_devices() -> None:
    assert parse_part("3/64") == (3, 64)
    for text in ("0/4", "5/4", "1/2/3"):
        with pytest.raises(argparse.ArgumentTypeError, match=f"found {text}"):
            parse_part(text)
    assert parse_devices("0,3") == [0, 3]
    for text in ("", "0,0", "cuda:0"):
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
    for source, output in ((corpus, tmp_path), (tmp_path, tmp_path / "out")):
        with pytest.raises(ConfigurationError, match="--output: found .* or is in"):
            annotate(source, "--output", output)
