"""
Prepares Universal PropBank, whose releases have token ids and roles, with the words, tags and trees
of Universal Dependencies (UD).
"""

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

from lisa_allennlp.apps.prepare.outputs import (
    check_replaceable,
    fingerprint,
    read_report,
    shown,
    write_report,
    written_whole,
)
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import check_least_width, read_lines
from lisa_allennlp.formats.conllu import COLUMNS, named_blocks, parse_conllu_roles, write_conllup
from lisa_allennlp.formats.universal_propbank import arguments_of
from lisa_allennlp.sentence.sentence import Sentence

ONLY_IN_UP = "sentence is only in Universal PropBank"
ONLY_IN_UD = "sentence is only in UD"
OTHER_TOKENS = "tokens differ"
MALFORMED = "tree or roles that cannot be read"


@dataclass
class LeftOut:
    sentence: str
    reason: str
    detail: str = ""


@dataclass
class UpReport:
    name: str
    sentences: int = 0
    tokens: int = 0
    predicates: int = 0
    arguments: int = 0
    mended: Dict[str, int] = field(default_factory=dict)
    left_out: List[LeftOut] = field(default_factory=list)

    @classmethod
    def from_json(cls, values: Dict[str, Any]) -> "UpReport":
        return cls(**{**values, "left_out": [LeftOut(**item) for item in values["left_out"]]})


class _Layer(NamedTuple):
    comments: List[str]
    rows: List[Dict[str, str]]

    def comment(self, key: str) -> str:
        values = (line.partition("=") for line in self.comments)
        return next((v.strip() for k, _, v in values if k.strip("# ") == key), "")

    def words(self) -> List[Dict[str, str]]:
        return [row for row in self.rows if row["ID"].isdigit()]


def prepare_up(ud: Path, up: Path, out: Path, spans_from_heads: bool = False) -> Iterator[UpReport]:
    """
    Writes a `.conllup` file with a `.report.json` for each `.conllup` file in the folder `up`, a
    release of Universal PropBank, joined by sentence ids with the `.conllu` files in the folder
    `ud`. Yields the reports; finished files of the same sources keep theirs. With
    `spans_from_heads`, spans are the subtrees of heads. Raises a `CorpusFormatError` if a folder
    has no such files.
    """
    ud_files, up_files = _files(ud, "*.conllu"), _files(up, "*.conllup")
    out.mkdir(parents=True, exist_ok=True)
    parts: Dict[str, Dict[str, _Layer]] = {}
    for path in up_files:
        name = path.stem.replace("-up-", "-ud-up-")
        outputs = out / f"{name}.report.json", out / f"{name}.conllup"
        made_from = {"sources": fingerprint([path, *ud_files]), "from_heads": spans_from_heads}
        report = read_report(outputs[0], made_from, UpReport.from_json)
        if report is None or not outputs[1].is_file():
            parts = parts or {file.stem: _by_id(file) for file in ud_files}
            check_replaceable(*outputs)
            report, mended = UpReport(name), Counter[str]()
            own = parts.get(path.stem.replace("-up-", "-ud-"), {})
            joined = _joined(path, own, parts, report.left_out, mended, spans_from_heads)
            with written_whole(*outputs) as (report_file, file):
                write_conllup(_counted(joined, report), file)
                report.mended = dict(mended)
                write_report(report_file, asdict(report), made_from)
        yield report


def _files(folder: Path, pattern: str) -> List[Path]:
    files = sorted(folder.glob(pattern))
    if not files:
        raise CorpusFormatError(folder, None, f"no {pattern} file", "the files of a release")
    return files


def _layers(path: Path, needed: Sequence[str] = ("ID",)) -> Iterator[_Layer]:
    for block, names, comments in named_blocks(read_lines(path), path):
        check_least_width(path, block, len(names), " ".join(names), "tabs")
        if missing := [name for name in needed if name not in names]:
            found = f"no column {missing[0]} in `global.columns`"
            raise CorpusFormatError(path, block.line_numbers[0], found, ", ".join(needed))
        for number, row in block.numbered_rows():
            if "" in row:
                raise CorpusFormatError(path, number, "an empty column", "a value, or _ for none")
        yield _Layer(comments, [dict(zip(names, row, strict=False)) for row in block.rows])


def _by_id(path: Path) -> Dict[str, _Layer]:
    found: Dict[str, _Layer] = {}
    for layer in _layers(path, COLUMNS):
        name = layer.comment("sent_id")
        if name in found:
            raise CorpusFormatError(path, None, f"two sentences with the id '{name}'", "one per id")
        found[name] = layer
    return found


def _joined(
    path: Path,
    own: Dict[str, _Layer],
    parts: Dict[str, Dict[str, _Layer]],
    left_out: List[LeftOut],
    mended: Counter[str],
    spans_from_heads: bool,
) -> Iterator[Sentence]:
    """Joins a file with the same part of UD or, as UD moves sentences, with any other."""
    found = set()
    for roles in shown(_layers(path), path.stem):
        name = roles.comment("sent_id")
        found.add(name)
        layer = own.get(name) or next((part[name] for part in parts.values() if name in part), None)
        if layer is None:
            left_out.append(LeftOut(name, ONLY_IN_UP))
        elif detail := _difference(layer, roles):
            left_out.append(LeftOut(name, OTHER_TOKENS, detail))
        else:
            try:
                lines = _lines(layer, roles)
                for item in parse_conllu_roles(lines, path, None, spans_from_heads, mended):
                    yield item.sentence
            except CorpusFormatError as error:
                detail = f"found {error.found}; expected {error.expected}"
                left_out.append(LeftOut(name, MALFORMED, detail))
    left_out += [LeftOut(name, ONLY_IN_UD) for name in own if name not in found]


def _difference(ud: _Layer, up: _Layer) -> Optional[str]:
    """How tokens differ. Universal PropBank has only the beginning of the text."""
    words, others = ud.words(), up.words()
    if len(words) != len(others):
        return f"{len(words)} in UD, {len(others)} in Universal PropBank"
    for word, other in zip(words, others, strict=True):
        if other.get("FORM", word["FORM"]) != word["FORM"]:
            return f"'{word['FORM']}' in UD, '{other['FORM']}' in Universal PropBank"
    text, beginning = ud.comment("text"), up.comment("text").rstrip(".")
    if not text.startswith(beginning):
        return f"the text '{text}' in UD, '{beginning}' in Universal PropBank"
    return None


def _lines(ud: _Layer, up: _Layer) -> List[str]:
    names = [name for name in up.rows[0] if name not in COLUMNS]
    roles = {row["ID"]: row for row in up.rows}
    lines = [f"# global.columns = {' '.join([*COLUMNS, *names])}", *ud.comments]
    for row in ud.rows:
        beside = roles.get(row["ID"], {})
        values = [row[name] for name in COLUMNS] + [beside.get(name, "_") for name in names]
        lines.append("\t".join(values))
    return lines


def _counted(sentences: Iterator[Sentence], report: UpReport) -> Iterator[Sentence]:
    for sentence in sentences:
        frames = sentence.frames or []
        report.sentences += 1
        report.tokens += len(sentence.words)
        report.predicates += len(frames)
        report.arguments += sum(len(arguments_of(frame)) for frame in frames)
        yield sentence
