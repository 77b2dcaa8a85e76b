"""
Random damage to files, for `benchmarks.fuzz`: bits, bytes, lines and columns that are changed,
nasty values in fields, other encodings, and compressed files that are cut off.

    >>> import random
    >>> damage(random.Random(4), b"1\\tShe\\n2\\tsang\\n")
    (b'1\\tShe\\n', ['remove_line'])
"""

import gzip
import random
import re
from typing import Callable, Dict, List, Tuple

Mutation = Callable[[random.Random, bytes], bytes]

NASTY: Tuple[bytes, ...] = (
    b"",
    b"-",
    b"_",
    b"0",
    b"-1",
    b"99999999999999999999",
    b"9" * 5000,
    b"1e999",
    b"NaN",
    b"Infinity",
    "\N{SUPERSCRIPT TWO}".encode(),
    "\N{ARABIC-INDIC DIGIT TWO}".encode(),
    b"((((",
    b")",
    b"*))",
    b"(A0*",
    b"(V*)",
    b"(" * 20_000,
    b"[" * 20_000,
    b"(" * 3000 + b"N" + b")" * 3000,
    b"N" + b"/N" * 30_000,
    b'"',
    b'{"',
    b"null",
    b"\\ud800",
    b"\\u0000",
    b"|||",
    b"||",
    b"B-",
    b"I-V",
    b"B-C-",
    b"#",
    b"# ",
    b"#begin document",
    b"#end document",
    b"<!--",
    b"&amp;&lt;&#0;",
    b"%zz%D8%00",
    b"UP:PRED=|UP:ARGSPANS=A0:1-9",
    b"1-2",
    b"1.1",
    b"\0",
    b"\r",
    b"\x0b\x0c\x1c",
    b"\xff",
    b"\xed\xa0\x80",  # A lone surrogate in UTF-8.
    b"\xef\xbb\xbf",  # A byte order mark.
    "\N{LINE SEPARATOR}".encode(),
    "\N{NEXT LINE}".encode(),
    "\N{NO-BREAK SPACE}".encode(),
    "e\N{COMBINING ACUTE ACCENT}\N{RIGHT-TO-LEFT OVERRIDE}".encode(),
    b"x" * 1_000_000,
)
"""Values that replace a field."""

# The fields of all formats, without what separates them.
_FIELD = re.compile(rb"[^\s,:|\"=/\[\]{}<>]+")


def flip_bit(rng: random.Random, data: bytes) -> bytes:
    """Changes one bit."""
    if not data:
        return data
    position = rng.randrange(len(data))
    return _replaced(data, position, position + 1, bytes([data[position] ^ 1 << rng.randrange(8)]))


def change_bytes(rng: random.Random, data: bytes) -> bytes:
    """Replaces, removes or inserts up to eight bytes."""
    start = rng.randint(0, len(data))
    end = start + rng.choice((0, 0, 1, 2, 8))
    return _replaced(data, start, end, rng.randbytes(rng.choice((0, 1, 1, 2, 8))))


def truncate(rng: random.Random, data: bytes) -> bytes:
    """Cuts the file off at any byte."""
    return data[: rng.randint(0, len(data))]


def empty(rng: random.Random, data: bytes) -> bytes:
    """Leaves nothing, or nothing but white space."""
    return rng.choice((b"", b"\n", b"\r\n", b" \t\n\n", b"\0", b"\xef\xbb\xbf"))


def lose_last_newline(rng: random.Random, data: bytes) -> bytes:
    """Removes the line breaks at the end."""
    return data.rstrip(b"\r\n")


def change_line_ends(rng: random.Random, data: bytes) -> bytes:
    """Writes the line breaks of another system, everywhere or once."""
    end = rng.choice((b"\r\n", b"\r", b"\n\n", b"\x0c\n", "\N{LINE SEPARATOR}".encode()))
    return data.replace(b"\n", end, rng.choice((-1, 1)))


def remove_line(rng: random.Random, data: bytes) -> bytes:
    """Removes up to three lines."""
    lines, place = _lines(rng, data)
    return b"".join(lines[:place] + lines[place + rng.randint(1, 3) :])


def repeat_line(rng: random.Random, data: bytes) -> bytes:
    """Doubles a line."""
    lines, place = _lines(rng, data)
    return b"".join(lines[: place + 1] + lines[place:])


def swap_lines(rng: random.Random, data: bytes) -> bytes:
    """Exchanges two lines."""
    lines, place = _lines(rng, data)
    other = rng.randrange(len(lines))
    lines[place], lines[other] = lines[other], lines[place]
    return b"".join(lines)


def blank_line(rng: random.Random, data: bytes) -> bytes:
    """Inserts an empty line, or one of white space."""
    lines, place = _lines(rng, data)
    lines.insert(place, rng.choice((b"\n", b" \n", b"\t\n", b"\r\n", b"\x0b\n", b"\xc2\xa0\n")))
    return b"".join(lines)


