"""
PropBank's frame files, the XML files of propbank/propbank-frames: what each roleset and its
numbered roles mean, and which words have it.

    >>> frames = PropBankFrames("fixtures/frames")
    >>> frames.roleset("good.02")
    Roleset(sense='good.02', gloss='of good quality', roles={'ARG1': 'what is good'})
    >>> frames.roleset("sell.99") is None
    True
    >>> frames.of_word("sale", "n")
    'sell.01'
"""

import re
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union
from xml.etree import ElementTree

from lisa_allennlp.data.formats.errors import CorpusFormatError

_FOLDER = "frames"
_ROLESET_OR_ALIAS = re.compile(
    rb'<roleset\b[^>]*\bid="(?P<sense>[^"]+)"'
    rb'|<alias\b[^>]*\bpos="(?P<pos>\w+)"[^>]*>(?P<word>[^<]+)<'
)


class Roleset(NamedTuple):
    """A roleset (`sell.01`), its meaning, and the meanings of its roles by label (`ARG0` ...)."""

    sense: str
    gloss: str
    roles: Dict[str, str]


class PropBankFrames:
    """
    Looks up rolesets in a checkout of propbank/propbank-frames, or its folder of XML files. A file
    is parsed when one of its rolesets is first asked for; all files are searched once, for the
    first roleset that is not in the file of its verb, or the first word. Raises a
    `CorpusFormatError` if there are no frame files, or one is malformed.
    """

    def __init__(self, folder: Union[str, PathLike]) -> None:
        path = Path(folder)
        inner = path / _FOLDER
        self._folder = inner if inner.is_dir() else path
        self._files = {file.stem: file for file in sorted(self._folder.glob("*.xml"))}
        if not self._files:
            expected = "a checkout of propbank/propbank-frames, with frames/*.xml"
            raise CorpusFormatError(path, None, "no frame files", expected)
        self._rolesets: Dict[Path, Dict[str, Roleset]] = {}

    def roleset(self, sense: str) -> Optional[Roleset]:
        """Looks a roleset up; returns `None` if the frame files do not have it."""
        likely = self._files.get(re.split("[_.]", sense)[0])
        if likely is not None and sense in self._read(likely):
            return self._read(likely)[sense]
        path = self._index[0].get(sense)
        return None if path is None else self._read(path).get(sense)

    def of_word(self, word: str, pos: str) -> Optional[str]:
        """
        Returns the first roleset that a lemma has in this part of speech (`v`, `n` or `j`) or,
        failing that, in any.
        """
        of_words = self._index[1]
        return of_words.get((word, pos)) or of_words.get((word, ""))

    @cached_property
    def _index(self) -> Tuple[Dict[str, Path], Dict[Tuple[str, str], str]]:
        """The file of each roleset, and the first roleset of each word and part of speech."""
        paths: Dict[str, Path] = {}
        of_words: Dict[Tuple[str, str], str] = {}
        for path in self._files.values():
            sense = ""
            for match in _ROLESET_OR_ALIAS.finditer(path.read_bytes()):
                found = match.groupdict(b"").items()
                # A file that is not UTF-8 is refused when it is parsed.
                texts = {name: text.decode("utf-8", "replace") for name, text in found}
                if texts["sense"]:
                    sense = texts["sense"]
                    paths.setdefault(sense, path)
                elif sense:
                    for pos in (texts["pos"], ""):
                        of_words.setdefault((texts["word"], pos), sense)
        return paths, of_words

    def _read(self, path: Path) -> Dict[str, Roleset]:
        if path not in self._rolesets:
            self._rolesets[path] = {roleset.sense: roleset for roleset in _parse(path)}
        return self._rolesets[path]


def _parse(path: Path) -> Iterator[Roleset]:
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        # The two others are of the encoding that the first line declares.
        line = error.position[0] if isinstance(error, ElementTree.ParseError) else 1
        found = f"XML that cannot be read ({error})"
        raise CorpusFormatError(path, line, found, "a frame file in UTF-8") from error
    for element in root.iter("roleset"):
        sense, gloss = _attributes(path, element, ["id", "name"])
        roles = (_attributes(path, role, ["n", "descr"]) for role in element.iter("role"))
        # Other roles than the numbered ones mean the same in every roleset.
        numbered = {f"ARG{n}": description for n, description in roles if n.isdigit()}
        yield Roleset(sense, gloss, numbered)


def _attributes(path: Path, element: ElementTree.Element, names: List[str]) -> List[str]:
    for name in names:
        if name not in element.attrib:
            found = ElementTree.tostring(element, "unicode").partition("\n")[0]
            raise CorpusFormatError(path, None, found, f"the attribute {name}")
    return [element.attrib[name] for name in names]
