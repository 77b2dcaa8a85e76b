"""
Preparation of the English Web Treebank with semantic roles and dependency trees, joined from two
public repositories. propbank/propbank-release has roles, constituents and lists of the documents of
each split, but no words. UniversalDependencies/UD_English-EWT has words, parts of speech and trees.
"""

import logging
import re
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, TextIO, Union

from lisa_allennlp.apps.prepare.alignment import align_sentences, is_trusted
from lisa_allennlp.apps.prepare.outputs import (
    check_replaceable,
    fingerprint,
    read_report,
    shown,
    write_report,
    written_whole,
)
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conll12 import conll12_rows, document_markers
from lisa_allennlp.formats.conllu import CommentedRows, parse_conllu_rows, write_conllu_rows
from lisa_allennlp.formats.gold_skel import SkeletonSentence, parse_gold_skel
from lisa_allennlp.sentence.roles import VERB
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import escape_parentheses

logger = logging.getLogger(__name__)

SPLITS = ("train", "dev", "test")

REPOSITORIES = {
    "propbank": "https://github.com/propbank/propbank-release.git",
    "ud": "https://github.com/UniversalDependencies/UD_English-EWT.git",
}

UD_RELEASE = "r2.16"
"""
The tag that `lisa prepare ewt --clone` clones. PropBank annotated the tokens of the treebank's
first edition (LDC2012T13). UD corrects some of these tokens, so newer releases lose more sentences,
and figures are comparable only within one release.
"""

PROPBANK_LISTS = "docs/evaluation"
PROPBANK_DATA = "data/google/ewt"
UD_SOURCES = "not-to-release/sources"

# No name of a file is longer.
_DOCUMENT = re.compile(r"[^/\0]{1,100}(/[^/\0]{1,100}){2}")

# Increased when the same sources give other files. Since 2, lemmas are those of the rolesets.
_OUTPUT_FORMAT = 2

# The reasons for leaving out sentences, which a report counts.
NO_PROPBANK_DOCUMENT = "document is not in PropBank"
NO_UD_DOCUMENT = "document is not in UD"
UNEQUAL_DOCUMENT = "numbers of sentences differ"
ONLY_IN_PROPBANK = "sentence is only in PropBank"
ONLY_IN_UD = "sentence is only in UD"
OTHER_TOKENS = "numbers of tokens differ"
OTHER_TAGS = "tags differ"
UNREADABLE_ROLES = "roles that columns cannot hold"
VERB_ELSEWHERE = "predicate and its V begin on different lines"
WORD_WITH_BLANK = "word with a blank"
NO_TAG = "tag that is empty or has a blank"


@dataclass
class LeftOut:
    """
    A sentence or document that is left out, and why. `propbank` is the 1-based number of the
    sentence in PropBank's document, `ud` its `sent_id` in UD.
    """

    document: str
    reason: str
    detail: str
    propbank: Optional[int] = None
    ud: Optional[str] = None


@dataclass
class SplitReport:
    """
    The contents of a prepared split. `listed_documents` counts PropBank's list, `documents` those
    with a sentence in the corpus. `ud_release` is the newest release in the change log of UD's
    checkout, such as `2.16`.
    """

    split: str
    listed_documents: int = 0
    documents: int = 0
    sentences: int = 0
    tokens: int = 0
    predicates: int = 0
    left_out: List[LeftOut] = field(default_factory=list)
    ud_release: Optional[str] = None

    @property
    def is_absent(self) -> bool:
        return not self.documents

    def reasons(self) -> Dict[str, int]:
        return dict(Counter(item.reason for item in self.left_out).most_common())

    def to_json(self) -> Dict[str, Any]:
        return {**asdict(self), "reasons": self.reasons()}

    @classmethod
    def from_json(cls, values: Dict[str, Any]) -> "SplitReport":
        fields = {key: value for key, value in values.items() if key != "reasons"}
        return cls(**{**fields, "left_out": [LeftOut(**item) for item in values["left_out"]]})


