"""
Makes the models that the package contains, `english` and `english-fast`:

1. two *teachers* are trained on the treebank: a Dozat & Manning parser, and a LISA;
2. `experiments.english.raw_sentences` chooses sentences of raw text;
3. `experiments.english.silver` labels them: the parser's trees are injected into the LISA;
4. a *student* per model is trained on these silver sentences, with the gold ones mixed in;
5. the student's training continues on the treebank alone;
6. in two more rounds, a parser and the student `english` together label other sentences, and the
   example sentences of PropBank's frames; the students' training continues on these, and once more
   on the treebank with the examples;
7. in a fourth round, the parser first learns from sentences that `english` has labelled, and they
   label earlier sentences again; then only `english` continues on the treebank;
8. in a fifth round, a second such parser labels other earlier sentences beside them;
9. in a sixth round, `english` alone labels sentences of more raw text, and `constructions` makes
   questions and more of them; both students' training continues on these, and each goes on from the
   mean of the weights of its last trainings;
10. a seventh round is like the sixth, without sentences in which phrases of verbs have no role;
11. the means of its trainings are evaluated on dev and exported, and the exports are evaluated.

An interrupted run continues where it stopped. The networks and their trainings are the configs in
`training_configs/english` and `training_configs/english*.jsonnet`.

```
python -m experiments.english.plan --corpus EWT --vectors vectors.txt.gz \
    --raw-text raw-text.txt.xz --more-text more-text.txt.xz --frames propbank-frames \
    --out out/english
```
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, TypeVar

from experiments.jobs import Evaluating, FromFiles, Job, Training, run_jobs

JobType = TypeVar("JobType", bound=Job)

CONFIGS = "training_configs/english"

CARD = Path("experiments/english/cards/english.md")
"""What the model cards say about the training data."""

LEFT_OUT = Path("experiments/english/frames_left_out.txt")
"""PropBank's examples that overlap with evaluation data."""

LICENSE = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/)"

THIRD_PARSER_SEED = 13370
"""Of the parser that labels in the third round."""

UNDISPUTED = 0.25
"""The share of the sentences on which the teachers agree that rounds after the second keep."""

FOURTH_RANGE = 90_000, 170_000
"""
The sentences of the first and of the second round that are labelled again in the fourth. Its parser
learns from those of the first round that are before them, the second one of the fifth round from
those of the second.
"""

FIFTH_RANGE = 170_000, 230_000
"""The sentences of both rounds that are labelled again in the fifth."""

FEW_BUT_MADE = [
    *("--share", "0.06", "--undisputed", "0.12", "--constructions", "100000"),
    *("--gold-copies", "2", "--example-copies", "1"),
]
"""Of the sixth round: what is made of the labelled sentences, and few of them."""

GENTLY: Dict[str, Any] = {
    "trainer.num_epochs": 1,
    "trainer.optimizer.lr": 0.0003,
    "data_loader.batches_per_epoch": 450,
}
"""How a training continues a little."""

Trainings = Sequence[Tuple[str, Sequence[str], Dict[str, Any]]]
"""Trainings of a round: each with its config, the options of its silver corpus, and overrides."""

SIXTH_ROUND: Dict[str, Trainings] = {
    "english": [
        (
            "training_configs/english",
            FEW_BUT_MADE,
            {"trainer.num_epochs": 2, "trainer.optimizer.lr": 0.0003},
        ),
        (f"{CONFIGS}/later_round", (), GENTLY),
        *[(f"{CONFIGS}/later_round", FEW_BUT_MADE, GENTLY)] * 3,
    ],
    "english_fast": [
        (
            f"{CONFIGS}/later_round",
            f"--undisputed {UNDISPUTED} --constructions 53000".split(),
            {"trainer.num_epochs": 5, "data_loader.batches_per_epoch": 900},
        ),
        (f"{CONFIGS}/later_round", FEW_BUT_MADE, GENTLY),
        (f"{CONFIGS}/later_round", (), GENTLY),
        *[(f"{CONFIGS}/later_round", FEW_BUT_MADE, GENTLY)] * 3,
    ],
}
"""
The trainings of the sixth round: each with its config, the options of its silver corpus, or none
for that of the one before, and overrides. `english-fast` first learns what `english` knows better.
"""

