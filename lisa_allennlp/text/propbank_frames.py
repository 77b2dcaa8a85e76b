"""
PropBank's rolesets: what each of them and its numbered roles mean, which words have it, and how
VerbNet and FrameNet call it. The package carries those of PropBank's frames 3.1, and those that
only 3.4 has of other words.

    >>> inventory = packaged_inventory()
    >>> roleset = inventory.roleset("sell.01")
    >>> roleset.gloss, roleset.roles["ARG1"], roleset.functions["ARG1"]
    ('commerce: seller, giving in exchange for money', 'Thing Sold', 'PPT')
    >>> roleset.verbnet, roleset.framenet
    ({'13.1-1': {'ARG0': 'Agent', 'ARG1': 'Theme', 'ARG2': 'Recipient'}}, ['Commerce_sell'])
    >>> inventory.of_word("sale", "n")
    ['sell.01']
    >>> inventory.explain("sell.01", {"A0", "V"})["thematic_roles"]
    {'A0': 'Agent', 'A1': 'Theme', 'A2': 'Recipient'}
"""

import gzip
import json
import logging
import re
from collections import defaultdict
from functools import cache, lru_cache
from os import PathLike
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Collection,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Union,
)

from lisa_allennlp.common.corpus_errors import CorpusFormatError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

logger = logging.getLogger(__name__)

PROPBANK = "propbank"

PACKAGED_FILE = Path(__file__).parents[1] / "pretrained" / "propbank.jsonl.gz"

# By the first two letters of a tag of the Penn Treebank, or of a universal tag.
_CLASSES = {"NN": "n", "NO": "n", "JJ": "j", "AD": "j"}

_SPELLINGS = [
    (re.compile(british), american)
    for british, american in {
        "is(e|er|ation)$": r"iz\1",
        "yse(r?)$": r"yze\1",
        "our": "or",
        "([bt])re$": r"\1er",
        "ence$": "ense",
        "ck$": "c",
        "ae|oe": "e",
        "^sce(?=p)": "ske",
        "il(?=ful$)": "ill",
    }.items()
]
"""British spellings and PropBank's American ones."""

# CoNLL-2005 and PropBank have different labels for numbered roles: A0 and ARG0.
_SHORT_ROLE = re.compile("(?:[CR]-)?A[0-9]")


class Roleset(NamedTuple):
    """
    A roleset, such as `sell.01`. By label (`ARG0`, `ARG1` ...), it has the meanings of its numbered
    roles and their function tags (`PAG`, `PPT`, `GOL` ...); by part of speech (`v`, `n`, `j` for
    adjectives, `l` with a light verb), its lemmas, whose words are joined by `_`; by VerbNet class,
    the thematic role of each numbered role; and the frames of FrameNet.
    """

    sense: str
    gloss: str
    roles: Dict[str, str]
    functions: Dict[str, str] = {}
    words: Dict[str, List[str]] = {}
    verbnet: Dict[str, Dict[str, str]] = {}
    framenet: List[str] = []


class RolesetInventory:
    """
    Looks up rolesets. Of those with the same name, the first one counts. `lines` are JSON: the
    first one is an object that has, by word, a line for each part of speech and roleset
    (`n sell.01`), and each other line a list of the fields of a `Roleset`. Only these lines are
    kept, which take a quarter of the memory of the objects and a tenth of the time to read.
    """

    def __init__(self, lines: List[str]) -> None:
        self._of_words: Dict[str, str] = json.loads(lines[0])
        self._texts = {line[2 : line.index('"', 2)]: line for line in lines[1:]}

    @classmethod
    def from_rolesets(cls, rolesets: Iterable[Roleset]) -> "RolesetInventory":
        named: Dict[str, Roleset] = {}
        for roleset in rolesets:
            named.setdefault(roleset.sense, roleset)
        of_words: Dict[str, str] = defaultdict(str)
        for roleset in named.values():
            for pos, words in roleset.words.items():
                for word in words:
                    of_words[word] += f"{pos} {roleset.sense}\n"
        texts = [of_words, *named.values()]
        return cls([json.dumps(x, ensure_ascii=False, separators=(",", ":")) for x in texts])

    @property
    def lines(self) -> List[str]:
        words = json.dumps(self._of_words, ensure_ascii=False, separators=(",", ":"))
        return [words, *self._texts.values()]

    def __iter__(self) -> Iterator[Roleset]:
        return (Roleset(*json.loads(text)) for text in self._texts.values())

    @property
    def senses(self) -> Collection[str]:
        return self._texts.keys()

    def roleset(self, sense: str) -> Optional[Roleset]:
        text = self._texts.get(sense)
        return None if text is None else Roleset(*json.loads(text))

    def of_word(self, lemma: str, pos: str) -> List[str]:
        """Returns a lemma's rolesets in a part of speech (`v`, `n` or `j`), or else in any."""
        lines = [line.split(" ", 1) for line in self._lines(lemma)]
        return [name for own, name in lines if own == pos] or [name for _, name in lines]

    def classes_of(self, lemma: str) -> str:
        return "".join(sorted({line[0] for line in self._lines(lemma)}))

    def _lines(self, lemma: str) -> List[str]:
        lines = self._of_words.get(lemma) or self._of_words.get(_american(lemma), "")
        return lines.splitlines()

    def with_particles(self, lemma: str) -> List[str]:
        words = [word for word in self._of_words if word.startswith(f"{lemma}_")]
        lines = [line for word in words for line in self._of_words[word].splitlines()]
        return list(dict.fromkeys(line.split(" ", 1)[1] for line in lines))

    def explain(self, sense: str, roles: Collection[str]) -> Dict[str, Any]:
        """
        Returns values of a `Frame` with a sense and roles: glosses, the VerbNet class that names
        most of the roles, and the frames of FrameNet.
        """
        roleset = self.roleset(sense)
        if roleset is None:
            return {"gloss": None, "role_glosses": {}}
        is_short = any(map(_SHORT_ROLE.match, roles))

        def by_label(values: Dict[str, str]) -> Dict[str, str]:
            return {role.replace("ARG", "A") if is_short else role: values[role] for role in values}

        classes = {name: by_label(names) for name, names in roleset.verbnet.items()}
        found = {name: sum(role in roles for role in classes[name]) for name in classes}
        verbnet = max(found, key=found.__getitem__, default=None)
        return {
            "gloss": roleset.gloss,
            "role_glosses": by_label(roleset.roles),
            "verbnet": verbnet,
            "thematic_roles": classes.get(verbnet) if verbnet else None,
            "framenet": roleset.framenet or None,
        }


