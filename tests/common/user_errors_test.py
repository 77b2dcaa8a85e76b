"""What is said of errors that users can mend."""

import re
import tarfile
from pathlib import Path
from typing import Callable

import h5py
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.data_loaders.multiprocess_data_loader import WorkerError
from allennlp.modules.token_embedders import Embedding

from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.data.formats.errors import CorpusFormatError

CORPUS_ERROR = CorpusFormatError("train.conll", 3, "2 columns", "at least 6")


@pytest.mark.parametrize(
    "error, expected",
    [
        (ConfigurationError("two\nlines"), "two lines"),
        (ConfigurationError("a\x1b[2J \udcff \u202e b"), r"a\x1b[2J \udcff \u202e b"),
        (CORPUS_ERROR, "train.conll:3: found 2 columns; expected at least 6"),
        (
            WorkerError(
                repr(CORPUS_ERROR),
                [
                    "Traceback (most recent call last):\n",
                    "  File x, line 1, in y\n",
                    f"lisa_allennlp.x.CorpusFormatError: {CORPUS_ERROR.message}\n",
                ],
            ),
            "train.conll:3: found 2 columns; expected at least 6",
        ),
        (WorkerError("E()", ["Traceback (most recent call last):\n", "KeyError: 'x'\n"]), None),
        (IsADirectoryError(21, "Is a directory", "out"), "out: Is a directory"),
        (
            tarfile.ReadError("not a gzip file"),
            "the archive: not a model archive, or damaged: not a gzip file",
        ),
        (EOFError("of no file"), None),
        (KeyError("a bug"), None),
        (RuntimeError("a bug"), None),
    ],
)
def test_user_message(error: Exception, expected: str):
    assert user_message(error) == expected


JSONNET = """\
local name(x) =
  if x == 'sample' then x
  else error 'found ' + x + '; expected sample';
"""


@pytest.mark.parametrize(
    "config, expected",
    [
        ("{ a: name('b') }", "found b; expected sample"),
        ("{ a: 1,", r"STATIC ERROR: .*a\.jsonnet:4:8: unexpected: "),
        ("{ a: std.extVar('B') }", r"RUNTIME ERROR: undefined .*: B .*a\.jsonnet:4:6-21 .*"),
        ("{ a: {}.errors }", r"RUNTIME ERROR: field does not exist: errors .*a\.jsonnet:4:6-15 .*"),
    ],
)
def test_jsonnet_s_frame_is_left_out_of_messages_of_configs(
    config: str, expected: str, tmp_path: Path
):
    file = tmp_path / "a.jsonnet"
    file.write_text(JSONNET + config)
    assert re.match(expected, message_of(lambda: Params.from_file(file)))
    # The place is only as good as the file that it names.
    if config.startswith("{ a: name"):
        assert message_of(lambda: Params.from_file(file)) == expected
        error = RuntimeError(f"RUNTIME ERROR: x\n\t{tmp_path}/no.jsonnet:1:1-2\tobject <a>\n")
        assert str(user_message(error)).startswith("RUNTIME ERROR: x ")


@pytest.mark.parametrize("size", [0, 100, 500])
@pytest.mark.parametrize("data", [b"no weights " * 100, None])
def test_damaged_weights(size: int, data: bytes, tmp_path: Path):
    file = tmp_path / "best.th"
    torch.save({"weight": torch.zeros(1000)}, file)
    file.write_bytes((data or file.read_bytes())[:size])
    assert message_of(lambda: torch.load(file)).startswith(f"{file}: damaged data (")


def test_damaged_hdf5(tmp_path: Path):
    file = tmp_path / "weights.hdf5"
    file.write_bytes(b"no HDF5")
    expected = f"{file}: damaged data (Unable to synchronously open file"
    assert message_of(lambda: h5py.File(file)).startswith(expected)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "found no line; expected 2 numbers per word"),
        ("a 1 2\nthe 0.1 0.-2\n", "found the word 'the' (could not convert string to float: "),
        ("the 0.1 nan\n", "found vectors that are not finite; expected 2 numbers per word"),
        ("the 0.1 1e999\n", "found vectors that are not finite; expected 2 numbers per word"),
        ("a 1 2\nthe 0.1\n", "No embeddings of correct dimension found"),
        ("the 1 \xe9\n", "found the byte 0xe9; expected text encoded in UTF-8"),
    ],
)
def test_damaged_word_vectors(text: str, message: str, tmp_path: Path):
    file = tmp_path / "vectors.txt"
    file.write_bytes(text.encode("latin-1"))
    vocab = Vocabulary(tokens_to_add={"tokens": ["the"]})
    found = message_of(lambda: Embedding(2, pretrained_file=str(file), vocab=vocab))
    assert found.startswith(f"{file}: {message}")


def message_of(function: Callable[[], object]) -> str:
    with pytest.raises(Exception) as error:
        function()
    message = user_message(error.value)
    assert message is not None and "\n" not in message
    return message