COVERED = (
    *("--share", "0.1", "--undisputed", "0.12", "--constructions", "70000", "--covered"),
    *("--example-copies", "1"),
)
"""The same for the seventh round, whose sentences give each phrase of a verb a role."""

SEVENTH_ROUND: Dict[str, Trainings] = {
    "english": [(f"{CONFIGS}/later_round", (*COVERED, "--gold-copies", "4"), GENTLY)] * 3,
    "english_fast": [(f"{CONFIGS}/later_round", (*COVERED, "--gold-copies", "6"), GENTLY)] * 3,
}

AVERAGED = 3
"""The number of trainings at the end of these rounds that a mean of weights is of."""

EXPORTED: Dict[str, Dict[str, Any]] = {
    "english": {
        "max_words": 120_000,
        "temperatures": {"role": 1.9, "arc": 2.0, "sense": 2.0},
    },
    "english_fast": {
        "max_words": 62_000,
        "temperatures": {"role": 1.7, "arc": 1.6, "sense": 1.8},
    },
}
"""By config, the size of the exported vocabulary, and what `benchmarks.calibration` found."""

LIMITS = {"min_probability": 0.4, "min_core_probability": 0.2}
"""With the limit for core roles, at most 5 % of the direct objects on dev have no argument."""


def main() -> int:
    """Runs the command and returns the exit status."""
    args = _parser().parse_args()
    jobs = plan(args)
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
    text = "other raw text, for the sixth round"
    parser.add_argument("--more-text", type=Path, required=True, help=text)
    parser.add_argument("--frames", type=Path, required=True, help="propbank/propbank-frames")
    parser.add_argument("--out", type=Path, required=True, help="the folder for all outputs")
    text = "of raw text to label in the first three rounds and in the sixth"
    tokens = [5_000_000, 4_500_000, 6_000_000, 5_000_000]
    parser.add_argument("--tokens", type=int, nargs=4, default=tokens, help=text)
    parser.add_argument("--processes", type=int, default=1, help="that label sentences")
    parser.add_argument("--dry-run", action="store_true", help="print the commands only")
    return parser