class JoinedSentence(NamedTuple):
    """The words, tags, tree and columns of UD with the frames and constituents of PropBank."""

    sentence: Sentence
    constituents: List[str]
    ud_rows: CommentedRows


def prepare_ewt(
    propbank: Union[str, Path],
    ud: Union[str, Path],
    out: Union[str, Path],
    skip_unequal_documents: bool = False,
) -> List[SplitReport]:
    """
    Writes `ewt-{split}.gold_conll`, `ewt-{split}.conllu` and `ewt-{split}.report.json` for the
    splits `train`, `dev` and `test`, from checkouts of PropBank's and UD's repositories. A split
    without documents only gets a report. Finished splits of the same sources are skipped. With
    `skip_unequal_documents`, documents with different numbers of sentences are left out; by
    default, their common sentences are kept. Returns one report per split. Raises a
    `CorpusFormatError` if a folder is not such a checkout, or a file in it is malformed.
    """
    sources = EwtSources(propbank, ud)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return [_prepare_split(sources, split, out, skip_unequal_documents) for split in SPLITS]


class EwtSources:
    """
    Finds and reads documents in checkouts of the two repositories. Raises a `CorpusFormatError` if
    a folder is missing or has an unknown layout.
    """

    def __init__(self, propbank: Union[str, Path], ud: Union[str, Path]) -> None:
        self._propbank = _folder(propbank, PROPBANK_DATA, "propbank/propbank-release", "propbank")
        _folder(propbank, PROPBANK_LISTS, "propbank/propbank-release", "propbank")
        self._ud = _folder(ud, "", "UniversalDependencies/UD_English-EWT", "ud")
        self._ud_splits = sorted(self._ud.glob("*-ud-*.conllu"))
        if not self._ud_splits and not (self._ud / UD_SOURCES).is_dir():
            found = f"neither {UD_SOURCES} nor en_ewt-ud-*.conllu"
            expected = "a checkout of UniversalDependencies/UD_English-EWT"
            raise CorpusFormatError(self._ud, None, found, expected)
        self._ud_split_documents: Optional[Dict[str, List[CommentedRows]]] = None

    def ud_release(self) -> Optional[str]:
        path = self._ud / "README.md"
        text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
        log = text.partition("# Changelog")[2]
        newest = re.search(r"\bv([0-9]+\.[0-9]+)\b", log)
        return newest[1] if newest else None

    def documents(self, split: str) -> List[str]:
        """
        Reads the documents of a split as `weblog/00/NAME`, in the order of PropBank's list. Raises
        a `CorpusFormatError` for a missing list or a malformed line.
        """
        path = self._propbank / PROPBANK_LISTS / f"ewt.{split}.txt"
        if not path.is_file():
            raise CorpusFormatError(path, None, "no such file", f"PropBank's list of {split}")
        documents = []
        for number, line in enumerate(read_lines(path), start=1):
            # The names end in .xml.conllu in the list of dev, in .xml in the others.
            name = line.strip().removesuffix(".conllu").removesuffix(".xml")
            if name and not _DOCUMENT.fullmatch(name):
                expected = "a document of the form GENRE/FOLDER/NAME.xml"
                raise CorpusFormatError(path, number, f"'{line.strip()}'", expected)
            if name:
                documents.append(name)
        return documents

    def propbank_path(self, document: str) -> Path:
        return self._propbank / PROPBANK_DATA / f"{document}.xml.gold_skel"

    def ud_path(self, document: str) -> Path:
        genre, _, name = document.split("/")
        return self._ud / UD_SOURCES / genre / f"{name}.xml.conllu"

    def read_propbank(self, document: str) -> Optional[List[SkeletonSentence]]:
        path = self.propbank_path(document)
        return list(parse_gold_skel(read_lines(path), path)) if path.is_file() else None

    def read_ud(self, document: str) -> Optional[List[CommentedRows]]:
        """Reads a document in UD from its own file or else from a split's; `None` without any."""
        path = self.ud_path(document)
        if path.is_file():
            return list(parse_conllu_rows(read_lines(path), path))
        if self._ud_split_documents is None:
            self._ud_split_documents = _read_ud_splits(self._ud_splits)
        genre, _, name = document.split("/")
        return self._ud_split_documents.get(f"{genre}-{name}")

    def fingerprint(self, split: str) -> str:
        """Returns the number of the output's format and a digest of the split's sources."""
        paths = [self._propbank / PROPBANK_LISTS / f"ewt.{split}.txt", *self._ud_splits]
        paths.append(self._ud / "README.md")
        for document in self.documents(split):
            paths += [self.propbank_path(document), self.ud_path(document)]
        return f"{_OUTPUT_FORMAT}-{fingerprint(paths)}"


