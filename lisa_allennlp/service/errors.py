"""
Errors of requests: a status and one line.

    >>> refusal = RequestError(429, "found 1,000 waiting sentences; expected fewer", retry_after=2)
    >>> refusal.body
    b'{"error": "found 1,000 waiting sentences; expected fewer"}'
    >>> refusal.headers
    {'Retry-After': '2'}
"""

import json
from typing import Dict, Optional

from lisa_allennlp.labelling.errors import one_line

MOST_CHARACTERS = 500
"""Longer messages are shortened."""


class RequestError(Exception):
    """
    The reason why a request is not answered.

    # Parameters

    status : `int`
        Of HTTP.
    message : `str`
        What was found and what was expected.
    retry_after : `int`, optional
        The seconds after which the client may try again.
    allow : `str`, optional
        The methods that the path takes.
    """

    def __init__(
        self,
        status: int,
        message: str,
        retry_after: Optional[int] = None,
        allow: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = shortened(one_line(message))
        self.headers: Dict[str, str] = {}
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)
        if allow is not None:
            self.headers["Allow"] = allow

    @property
    def body(self) -> bytes:
        """The answer, as JSON."""
        return json.dumps({"error": self.message}, ensure_ascii=False).encode()


def shortened(message: str) -> str:
    """A message of at most `MOST_CHARACTERS`."""
    if len(message) <= MOST_CHARACTERS:
        return message
    return message[: MOST_CHARACTERS - 3] + "..."
