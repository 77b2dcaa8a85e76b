"""
Preparation of CoNLL-2005. The release lacks words; these, and the gold parts of speech and
constituents, come from the Penn Treebank and its Brown Corpus.

    >>> sources = Conll05Sources(
    ...     release="fixtures/conll05_sources/conll05st-release",
    ...     ptb="fixtures/conll05_sources/treebank_3",
    ... )
    >>> [part] = sources.parts("dev")
    >>> [path.name for path in part.treebank], part.layers["props"].name
    (['wsj_2400.mrg'], 'devel.24.props')

`prepare_conll05` converts the trees with a `StanfordConverter` and writes the splits.
"""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from allennlp.common import Tqdm

from lisa_allennlp.data.formats.columns import NO_VALUE, read_lines, sentence_blocks
from lisa_allennlp.data.formats.conll05 import (
    LocatedFrames,
    official_form,
    parse_props,
    write_conll05_sentence,
)
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.formats.constituents import ConstituentTree, bracketed_tree, parse_trees
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.tokens import escape_parentheses
from lisa_allennlp.data.preparation.conll_report import ConllReport
from lisa_allennlp.data.preparation.outputs import (
    fingerprint,
    read_report,
    write_report,
    written_whole,
)
from lisa_allennlp.data.preparation.stanford import BracketedSentence, StanfordConverter
from lisa_allennlp.data.sentence import Sentence

logger = logging.getLogger(__name__)

PUBLISHED = {"train": 39832, "dev": 1346, "test.wsj": 2416, "test.brown": 426}
"""The number of sentences per split in the literature."""

_SECTIONS = {"train": range(2, 22), "dev": [24], "test.wsj": [23]}
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


class Part(NamedTuple):
    """
    A part of a split: a section of the Penn Treebank, or the Brown Corpus.

    # Parameters

    treebank : `List[Path]`
        The files with the trees.
    layers : `Dict[str, Optional[Path]]`
        The files of the release for the same sentences: `props` and, if they exist, `senses`, `ne`
        and `words`.
    """

    treebank: List[Path]
    layers: Dict[str, Optional[Path]]


class GatheredSentence(NamedTuple):
    """
    A sentence with all columns.

    # Parameters

    sentence : `Sentence`
        Words, parts of speech (both in the official form) and frames.
    constituents : `List[str]`
        The constituent bit of each word.
    entities : `List[str]`
        The named-entity bit of each word.
    """

    sentence: Sentence
    constituents: List[str]
    entities: List[str]


class Conll05Sources:
    """
    Finds the files of each split in the release and the treebanks.

    # Parameters

    release : `Union[str, Path]`
        The folder `conll05st-release`.
    ptb : `Union[str, Path]`
        The Penn Treebank, or its folder of combined trees for the Wall Street Journal.
    brown : `Union[str, Path]`, optional (default = `None`)
        The Brown Corpus, or its folder of combined trees. By default, searched for in `ptb`.

    # Raises

    `CorpusFormatError`
        If a folder is missing or has an unknown layout.
    """

    def __init__(
        self,
        release: Union[str, Path],
        ptb: Union[str, Path],
        brown: Optional[Union[str, Path]] = None,
    ) -> None:
        self._release = _release_folder(Path(release))
        self._wsj = _treebank_folder(
            Path(ptb), _WSJ, "24", "the Penn Treebank's combined trees for --ptb: parsed/mrg/wsj"
        )
        expected = "the Brown Corpus' combined trees for --brown: parsed/mrg/brown/ck"
        self._brown = _find(Path(ptb), _BROWN, _BROWN_FILES[0])
        if brown is not None:
            self._brown = _treebank_folder(Path(brown), _BROWN, _BROWN_FILES[0], expected)

    def reason_to_skip(self, split: str) -> Optional[str]:
        """
        # Returns

        `Optional[str]`
            Why a test set cannot be prepared; `None` if it can. The test sets come in a separate
            archive, and not every user has the Brown Corpus.
        """
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

    def parts(self, split: str) -> List[Part]:
        """
        # Returns

        `List[Part]`
            The parts of a split in order.

        # Raises

        `CorpusFormatError`
            If a file is missing.
        """
        if split == "test.brown":
            assert self._brown is not None
            return [Part(_brown_files(self._brown), self._layers(split, ""))]
        return [
            Part(_section_files(self._wsj, f"{section:02}"), self._layers(split, f"{section:02}"))
            for section in _SECTIONS[split]
        ]

    def _layers(self, split: str, section: str) -> Dict[str, Optional[Path]]:
        names = ("props", "senses", "ne", "words")
        layers = {name: self._layer(split, section, name) for name in names}
        if layers["props"] is None:
            path = self._release / _layer_name(split, section, "props")
            raise CorpusFormatError(f"{path}.gz", None, "no such file", "a file of the release")
        return layers

    def _layer(self, split: str, section: str, layer: str) -> Optional[Path]:
        path = self._release / _layer_name(split, section, layer)
        candidates = (path.with_name(path.name + ".gz"), path)
        return next((path for path in candidates if path.is_file()), None)


