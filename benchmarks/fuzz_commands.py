"""
What `benchmarks.fuzz` does with the files of annotated sentences: it calls dataset readers, and the
functions behind the commands `convert`, `score`, `compare`, `analyze` and `show`.
"""

import argparse
import functools
import json
import random
import shutil
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence
from unittest import mock

from allennlp.data import DatasetReader, Vocabulary

from benchmarks.fuzz_counts import Size
from benchmarks.fuzz_seeds import ENDINGS
from lisa_allennlp.commands.analyze import Analyze
from lisa_allennlp.commands.compare import Compare
from lisa_allennlp.commands.convert import Convert
from lisa_allennlp.commands.score import Score
from lisa_allennlp.commands.show import Show
from lisa_allennlp.data.annotated_files import AnnotatedFile, read_annotated
from lisa_allennlp.data.dataset_readers.ccgbank import CcgbankReader
from lisa_allennlp.data.dataset_readers.conll05_srl import Conll05SrlReader
from lisa_allennlp.data.dataset_readers.conll12_srl import Conll12SrlReader
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.data.formats.names import WRITABLE_FORMATS


class Call(NamedTuple):
    """
    # Parameters

    name : `str`
    run : `Callable[[], Optional[Size]]`
        Returns how much it read, if it tells.
    """

    name: str
    run: Callable[[], Optional[Size]]


def annotated_calls(format: str, path: Path, rng: random.Random) -> Iterator[Call]:
    readable = "conll05" if format == "combined_bio" else format
    yield Call("read", lambda: _size(format, read_annotated(path, readable, parses=True)))
    unnamed = path.with_name("unnamed")
    yield Call("read by content", lambda: _read_unnamed(path, unnamed))
    yield from _dataset_calls(format, path, rng)
    named = ["--from", readable]
    for target in rng.sample(list(WRITABLE_FORMATS), 2):
        out = path.with_name(f"out{ENDINGS[target]}")
        yield Call(f"convert to {target}", _command("convert", path, out, *named, "--to", target))
    yield from _lemma_calls(path)
    yield from _show_calls(path, rng)
    yield from _score_calls(format, readable, path, rng)


def _size(format: str, annotated: AnnotatedFile) -> Size:
    sentences = annotated.bare_sentences
    if format == "bio":
        sentences = [sentence for sentence in sentences for _ in sentence.frames or []]
    return size_of(sentence.words for sentence in sentences)


def size_of(sentences: Iterable[Sequence[str]]) -> Size:
    lengths = list(map(len, sentences))
    return Size(len(lengths), sum(lengths))


def _read_unnamed(path: Path, unnamed: Path) -> None:
    """Reads a file whose name tells no format."""
    if path.is_file():
        shutil.copyfile(path, unnamed)
        read_annotated(unnamed)


def _lemma_calls(path: Path) -> Iterator[Call]:
    gold = path.with_name("intact.gold_conll")
    for name, files in {"gold": (path, gold), "it": (gold, path)}.items():
        source, lemmas = files
        out = path.with_name(f"lemmas of {name}.props")
        convert = _command("convert", source, out, "--lemmas-from", lemmas)
        yield Call(f"convert, lemmas of {name}", convert)


def _show_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    other = path.with_name(f"intact{ENDINGS[rng.choice(('gold_conll', 'conllu', 'json'))]}")
    options = rng.choice(([], ["--html", path.with_name("page.html")]))
    yield Call("show", _command("show", path, *options))
    yield Call("show, compared", _command("show", other, "--compare", path))


