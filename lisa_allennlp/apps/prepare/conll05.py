"""
Prepares CoNLL-2005. The words, gold parts of speech and constituents come from the Penn Treebank
and its Brown Corpus.
"""

import itertools
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, TextIO, Tuple, Union

from lisa_allennlp.apps.prepare.outputs import (
    ConllReport,
    check_replaceable,
    fingerprint,
    read_report,
    shown,
    write_report,
    written_whole,
)
from lisa_allennlp.apps.prepare.stanford import (
    TAGS_SUFFIX,
    BracketedSentence,
    StanfordAnnotator,
)
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import NO_VALUE, Block, read_blocks, read_lines
from lisa_allennlp.formats.conll05 import (
    frames_of_props,
    official_form,
    write_conll05_sentence,
)
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.formats.constituents import ConstituentTree, bracketed_tree, parse_trees
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import escape_parentheses

logger = logging.getLogger(__name__)

PARSER_VALIDATION = "section22"
"""The section of the Penn Treebank on which parsers are validated. It has trees but no roles."""

PUBLISHED = {
    "train": 39832,
    "dev": 1346,
    PARSER_VALIDATION: 1700,
    "test.wsj": 2416,
    "test.brown": 426,
}
"""Sentences per split in the literature."""

_SECTIONS = {"train": range(2, 22), "dev": [24], PARSER_VALIDATION: [22], "test.wsj": [23]}
_BROWN_FILES = ("ck01.mrg", "ck02.mrg", "ck03.mrg")
# Possible subfolders of the trees, in upper or lower case, in the second and the third release of
# the Treebank (LDC95T7, LDC99T42).
_WSJ = ("", "wsj", "mrg/wsj", "parsed/mrg/wsj", "combined/wsj", "treebank_3/parsed/mrg/wsj")
_BROWN = (
    "",
    "ck",
    "brown/ck",
    "mrg/brown/ck",
    "parsed/mrg/brown/ck",
    "treebank_3/parsed/mrg/brown/ck",
)


class SplitPart(NamedTuple):
    """
    The files of a part of a split: the trees, and `props` and, if they exist, `senses`, `ne` and
    `words` of the release. Section 22 has only trees.
    """

    treebank: List[Path]
    layers: Dict[str, Path]


class Conll05Sources:
    """
    Finds the files of each split in the release (`conll05st-release`), the Penn Treebank (or its
    folder of combined trees for the Wall Street Journal) and the Brown Corpus, by default in the
    treebank. Raises a `CorpusFormatError` if a folder is missing or has an unknown layout.
    """

    def __init__(
        self,
        release: Union[str, Path],
        ptb: Union[str, Path],
        brown: Optional[Union[str, Path]] = None,
    ) -> None:
        self._release = _folder(
            Path(release),
            ("", "conll05st-release"),
            "train/props",
            "the folder conll05st-release for --release",
        )
        expected = "the Penn Treebank's combined trees for --ptb: parsed/mrg/wsj"
        self._wsj = _folder(Path(ptb), _WSJ, "24", expected)
        self._brown = _find(Path(ptb), _BROWN, _BROWN_FILES[0])
        if brown is not None:
            expected = "the Brown Corpus' combined trees for --brown: parsed/mrg/brown/ck"
            self._brown = _folder(Path(brown), _BROWN, _BROWN_FILES[0], expected)

    def reason_to_skip(self, split: str) -> Optional[str]:
        """
        Says why a test set or section 22 cannot be prepared; `None` if it can. The test sets come
        in a separate archive, and some users lack the Brown Corpus or section 22, which the shared
        task does not use.
        """
        if split == PARSER_VALIDATION and not (self._wsj / "22").is_dir():
            return f"{self._wsj} has no section 22, which validates parsers only"
        if not split.startswith("test"):
            return None
        if self._layer(split, "", "props") is None:
            return (
                f"{self._release} has no {split}/props/{split}.props.gz, which is in "
                "conll05st-tests.tar.gz"
            )
        if split == "test.brown" and self._brown is None:
            return "--brown is missing, and the folder of --ptb does not contain the Brown Corpus"
        return None

    def parts(self, split: str) -> List[SplitPart]:
        if split == "test.brown":
            assert self._brown is not None
            return [SplitPart(_brown_files(self._brown), self._layers(split, ""))]
        sections = [f"{section:02}" for section in _SECTIONS[split]]
        has_layers = split != PARSER_VALIDATION
        return [
            SplitPart(
                _section_files(self._wsj, section),
                self._layers(split, section) if has_layers else {},
            )
            for section in sections
        ]

    def _layers(self, split: str, section: str) -> Dict[str, Path]:
        found = {name: self._layer(split, section, name) for name in _LAYERS}
        layers = {name: path for name, path in found.items() if path is not None}
        if "props" not in layers:
            path = self._release / _layer_name(split, section, "props")
            raise CorpusFormatError(f"{path}.gz", None, "no such file", "a file of the release")
        return layers

    def _layer(self, split: str, section: str, layer: str) -> Optional[Path]:
        path = self._release / _layer_name(split, section, layer)
        candidates = (path.with_name(path.name + ".gz"), path)
        return next((path for path in candidates if path.is_file()), None)