def _layer_name(split: str, section: str, layer: str) -> str:
    if split.startswith("test"):
        return f"{split}/{layer}/{split}.{layer}"
    folder = "devel" if split == "dev" else split
    return f"{folder}/{layer}/{folder}.{section}.{layer}"


def _release_folder(path: Path) -> Path:
    expected = "the folder conll05st-release for --release"
    if not path.is_dir():
        raise CorpusFormatError(path, None, "no such folder", expected)
    for folder in (path, path / "conll05st-release"):
        if (folder / "train" / "props").is_dir():
            return folder
    raise CorpusFormatError(path, None, "no folder train/props in it", expected)


def _treebank_folder(path: Path, inner: Sequence[str], content: str, expected: str) -> Path:
    if not path.is_dir():
        raise CorpusFormatError(path, None, "no such folder", expected)
    folder = _find(path, inner, content)
    if folder is None:
        raise CorpusFormatError(path, None, f"no {content} in it", expected)
    return folder


def _find(path: Path, inner: Sequence[str], content: str) -> Optional[Path]:
    """The first inner folder that contains this name, in upper or lower case."""
    for names in inner:
        folder: Optional[Path] = path
        for name in filter(None, names.split("/")):
            folder = _child(folder, name) if folder is not None else None
        if folder is not None and _child(folder, content) is not None:
            return folder
    return None


def _child(folder: Path, name: str) -> Optional[Path]:
    children = sorted(folder.iterdir()) if folder.is_dir() else []
    return next((child for child in children if child.name.lower() == name), None)


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
        file = _child(folder, name)
        if file is None:
            raise CorpusFormatError(
                folder / name, None, "no such file", "a file of the Brown Corpus"
            )
        files.append(file)
    return files


