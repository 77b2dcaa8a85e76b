"""
Makes the models that the package contains, `english` and `english-fast`: trains two teachers on the
treebank, labels raw text with them, trains each network on these sentences and then on the treebank
alone, and exports it. An
interrupted run continues where it stopped.

```
python -m experiments.english --corpus EWT --vectors vectors.txt.gz --raw-text raw-text.txt.xz \
    --out out/english
```
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, List, Mapping, Sequence, Tuple

from experiments.execution import Execution
from experiments.jobs import Evaluating, FromFiles, Job, Training

CONFIGS = "training_configs/english"

CARD = Path("experiments/cards/english.md")
"""What the model cards say about the training data."""

LICENSE = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/)"

CONFIDENCE = {
    "english": {"role_temperature": 1.7, "arc_temperature": 1.6, "min_probability": 0.3},
    "english_fast": {"role_temperature": 1.5, "arc_temperature": 1.4, "min_probability": 0.3},
}
"""By the config's name, what `python -m benchmarks.calibration` has found out on dev."""

MAX_WORDS = {"english": 120_000, "english_fast": 80_000}
"""The size of the exported vocabularies, by the config's name."""


@dataclass(frozen=True)
class Making(FromFiles):
    """
    Makes the file `output` by another module of Python.

    # Parameters

    by : `str`, optional
        The module.
    """

    by: str = "lisa_allennlp"

    @property
    def module(self) -> str:
        """As in `Job`."""
        return self.by


@dataclass(frozen=True)
class Continuing(Training):
    """A training that starts from the weights of the last of the trainings that it needs."""

    def arguments(self) -> List[str]:
        """As in `Job`."""
        arguments = super().arguments()
        if "--recover" in arguments:
            return arguments
        last = self.needs[-1]
        assert isinstance(last, Training)
        return [*arguments, "--from", str(last.model)]


def main() -> int:
    """Runs the command and returns the exit status."""
    args = _parser().parse_args()
    jobs = plan(args.corpus, args.vectors, args.raw_text, args.out, args.tokens, args.processes)
    if args.dry_run:
        for job in jobs:
            print(("# done: " if job.is_done() else "") + job.command_line())
        return 0
    execution = Execution(args.out / "logs")
    execution.run(jobs)
    return 1 if execution.failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
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
    """
    # Returns

    `Sequence[Job]`
        All jobs, each after those that it needs.
    """
    train, dev = corpus / "ewt-train.gold_conll", corpus / "ewt-dev.gold_conll"
    environment = {
        "LISA_DATA": "ewt",
        "LISA_CORPUS": str(corpus),
        "LISA_VECTORS": str(vectors),
        "LISA_SILVER": str(out / "silver.gold_conll"),
    }
    teachers = [
        Training(name, out / name, environment=environment, config=f"{CONFIGS}/{name}.jsonnet")
        for name in ("parser_teacher", "lisa_teacher")
    ]
    sentences = Making(
        "sentences",
        out / "sentences.jsonl",
        data=(raw_text, train),
        by="experiments.raw_sentences",
        command=_options(
            str(raw_text),
            {"--like": train, "--tokens": tokens, "--output-file": out / "sentences.jsonl"},
        ),
    )
    silver = Making(
        "silver",
        out / "silver.gold_conll",
        needs=(*teachers, sentences),
        data=(train,),
        by="experiments.silver",
        command=_options(
            str(sentences.output),
            {
                "--parser": teachers[0].model,
                "--lisa": teachers[1].model,
                "--gold": train,
                "--processes": processes,
                "--output": out / "silver.gold_conll",
            },
        ),
    )
    models = [
        job for config in ("", "_fast") for job in _model(config, silver, environment, out, dev)
    ]
    return [*teachers, sentences, silver, *models]


def _model(
    ending: str, silver: Job, environment: Mapping[str, str], out: Path, dev: Path
) -> Iterator[Job]:
    """The jobs that make `english`, or with the ending `_fast`, `english-fast`."""
    student = Training(
        f"silver{ending}",
        out / f"silver{ending}",
        needs=(silver,),
        environment=environment,
        config=f"{CONFIGS}/silver{ending}.jsonnet",
    )
    yield student
    name = f"english{ending}"
    continued = Continuing(
        name,
        out / name,
        needs=(student,),
        environment=environment,
        config=f"training_configs/{name}.jsonnet",
    )
    yield continued
    folder = out / "exported" / name.replace("_", "-")
    exported = Making(
        f"export_{name}",
        folder,
        needs=(continued,),
        data=(CARD,),
        command=("export", str(continued.model), str(folder), *_export_options(name)),
    )
    yield exported
    scores = out / f"{folder.name}.json"
    yield Evaluating(
        f"evaluate_{name}",
        scores,
        needs=(exported,),
        data=(dev,),
        command=("evaluate", str(folder), str(dev), "--output-file", str(scores)),
    )


def _export_options(name: str) -> Iterator[str]:
    yield from ("--force", "--license", LICENSE, "--about", str(CARD))
    yield from ("--precision", "float16", "--vector-bits", "8", "--max-words", str(MAX_WORDS[name]))
    # Not all processors have fast products in bfloat16.
    yield from (
        "-o",
        json.dumps({"model.precision": "float32", "model.confidence": CONFIDENCE[name]}),
    )


def _options(positional: str, options: Mapping[str, object]) -> Tuple[str, ...]:
    return (positional, *(str(part) for option in options.items() for part in option))


if __name__ == "__main__":
    sys.exit(main())
