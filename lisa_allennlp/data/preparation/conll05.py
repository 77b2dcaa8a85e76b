"""
Preparation of CoNLL-2005. The release lacks words; these, and the gold parts of speech and
constituents, come from the Penn Treebank and its Brown Corpus.

`prepare_conll05` annotates the trees with a `TreebankAnnotator` and writes the splits.

    >>> from lisa_allennlp.data.preparation.conll05_sources import Conll05Sources
    >>> sources = Conll05Sources(
    ...     release="fixtures/conll05_sources/conll05st-release",
    ...     ptb="fixtures/conll05_sources/treebank_3",
    ... )
    >>> [part] = sources.parts("dev")
    >>> _, gathered = next(gather(part))
    >>> gathered.sentence
    <Sentence 'We swam .' | swam: [A0: We] [V: swam]>
"""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, TextIO, Tuple, Union

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
from lisa_allennlp.data.formats.rolesets import join_roleset
from lisa_allennlp.data.formats.tokens import escape_parentheses
from lisa_allennlp.data.preparation.annotator import TAGS_SUFFIX, TreebankAnnotator
from lisa_allennlp.data.preparation.conll05_sources import (
    PARSER_VALIDATION,
    Conll05Sources,
    Part,
)
from lisa_allennlp.data.preparation.conll_report import ConllReport
from lisa_allennlp.data.preparation.outputs import (
    begin_report,
    fingerprint,
    read_report,
    write_report,
    written_whole,
)
from lisa_allennlp.data.preparation.stanford_tool import BracketedSentence
from lisa_allennlp.data.sentence import Sentence

logger = logging.getLogger(__name__)

PUBLISHED = {
    "train": 39832,
    "dev": 1346,
    PARSER_VALIDATION: 1700,
    "test.wsj": 2416,
    "test.brown": 426,
}
"""The number of sentences per split in the literature."""


class GatheredSentence(NamedTuple):
    """
    A sentence with all columns.

    # Parameters

    sentence : `Sentence`
        Words, parts of speech (both in the official form) and, except in section 22, frames.
    constituents : `List[str]`
        The constituent bit of each word.
    entities : `List[str]`
        The named-entity bit of each word.
    """

    sentence: Sentence
    constituents: List[str]
    entities: List[str]


def prepare_conll05(
    sources: Conll05Sources, out: Union[str, Path], annotator: TreebankAnnotator
) -> List[ConllReport]:
    """
    Writes `{split}.conll`, `{split}.conllu` and `{split}.report.json` for the splits `train`,
    `dev`, `test.wsj` and `test.brown`, and `section22.conllu` with its report. With a tagger, each
    split also gets a `{split}.tags.conllu`. Splits that an earlier call finished from the same
    sources are skipped.

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
            reports.append(_prepare_split(split, sources.parts(split), out, annotator))
        else:
            reports.append(ConllReport(split, PUBLISHED[split], skipped=reason))
    return reports


def written_suffixes(split: str, annotator: TreebankAnnotator) -> List[str]:
    """The suffixes of the files that `prepare_conll05` writes for a split."""
    roles = [] if split == PARSER_VALIDATION else [".conll"]
    tags = [TAGS_SUFFIX] if annotator.tags else []
    return [*roles, ".conllu", *tags]


def _prepare_split(
    split: str, parts: List[Part], out: Path, annotator: TreebankAnnotator
) -> ConllReport:
    report_path = out / f"{split}.report.json"
    files = {suffix: out / f"{split}{suffix}" for suffix in written_suffixes(split, annotator)}
    sources = [path for part in parts for path in (*part.treebank, *part.layers.values()) if path]
    made_from = {"sources": fingerprint(sources), **annotator.made_from}
    earlier = read_report(report_path, made_from, ConllReport.from_json)
    if earlier is not None and all(path.is_file() for path in files.values()):
        logger.info("%s is complete", files[".conllu"])
        return earlier
    begin_report(report_path, *files.values())
    report = ConllReport(split, PUBLISHED[split])
    with written_whole(*files.values()) as opened:
        outputs = dict(zip(files, opened, strict=True))
        gathered = (item for part in parts for item in gather(part))
        annotated = annotator.annotate(gathered)
        for item, parse, pos in Tqdm.tqdm(annotated, desc=split, total=report.published):
            _write(item._replace(sentence=replace(item.sentence, parse=parse)), pos, outputs)
            report.count(item.sentence)
    write_report(report_path, report.to_json(), made_from)
    annotator.clear()
    return report


def _write(
    item: GatheredSentence, predicted_pos: Optional[List[str]], outputs: Dict[str, TextIO]
) -> None:
    """Writes a sentence to the files of its split, which have their suffixes as keys."""
    sentence = item.sentence
    if ".conll" in outputs:
        write_conll05_sentence(sentence, outputs[".conll"], item.constituents, item.entities)
    write_conllu([sentence], outputs[".conllu"])
    if predicted_pos is not None:
        tags = [official_form(tag) for tag in predicted_pos]
        write_conllu([Sentence(sentence.words, tags)], outputs[TAGS_SUFFIX])


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
            blocks = sentence_blocks(enumerate(lines, start=1), path)
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


def gather(part: Part) -> Iterator[Tuple[BracketedSentence, GatheredSentence]]:
    """
    Joins the files of a part.

    # Returns

    `Iterator[Tuple[BracketedSentence, GatheredSentence]]`
        Each sentence as a tree to annotate and with all its columns.

    # Raises

    `CorpusFormatError`
        If a file is malformed or its sentences differ from the trees.
    """
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
    frames = layers["props"].sentence_of(located).frames if "props" in layers else None
    words = [official_form(word) for word in tree.words]
    if "words" in layers:
        _check_words(layers["words"], located, words)
    unknown = [NO_VALUE] * len(words)
    senses = layers["senses"].column_of(located) if "senses" in layers else unknown
    entities = layers["ne"].column_of(located) if "ne" in layers else ["*"] * len(words)
    if frames is not None:
        frames = [
            replace(frame, sense=join_roleset(frame.lemma, senses[frame.predicate]))
            for frame in frames
        ]
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