def prepare_conll05(
    sources: Conll05Sources, out: Union[str, Path], converter: StanfordConverter
) -> List[ConllReport]:
    """
    Writes `{split}.conll`, `{split}.conllu` and `{split}.report.json` for the splits `train`,
    `dev`, `test.wsj` and `test.brown`. Splits that an earlier call finished from the same sources
    are skipped.

    # Parameters

    out : `Union[str, Path]`
        The output folder.

    # Returns

    `List[ConllReport]`
        One report per split.

    # Raises

    `ConfigurationError`
        If Java fails.
    `CorpusFormatError`
        If a file is missing or malformed, or if sentences differ between files.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    reports = []
    for split in PUBLISHED:
        reason = sources.reason_to_skip(split)
        if reason is None:
            reports.append(_prepare_split(split, sources.parts(split), out, converter))
        else:
            reports.append(ConllReport(split, PUBLISHED[split], skipped=reason))
    return reports


def _prepare_split(
    split: str, parts: List[Part], out: Path, converter: StanfordConverter
) -> ConllReport:
    report_path = out / f"{split}.report.json"
    files = out / f"{split}.conll", out / f"{split}.conllu"
    sources = [path for part in parts for path in (*part.treebank, *part.layers.values()) if path]
    made_from = {"sources": fingerprint(sources), "converter": converter.fingerprint}
    earlier = read_report(report_path, made_from, ConllReport.from_json)
    if earlier is not None and all(path.is_file() for path in files):
        logger.info("%s is complete", files[0])
        return earlier
    # The report is written last. Its presence means that the split is complete.
    report_path.unlink(missing_ok=True)
    report = ConllReport(split, PUBLISHED[split])
    with written_whole(*files) as (srl_file, parses_file):
        gathered = (item for part in parts for item in _gather(part))
        converted = converter.convert(gathered)
        for item, parse in Tqdm.tqdm(converted, desc=split, total=report.published):
            write_conll05_sentence(item.sentence, srl_file, item.constituents, item.entities)
            write_conllu([replace(item.sentence, parse=parse)], parses_file)
            report.count(item.sentence)
    write_report(report_path, report.to_json(), made_from)
    converter.clear()
    return report


class _LocatedTree(NamedTuple):
    path: Path
    tree: ConstituentTree

    @property
    def place(self) -> str:
        return f"{self.path}:{self.tree.line}"


class _Layer:
    """A file of the release, read sentence by sentence along with the trees."""

    def __init__(self, path: Path, is_props: bool) -> None:
        self.path = path
        self._count = 0
        lines = read_lines(path)
        if is_props:
            self._sentences = parse_props(lines, path)
        else:
            blocks = sentence_blocks(enumerate(lines, start=1))
            self._sentences = (LocatedFrames([], block) for block in blocks)

    def sentence_of(self, located: _LocatedTree) -> LocatedFrames:
        """The next sentence, which must have as many words as the tree."""
        sentence = next(self._sentences, None)
        if sentence is None:
            found = f"only {self._count} sentences"
            raise CorpusFormatError(self.path, None, found, f"a sentence for {located.place} too")
        self._count += 1
        length, expected = len(sentence.block.rows), len(located.tree.words)
        if length != expected:
            found = f"{length} words in sentence {self._count}"
            line = sentence.block.line_numbers[0]
            raise CorpusFormatError(self.path, line, found, f"{expected}, as in {located.place}")
        return sentence

    def column_of(self, located: _LocatedTree) -> List[str]:
        """The only column of the next sentence."""
        return self.sentence_of(located).block.column(0)

    def check_end(self, treebank: Sequence[Path]) -> None:
        sentence = next(self._sentences, None)
        if sentence is not None:
            place = f"{treebank[0]} to {treebank[-1]}"
            expected = f"the end of the file after {self._count} sentences, as in {place}"
            line = sentence.block.line_numbers[0]
            raise CorpusFormatError(self.path, line, f"sentence {self._count + 1}", expected)


def _gather(part: Part) -> Iterator[Tuple[BracketedSentence, GatheredSentence]]:
    layers = {
        name: _Layer(path, name == "props")
        for name, path in part.layers.items()
        if path is not None
    }
    for path in part.treebank:
        for tree in parse_trees(read_lines(path), path):
            located = _LocatedTree(path, tree)
            bracketed = bracketed_tree(tree.words, tree.pos, tree.bits)
            assert bracketed is not None
            # Trees escape brackets within words.
            words = [escape_parentheses(word) for word in tree.words]
            to_convert = BracketedSentence(words, bracketed, path, tree.line)
            yield to_convert, _gather_sentence(located, layers)
    for layer in layers.values():
        layer.check_end(part.treebank)


def _gather_sentence(located: _LocatedTree, layers: Dict[str, _Layer]) -> GatheredSentence:
    tree = located.tree
    frames = layers["props"].sentence_of(located).frames
    words = [official_form(word) for word in tree.words]
    if "words" in layers:
        _check_words(layers["words"], located, words)
    unknown = [NO_VALUE] * len(words)
    senses = layers["senses"].column_of(located) if "senses" in layers else unknown
    entities = layers["ne"].column_of(located) if "ne" in layers else ["*"] * len(words)
    frames = [replace(frame, sense=senses[frame.predicate]) for frame in frames]
    pos = [official_form(tag) for tag in tree.pos]
    return GatheredSentence(Sentence(words, pos, frames), tree.bits, entities)


def _check_words(layer: _Layer, located: _LocatedTree, words: List[str]) -> None:
    block = layer.sentence_of(located).block
    for number, found, word in zip(block.line_numbers, block.column(0), words, strict=True):
        if found != word:
            expected = (
                f"'{word}', as in {located.place} (if you remove this file, the words of the "
                "treebank are used unchecked)"
            )
            raise CorpusFormatError(layer.path, number, f"the word '{found}'", expected)
