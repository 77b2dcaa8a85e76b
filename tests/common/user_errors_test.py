"""What is said of errors that users can mend."""

import gzip
from typing import Optional

import pytest
from allennlp.common.checks import ConfigurationError as AllennlpError

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.data.formats.errors import CorpusFormatError


@pytest.mark.parametrize(
    "error, expected",
    [
        (ConfigurationError("two\nlines"), "two lines"),
        (ConfigurationError("a\x1b[2J \udcff \u202e b"), r"a\x1b[2J \udcff \u202e b"),
        (AllennlpError("no reader"), "no reader"),
        (
            CorpusFormatError("train.conll", 3, "2 columns", "at least 6"),
            "train.conll:3: found 2 columns; expected at least 6",
        ),
        (IsADirectoryError(21, "Is a directory", "out"), "out: Is a directory"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (gzip.BadGzipFile("Not a gzipped file"), "Not a gzipped file"),
        (
            ModuleNotFoundError("No module named 'allennlp'", name="allennlp"),
            "found no package allennlp; expected it to be installed: make setup, in a checkout",
        ),
        (ModuleNotFoundError("No module named 'own'", name="own"), None),
        (
            RuntimeError("RUNTIME ERROR: found b\n\ta.jsonnet:1:6-21\tobject <a>\n\tx\n"),
            "found b a.jsonnet:1:6-21 object <a>",
        ),
        (
            RuntimeError("STATIC ERROR: a.jsonnet:4:8: unexpected: end of file"),
            "STATIC ERROR: a.jsonnet:4:8: unexpected: end of file",
        ),
        (KeyError("a bug"), None),
        (RuntimeError("a bug"), None),
    ],
)
def test_user_message(error: Exception, expected: Optional[str]):
    assert user_message(error) == expected
