"""Prepares CoNLL-2012: the English part of OntoNotes 5, with dependencies from its constituents."""

import itertools
import logging
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, TextIO, Tuple, Union

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
from lisa_allennlp.common.complete_files import complete_folder
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import read_lines
from lisa_allennlp.formats.conll12 import PATTERN, parse_conll12_constituents
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.formats.constituents import bracketed_tree, flat_tree
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.text.tokens import escape_parentheses

logger = logging.getLogger(__name__)

PUBLISHED = {"train": 75187, "development": 9603, "test": 9479}
"""Sentences per split in the literature."""

# The folder `test` of OntoNotes 5 has more documents than the test set of the shared task.
_FOLDERS = {
    "train": ("train",),
    "development": ("development",),
    "test": ("conll-2012-test", "test"),
}
_ANNOTATIONS = "data/english/annotations"
_REPORT = "report.json"


class Document(NamedTuple):
    """`name` is, for example, `bc/cctv/00/cctv_0001`."""

    name: str
    path: Path


class OntonotesSources:
    """
    Finds the documents of each split in the folder `conll-2012` of the shared task, or
    `conll-formatted-ontonotes-5.0`, which have at any depth a folder per split with
    `data/english/annotations`. `ids` is the folder of document lists (`train.id`, `development.id`,
    `test.id`); by default, all documents are used.
    """

    def __init__(self, ontonotes: Union[str, Path], ids: Optional[Union[str, Path]] = None) -> None:
        self.ontonotes = Path(ontonotes)
        self.ids = Path(ids) if ids is not None else None
        if not self.ontonotes.is_dir():
            expected = "the folder of OntoNotes 5 in CoNLL's columns for --ontonotes"
            raise CorpusFormatError(ontonotes, None, "no such folder", expected)

    def documents(self, split: str) -> Tuple[List[Document], List[str]]:
        """
        Finds the documents of a split, sorted by path, and the names of listed documents that are
        missing. Raises a `CorpusFormatError` if there is no folder, list or document.
        """
        folder = self._annotations(split)
        documents: Dict[str, Document] = {}
        for path in sorted(folder.rglob(PATTERN)):
            name = path.relative_to(folder).as_posix().partition(".")[0]
            if name in documents:
                expected = f"one file per document; {documents[name].path} is the same document"
                raise CorpusFormatError(path, None, "a second file", expected)
            documents[name] = Document(name, path)
        listed = self._listed(split)
        missing = sorted(listed - documents.keys()) if listed is not None else []
        chosen = [item for item in documents.values() if listed is None or item.name in listed]
        if not chosen:
            found = f"none of the {len(missing)} documents of {split}.id" if missing else "no file"
            expected = f"{PATTERN} files, made by OntoNotes' skeleton2conll.sh"
            raise CorpusFormatError(folder, None, found, expected)
        return chosen, missing

    def ids_path(self, split: str) -> Optional[Path]:
        return self.ids / f"{split}.id" if self.ids is not None else None

    def _annotations(self, split: str) -> Path:
        for name in _FOLDERS[split]:
            found = sorted(self.ontonotes.rglob(f"{name}/{_ANNOTATIONS}"))
            if len(found) > 1:
                expected = f"one folder, since a corpus has one version; {found[1]} is another one"
                raise CorpusFormatError(found[0], None, f"two folders of {split}", expected)
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
            expected = f"the document list of {split} for --ids"
            raise CorpusFormatError(path, None, "no such file", expected)
        # `data/english/annotations/bc/cctv/00/cctv_0001`, or only `bc/cctv/00/cctv_0001`.
        lines = (line.strip().rpartition("annotations/")[2] for line in read_lines(path))
        return {line.partition(".")[0] for line in lines if line}


def prepare_conll12(
    sources: OntonotesSources, out: Union[str, Path], annotator: StanfordAnnotator
) -> List[ConllReport]:
    """
    Writes the folders `train`, `development` and `test`. Each contains a `.gold_conll` file (copied
    from OntoNotes) and a `.conllu` file per document, and a `report.json`. With a tagger, a file
    beside each folder, such as `train.tags.conllu`, has the predicted tags of its documents in the
    order of their paths. Folders that an earlier call finished from the same sources are skipped.
    Returns one report per split. Raises a `ConfigurationError` if Java fails, a file is missing or
    malformed, or an output folder exists that this function did not write.
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return [_prepare_split(sources, split, out / split, annotator) for split in PUBLISHED]


def _prepare_split(
    sources: OntonotesSources, split: str, folder: Path, annotator: StanfordAnnotator
) -> ConllReport:
    documents, missing = sources.documents(split)
    ids = sources.ids_path(split)
    paths = [document.path for document in documents] + ([ids] if ids is not None else [])
    made_from = {"sources": fingerprint(paths), **annotator.made_from}
    earlier = read_report(folder / _REPORT, made_from, ConllReport.from_json)
    tags = [folder.with_name(folder.name + TAGS_SUFFIX)] if annotator.tags else []
    if earlier is not None and all(path.is_file() for path in tags):
        logger.info("%s is complete", folder)
        return earlier
    check_replaceable(folder / _REPORT, folder)
    report = ConllReport(split, PUBLISHED[split], missing_documents=missing)
    if ids is None:
        report.hint_for_more = "use --ids to keep only the documents of the shared task"
    with complete_folder(folder) as partial:
        with written_whole(*tags) as tags_files:
            _write_documents(documents, partial, report, annotator, tags_files)
        with open(partial / _REPORT, "w", encoding="utf-8") as file:
            write_report(file, report.to_json(), made_from)
    return report


def _write_documents(
    documents: List[Document],
    folder: Path,
    report: ConllReport,
    annotator: StanfordAnnotator,
    tags_files: List[TextIO],
) -> None:
    sentences = (item for document in documents for item in _read(document, report))
    annotated = annotator.annotate(sentences)
    annotated = shown(annotated, report.split, report.published)
    for document, items in itertools.groupby(annotated, key=lambda annotated: annotated[0][0]):
        srl_path = folder / f"{document.name}.gold_conll"
        srl_path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(document.path, srl_path)
        with open(srl_path.with_suffix(".conllu"), "w", encoding="utf-8") as file:
            for (_, sentence), parse, pos in items:
                write_conllu([replace(sentence, parse=parse)], file)
                for tags_file in tags_files:
                    write_conllu([Sentence(sentence.words, pos)], tags_file)
                report.count(sentence)


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
