"""What `benchmarks.fuzz` does with a damaged file of each format."""

import contextlib
import functools
import random
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional
from unittest import mock

from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding

import lisa_allennlp.plugin  # noqa: F401
from benchmarks import fuzz_counts as counts
from benchmarks import fuzz_seeds as seeds
from benchmarks.fuzz_commands import Call, annotated_calls, instances_of, parses_calls, size_of
from benchmarks.fuzz_counts import Size
from benchmarks.fuzz_seeds import Seed
from lisa_allennlp.common.user_errors import user_message
from lisa_allennlp.data.annotated_files import AnnotatedFile
from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
from lisa_allennlp.data.formats.columns import read_lines
from lisa_allennlp.data.formats.constituents import parse_trees
from lisa_allennlp.data.formats.gold_skel import parse_gold_skel
from lisa_allennlp.data.formats.propbank_frames import PropBankFrames
from lisa_allennlp.data.formats.spans_csv import parse_spans_csv
from lisa_allennlp.data.preparation import conll05_sources
from lisa_allennlp.data.preparation.annotator import TreebankAnnotator
from lisa_allennlp.data.preparation.conll05 import prepare_conll05
from lisa_allennlp.data.preparation.conll05_sources import Conll05Sources
from lisa_allennlp.data.preparation.conll12 import OntonotesSources, prepare_conll12
from lisa_allennlp.data.preparation.ewt import prepare_ewt
from lisa_allennlp.data.sentence import Parse
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import items_of_file, read_content
from lisa_allennlp.labelling.requests import RequestReader, is_document
from lisa_allennlp.model_files.model_info import read_info
from lisa_allennlp.model_files.safe_config import read_config
from lisa_allennlp.model_files.vocabulary_files import read_vocabulary

Case = Callable[[Path, random.Random], Iterator["Call"]]


class Format(NamedTuple):
    """
    # Parameters

    seeds : `List[Seed]`
        The files to damage.
    calls : `Callable[[Path, Random], Iterator[Call]]`
        What to do with a damaged file, by its path.
    count : `Callable[[bytes], Size]`, optional
        How much is in a file, counted independently.
    has_lines : `bool`, optional (default = `True`)
        Whether errors name lines. Those of JSON objects name keys, those of texts bytes, and
        AllenNLP's and the vocabulary's words.
    """

    seeds: List[Seed]
    calls: Case
    count: Optional[Callable[[bytes], Size]] = None
    has_lines: bool = True


def all_formats(parts: List[AnnotatedFile]) -> Dict[str, Format]:
    """
    # Parameters

    parts : `List[AnnotatedFile]`
        Parts of a corpus, with trees.
    """
    sizes: Dict[str, Optional[Callable[[bytes], Size]]] = {
        "props": counts.blocks,
        "bio": counts.propositions,
        "gold_conll": counts.sentences_of_conll12,
        "conll05": counts.blocks,
        "combined_bio": counts.blocks,
        "conllu": counts.sentences_of_conllu,
        "json": counts.records,
    }
    annotated = {
        name: Format(
            seeds.annotated_seeds(parts, name), functools.partial(annotated_calls, name), count
        )
        for name, count in sizes.items()
    }
    bare = functools.partial(seeds.file_seeds, name="damaged.conllu")
    return {
        **annotated,
        "spans csv": Format(seeds.annotated_seeds(parts, "csv"), _csv_calls, counts.rows_of_csv),
        "conllx": Format(
            bare("formats/conllu/sample.conll"), parses_calls, counts.sentences_of_conllu
        ),
        "conll09": Format(bare("formats/conll09/sample.conll09"), parses_calls, counts.blocks),
        "auto": _supertags("auto", counts.derivations, "ccg/AUTO/*/*.auto"),
        "pipes": _supertags("pipes", counts.lines_of_pipes, "ccg/sample.pipe"),
        "supertag columns": _supertags("columns", counts.sentences_of_columns, "ccg/sample.tsv"),
        "gold_skel": Format(
            seeds.file_seeds("ewt_sources/propbank-release/data/**/*.gold_skel", name="damaged"),
            _skeleton_calls,
            counts.blocks,
        ),
        "bracketed trees": Format(
            seeds.file_seeds("conll05_sources/**/*.mrg", name="damaged.mrg"),
            _tree_calls,
            counts.trees,
        ),
        "frame files": Format(seeds.tree_seeds("frames/frames"), _frame_calls),
        "word vectors": Format(seeds.vector_seeds(), _vector_calls, has_lines=False),
        "vocabulary": Format(
            seeds.model_seeds("vocabulary/tokens.txt", "vocabulary/non_padded_namespaces.txt"),
            _model_calls,
            has_lines=False,
        ),
        "model.json": Format(seeds.model_seeds("model.json"), _model_calls, has_lines=False),
        "config.json": Format(seeds.model_seeds("config.json"), _model_calls, has_lines=False),
        "requests": Format(seeds.request_seeds(parts), functools.partial(_input_calls, "json")),
        "plain text": Format(seeds.text_seeds(parts), _text_calls, has_lines=False),
        "sources of EWT": Format(seeds.tree_seeds("ewt_sources"), _ewt_calls),
        "sources of CoNLL-2005": Format(seeds.tree_seeds("conll05_sources"), _conll05_calls),
        "sources of CoNLL-2012": Format(seeds.tree_seeds("conll12_sources"), _conll12_calls),
    }