@lru_cache(maxsize=65536)
def _american(lemma: str) -> str:
    """`organize` for `organise`, `color` for `colour`."""
    for british, american in _SPELLINGS:
        lemma = british.sub(american, lemma)
    return lemma


def class_of(tag: str) -> str:
    """Returns PropBank's part of speech of a tag: `n`, `j` (adjective) or else `v`."""
    return _CLASSES.get(tag[:2], "v")


@cache
def packaged_inventory() -> RolesetInventory:
    return RolesetInventory(gzip.decompress(PACKAGED_FILE.read_bytes()).decode().split("\n"))


def open_inventory(folder: Union[str, PathLike]) -> RolesetInventory:
    """Opens the inventory of a folder (`read_frames`), or the packaged one (`propbank`)."""
    return packaged_inventory() if folder == PROPBANK else read_frames(folder)


def read_frames(folder: Union[str, PathLike]) -> RolesetInventory:
    """
    Reads a checkout of propbank/propbank-frames, or its folder of XML files. Raises a
    `CorpusFormatError` if none can be read.
    """
    rolesets = (roleset for root in parse_files(frame_files(folder)) for roleset in _read(root))
    return RolesetInventory.from_rolesets(rolesets)


def frame_files(folder: Union[str, PathLike]) -> List[Path]:
    path = Path(folder)
    inner = path / "frames"
    files = sorted((inner if inner.is_dir() else path).glob("*.xml"))
    if not files:
        expected = "a checkout of propbank/propbank-frames, with frames/*.xml"
        raise CorpusFormatError(path, None, "no frame files", expected)
    return files


def parse_files(files: Sequence[Path]) -> Iterator["Element"]:
    """Yields the roots of frame files, and warns of malformed ones. If all are, raises an error."""
    malformed = 0
    for path in files:
        try:
            root = parse_xml(path)
        except CorpusFormatError as error:
            malformed += 1
            if malformed == len(files):
                raise
            logger.warning("%s; it is left out", error)
        else:
            yield root


def _read(root: "Element") -> Iterator[Roleset]:
    for element in root.iter("roleset"):
        roles: Dict[str, str] = {}
        functions: Dict[str, str] = {}
        verbnet: Dict[str, Dict[str, str]] = defaultdict(dict)
        # Frames 3.4 link to several versions of VerbNet: its classes are `give-13.1-1` there, where
        # those of 3.1 are `13.1-1`.
        linked = (link.get("version", "") for link in element.iter("rolelink"))
        newest = max((version for version in linked if version.startswith("verbnet")), default="")
        for role in element.iter("role"):
            number = role.get("n", "")
            # Other roles than the numbered ones mean the same in every roleset.
            if not number.isdigit():
                continue
            label = f"ARG{number}"
            roles[label] = role.get("descr", "")
            functions[label] = role.get("f", "").upper()
            for link in role.iter("vnrole"):
                verbnet[link.get("vncls", "")].setdefault(label, link.get("vntheta", "").title())
            for link in role.iter("rolelink"):
                number = link.get("class", "").partition("-")[2]
                if number and link.get("version") == newest:
                    name = (link.text or "").strip().title().replace("Co_", "Co-")
                    verbnet[number].setdefault(label, name)
        aliases = list(element.iter("alias"))
        framenet = " ".join(alias.get("framenet", "") for alias in aliases).split()
        for link in element.iter("lexlink"):
            if link.get("resource") == "FrameNet":
                framenet.append(link.get("class", ""))
        words: Dict[str, List[str]] = defaultdict(list)
        for alias in aliases:
            if alias.text:
                words[alias.get("pos", "")].append(alias.text.strip().lower())
        yield Roleset(
            element.get("id", ""),
            element.get("name", ""),
            roles,
            functions,
            dict(words),
            dict(verbnet),
            list(dict.fromkeys(framenet)),
        )


def parse_xml(path: Path) -> "Element":
    """Refuses malformed XML."""
    from xml.etree import ElementTree

    try:
        return ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        found = f"XML that cannot be read ({error})"
        raise CorpusFormatError(path, error.position[0], found, "a frame file") from error