def remove_column(rng: random.Random, data: bytes) -> bytes:
    """Removes a column of one line, or of all."""
    return _in_columns(rng, data, lambda cells, place: cells[:place] + cells[place + 1 :])


def repeat_column(rng: random.Random, data: bytes) -> bytes:
    """Doubles a column of one line, or of all."""
    return _in_columns(rng, data, lambda cells, place: cells[: place + 1] + cells[place:])


def swap_columns(rng: random.Random, data: bytes) -> bytes:
    """Exchanges a column with the next one, in one line or in all."""

    def swap(cells: List[bytes], place: int) -> List[bytes]:
        return [*cells[:place], *cells[place + 1 : place + 2], cells[place], *cells[place + 2 :]]

    return _in_columns(rng, data, swap)


def nasty_field(rng: random.Random, data: bytes) -> bytes:
    """Replaces a field by one of `NASTY`."""
    field = _any_field(rng, data)
    return data if field is None else _replaced(data, *field.span(), rng.choice(NASTY))


def other_field(rng: random.Random, data: bytes) -> bytes:
    """Replaces a field by another field of the file."""
    field, other = _any_field(rng, data), _any_field(rng, data)
    if field is None or other is None:
        return data
    return _replaced(data, *field.span(), other.group())


def change_encoding(rng: random.Random, data: bytes) -> bytes:
    """Writes the text in another encoding, or marks its start."""
    text = data.decode("utf-8", "replace")
    encoding = rng.choice(("latin-1", "cp1252", "utf-16", "utf-16-be", "utf-32", "utf-8-sig"))
    return (text + rng.choice(("", "\N{LATIN SMALL LETTER E WITH ACUTE}\n"))).encode(
        encoding, "replace"
    )


def compress(rng: random.Random, data: bytes) -> bytes:
    """Compresses the file; cuts it off, damages it, or adds to it."""
    packed = gzip.compress(data, 1, mtime=0)
    change = rng.choice((truncate, flip_bit, change_bytes, _append, _keep))
    return change(rng, packed)


def splice(rng: random.Random, data: bytes) -> bytes:
    """Moves a part of the file to another place, or repeats it there."""
    start = rng.randint(0, len(data))
    end = min(len(data), start + rng.choice((1, 10, 100, 1000)))
    rest = data if rng.random() < 0.5 else data[:start] + data[end:]
    place = rng.randint(0, len(rest))
    return rest[:place] + data[start:end] + rest[place:]


MUTATIONS: Dict[str, Mutation] = {
    mutation.__name__: mutation
    for mutation in (
        flip_bit,
        change_bytes,
        truncate,
        empty,
        lose_last_newline,
        change_line_ends,
        remove_line,
        repeat_line,
        swap_lines,
        blank_line,
        remove_column,
        repeat_column,
        swap_columns,
        nasty_field,
        other_field,
        change_encoding,
        compress,
        splice,
    )
}
"""All kinds of damage by name."""

_WEIGHTS = [8 if name == "nasty_field" else 1 if name == "empty" else 2 for name in MUTATIONS]


def damage(rng: random.Random, data: bytes) -> Tuple[bytes, List[str]]:
    """
    # Returns

    `Tuple[bytes, List[str]]`
        The file after one to three mutations, and their names.
    """
    names = rng.choices(list(MUTATIONS), _WEIGHTS, k=rng.choice((1, 1, 1, 2, 3)))
    for name in names:
        data = MUTATIONS[name](rng, data)
    return data, names


def _append(rng: random.Random, data: bytes) -> bytes:
    return data + rng.choice((b"\0" * 8, b"more", data))


def _keep(rng: random.Random, data: bytes) -> bytes:
    return data


def _replaced(data: bytes, start: int, end: int, value: bytes) -> bytes:
    return data[:start] + value + data[end:]


def _lines(rng: random.Random, data: bytes) -> Tuple[List[bytes], int]:
    """The lines, at least one, and the place of a random one."""
    lines = data.splitlines(keepends=True) or [b""]
    return lines, rng.randrange(len(lines))


def _any_field(rng: random.Random, data: bytes) -> "re.Match[bytes] | None":
    """A random field, near a random byte."""
    start = rng.randint(0, len(data))
    return _FIELD.search(data, start) or _FIELD.search(data)


def _in_columns(
    rng: random.Random, data: bytes, change: Callable[[List[bytes], int], List[bytes]]
) -> bytes:
    separator = b"\t" if b"\t" in data else rng.choice((b" ", b","))
    lines, chosen = _lines(rng, data)
    in_all, column = rng.random() < 0.5, rng.randrange(16)
    for number, line in enumerate(lines):
        cells = line.rstrip(b"\n").split(separator)
        if (in_all or number == chosen) and len(cells) > 1:
            lines[number] = separator.join(change(cells, column % len(cells))) + b"\n"
    return b"".join(lines)