_LAYERS = ("props", "senses", "ne", "words")


def _layer_name(split: str, section: str, layer: str) -> str:
    if split.startswith("test"):
        return f"{split}/{layer}/{split}.{layer}"
    folder = "devel" if split == "dev" else split
    return f"{folder}/{layer}/{folder}.{section}.{layer}"


def _folder(path: Path, inner: Sequence[str], content: str, expected: str) -> Path:
    if not path.is_dir():
        raise CorpusFormatError(path, None, "no such folder", expected)
    folder = _find(path, inner, content)
    if folder is None:
        raise CorpusFormatError(path, None, f"no {content} in it", expected)
    return folder


def _find(path: Path, inner: Sequence[str], content: str) -> Optional[Path]:
    folders = (_descendant(path, names) for names in inner)
    return next((f for f in folders if f is not None and _descendant(f, content)), None)


def _descendant(folder: Optional[Path], names: str) -> Optional[Path]:
    for name in filter(None, names.split("/")):
        children = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
        folder = next((child for child in children if child.name.lower() == name), None)
    return folder


def _section_files(wsj: Path, section: str) -> List[Path]:
    folder = wsj / section
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    files = [file for file in files if file.suffix.lower() == ".mrg"]
    if not files:
        expected = f"the .mrg files of section {section}"
        raise CorpusFormatError(folder, None, "no .mrg file", expected)
    return files


def _brown_files(folder: Path) -> List[Path]:
    files = []
    for name in _BROWN_FILES:
        file = _descendant(folder, name)
        if file is None:
            expected = "a file of the Brown Corpus"
            raise CorpusFormatError(folder / name, None, "no such file", expected)
        files.append(file)
    return files


