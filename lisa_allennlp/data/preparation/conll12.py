"""
CoNLL-2012: the English documents of OntoNotes 5 in their split, with the dependencies of their
constituents.
"""

import itertools
import logging
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.conll12 import parse_conll12_constituents
from lisa_allennlp.data.formats.conllu import write_conllu
from lisa_allennlp.data.formats.constituents import bracketed_tree, flat_tree
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.tokens import escape_parentheses
from lisa_allennlp.data.preparation.conll_report import ConllReport
from lisa_allennlp.data.preparation.outputs import (
    fingerprint,
    partial_path,
    read_report,
    write_report,
)
from lisa_allennlp.data.preparation.stanford import BracketedSentence, StanfordConverter
from lisa_allennlp.data.sentence import Parse, Sentence

logger = logging.getLogger(__name__)

PUBLISHED = {"train": 75187, "development": 9603, "test": 9479}
"""The number of English sentences of each split."""

# The folder `test` of OntoNotes 5 has more documents than the shared task's test set.
_FOLDERS = {
    "train": ("train",),
    "development": ("development",),
    "test": ("conll-2012-test", "test"),
}
_ANNOTATIONS = "data/english/annotations"
_PATTERN = "*gold_conll"
_REPORT = "report.json"


class Document(NamedTuple):
    """
    # Parameters

    name : `str`
        Such as `bc/cctv/00/cctv_0001`.
    path : `Path`
        Its file.
    """

    name: str
    path: Path


class OntonotesSources:
    """
    Where the documents of OntoNotes are.

    # Parameters

    ontonotes : `Union[str, Path]`
        A folder with the splits' folders at some depth, each with `data/english/annotations`: the
        shared task's `conll-2012`, or `conll-formatted-ontonotes-5.0`.
    ids : `Union[str, Path]`, optional (default = `None`)
        The folder with `train.id`, `development.id` and `test.id`, the shared task's lists of its
        documents. `None` takes all documents of a split's folder.

    # Raises

    `CorpusFormatError`
        If there is no such folder.
    """

    def __init__(self, ontonotes: Union[str, Path], ids: Optional[Union[str, Path]] = None) -> None:
        self.ontonotes = Path(ontonotes)
        self.ids = Path(ids) if ids is not None else None
        if not self.ontonotes.is_dir():
            expected = "the folder of OntoNotes 5 in CoNLL's columns for --ontonotes"
            raise CorpusFormatError(ontonotes, None, "no such folder", expected)

    def documents(self, split: str) -> Tuple[List[Document], List[str]]:
        """
        # Returns

        `Tuple[List[Document], List[str]]`
            The documents of a split in the order of their names, and the names of those that its
            list has but not its folder.

        # Raises

        `CorpusFormatError`
            If the folder or the list is missing, or the folder has none of the documents.
        """
        folder = self._annotations(split)
        documents: Dict[str, Document] = {}
        for path in sorted(folder.rglob(_PATTERN)):
            name = path.relative_to(folder).as_posix().partition(".")[0]
            if name in documents:
                expected = f"one file of the document, which is also in {documents[name].path}"
                raise CorpusFormatError(path, None, "a second file", expected)
            documents[name] = Document(name, path)
        listed = self._listed(split)
        missing = sorted(listed - documents.keys()) if listed is not None else []
        chosen = [item for item in documents.values() if listed is None or item.name in listed]
        if not chosen:
            found = f"none of the {len(missing)} documents of {split}.id" if missing else "no file"
            expected = f"{_PATTERN} files, made by OntoNotes' skeleton2conll.sh"
            raise CorpusFormatError(folder, None, found, expected)
        return chosen, missing

    def ids_path(self, split: str) -> Optional[Path]:
        """The list of a split's documents, if lists are used."""
        return self.ids / f"{split}.id" if self.ids is not None else None

    def _annotations(self, split: str) -> Path:
        for name in _FOLDERS[split]:
            found = sorted(self.ontonotes.rglob(f"{name}/{_ANNOTATIONS}"))
            if len(found) > 1:
                expected = f"one, as in a single version of the corpus; not {found[1]} too"
                raise CorpusFormatError(found[0], None, f"a folder of {split}", expected)
            if found:
                return found[0]
        names = " or ".join(f"{name}/{_ANNOTATIONS}" for name in _FOLDERS[split])
        expected = "OntoNotes 5 in CoNLL's columns for --ontonotes"
        raise CorpusFormatError(self.ontonotes, None, f"no folder {names} in it", expected)

    def _listed(self, split: str) -> Optional[Set[str]]:
        path = self.ids_path(split)
        if path is None:
            return None
        if not path.is_file():
            expected = f"the list of {split}'s documents for --ids"
            raise CorpusFormatError(path, None, "no such file", expected)
        # `data/english/annotations/bc/cctv/00/cctv_0001`, or the end of it.
        lines = (line.strip().rpartition("annotations/")[2] for line in read_lines(path))
        return {line.partition(".")[0] for line in lines if line}


