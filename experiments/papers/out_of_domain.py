"""
Does syntax help most out of domain? Trains SA and LISA (small configs with a CRF) on four genres of
the English Web Treebank, and tests both on the fifth, for each genre. LISA is also tested with gold
trees, and with those of a D&M parser that is trained on the same four genres and reads characters
instead of tags. An interrupted run continues where it stopped.

    python -m experiments.papers.out_of_domain --corpus EWT --vectors vectors.txt.gz --out OUT
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from experiments.jobs import Evaluating, FromFiles, Job, Training, run_jobs
from lisa_allennlp.common.tables import format_table

GENRES = ("answers", "email", "newsgroup", "reviews", "weblog")
CONFIGS = {"SA": "sa_small", "LISA": "lisa_small"}
PARSER = "training_configs/dm_characters.jsonnet"
GOLD_TREES = {"dataset_reader.injected_parses_suffix": ".conllu"}
OVERRIDES = {
    "model.precision": "bfloat16",
    "model.label_smoothing": 0.0,
    "model.role_decoder": {"type": "crf"},
}
PARTS = {"train": "ewt-train", "dev": "ewt-dev"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--corpus", type=Path, required=True, help="a folder with ewt-*.gold_conll")
    parser.add_argument(
        "--vectors", type=Path, required=True, help="word vectors in GloVe's format"
    )
    parser.add_argument("--out", type=Path, required=True, help="the folder for all models")
    parser.add_argument("--genres", default=",".join(GENRES), help="(default: %(default)s)")
    parser.add_argument("--parsers", help="the genres that get a D&M parser (default: --genres)")
    parser.add_argument(
        "--epochs", type=int, default=12, help="of SA and LISA (default: %(default)s)"
    )
    args = parser.parse_args()
    chosen = args.genres.split(",")
    parsed = chosen if args.parsers is None else args.parsers.split(",")
    for option, genres in (("--genres", chosen), ("--parsers", parsed)):
        if not set(genres) <= {*GENRES, ""}:
            parser.error(f"{option}: found {','.join(genres)}; expected some of {','.join(GENRES)}")
    jobs = [job for genre in chosen for job in plan(args, genre, with_parser=genre in parsed)]
    failures = run_jobs(jobs, args.out / "logs", after_each=lambda: report(jobs, args.out))
    return int(bool(failures))


def plan(args: argparse.Namespace, genre: str, with_parser: bool) -> List[Job]:
    """The jobs for a genre to test on, whose files are written first."""
    corpus = divide(args.corpus, genre, args.out / genre)
    environment = {
        "LISA_DATA": "ewt",
        "LISA_CORPUS": str(corpus.resolve()),
        "LISA_VECTORS": str(args.vectors.resolve()),
    }

    def training(name: str, config: str, overrides: Dict[str, Any]) -> Training:
        folder = args.out / genre / name
        return Training(
            f"{genre}-{name}",
            folder,
            environment=environment,
            network=name,
            config=config,
            overrides=overrides,
        )

    jobs: List[Job] = []
    parser = training("D&M", PARSER, {}) if with_parser else None
    for name, config in CONFIGS.items():
        model = training(name, config, {"trainer.num_epochs": args.epochs, **OVERRIDES})
        jobs.append(model)
        for part in ("dev", "test"):
            data = corpus / f"ewt-{part}.gold_conll"
            jobs.append(evaluating(model, data, f"{genre}-{part}-{name}"))
            if name == "LISA":
                jobs.append(evaluating(model, data, f"{genre}-{part}-{name}+Gold", GOLD_TREES))
                if parser is not None:
                    parses = parsing(parser, corpus / f"ewt-{part}.conllu")
                    trees = {"dataset_reader.injected_parses_path": str(parses.output)}
                    name_with_trees = f"{genre}-{part}-{name}+D&M"
                    jobs += [parser] * (part == "dev")
                    jobs += [parses, evaluating(model, data, name_with_trees, trees, (parses,))]
    return jobs


def parsing(parser: Training, data: Path) -> FromFiles:
    output = parser.output / data.name
    command = ["predict", str(parser.model), str(data), "--use-dataset-reader"]
    command += ["--output-file", str(output)]
    name = f"{parser.name}-{data.stem}"
    return FromFiles(name, output, (parser,), data=(data,), command=tuple(command))


def evaluating(
    training: Training,
    data: Path,
    name: str,
    overrides: Optional[Dict[str, str]] = None,
    needs: Tuple[Job, ...] = (),
) -> Evaluating:
    output = training.output / "scores" / f"{name}.json"
    command = ["evaluate", str(training.model), str(data), "--output-file", str(output)]
    if overrides is not None:
        command += ["-o", json.dumps(overrides)]
    return Evaluating(name, output, (training, *needs), data=(data,), command=tuple(command))


def divide(corpus: Path, genre: str, folder: Path) -> Path:
    """
    Writes a corpus whose training and development parts lack a genre, and whose test part is all of
    this genre in both. Returns its folder.
    """
    divided = folder / "corpus"
    divided.mkdir(parents=True, exist_ok=True)
    for suffix, split in (
        (".gold_conll", r"(?<=#end document\n)"),
        (".conllu", r"(?<=\n\n)"),
    ):
        tested: List[str] = []
        for part in PARTS.values():
            text = (corpus / f"{part}{suffix}").read_text(encoding="utf-8")
            pieces = [piece for piece in re.split(split, text) if piece.strip()]
            is_tested = [genre == genre_of(piece) for piece in pieces]
            kept = [piece for piece, out in zip(pieces, is_tested, strict=True) if not out]
            tested += [piece for piece, out in zip(pieces, is_tested, strict=True) if out]
            write(divided / f"{part}{suffix}", kept)
        write(divided / f"ewt-test{suffix}", tested)
    return divided


def write(path: Path, pieces: List[str]) -> None:
    """Writes a file unless it is there already, so that what was made from it stays valid."""
    text = "".join(pieces)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def genre_of(piece: str) -> str:
    """The genre of a document in CoNLL-2012 columns, or of a sentence in CoNLL-U."""
    found = re.search(r"^#begin document \(\w+/\w+/(\w+)/|^# sent_id = (\w+)-", piece, re.MULTILINE)
    assert found, piece[:80]
    return found[1] or found[2]


def report(jobs: List[Job], out: Path) -> None:
    scores: Dict[str, Dict[str, Any]] = {}
    for job in jobs:
        if isinstance(job, Evaluating) and job.is_done():
            genre, part, name = job.name.split("-", 2)
            scores.setdefault(genre, {})[f"{name} {part}"] = job.scores()
    (out / "scores.json").write_text(json.dumps(scores, indent=2) + "\n")
    systems = ("SA", "LISA", "LISA+D&M", "LISA+Gold")
    columns = [f"{name} {part}" for part in ("dev", "test") for name in systems]
    rows = [
        [genre, *(f"{found[c]['srl_f1']:.2f}" if c in found else "" for c in columns)]
        for genre, found in scores.items()
    ]
    print(format_table(rows, ["tested genre", *columns], align_right=True), flush=True)


if __name__ == "__main__":
    sys.exit(main())
