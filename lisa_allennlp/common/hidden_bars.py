"""
Keeps AllenNLP's progress bars out of sight, where something else shows the progress.

>>> with HiddenBars() as bars:
...     numbers = list(Tqdm.tqdm(range(3)))
>>> numbers, bars.total
([0, 1, 2], 3)
"""

from typing import Any, Optional

from allennlp.common.tqdm import Tqdm, logger, replace_cr_with_newline

_SECONDS_BETWEEN_LOG_ENTRIES = 10.0


class _Log:
    """The file that bars are written to."""

    def write(self, message: str) -> None:
        text = replace_cr_with_newline(message).strip()
        if text:
            logger.info(text)

    def flush(self) -> None:
        """Nothing to do."""


class HiddenBars:
    """
    Within its block, AllenNLP's bars appear only in the log, every ten seconds, as they do besides
    the terminal by default. The attribute `total` is the number of steps of the last bar, or `None`
    if that is unknown.
    """

    def __init__(self) -> None:
        self.total: Optional[int] = None
        self._shown: Any = None

    def __enter__(self) -> "HiddenBars":
        self._shown = Tqdm.tqdm
        Tqdm.tqdm = staticmethod(self._make)  # type: ignore[method-assign]
        return self

    def __exit__(self, *error: object) -> None:
        Tqdm.tqdm = staticmethod(self._shown)  # type: ignore[method-assign]

    def _make(self, *args: Any, **kwargs: Any) -> Any:
        options = {"mininterval": _SECONDS_BETWEEN_LOG_ENTRIES, **kwargs, "file": _Log()}
        bar = self._shown(*args, **options)
        self.total = bar.total
        return bar
