"""
The limits of the service. Importing this module imports nothing else, so that `lisa serve --help`
is quick.

    >>> Limits().max_words
    256
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """
    # Parameters

    max_bytes : `int`, optional (default = `1000000`)
        The largest body of a request.
    max_words : `int`, optional (default = `256`)
        The longest sentence. Time and memory grow with the square of its length.
    max_queue : `int`, optional (default = `1000`)
        The number of waiting sentences at which further requests are refused.
    time_limit : `float`, optional (default = `60`)
        The seconds in which a request must be answered, from its arrival.
    sender_time : `float`, optional (default = `10`)
        The seconds in which a client must send its headers and then its body, and in which it must
        take a part of its answer.
    max_connections : `int`, optional (default = `1000`)
        The number of open connections at which further ones are closed.
    """

    max_bytes: int = 1_000_000
    max_words: int = 256
    max_queue: int = 1_000
    time_limit: float = 60.0
    sender_time: float = 10.0
    max_connections: int = 1_000

    @property
    def max_held_bytes(self) -> int:
        """The size of all bodies in memory at which further requests are refused."""
        return 64 * self.max_bytes


DEFAULTS = Limits()