def _supertags(corpus_format: str, count: Callable[[bytes], Size], pattern: str) -> Format:
    reader = CcgbankReader(corpus_format=corpus_format)

    def calls(path: Path, rng: random.Random) -> Iterator[Call]:
        yield instances_of("ccgbank_supertags", reader, path)

    ending = {"auto": ".auto", "pipes": ".pipe", "columns": ".tsv"}[corpus_format]
    return Format(seeds.file_seeds(pattern, name=f"damaged{ending}"), calls, count)


def _csv_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    yield Call("read", lambda: Size(len(list(parse_spans_csv(read_lines(path), path))), 0))


def _skeleton_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    yield Call("read", lambda: size_of(s.pos for s in parse_gold_skel(read_lines(path), path)))

    def frames() -> None:
        for sentence in parse_gold_skel(read_lines(path), path):
            sentence.frames()

    yield Call("frames", frames)


def _tree_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    yield Call("read", lambda: size_of(tree.words for tree in parse_trees(read_lines(path), path)))


def _frame_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    def look_up() -> None:
        frames = PropBankFrames(path.parent)
        for sense in ("sell.01", "good.02", "litigate.01", "no.01"):
            frames.roleset(sense)
            frames.of_word(sense[:-3], "v")

    yield Call("look up", look_up)


def _vector_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    vocab = Vocabulary(tokens_to_add={"tokens": ["the", ",", "senator", "board"]})

    def read() -> None:
        try:
            Embedding(embedding_dim=20, pretrained_file=str(path), vocab=vocab)
        except Exception as error:
            # AllenNLP reads the file, and the command line finds its name.
            message = user_message(error)
            if message is None:
                raise
            raise ConfigurationError(message) from error

    yield Call("Embedding", read)


def _model_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    folder = next(parent for parent in path.parents if (parent / "vocabulary").is_dir())
    yield Call("read_info", lambda: read_info(folder) and None)
    yield Call("read_config", lambda: read_config(folder) and None)
    lines = {"tokens": 3, "head_tags": 2}
    yield Call("read_vocabulary", lambda: read_vocabulary(folder, lines) and None)


@functools.lru_cache(maxsize=1)
def _request_reader() -> RequestReader:
    return RequestReader("en", ["head_indices", "head_tags", "predicates", "pos"])


def _input_calls(input_format: str, path: Path, rng: random.Random) -> Iterator[Call]:
    def read() -> None:
        for item in _items(path, input_format):
            if item.error:
                raise ConfigurationError(f"{path}:{item.position}: {item.error}")
            with _at(item.place):
                content = read_content(item.content, input_format)
                reader = _request_reader()
                (reader.read_document if is_document(content) else reader.read)(content)

    yield Call(f"read {input_format}", read)


def _items(path: Path, input_format: str) -> Iterator[Item]:
    with open(path, "rb") as file:
        yield from items_of_file(file, str(path), input_format)


@contextlib.contextmanager
def _at(place: str) -> Iterator[None]:
    """Adds the place to an error, as `lisa predict` does."""
    try:
        yield
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error.message}") from error


def _text_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    for input_format in ("text", "lines"):
        yield from _input_calls(input_format, path, rng)


def _ewt_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    root = _root(path, "propbank-release", "UD_English-EWT")
    sources = root / "propbank-release", root / "UD_English-EWT"
    skip = rng.random() < 0.5
    yield Call("prepare", lambda: prepare_ewt(*sources, root / "out", skip) and None)


class _Flat:
    """In place of the Stanford parser, gives each sentence a flat tree."""

    fingerprint = "flat"

    def annotate(self, sentences: Any) -> Iterator[Any]:
        for bracketed, item in sentences:
            length = len(bracketed.words)
            yield item, Parse([0] * length, ["root"] + ["dep"] * (length - 1))

    def clear(self) -> None:
        """Keeps nothing."""


def _conll05_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    root = _root(path, "conll05st-release", "treebank_3")

    def prepare() -> None:
        # fixtures/ has few sections.
        with mock.patch.dict(conll05_sources._SECTIONS, train=[2, 3]):
            sources = Conll05Sources(root / "conll05st-release", root / "treebank_3")
            prepare_conll05(sources, root / "out", TreebankAnnotator(_Flat()))

    yield Call("prepare", prepare)


def _conll12_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    root = _root(path, "conll-formatted-ontonotes-5.0", "ids")

    def prepare() -> None:
        sources = OntonotesSources(root / "conll-formatted-ontonotes-5.0", root / "ids")
        prepare_conll12(sources, root / "out", TreebankAnnotator(_Flat()))

    yield Call("prepare", prepare)


def _root(path: Path, *folders: str) -> Path:
    return next(p for p in path.parents if all((p / name).is_dir() for name in folders))
