"""
Makes the models that the package contains, `english` and `english-fast`:

1. two *teachers* are trained on the treebank: a Dozat & Manning parser, and a LISA;
2. `experiments.raw_sentences` chooses sentences of raw text;
3. `experiments.silver` labels them: the parser's trees are injected into the LISA;
4. a *student* per model is trained on these silver sentences, with the gold ones mixed in;
5. the student's training continues on the treebank alone;
6. the result is exported, and the export is evaluated on dev.

An interrupted run continues where it stopped. The networks and their trainings are the configs in
`training_configs/english` and `training_configs/english*.jsonnet`.

```
python -m experiments.english --corpus EWT --vectors vectors.txt.gz --raw-text raw-text.txt.xz \
    --out out/english
```
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Sequence

from experiments.jobs import Evaluating, FromFiles, Job, Training, run_jobs

CONFIGS = "training_configs/english"

CARD = Path("experiments/cards/english.md")
"""What the model cards say about the training data."""

LICENSE = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/)"

EXPORTED: Dict[str, Dict[str, Any]] = {
    "english": {
        "max_words": 120_000,
        "confidence": {"role_temperature": 1.7, "arc_temperature": 1.6, "min_probability": 0.3},
    },
    "english_fast": {
        "max_words": 80_000,
        "confidence": {"role_temperature": 1.5, "arc_temperature": 1.4, "min_probability": 0.3},
    },
}
"""By config, the size of the exported vocabulary, and what `benchmarks.calibration` found."""


def main() -> int:
    """Runs the command and returns the exit status."""
    args = _parser().parse_args()
    jobs = plan(args.corpus, args.vectors, args.raw_text, args.out, args.tokens, args.processes)
    if args.dry_run:
        print("\n".join(job.command_line() for job in jobs))
        return 0
    return int(bool(run_jobs(jobs, args.out / "logs")))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, required=True, help="what `lisa prepare ewt` wrote")
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors, GloVe's format")
    parser.add_argument("--raw-text", type=Path, required=True, help="a paragraph per line")
    parser.add_argument("--out", type=Path, required=True, help="the folder for all outputs")
    parser.add_argument("--tokens", type=int, default=5_000_000, help="of raw text to label")
    parser.add_argument("--processes", type=int, default=1, help="that label sentences")
    parser.add_argument("--dry-run", action="store_true", help="print the commands only")
    return parser


def plan(
    corpus: Path, vectors: Path, raw_text: Path, out: Path, tokens: int, processes: int
) -> Sequence[Job]:
    """Returns all jobs, each after those that it needs."""
    train, dev = corpus / "ewt-train.gold_conll", corpus / "ewt-dev.gold_conll"
    sentences, silver = out / "sentences.jsonl", out / "silver.gold_conll"
    environment = {
        "LISA_DATA": "ewt",
        "LISA_CORPUS": str(corpus),
        "LISA_VECTORS": str(vectors),
        "LISA_SILVER": str(silver),
    }

    def training(name: str, config: str, *needs: Job, **options: Any) -> Training:
        folder = out / name
        return Training(name, folder, needs, environment, config=f"{config}.jsonnet", **options)

    parser, lisa = (
        training(name, f"{CONFIGS}/{name}") for name in ("parser_teacher", "lisa_teacher")
    )
    choosing = FromFiles(
        "sentences",
        sentences,
        module="experiments.raw_sentences",
        data=(raw_text, train),
        command=_words(raw_text, "--like", train, "--tokens", tokens, "--output-file", sentences),
    )
    teachers = ("--parser", parser.model, "--lisa", lisa.model)
    labelling = FromFiles(
        "silver",
        silver,
        needs=(parser, lisa, choosing),
        module="experiments.silver",
        data=(train,),
        command=_words(
            sentences, *teachers, "--gold", train, "--processes", processes, "--output", silver
        ),
    )
    jobs: List[Job] = [parser, lisa, choosing, labelling]
    for name in EXPORTED:
        silver_name = name.replace("english", "silver")
        student = training(silver_name, f"{CONFIGS}/{silver_name}", labelling)
        tuned = training(name, f"training_configs/{name}", student, start=student)
        folder = out / "exported" / name.replace("_", "-")
        export = FromFiles(
            f"export_{name}",
            folder,
            needs=(tuned,),
            data=(CARD,),
            command=_words("export", tuned.model, folder, *_export_options(name)),
        )
        scores = out / f"{folder.name}.json"
        evaluation = Evaluating(
            f"evaluate_{name}",
            scores,
            needs=(export,),
            data=(dev,),
            command=_words("evaluate", folder, dev, "--output-file", scores),
        )
        jobs += [student, tuned, export, evaluation]
    return jobs


def _export_options(name: str) -> Sequence[object]:
    settings = EXPORTED[name]
    # Not all processors have fast products in bfloat16.
    overrides = {"model.precision": "float32", "model.confidence": settings["confidence"]}
    return [
        *("--force", "--license", LICENSE, "--about", CARD),
        *("--precision", "float16", "--vector-bits", 8, "--max-words", settings["max_words"]),
        *("-o", json.dumps(overrides)),
    ]


def _words(*words: object) -> "tuple[str, ...]":
    return tuple(map(str, words))


if __name__ == "__main__":
    sys.exit(main())
