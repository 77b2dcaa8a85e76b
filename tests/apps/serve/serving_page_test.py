"""The examples and limits of docs/serving.md, against a service with a model of the package."""

import re
import shlex
from typing import Any, Iterator, List, Tuple

import pytest

import lisa_allennlp
from lisa_allennlp.__main__ import parse
from lisa_allennlp.apps.serve import DEFAULTS
from lisa_allennlp.apps.serve.app import ERRORS
from lisa_allennlp.apps.serve.running import MOST_HEADERS
from tests import ROOT
from tests.apps.serve.services import Running, running

PAGE = (ROOT / "docs/serving.md").read_text()


@pytest.fixture(scope="module")
def english() -> Iterator[Running]:
    with running(lisa_allennlp.load("english-fast")) as service:
        yield service


def examples() -> List[Tuple[str, str]]:
    found = []
    for block in re.findall(r"```text\n(\$ curl.*?)```", PAGE, re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, printed = re.split(r"(?<!\\)\n", example, maxsplit=1)
            found.append((command, printed))
    return found


def matches(shown: str, found: str) -> bool:
    """Whether a text is as shown, where `...` stands for anything, and blanks for white space."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in shown.split("...")]
    return re.fullmatch(r"\s*.*?\s*".join(parts), found.strip(), re.DOTALL) is not None


@pytest.mark.parametrize("command, printed", examples())
def test_examples(english: Running, command: str, printed: str):
    _, silent, address, header, of_type, data, body = shlex.split(command.replace("\\\n", " "))
    assert (silent, header, data) == ("-s", "-H", "-d")
    assert of_type == "Content-Type: application/json"
    found = english.ask("POST", address.removeprefix("localhost:8000"), body.encode())
    assert matches(printed, found.body.decode()), found.body.decode()


def rows(heading: str) -> List[List[str]]:
    table = PAGE.split(heading, 1)[1].split("| --- ", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.split("\n")[1:]]


def test_the_limits_are_the_code_s():
    table = rows("## Limits")
    defaults: Any = parse(["serve"])
    options = {option.strip("`"): value for option, _, value in table if option}
    assert len(options) == 5
    for option, value in options.items():
        name = option[2:].replace("-", "_")
        assert float(value.replace(",", "")) == getattr(defaults, name) == getattr(DEFAULTS, name)
    others = [value for option, _, value in table if not option]
    assert others == [f"{MOST_HEADERS:,}", f"{DEFAULTS.max_connections:,}"]


def test_the_paths_and_the_statuses_are_the_code_s(english: Running):
    paths = [p for cell, _ in rows("| path | answer |") for p in re.findall(r"/[\w/.]*", cell)]
    _, _, known = english.ask("GET", "/nowhere").error.partition("expected ")
    assert sorted(paths) == sorted(known.split(", "))
    (errors,) = re.findall(r"^All errors are one line.*?\n\n", PAGE, re.DOTALL | re.MULTILINE)
    assert set(map(int, re.findall(r"\b[45]\d\d\b", errors))) == {*ERRORS, 503}
