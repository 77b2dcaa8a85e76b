"""
Hostile requests for `benchmarks.serve --hostile`: each is some bytes to send on a connection of its
own, and the statuses with which the service may answer.
"""

import json
import random
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

CLIENT_ERRORS = tuple(range(400, 432))
BUSY = (429, 503)


class Hostile(NamedTuple):
    """
    # Parameters

    parts : `List[bytes]`
        What is sent, with a pause after each part.
    statuses : `Tuple[int, ...]`
        The statuses that are right.
    waits : `bool`
        Whether the client waits for an answer. If not, it goes.
    """

    parts: List[bytes]
    statuses: Tuple[int, ...] = CLIENT_ERRORS
    waits: bool = True


class Maker:
    """
    Makes requests.

    # Parameters

    port : `int`
    texts : `Sequence[str]`
        Sentences of good requests.
    max_bytes : `int`
        The service's limit.
    """

    def __init__(self, port: int, texts: Sequence[str], max_bytes: int) -> None:
        self._port = port
        self._texts = texts
        self._max_bytes = max_bytes
        self.kinds: Dict[str, Callable[[random.Random], Hostile]] = {
            "oversized": self._oversized,
            "oversized, in chunks": self._oversized_chunks,
            "truncated": self._truncated,
            "of wrong types": self._wrong_types,
            "damaged": self._damaged,
            "nested deeply": self._nested,
            "with bad numbers or keys": self._bad_values,
            "with bad headers": self._bad_headers,
            "no HTTP": self._no_http,
            "with endless headers": self._endless_headers,
            "with long sentences": self._long_sentences,
            "to bad paths": self._bad_paths,
            "to draw or convert nonsense": self._nonsense,
            "from clients that go": self._gone,
        }

    def slow(self, rng: random.Random) -> Hostile:
        """A sender that stops in the middle, or sends byte by byte."""
        whole = self.post(self._good(rng))
        end = rng.randrange(1, len(whole))
        if rng.random() < 0.5:
            return Hostile([whole[:end]], (408,))
        return Hostile([whole[n : n + 1] for n in range(end)], (408,))

    def post(self, body: bytes, path: str = "/label", **headers: str) -> bytes:
        """A whole request."""
        named = {
            "Host": f"localhost:{self._port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = [f"{name}: {value}" for name, value in named.items() if value]
        return "\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode() + body

    def _good(self, rng: random.Random) -> bytes:
        return json.dumps(rng.choice(self._texts)).encode()

    def _oversized(self, rng: random.Random) -> Hostile:
        size = self._max_bytes + rng.randint(1, 3 * self._max_bytes)
        return Hostile([self.post(b'"' + b"a" * size + b'"')], (413,))

    def _oversized_chunks(self, rng: random.Random) -> Hostile:
        chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
        number = self._max_bytes // 0x10000 + rng.randint(1, 20)
        head = self.post(b"", Content_Length="", Transfer_Encoding="chunked")
        return Hostile([head, chunk * number + b"0\r\n\r\n"], (413,))

    def _truncated(self, rng: random.Random) -> Hostile:
        body = self._good(rng)
        return Hostile([self.post(body[: rng.randrange(len(body))])], (400,))

    def _wrong_types(self, rng: random.Random) -> Hostile:
        wrong: List[Any] = [None, True, 3, -0.5, {}, {"sentence": 3}, {"tokens": "a"}]
        wrong += [{"tokens": [1]}, {"tokens": [[]]}, {"text": {}}, {"tokens": ["a", ""]}]
        wrong += [{"tokens": ["a"], key: 5} for key in ("head_indices", "predicates")]
        wrong += [{"tokens": ["a"], "head_indices": [9]}, {"tokens": ["a"], "predicates": [-1]}]
        wrong += [{"sentence": "a", "tokens": ["a"]}, {"sentence": "a", "words": []}]
        return Hostile([self.post(json.dumps(rng.choice(wrong)).encode())], (422,))

    def _damaged(self, rng: random.Random) -> Hostile:
        body = bytearray(self._good(rng))
        for _ in range(rng.randint(1, 5)):
            body[rng.randrange(len(body))] = rng.randrange(256)
        return Hostile([self.post(bytes(body))], (200, 400, 422))

    def _nested(self, rng: random.Random) -> Hostile:
        depth = rng.choice((101, 1_000, 100_000, 400_000))
        opened, closed = rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
        whole = rng.random() < 0.5 and depth < 100_000
        body = opened * min(depth, self._max_bytes // len(opened))
        return Hostile([self.post(body + b"1" + closed * depth if whole else body)], (400,))

    def _bad_values(self, rng: random.Random) -> Hostile:
        bodies = [b"NaN", b"-Infinity", b"1e9999", b"9" * 10_000, b'{"tokens":["a"],"tokens":[]}']
        bodies += [b'"\\ud800"', b'{"tokens":["\\udfff"]}', b"\xff\xfe", b'"\x00"', b""]
        bodies += [json.dumps({str(n): n for n in range(50_000)}).encode()[:-1] + b',"0":1}']
        return Hostile([self.post(rng.choice(bodies))], (400, 422))

    def _bad_headers(self, rng: random.Random) -> Hostile:
        changes: List[Dict[str, str]] = [
            {"Host": "evil.example"},
            {"Host": ""},
            {"Origin": "https://evil.example"},
            {"Content_Type": "text/plain"},
            {"Content_Type": ""},
            {"Content_Encoding": "gzip"},
            {"Content_Length": "-5"},
            {"Content_Length": "1e3"},
            {"Transfer_Encoding": "gzip, chunked"},
        ]
        request = self.post(self._good(rng), **rng.choice(changes))
        return Hostile([request], (*CLIENT_ERRORS, 501))

    def _no_http(self, rng: random.Random) -> Hostile:
        return Hostile([rng.randbytes(rng.randint(1, 500)) + b"\r\n\r\n"], CLIENT_ERRORS)

    def _endless_headers(self, rng: random.Random) -> Hostile:
        lines = b"".join(b"X-%d: %s\r\n" % (n, b"x" * 900) for n in range(rng.randint(60, 300)))
        return Hostile([b"POST /label HTTP/1.1\r\nHost: a\r\n" + lines], CLIENT_ERRORS)

    def _long_sentences(self, rng: random.Random) -> Hostile:
        words = ["word"] * rng.randint(300, 20_000)
        body: Any = {"tokens": words} if rng.random() < 0.5 else " ".join(words)
        return Hostile([self.post(json.dumps(body).encode())], (422,))

    def _bad_paths(self, rng: random.Random) -> Hostile:
        paths = ["/../../etc/passwd", "/static/..%2f..%2fapp.py", "/static//etc/passwd", "/" * 999]
        paths += ["/nowhere", "/label/", "/static/%00", "/docs/%ff", "http://evil.example/label"]
        return Hostile([self.post(self._good(rng), rng.choice(paths))], (404, 405))

    def _nonsense(self, rng: random.Random) -> Hostile:
        answers: List[Any] = [3, [], {}, {"words": []}, {"words": [""]}, {"words": ["a"] * 5_000}]
        answers += [{"words": ["a"], "pos": 3}, {"words": ["a"], "attention": [[1, 2]]}]
        answers += [{"words": ["a"], "predicted_heads": [7], "predicted_dependencies": ["x"]}]
        answers += [{"words": ["a"], "verbs": [{"index": 9, "tags": ["B-V"]}]}]
        path, key = rng.choice((("/draw", "answer"), ("/convert?format=props", "answers")))
        body = json.dumps({key: rng.choice(answers)}).encode()
        return Hostile([self.post(body, path)], (200, 422))

    def _gone(self, rng: random.Random) -> Hostile:
        body = json.dumps([rng.choice(self._texts)] * rng.randint(1, 20)).encode()
        return Hostile([self.post(body)], waits=False)