def _score_calls(format: str, readable: str, path: Path, rng: random.Random) -> Iterator[Call]:
    gold = path.with_name(f"intact{ENDINGS[rng.choice(('gold_conll', 'conllu', 'json'))]}")
    measure: List[str] = rng.choice(
        (
            [],
            ["--strict"],
            ["--ignore-lemmas", "--confusion", "--latex"],
            ["--measure", "primesrl"],
        )
    )
    table_only = ("--confusion", "--latex")
    comparable = [option for option in measure if option not in table_only]
    formats = ["--predicted-format", readable]
    json_file = ["--json", path.with_name("scores.json")]
    yield Call("score srl", _command("score", "srl", gold, path, *formats, *measure, *json_file))
    gold_format = ["--gold-format", readable]
    yield Call("score srl, gold", _command("score", "srl", path, gold, *gold_format, *measure))
    quick = ["--samples", 20]
    both = [gold, path, path, *formats]
    yield Call("compare srl", _command("compare", "srl", *both, *comparable, *quick))
    if format in ("gold_conll", "combined_bio", "conllu", "json", "conll05"):
        tree = ["--punctuation"] if rng.random() < 0.5 else []
        if format == "conllu" and rng.random() < 0.5:
            gold, tree = path.with_name("intact.conllu"), ["--measure", "conll18"]
        yield Call("score parse", _command("score", "parse", gold, path, *formats, *tree))
        yield Call("score parse, gold", _command("score", "parse", path, gold, *gold_format, *tree))
        both = [gold, path, gold]
        yield Call("compare parse", _command("compare", "parse", *both, *tree, *quick))
    yield Call("analyze", functools.partial(_analyze, gold, path))
    yield Call("analyze, gold", functools.partial(_analyze, path, gold))
    parses = ["--parse", f"C={path}"] if format == "conllu" else []
    yield Call("analyze, parses", functools.partial(_analyze, gold, gold, parses))


@functools.lru_cache(maxsize=1)
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for command in (Score(), Compare(), Convert(), Analyze(), Show()):
        command.add_subparser(commands)
    return parser


def _command(*arguments: object) -> Callable[[], None]:
    """A call of the function of a command."""

    def run() -> None:
        args = _parser().parse_args(list(map(str, arguments)))
        args.func(args)

    return run


def _analyze(gold: Path, predicted: Path, options: Sequence[str] = ()) -> None:
    def written(analysis: Any, folder: Any) -> str:
        return json.dumps(analysis.to_dict())[:0]

    # The plots take seconds.
    with mock.patch("lisa_allennlp.commands.analyze.write_report", written):
        systems = ["--pred", f"A={predicted}", "--pred", f"B={gold}"]
        _command("analyze", "--gold", gold, *systems, *options, "--out", gold.parent / "report")()


def _read_instances(reader: DatasetReader, path: Path) -> Size:
    """Reads all instances, and makes tensors of them, as a training does."""
    instances = list(reader.read(path))
    vocab = Vocabulary.from_instances(instances)
    for instance in instances[:2]:
        instance.index_fields(vocab)
        instance.as_tensor_dict()
    return size_of(instance["metadata"].metadata["sentence"].words for instance in instances)


def instances_of(name: str, reader: DatasetReader, path: Path) -> Call:
    return Call(name, lambda: _read_instances(reader, path))


def _dataset_calls(format: str, path: Path, rng: random.Random) -> Iterator[Call]:
    if format in ("gold_conll", "conll05", "combined_bio"):
        reader = Conll12SrlReader if format == "gold_conll" else Conll05SrlReader
        intact = {"injected_parses_path": str(path.with_name("intact.conllu"))}
        beside = {"injected_parses_suffix": ".conllu", "parses_suffix": None}
        options: Dict[str, Any] = rng.choice(({}, {"parses_suffix": None}, intact, beside))
        yield instances_of(f"{reader.__name__} {options}", reader(senses=True, **options), path)
        one = reader(one_predicate_per_instance=True)
        yield Call("one_predicate_per_instance", lambda: _read_instances(one, path) and None)
    if format in ("conllu", "combined_bio"):
        yield from parses_calls(path, rng)
    if format == "conllu":
        yield instances_of("dependencies", CcgbankReader(corpus_format="dependencies"), path)
        corpus = path.with_name("damaged.gold_conll")
        as_trees = Conll12SrlReader()

        def read() -> Size:
            shutil.copyfile(path.with_name("intact.gold_conll"), corpus)
            return _read_instances(as_trees, corpus)

        yield Call("trees beside gold_conll", read)
        tags = ConlluParsesReader(pos_suffix=path.suffix, requires_parses=False)
        yield instances_of("pos_suffix", tags, path)


def parses_calls(path: Path, rng: random.Random) -> Iterator[Call]:
    options = {
        "use_language_specific_pos": rng.random() < 0.5,
        "requires_parses": rng.random() < 0.5,
        "use_predicted_pos": rng.random() < 0.3,
    }
    yield instances_of(f"conllu_parses {options}", ConlluParsesReader(**options), path)