def prepare_conll05(
    sources: Conll05Sources, out: Union[str, Path], annotator: StanfordAnnotator
) -> List[ConllReport]:
    """
    Writes `{split}.conll`, `{split}.conllu` and `{split}.report.json` for the splits `train`,
    `dev`, `test.wsj` and `test.brown`, and `section22.conllu` with its report. With a tagger, each
    split also gets a `{split}.tags.conllu`. Splits that an earlier call finished from the same
    sources are skipped. Returns one report per split. Raises a `ConfigurationError` if Java fails,
    a file is missing or malformed, or sentences differ between files.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    reports = []
    for split in PUBLISHED:
        reason = sources.reason_to_skip(split)
        if reason is None:
            reports.append(_prepare_split(split, sources.parts(split), out, annotator))
        else:
            reports.append(ConllReport(split, PUBLISHED[split], skipped=reason))
    return reports


def written_suffixes(split: str, annotator: StanfordAnnotator) -> List[str]:
    roles = [] if split == PARSER_VALIDATION else [".conll"]
    tags = [TAGS_SUFFIX] if annotator.tags else []
    return [*roles, ".conllu", *tags]


def _prepare_split(
    split: str, parts: List[SplitPart], out: Path, annotator: StanfordAnnotator
) -> ConllReport:
    report_path = out / f"{split}.report.json"
    files = {suffix: out / f"{split}{suffix}" for suffix in written_suffixes(split, annotator)}
    sources = [path for part in parts for path in (*part.treebank, *part.layers.values())]
    made_from = {"sources": fingerprint(sources), **annotator.made_from}
    earlier = read_report(report_path, made_from, ConllReport.from_json)
    if earlier is not None and all(path.is_file() for path in files.values()):
        logger.info("%s is complete", files[".conllu"])
        return earlier
    check_replaceable(report_path, *files.values())
    report = ConllReport(split, PUBLISHED[split])
    with written_whole(report_path, *files.values()) as (report_file, *opened):
        outputs = dict(zip(files, opened, strict=True))
        annotated = annotator.annotate(item for part in parts for item in gather(part))
        for item, parse, pos in shown(annotated, split, report.published):
            _write(item._replace(sentence=replace(item.sentence, parse=parse)), pos, outputs)
            report.count(item.sentence)
        write_report(report_file, report.to_json(), made_from)
    return report


class GatheredSentence(NamedTuple):
    """
    A sentence with words and parts of speech in the official form and, except in section 22,
    frames, and the constituent bit and the named-entity bit of each word.
    """

    sentence: Sentence
    constituents: List[str]
    entities: List[str]


def _write(
    item: GatheredSentence, predicted_pos: Optional[List[str]], outputs: Dict[str, TextIO]
) -> None:
    sentence = item.sentence
    if ".conll" in outputs:
        write_conll05_sentence(sentence, outputs[".conll"], item.constituents, item.entities)
    write_conllu([sentence], outputs[".conllu"])
    if predicted_pos is not None:
        tags = [official_form(tag) for tag in predicted_pos]
        write_conllu([Sentence(sentence.words, tags)], outputs[TAGS_SUFFIX])


def gather(part: SplitPart) -> Iterator[Tuple[BracketedSentence, GatheredSentence]]:
    """
    Joins the files of a part: each sentence as a tree to annotate and with all columns. Raises a
    `CorpusFormatError` if a file is malformed or its sentences differ from the trees.
    """
    trees = ((path, tree) for path in part.treebank for tree in parse_trees(read_lines(path), path))
    layers = (read_blocks(read_lines(path), path) for path in part.layers.values())
    columns: List[Iterator[Any]] = [trees, *layers]
    for number, (item, *rows) in enumerate(itertools.zip_longest(*columns), start=1):
        path, tree = item or (part.treebank[-1], None)
        place = f"the rest of {path}" if tree is None else f"{path}:{tree.line}"
        found = dict(zip(part.layers, rows, strict=True))
        for name, block in found.items():
            _check_length(part.layers[name], number, block, tree, place)
        assert tree is not None
        bracketed = bracketed_tree(tree.words, tree.pos, tree.bits)
        assert bracketed is not None
        # Trees escape brackets within words.
        words = [escape_parentheses(word) for word in tree.words]
        if "words" in found:
            _check_words(part.layers["words"], found["words"], tree, place)
        to_convert = BracketedSentence(words, bracketed, path, tree.line)
        yield to_convert, _gather_sentence(tree, part.layers, found)


def _check_length(
    path: Path,
    number: int,
    block: Optional[Block],
    tree: Optional[ConstituentTree],
    place: str,
) -> None:
    length = 0 if block is None else len(block.rows)
    expected = 0 if tree is None else len(tree.words)
    if length != expected:
        line = None if block is None else block.line_numbers[0]
        found = f"{length} words in sentence {number}"
        raise CorpusFormatError(path, line, found, f"{expected}, as in {place}")


def _gather_sentence(
    tree: ConstituentTree, paths: Dict[str, Path], layers: Dict[str, Block]
) -> GatheredSentence:
    def column(name: str, unknown: str) -> List[str]:
        return layers[name].column(0) if name in layers else [unknown] * len(tree.words)

    frames = None
    if "props" in layers:
        senses = column("senses", NO_VALUE)
        frames = frames_of_props(paths["props"], layers["props"], senses)
    words, pos = (list(map(official_form, tokens)) for tokens in (tree.words, tree.pos))
    return GatheredSentence(Sentence(words, pos, frames), tree.bits, column("ne", "*"))


def _check_words(path: Path, block: Block, tree: ConstituentTree, place: str) -> None:
    for number, found, word in zip(block.line_numbers, block.column(0), tree.words, strict=True):
        if found != official_form(word):
            expected = (
                f"'{official_form(word)}', as in {place} (if you remove this file, the words of "
                "the treebank are used unchecked)"
            )
            raise CorpusFormatError(path, number, f"the word '{found}'", expected)
