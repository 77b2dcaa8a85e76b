"""
The settings of an output folder (the corpus, the size of the networks, the training options), and
the selection of tables, rows and figures.
"""

import argparse
import dataclasses
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar

import torch

from experiments.papers.parts import Cell, Evaluation, Figure, Own, Paper, Row, Table
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.option_values import json_object

VARIABLES = ("LISA_DATA", "LISA_CORPUS", "LISA_VECTORS", "LISA_ELMO")
"""The environment variables that the configs of the tables read."""

UNKNOWN_CORPUS = "CORPUS"
"""Stands for the folder of the corpus where there is none; no file in it is read."""

Item = TypeVar("Item", Table, Figure)

MODEL_NAME = "model.tar.gz"
"""The model in the output folder of a training."""

LABELS_IN_ERRORS = 5
"""How many labels of rows an error names."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; paths are relative to the checkout."""

    out: Path
    # The corpus, one of the paper's `corpora`.
    data: str
    # The `VARIABLES`.
    environment: Mapping[str, str]
    # `published` or `small`.
    size: str
    # Without seeds, each network is trained once, with AllenNLP's default seeds.
    seeds: Tuple[int, ...]
    # Of all configs, and of single networks' configs.
    overrides: Mapping[str, Any]
    network_overrides: Mapping[str, Mapping[str, Any]]
    # The treebank's files: `train`, `dev` and perhaps `test`.
    files: Mapping[str, str] = field(default_factory=dict)
    # Whether these files have columns of predicted tags.
    have_predicted_tags: bool = False
    # What the parser reads: `predicted` or `gold`.
    parser_tags: str = "predicted"
    max_hours: Optional[float] = None
    # The GPU for evaluations; -1 for the CPU.
    cuda_device: int = -1
    # The user's trained models by the names of their rows, one model per seed.
    own: Mapping[str, Tuple[Path, ...]] = field(default_factory=dict)
    # The packages of the user's models.
    packages: Tuple[str, ...] = ()
    # Whether the commands are only printed, which needs no corpus.
    dry_run: bool = False


def settings_from(args: argparse.Namespace, paper: Paper) -> Settings:
    files = _files(args, paper)
    data = _data(args, paper, bool(files))
    have_predicted_tags = _read_starts(files)
    overrides = json_object("--overrides", args.overrides)
    network_overrides: Dict[str, Dict[str, Any]] = {}
    for text in args.set:
        network, key, value = parse_change(text)
        (network_overrides.setdefault(network, {}) if network else overrides)[key] = value
    if args.max_hours is not None and not args.max_hours > 0:
        raise ConfigurationError(f"--max-hours is {args.max_hours:g}; expected more than 0")
    device = args.cuda_device
    if device is None:
        device = 0 if torch.cuda.is_available() else -1
    return Settings(
        out=args.out,
        data=data,
        environment=_environment(args, paper, data, files),
        size=_size(args, paper, data),
        seeds=_seeds(args.seeds),
        overrides=overrides,
        network_overrides=network_overrides,
        files=files,
        have_predicted_tags=have_predicted_tags,
        parser_tags=args.parser_tags,
        max_hours=args.max_hours,
        cuda_device=device,
        own={name: _models(name, path) for name, path in args.own},
        packages=tuple(args.include_package),
        dry_run=args.dry_run,
    )


def _models(name: str, folder: str) -> Tuple[Path, ...]:
    """Returns the model of a training's folder, or those of its subfolders, one per seed."""
    own = Path(folder) / MODEL_NAME
    found = [own] if own.exists() else sorted(Path(folder).glob(f"*/{MODEL_NAME}"))
    if not found:
        raise ConfigurationError(
            f"--own: {name}: found no {MODEL_NAME} in {folder}; expected the output folder of a "
            "training, or a folder with one such folder per seed"
        )
    return tuple(found)


def add_own_rows(tables: Sequence[Table], own: Mapping[str, Tuple[Path, ...]]) -> List[Table]:
    """
    Returns the tables with a row of each of the user's models on each part of the corpus on which a
    row of the paper has an evaluation of such a model, without injected trees.
    """
    rows = {
        name: [list(_own_rows(table, name, models)) for table in tables]
        for name, models in own.items()
    }
    for name, of_tables in rows.items():
        if not any(of_tables):
            numbers = ", ".join(str(table.number) for table in tables)
            raise ConfigurationError(
                f"--own: {name}: found a model that no row of the tables {numbers} evaluates; "
                "expected one that reads the same files, with or without given predicates"
            )
    return [
        dataclasses.replace(table, rows=sum((of[n] for of in rows.values()), table.rows))
        for n, table in enumerate(tables)
    ]


