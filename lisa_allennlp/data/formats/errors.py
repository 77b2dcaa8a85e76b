"""The one error that malformed corpora raise."""

from os import PathLike
from typing import Optional, Union

from allennlp.common.checks import ConfigurationError


class CorpusFormatError(ConfigurationError):
    """
    A corpus file that cannot be read. Its message names the file, the line, what was found and
    what was expected, so that the file can be mended without reading our code.

    # Parameters

    path : `Union[str, PathLike]`
        The file.
    line : `int`, optional
        The 1-based line number; `None` where no single line is to blame.
    found : `str`
        What stands there.
    expected : `str`
        What should stand there.
    """

    def __init__(
        self, path: Union[str, PathLike], line: Optional[int], found: str, expected: str
    ) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: found {found}; expected {expected}")
        self.path = str(path)
        self.line = line
        self.found = found
        self.expected = expected

    def __reduce__(self):
        return (type(self), (self.path, self.line, self.found, self.expected))
