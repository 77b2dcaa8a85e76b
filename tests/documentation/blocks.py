"""The code blocks of Markdown pages."""

import re
from typing import Iterator, List, NamedTuple, Optional

from markdown_it import MarkdownIt

from tests import ROOT

DRY_RUN = re.compile(r"<!-- dry run: (?P<reason>.+) -->")
"""The comment before a block whose commands are checked and not executed, with the reason."""

COMMANDS = ("allennlp", "git", "grep", "lisa", "make", "pip", "python", "source")
"""A block with a line that begins with one of these is a block of commands."""

_COMMAND_LINE = re.compile(rf"(?:\w+=\S+ )*(?:{'|'.join(COMMANDS)}) |export |for ")

_FILE_NAME = re.compile(r"(?:#|//) (\w+\.(?:py|jsonnet))\n")


class Block(NamedTuple):
    # The path of the page in the checkout.
    page: str
    # The 1-based line on which the block begins.
    line: int
    # `console` for commands, whatever else stands after the fence, or nothing.
    language: str
    text: str
    # The reason for not executing the block.
    dry_run: Optional[str]

    @property
    def file(self) -> Optional[str]:
        """The name of the file that the block shows, if its first line is a comment with a name."""
        match = _FILE_NAME.match(self.text)
        return match[1] if match else None


def pages() -> List[str]:
    """The pages whose blocks are executed. CONTRIBUTING.md's Python has tests of its own."""
    names = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    cards = sorted((ROOT / "lisa_allennlp/pretrained").glob("*/README.md"))
    return [
        str(path.relative_to(ROOT)) for path in (*names, *cards, ROOT / "experiments/README.md")
    ]


def read_blocks(page: str) -> Iterator[Block]:
    reason = None
    for token in MarkdownIt().parse((ROOT / page).read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            assert token.map is not None
            language = token.info.replace("bash", "console") or _language(token.content)
            yield Block(page, token.map[0] + 1, language, token.content, reason)
        if token.nesting == 0:
            mark = DRY_RUN.search(token.content) if token.type == "html_block" else None
            reason = mark["reason"] if mark else None


def _language(text: str) -> str:
    lines = text.splitlines()
    if any(line.startswith("$ ") for line in lines):
        return "console"
    return "console" if any(map(_COMMAND_LINE.match, lines)) else ""


class Example(NamedTuple):
    # Lines of bash.
    commands: str
    # What the page shows as their output, with single blanks.
    shown: str


def examples_of(block: Block) -> Iterator[Example]:
    """The commands of a block. What follows a line with a `$` is the output of this line."""
    if not block.text.startswith("$ "):
        yield Example(block.text, "")
        return
    for example in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = example.partition("\n")
        yield Example(command, " ".join(output.split()))