def plan(args: argparse.Namespace) -> Sequence[Job]:
    """Returns all jobs, each after those that it needs."""
    out, corpus, raw_text = args.out, args.corpus, args.raw_text
    train, dev = corpus / "ewt-train.gold_conll", corpus / "ewt-dev.gold_conll"
    environment = {
        "LISA_DATA": "ewt",
        "LISA_CORPUS": str(corpus),
        "LISA_VECTORS": str(args.vectors),
    }
    jobs: List[Job] = []

    def add(job: JobType) -> JobType:
        jobs.append(job)
        return job

    def training(name: str, config: str, *needs: Job, **options: Any) -> Training:
        silver = {"LISA_SILVER": str(needs[0].output)} if needs else {}
        variables = {**environment, **silver}
        return add(
            Training(name, out / name, needs, variables, config=f"{config}.jsonnet", **options)
        )

    def from_files(name: str, output: str, *words: object, **options: Any) -> FromFiles:
        return add(FromFiles(name, out / output, command=tuple(map(str, words)), **options))

    def sentences(
        name: str, tokens: int, *options: object, needs: Sequence[Job] = (), text: Path = raw_text
    ) -> Job:
        output = f"{name}.jsonl"
        command = text, "--like", train, "--tokens", tokens, *options
        files = {
            "module": "experiments.english.raw_sentences",
            "data": (text, train),
            "needs": needs,
        }
        return from_files(name, output, *command, "--output-file", out / output, **files)

    def labelled(name: str, *options: object, needs: Sequence[Job]) -> Job:
        output = f"{name}.gold_conll"
        command = "--gold", train, "--processes", args.processes, *options
        files = {"module": "experiments.english.silver", "data": (train,), "needs": needs}
        return from_files(name, output, *command, "--output", out / output, **files)

    parser, lisa = (
        training(name, f"{CONFIGS}/{name}") for name in ("parser_teacher", "lisa_teacher")
    )
    chosen = [sentences("sentences", args.tokens[0])]
    teachers = "--parsers", parser.model, "--lisa", lisa.model
    silver = labelled(
        "silver", "--sentences", chosen[0].output, *teachers, needs=(parser, lisa, *chosen)
    )
    students: Dict[str, Training] = {}
    for name in EXPORTED:
        student = training(f"{name}_silver", f"{CONFIGS}/{_config(name, 'silver')}", silver)
        config = f"training_configs/{name}"
        students[name] = training(f"{name}_first", config, student, start=student)

    def labelled_examples(name: str, teacher: Job) -> Job:
        folder = f"{name}_frames"
        return from_files(
            f"{name}_examples",
            f"{folder}/frames.conllu",
            *("prepare", "frames", "--frames", args.frames, "--out", out / folder),
            *("--model", teacher.model, "--leave-out", LEFT_OUT),
            needs=(teacher,),
            data=(LEFT_OUT,),
        )

    def later_round(
        name: str,
        texts: Sequence[object],
        parsers: Sequence[Training],
        *options: object,
        epochs: int = 4,
        continued: Sequence[str] = tuple(EXPORTED),
        metric: object = "+srl_f1",
    ) -> None:
        """
        Adds a round in which the parsers and the student `english` together label the texts. The
        best epoch on these is that with the best `metric`. Then some students are `continued` on
        the treebank with PropBank's examples.
        """
        teacher = students["english"]
        examples = labelled_examples(name, teacher)
        silver = labelled(
            f"{name}_silver",
            *("--sentences", *texts, "--parsers", *(parser.model for parser in parsers)),
            *("--lisa", teacher.model, "--lisa-trees", "--examples", examples.output, *options),
            needs=(*parsers, teacher, *chosen, examples),
        )
        overrides = {"trainer.num_epochs": epochs, "trainer.validation_metric": metric}
        for model, start in students.items():
            config = f"{CONFIGS}/{_config(model, 'later_round')}"
            students[model] = training(
                f"{model}_{name}_silver", config, silver, start, start=start, overrides=overrides
            )
        copies = "--gold-copies", 1, "--example-copies", 1
        tuning = labelled(
            f"{name}_tuning", "--examples", examples.output, *copies, needs=(examples,)
        )
        own = {"train_data_path": str(tuning.output), "trainer.num_epochs": epochs}
        for model in continued:
            start = students[model]
            config = f"training_configs/{model}"
            students[model] = training(
                f"{model}_{name}", config, start, tuning, start=start, overrides=own
            )

    def new_sentences(name: str, tokens: int) -> Job:
        """Adds the choice of sentences that no earlier round has used."""
        known = [job.output for job in chosen]
        chosen.append(sentences(name, tokens, "--without", *known, needs=tuple(chosen)))
        return chosen[-1]

    def silver_parser(name: str, silver: Job, start: Optional[Training] = None) -> Training:
        """Adds a parser that learns from labelled sentences, and then from the treebank."""
        needs = [silver] if start is None else [silver, start]
        on_silver = training(f"{name}_silver", f"{CONFIGS}/parser_silver", *needs, start=start)
        own = {"trainer.num_epochs": 2, "trainer.optimizer.lr": 0.0007}
        config = f"{CONFIGS}/parser_teacher"
        return training(name, config, on_silver, start=on_silver, overrides=own)

    text = new_sentences("second_sentences", args.tokens[1])
    later_round("second", [text.output], [parser])

    config = f"{CONFIGS}/parser_teacher"
    third_parser = training("third_parser_teacher", config, seed=THIRD_PARSER_SEED)
    text = new_sentences("third_sentences", args.tokens[2])
    undisputed = "--undisputed", UNDISPUTED
    later_round("third", [text.output], [third_parser], *undisputed)

    teacher = students["english"]
    texts = [text.output for text in chosen[:2]]
    of_parsers = [
        labelled(
            f"{name}_parser_sentences",
            *("--sentences", text, "--range", 0, FOURTH_RANGE[0]),
            *("--lisa", teacher.model, "--lisa-trees", "--gold-copies", 2),
            needs=(*chosen, teacher),
        )
        for name, text in zip(("fourth", "other"), texts, strict=True)
    ]
    parser = silver_parser("fourth_parser", of_parsers[0], third_parser)
    # The treebank would cost `english-fast` half a point of UAS.
    rest: Dict[str, Any] = {"continued": ["english"], "metric": ["+srl_f1", "+las"]}
    options = *undisputed, "--range", *FOURTH_RANGE
    later_round("fourth", texts, [parser], *options, epochs=3, **rest)

    other = silver_parser("other_parser", of_parsers[1])
    again = labelled(
        "fifth_parser_sentences",
        *("--sentences", *texts, "--parsers", parser.model),
        *("--lisa", teacher.model, "--lisa-trees", "--gold-copies", 2, *options),
        needs=(parser, teacher, *chosen),
    )
    parsers = [parser, silver_parser("fifth_parser", again, other)]
    options = *undisputed, "--range", *FIFTH_RANGE
    later_round("fifth", texts, parsers, *options, epochs=2, **rest)

    other_text = sentences("sixth_sentences", args.tokens[3], text=args.more_text)
    means: Dict[str, Job] = dict(students)

    def round_of_means(name: str, rounds: Dict[str, Trainings]) -> None:
        """
        Adds a round in which `english` alone labels sentences. The students learn from them and
        from what is made of them, one training after the other, and become the mean of the last.
        """
        teacher = means["english"]
        examples = labelled_examples(name, teacher)
        own = labelled(
            f"{name}_silver",
            *("--sentences", other_text.output, "--lisa", teacher.model, "--alone"),
            *("--gold-copies", 0),
            needs=(other_text, teacher),
        )
        for model, trainings in rounds.items():
            silver, start, last = own, means[model], []
            for number, (config, given, overrides) in enumerate(trainings, start=1):
                if given:
                    silver = labelled(
                        f"{model}_{name}_silver_{number}",
                        *("--labelled", own.output, "--lisa", start.model),
                        *("--examples", examples.output, *given, "--seed", number),
                        needs=(own, start, examples),
                    )
                start = training(
                    f"{model}_{name}_{number}",
                    _config(model, config),
                    silver,
                    start,
                    start=start,
                    overrides={"train_data_path": str(silver.output), **overrides},
                )
                last.append(start)
            folder = f"{model}_{name}_mean"
            means[model] = from_files(
                folder,
                folder,
                *(training.model for training in last[-AVERAGED:]),
                *("--out", out / folder),
                module="experiments.english.mean_weights",
                needs=tuple(last[-AVERAGED:]),
            )

    round_of_means("sixth", SIXTH_ROUND)
    round_of_means("seventh", SEVENTH_ROUND)

    def evaluated(name: str, model: Job, *options: str) -> Job:
        scores = out / f"{name.replace('_', '-')}.json"
        command = "evaluate", str(model.output), str(dev), *options, "--output-file", str(scores)
        return add(Evaluating(f"evaluate_{name}", scores, (model,), data=(dev,), command=command))

    for name, mean in means.items():
        scores = evaluated(f"{name}_mean", mean, "-o", json.dumps(export_overrides(name)))
        folder = f"exported/{name.replace('_', '-')}"
        export = from_files(
            f"export_{name}",
            folder,
            *("export", mean.output, out / folder, "--metrics", scores.output),
            *_export_options(name),
            needs=(mean, scores),
            data=(CARD,),
        )
        evaluated(name, export)
    return jobs


def _config(name: str, config: str) -> str:
    """The config of a student: `silver_fast` for `english_fast`."""
    return name.replace("english", config)


def _export_options(name: str) -> Sequence[object]:
    return [
        *("--force", "--license", LICENSE, "--about", CARD),
        *("--evaluated-on", "the dev part of the English Web Treebank with PropBank roles"),
        *("--precision", "float16", "--vector-bits", 8, "--max-words", EXPORTED[name]["max_words"]),
        *("-o", json.dumps(export_overrides(name))),
    ]


def export_overrides(name: str) -> Dict[str, Any]:
    """Returns what the config of an exported model has instead of that of the training."""
    confidence = {f"{task}_temperature": t for task, t in EXPORTED[name]["temperatures"].items()}
    # Not all processors have fast products in bfloat16.
    return {"model.precision": "float32", "model.confidence": {**confidence, **LIMITS}}


if __name__ == "__main__":
    sys.exit(main())