def _own_rows(table: Table, name: str, models: Tuple[Path, ...]) -> Iterator[Row]:
    config = json.loads(models[0].with_name("config.json").read_text(encoding="utf-8"))["model"]
    kind = _READS.get(config["type"], "roles"), bool(config.get("predicate_indicator_embedding"))
    words = table.headings.index("words") if "words" in table.headings else None
    done = set()
    for row in table.rows:
        sources = [cell.source for cell in row.cells if cell is not None]
        labels = tuple("" if n == words else label for n, label in enumerate(row.labels[:-1]))
        if not sources or labels in done:
            continue
        if all(isinstance(s, Evaluation) and _is_of_kind(s, kind) for s in sources):
            done.add(labels)
            cells = tuple(cell and _own_cell(cell, name, models) for cell in row.cells)
            yield Row((*labels, name), cells, {})


_READS = {"deep_biaffine_parser": "trees", "ccg_supertagger": "supertags"}


def _is_of_kind(evaluation: Evaluation, kind: Tuple[str, bool]) -> bool:
    network = evaluation.network
    has_trees = evaluation.parser is not None or evaluation.gold_trees
    return (network.reads, network.needs_predicates) == kind and not has_trees


def _own_cell(cell: Cell, name: str, models: Tuple[Path, ...]) -> Cell:
    source = cell.source
    assert isinstance(source, Evaluation)
    own = Own(name, models, source.part, source.network.reads, source.variant, source.overrides)
    return Cell(own, cell.metric)


def _files(args: argparse.Namespace, paper: Paper) -> Dict[str, str]:
    given = {"train": args.train, "dev": args.dev, "test": args.test}
    files = {part: path for part, path in given.items() if path}
    if files and not paper.treebanks:
        given_options = " and ".join(f"--{part}" for part in files)
        raise ConfigurationError(
            f"{given_options}: found with --paper {args.paper}; expected --corpus, or --paper dm"
        )
    if files and not {"train", "dev"} <= files.keys():
        missing = " and ".join(f"--{part}" for part in ("train", "dev") if part not in files)
        raise ConfigurationError(f"{missing}: found nothing; expected a file of the treebank")
    for part, path in files.items():
        if not os.path.exists(path):
            raise ConfigurationError(
                f"--{part}: {path}: found no such file or folder; expected a treebank"
            )
    return files


def _read_starts(files: Mapping[str, str]) -> bool:
    """
    Reads the first sentence of each file, so that a wrong format is reported at once, and returns
    whether all have predicted tags.
    """
    from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader

    for path in files.values():
        next(ConlluParsesReader().read_sentences(path))
    try:
        for path in files.values():
            next(ConlluParsesReader(use_predicted_pos=True).read_sentences(path))
    except ConfigurationError:
        return False
    return bool(files)


def _data(args: argparse.Namespace, paper: Paper, has_files: bool) -> str:
    data = args.data or ("treebank" if has_files else os.environ.get("LISA_DATA")) or "sample"
    if data not in paper.corpora:
        raise ConfigurationError(f"--data is '{data}'; expected one of {', '.join(paper.corpora)}")
    if has_files and data not in paper.treebanks:
        raise ConfigurationError(
            f"--data is '{data}', which has its own files; with --train and --dev, expected one "
            f"of {', '.join(sorted(paper.treebanks))}"
        )
    return data


def _environment(
    args: argparse.Namespace, paper: Paper, data: str, files: Mapping[str, str]
) -> Dict[str, str]:
    environment = {name: os.environ.get(name, "") for name in VARIABLES}
    environment["LISA_DATA"] = "treebank" if data in paper.treebanks else data
    environment["LISA_CORPUS"] = args.corpus or environment["LISA_CORPUS"]
    if data == "sample":
        environment["LISA_CORPUS"] = ""
    if files:
        environment["LISA_CORPUS"] = os.path.dirname(files["train"]) or "."
    elif data != "sample" and not environment["LISA_CORPUS"]:
        # The length of a parser's training depends on the treebank.
        if args.dry_run and data not in paper.treebanks:
            return {**environment, "LISA_CORPUS": UNKNOWN_CORPUS}
        expected = "--train and --dev, or --corpus" if data in paper.treebanks else "--corpus"
        raise ConfigurationError(f"--data is '{data}': found no files; expected {expected}")
    return environment


def _size(args: argparse.Namespace, paper: Paper, data: str) -> str:
    is_small = data in ("sample", "ewt") and "small" in paper.sizes
    size = args.size or ("small" if is_small else "published")
    if size not in paper.sizes:
        raise ConfigurationError(
            f"--size is '{size}'; the configs of '{paper.title}' have one size"
        )
    return size


