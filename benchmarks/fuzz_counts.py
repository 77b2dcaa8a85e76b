"""
How much is in a file, counted from its bytes without the project's readers, for `benchmarks.fuzz`:
a reader that accepts a file must yield as many sentences and tokens.

    >>> blocks(b"a b\\n\\n \\nc d\\r\\ne f"), lines_of_pipes(b"# note\\n\\na|b|c\\n")
    (Size(sentences=2, tokens=3), Size(sentences=1, tokens=1))
"""

import gzip
import json
import re
from typing import NamedTuple

_BLANKS = b" \t\r"


class Size(NamedTuple):
    """The numbers of sentences and of their tokens."""

    sentences: int
    tokens: int


def plain(data: bytes) -> bytes:
    """The text of a file that may be compressed and may start with a byte order mark."""
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    return text.removeprefix(b"\xef\xbb\xbf")


def blocks(data: bytes, document: bytes = b"", token: bytes = b"") -> Size:
    """
    # Parameters

    document : `bytes`, optional
        Lines that start with this separate sentences.
    token : `bytes`, optional
        A regular expression for the beginning of lines with tokens. Other lines do not count.

    # Returns

    `Size`
        The number of groups of lines between blank lines, and of lines in them.
    """
    sentences = tokens = 0
    is_inside = False
    for line in data.split(b"\n"):
        is_blank = not line.strip(_BLANKS) or bool(document and line.startswith(document))
        if not is_blank and token and not re.match(token, line):
            continue
        sentences += not is_blank and not is_inside
        tokens += not is_blank
        is_inside = not is_blank
    return Size(sentences, tokens)


def sentences_of_conllu(data: bytes) -> Size:
    """Of CoNLL-U and CoNLL-X, without multiword tokens and empty nodes."""
    return blocks(data, token=rb"[0-9]+\t")


def sentences_of_columns(data: bytes) -> Size:
    """Of the tab-separated columns with supertags."""
    return blocks(data, token=b"(?!# )")


def sentences_of_conll12(data: bytes) -> Size:
    """Of `gold_conll` files."""
    return blocks(data, document=b"#")


def propositions(data: bytes) -> Size:
    """Of `bio` files: one per line; the first of its words is the predicate's position."""
    lines = [line for line in data.split(b"\n") if line.strip(_BLANKS)]
    words = [re.split(b"[ \t]+", line.partition(b"|||")[0].strip(_BLANKS)) for line in lines]
    return Size(len(lines), sum(map(len, words)) - len(lines))


def records(data: bytes) -> Size:
    """Of JSON lines; a document has several sentences."""
    described = [json.loads(line) for line in data.decode().split("\n") if line.strip()]
    sentences = [
        sentence
        for record in described
        for sentence in (record["sentences"] if "words" not in record else [record])
    ]
    return Size(len(sentences), sum(len(sentence["words"]) for sentence in sentences))


def rows_of_csv(data: bytes) -> Size:
    """The rows below the heading; cells that begin with a quote may have line breaks."""
    outside_quotes = re.sub(rb'(?<![^,\r\n])"(?:[^"]|"")*"', b"", data)
    return Size(outside_quotes.replace(b"\r\n", b"\n").rstrip(b"\n").count(b"\n"), 0)


def lines_of_pipes(data: bytes) -> Size:
    """The lines with sentences, without comments."""
    lines = [line.strip(_BLANKS) for line in data.split(b"\n")]
    sentences = [re.split(b"[ \t]+", line) for line in lines if line]
    lengths = [len(words) for words in sentences if words[0] != b"#"]
    return Size(len(lengths), sum(lengths))


def derivations(data: bytes) -> Size:
    """Of CCGbank: the announcing lines, and the leaves."""
    announced = [line for line in data.split(b"\n") if line.strip().startswith(b"ID=")]
    return Size(len(announced), data.count(b"(<L "))


def trees(data: bytes) -> Size:
    """The outer brackets with a leaf that is no trace, and these leaves."""
    depth = start = sentences = tokens = 0
    text = b"\n".join(line for line in data.split(b"\n") if not line.startswith(b"*x*"))
    for match in re.finditer(rb"[()]", text):
        start = match.start() if depth == 0 else start
        depth += 1 if match.group() == b"(" else -1
        if depth == 0:
            leaves = re.findall(rb"\(\s*([^()\s]+)\s+[^()\s]+\s*\)", text[start : match.end()])
            words = sum(label != b"-NONE-" for label in leaves)
            sentences, tokens = sentences + bool(words), tokens + words
    return Size(sentences, tokens)
