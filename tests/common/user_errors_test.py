"""What is said of errors that users can mend."""

from typing import Optional

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.user_errors import is_fault, user_message


@pytest.mark.parametrize(
    "error, expected",
    [
        (
            ConfigurationError("two\nlines \x1b[2J \udcff \u202e"),
            r"two lines \x1b[2J \udcff \u202e",
        ),
        (IsADirectoryError(21, "Is a directory", "out"), "out: Is a directory"),
        (ModuleNotFoundError("No module named 'own'", name="own"), None),
        (
            RuntimeError("RUNTIME ERROR: found b\n\ta.jsonnet:1:6-21\tobject <a>\n\tx\n"),
            "found b a.jsonnet:1:6-21 object <a>",
        ),
        (RuntimeError("a bug"), None),
    ],
)
def test_user_message(error: Exception, expected: Optional[str]):
    assert user_message(error) == expected


def test_causes_that_are_faults_of_the_program() -> None:
    def caused_by(cause: Exception) -> ConfigurationError:
        error = ConfigurationError("found this")
        error.__cause__ = cause
        return error

    values = [ConfigurationError("bad"), ValueError("bad"), EOFError(), FileNotFoundError(2, "no")]
    for value in values:
        assert not is_fault(caused_by(value)) and not is_fault(caused_by(caused_by(value)))
    assert is_fault(caused_by(caused_by(TypeError("a bug"))))
