"""The error that malformed corpora raise."""

from os import PathLike
from typing import Optional, Union

from lisa_allennlp.common.errors import ConfigurationError

UTF8 = "UTF-8 (for text of Windows: iconv -f cp1252 -t utf-8 FILE > NEW)"

LONGEST_QUOTE = 300


def shortened(text: str) -> str:
    """Cuts the middle out of a long text, such as a line of a binary file."""
    if len(text) <= LONGEST_QUOTE:
        return text
    half = (LONGEST_QUOTE - 5) // 2
    return f"{text[: LONGEST_QUOTE - 5 - half]} ... {text[-half:]}"


class CorpusFormatError(ConfigurationError):
    """
    A corpus file that cannot be read. The message has the file and the 1-based line (`None` if the
    error concerns the whole file), the text found and the text expected. Long texts are
    `shortened`.

    >>> error = CorpusFormatError("dev.conllu", 7, "9 columns", "10 separated by tabs")
    >>> print(error)
    dev.conllu:7: found 9 columns; expected 10 separated by tabs
    """

    def __init__(
        self, path: Union[str, PathLike], line: Optional[int], found: str, expected: str
    ) -> None:
        found, expected = shortened(found), shortened(expected)
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: found {found}; expected {expected}")
        self.path = str(path)
        self.line = line
        self.found = found
        self.expected = expected

    def __reduce__(self):
        return (type(self), (self.path, self.line, self.found, self.expected))