def _folder(path: Union[str, Path], inner: str, repository: str, option: str) -> Path:
    path = Path(path)
    expected = f"a checkout of {repository} for --{option} (--clone makes one)"
    if not path.is_dir():
        raise CorpusFormatError(path, None, "no such folder", expected)
    if not (path / inner).is_dir():
        raise CorpusFormatError(path, None, f"no folder {inner} in it", expected)
    return path


def _read_ud_splits(paths: List[Path]) -> Dict[str, List[CommentedRows]]:
    documents: Dict[str, List[CommentedRows]] = {}
    for path in paths:
        current: Optional[str] = None
        for rows in parse_conllu_rows(read_lines(path), path):
            current = rows.comment("newdoc id") or current
            if current is None:
                line = rows.located.line_numbers[0]
                found = "a sentence before the first document"
                raise CorpusFormatError(path, line, found, "'# newdoc id = ...' above it")
            documents.setdefault(current, []).append(rows)
    return documents


def _prepare_split(
    sources: EwtSources, split: str, out: Path, skip_unequal_documents: bool
) -> SplitReport:
    report_path = out / f"ewt-{split}.report.json"
    srl_path, parses_path = out / f"ewt-{split}.gold_conll", out / f"ewt-{split}.conllu"
    made_from = {
        "sources": sources.fingerprint(split),
        "skip_unequal_documents": skip_unequal_documents,
    }
    earlier = read_report(report_path, made_from, SplitReport.from_json)
    if earlier is not None and (earlier.is_absent or srl_path.is_file() and parses_path.is_file()):
        logger.info("%s is complete", srl_path)
        return earlier
    check_replaceable(report_path, srl_path, parses_path)
    with written_whole(report_path, srl_path, parses_path) as (report_file, *files):
        report = _write_split(sources, split, skip_unequal_documents, *files)
        write_report(report_file, report.to_json(), made_from)
    if report.is_absent:
        srl_path.unlink()
        parses_path.unlink()
    return report


def _write_split(
    sources: EwtSources, split: str, skip_unequal_documents: bool, srl: TextIO, parses: TextIO
) -> SplitReport:
    documents = sources.documents(split)
    report = SplitReport(split, listed_documents=len(documents), ud_release=sources.ud_release())
    for document in shown(documents, f"ewt-{split}"):
        joined = list(_join_document(sources, document, report.left_out, skip_unequal_documents))
        if not joined:
            continue
        name = f"google/ewt/{document}"
        begin, end = document_markers(name)
        srl.write(begin)
        report.documents += 1
        for item in joined:
            report.sentences += 1
            report.tokens += len(item.sentence.words)
            report.predicates += len(item.sentence.frames or [])
            rows = conll12_rows(item.sentence, name, constituents=item.constituents)
            srl.write("".join(" ".join(row) + "\n" for row in rows) + "\n")
            write_conllu_rows(_tree(item), parses)
        srl.write(end)
    return report


def _tree(item: JoinedSentence) -> CommentedRows:
    """Leaves out the enhanced graph, spacing, and the tokens that these refer to."""
    original = item.ud_rows.located.sentence.words
    words, unknown = item.sentence.words, ["_"] * len(original)
    columns = {**item.ud_rows.columns, "FORM": words, "DEPS": unknown, "MISC": unknown}
    comments = [
        f"# sent_id = {item.ud_rows.comment('sent_id')}",
        f"# text = {' '.join(original)}",
    ]
    return item.ud_rows._replace(columns=columns, comments=comments, others=[])