def parse_change(text: str) -> Tuple[str, str, Any]:
    """Returns the network (empty for all), the key and the value, a string if it is not JSON."""
    target, equals, value = text.partition("=")
    network, _, key = target.rpartition(":")
    if not equals or not key:
        raise ConfigurationError(f"--set: found {text!r}; expected [NETWORK:]KEY=VALUE")
    try:
        return network, key, json.loads(value)
    except json.JSONDecodeError:
        return network, key, value


def _seeds(text: Optional[str]) -> Tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(dict.fromkeys(int(seed) for seed in text.split(",")))
    except ValueError:
        raise ConfigurationError(
            f"--seeds: found {text!r}; expected whole numbers, as in 1,2,3"
        ) from None


def keep_settings(settings: Settings, paper: str, networks: List[str]) -> None:
    """
    Records the training settings of an output folder. The settings of networks that an earlier run
    trained there must not have changed.
    """
    file = settings.out / "settings.json"
    for report in (settings.out / "report.md", settings.out / "report.json"):
        if report.exists() and not file.exists():
            raise ConfigurationError(
                f"--out: found {report}, but no {file.name} of an earlier run beside it; expected "
                "another folder"
            )
    now: Dict[str, Any] = {
        "paper": paper,
        "environment": dict(settings.environment),
        "size": settings.size,
        "overrides": dict(settings.overrides),
        "files": dict(settings.files),
        "parser_tags": settings.parser_tags,
    }
    before = json_object(str(file), file.read_text(encoding="utf-8")) if file.exists() else now
    for name, value in now.items():
        _expect_unchanged(file, name, before.get(name, {}), value)
    trained = {path.name.partition(".seed")[0] for path in (settings.out / "models").glob("*")}
    changes = dict(before.get("network_overrides", {}))
    for network in dict.fromkeys([*networks, *settings.network_overrides]):
        change = dict(settings.network_overrides.get(network, {}))
        if network in trained:
            _expect_unchanged(file, f"changes of {network}", changes.get(network, {}), change)
        changes[network] = change
    now["network_overrides"] = {network: change for network, change in changes.items() if change}
    file.parent.mkdir(parents=True, exist_ok=True)
    with complete_file(file) as partial:
        partial.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")


def _expect_unchanged(file: Path, name: str, before: Any, now: Any) -> None:
    if before != now:
        raise ConfigurationError(
            f"{file}: found {name} {json.dumps(before)} of an earlier run; expected "
            f"{json.dumps(now)}, as in this run. Choose another --out"
        )


def select_tables(
    paper: Paper, numbers: Optional[str], rows: Optional[List[str]], data: str
) -> List[Table]:
    """
    Returns the tables with these numbers, separated by commas, or all with published figures on the
    corpus, if there are any; of their rows, those whose labels contain one of the texts.
    """
    if numbers is None:
        tables = [t for t in paper.tables if any(data in row.published for row in t.rows)]
        return _select_rows(tables or paper.tables, rows)
    return _select_rows(_by_number("--tables", paper, paper.tables, numbers), rows)


def select_figures(paper: Paper, numbers: Optional[str]) -> List[Figure]:
    if numbers is None:
        return paper.figures
    return _by_number("--figures", paper, paper.figures, numbers)


def _by_number(option: str, paper: Paper, items: Sequence[Item], numbers: str) -> List[Item]:
    by_number = {str(item.number): item for item in items}
    wanted = [number.strip() for number in numbers.split(",")]
    for number in wanted:
        if number not in by_number:
            expected = f"some of {','.join(by_number)}" if by_number else "no number"
            raise ConfigurationError(
                f"{option}: found '{number}'; expected {expected}, for '{paper.title}'"
            )
    return [by_number[number] for number in dict.fromkeys(wanted)]


def _select_rows(tables: List[Table], texts: Optional[List[str]]) -> List[Table]:
    if texts is None:
        return tables
    chosen = []
    for table in tables:
        rows = [r for r in table.rows if any(t.lower() in r.label.lower() for t in texts)]
        if rows:
            chosen.append(dataclasses.replace(table, rows=rows))
    if not chosen:
        labels = list(dict.fromkeys(f"'{row.label}'" for table in tables for row in table.rows))
        shown, others = labels[:LABELS_IN_ERRORS], len(labels) - LABELS_IN_ERRORS
        more = f" or of {others} more labels" if others > 0 else ""
        raise ConfigurationError(
            f"--rows: found {texts}; expected a part of {', '.join(shown)}{more}"
        )
    return chosen