def prepare_conll12(
    sources: OntonotesSources, out: Union[str, Path], converter: StanfordConverter
) -> List[ConllReport]:
    """
    Writes the folders `train`, `development` and `test`. Each has a `.gold_conll` file, as it is in
    OntoNotes, and a `.conllu` file for each document, and a `report.json`. A folder that an earlier
    call has finished from the same sources is not made again.

    # Parameters

    sources : `OntonotesSources`
    out : `Union[str, Path]`
        The folder to write to.
    converter : `StanfordConverter`

    # Returns

    `List[ConllReport]`
        One a split.

    # Raises

    `ConfigurationError`
        If Java fails, or if a folder to write is there already and not from here.
    `CorpusFormatError`
        If a file is missing or malformed, or if the converter's output has other sentences.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return [_prepare_split(sources, split, out / split, converter) for split in PUBLISHED]


def _prepare_split(
    sources: OntonotesSources, split: str, folder: Path, converter: StanfordConverter
) -> ConllReport:
    documents, missing = sources.documents(split)
    ids = sources.ids_path(split)
    paths = [document.path for document in documents] + ([ids] if ids is not None else [])
    made_from = {"sources": fingerprint(paths), "converter": converter.fingerprint}
    earlier = read_report(folder / _REPORT, made_from, ConllReport.from_json)
    if earlier is not None:
        logger.info("%s is complete", folder)
        return earlier
    _check_replaceable(folder)
    report = ConllReport(split, PUBLISHED[split], missing_documents=missing)
    if ids is None:
        report.hint_for_more = "--ids restricts OntoNotes to the documents of the shared task"
    partial = partial_path(folder)
    shutil.rmtree(partial, ignore_errors=True)
    _write_documents(documents, partial, report, converter)
    write_report(partial / _REPORT, report.to_json(), made_from)
    _replace_folder(partial, folder)
    converter.clear()
    return report


def _check_replaceable(folder: Path) -> None:
    if folder.exists() and not (folder / _REPORT).is_file():
        raise ConfigurationError(
            f"{folder}: found a folder without the {_REPORT} of `lisa prepare`; expected to write "
            "to a new one, since it would be replaced"
        )


def _replace_folder(new: Path, folder: Path) -> None:
    old = folder.with_name(folder.name + ".replaced")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        os.replace(folder, old)
    os.replace(new, folder)
    shutil.rmtree(old, ignore_errors=True)


def _write_documents(
    documents: List[Document], folder: Path, report: ConllReport, converter: StanfordConverter
) -> None:
    sentences = (item for document in documents for item in _read(document, report))
    converted = Tqdm.tqdm(converter.convert(sentences), desc=report.split, total=report.published)
    for document, items in itertools.groupby(converted, key=_document):
        srl_path = folder / f"{document.name}.gold_conll"
        srl_path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(document.path, srl_path)
        with open(srl_path.with_suffix(".conllu"), "w", encoding="utf-8") as file:
            for (_, sentence), parse in items:
                write_conllu([replace(sentence, parse=parse)], file)
                report.count(sentence)


def _document(converted: Tuple[Tuple[Document, Sentence], Parse]) -> Document:
    return converted[0][0]


def _read(
    document: Document, report: ConllReport
) -> Iterator[Tuple[BracketedSentence, Tuple[Document, Sentence]]]:
    lines = read_lines(document.path)
    for located, bits in parse_conll12_constituents(lines, document.path):
        sentence, line = located.sentence, located.line_numbers[0]
        pos = sentence.pos
        assert pos is not None
        words = [escape_parentheses(word) for word in sentence.words]
        tree = bracketed_tree(words, pos, bits)
        if tree is None:
            report.flat_trees.append(f"{document.path}:{line}")
            tree = flat_tree(words, pos)
        yield BracketedSentence(words, tree, document.path, line), (document, sentence)