def _join_document(
    sources: EwtSources, document: str, left_out: List[LeftOut], skip_unequal_documents: bool
) -> Iterator[JoinedSentence]:
    propbank, ud = sources.read_propbank(document), sources.read_ud(document)
    if propbank is None:
        detail = f"no {sources.propbank_path(document).name}"
        left_out.append(LeftOut(document, NO_PROPBANK_DOCUMENT, detail))
    if ud is None:
        detail = f"no {sources.ud_path(document).name}, and not in the file of a split"
        left_out.append(LeftOut(document, NO_UD_DOCUMENT, detail))
    if propbank is None or ud is None:
        return
    if skip_unequal_documents and len(propbank) != len(ud):
        detail = f"{len(propbank)} in PropBank, {len(ud)} in UD"
        left_out.append(LeftOut(document, UNEQUAL_DOCUMENT, detail))
        return
    yield from _join_sentences(document, propbank, ud, left_out)


def _join_sentences(
    document: str,
    propbank: List[SkeletonSentence],
    ud: List[CommentedRows],
    left_out: List[LeftOut],
) -> Iterator[JoinedSentence]:
    propbank_tags = [sentence.pos for sentence in propbank]
    ud_tags = [rows.located.sentence.pos or [] for rows in ud]
    pairs = align_sentences(propbank_tags, ud_tags)
    for row in sorted({*range(len(propbank))} - {row for row, _ in pairs}):
        detail = f"{len(propbank_tags[row])} tokens"
        left_out.append(LeftOut(document, ONLY_IN_PROPBANK, detail, propbank=row + 1))
    for column in sorted({*range(len(ud))} - {column for _, column in pairs}):
        detail, name = f"{len(ud_tags[column])} tokens", ud[column].comment("sent_id")
        left_out.append(LeftOut(document, ONLY_IN_UD, detail, ud=name))
    for index, (row, column) in enumerate(pairs):
        skeleton, rows = propbank[row], ud[column]
        item = LeftOut(document, "", "", propbank=row + 1, ud=rows.comment("sent_id"))
        lengths = len(propbank_tags[row]), len(ud_tags[column])
        if lengths[0] != lengths[1]:
            detail = f"{lengths[0]} in PropBank, {lengths[1]} in UD"
            left_out.append(replace(item, reason=OTHER_TOKENS, detail=detail))
        elif not is_trusted(index, pairs, propbank_tags, ud_tags):
            detail = (
                f"{' '.join(propbank_tags[row])} in PropBank, {' '.join(ud_tags[column])} in UD"
            )
            left_out.append(replace(item, reason=OTHER_TAGS, detail=detail))
        else:
            try:
                yield _join(skeleton, rows)
            except _LeftOutError as refusal:
                reason, detail = refusal.args
                left_out.append(replace(item, reason=reason, detail=detail))


class _LeftOutError(Exception):
    """The reason why a sentence is left out, and the values found."""


def _join(skeleton: SkeletonSentence, rows: CommentedRows) -> JoinedSentence:
    tree = rows.located.sentence
    for word in tree.words:
        if any(character.isspace() for character in word):
            raise _LeftOutError(WORD_WITH_BLANK, f"'{word}'")
    for tag in tree.pos or []:
        if tag.split() != [tag]:
            raise _LeftOutError(NO_TAG, f"'{tag}'")
    try:
        frames = skeleton.frames()
    except CorpusFormatError as error:
        detail = f"line {error.line}: found {error.found}; expected {error.expected}"
        raise _LeftOutError(UNREADABLE_ROLES, detail) from error
    for frame in frames:
        if frame.tags[frame.predicate] == f"I-{VERB}":
            # "e mail" has `(V*` on "e" and its frameset on "mail", which CoNLL-2012 cannot express.
            line = skeleton.block.line_numbers[frame.predicate]
            raise _LeftOutError(VERB_ELSEWHERE, f"line {line}: {frame.sense}")
    words = [escape_parentheses(word) for word in tree.words]
    return JoinedSentence(
        Sentence(words, tree.pos, frames, tree.parse), skeleton.constituents, rows
    )
