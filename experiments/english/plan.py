"""
Makes `english`, the model of the package, in four steps:

1. a *teacher*, MPNet under LISA, learns from the treebank;
2. it labels raw text, and the example sentences of PropBank's frames, which have roles of one
   predicate: the *silver* sentences;
3. the *student*, the teacher with its first four layers, later half as wide between their
   feed-forward maps, learns on from the treebank with the silver sentences, then from the treebank
   alone, and last, with all else frozen, whether events happened;
4. both are exported in 8 bits and evaluated on dev.

The networks are `training_configs/english*.jsonnet`. An interrupted run continues where it stopped.

```
python -m experiments.english.plan --corpus EWT --factuality FOLDER --raw-text raw-text.txt.xz \
    --frames propbank-frames --out OUT
```
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, List, Mapping, Optional, Sequence, TypeVar

from experiments.english.encoder import encoder_folder
from experiments.jobs import Evaluating, FromFiles, Job, Training, run_jobs
from lisa_allennlp.nn.precision import PRECISIONS

JobType = TypeVar("JobType", bound=Job)

CARD = Path("experiments/english/cards/english.md")
"""What the model cards say about the training data."""

LEFT_OUT = Path("experiments/english/frames_left_out.txt")
"""PropBank's examples that overlap with evaluation data."""

LICENSE = "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/)"

EPOCHS = {
    "teacher": (10, 200),
    "english-wide": (8, 500),
    "english-silver": (12, 500),
    "english-treebank": (3, 400),
    "english": (4, 180),
}
"""
For each training, the number of epochs and of batches in one. These are of a few minutes, so that
an interruption costs little.
"""

ENCODER = "model.text_field_embedder.token_embedders.encoder.transformer_kwargs"
"""The key of the options of the student's encoder."""

FACTUALITY_ALONE = {
    "trainer.no_grad": ["^(?!_factuality)"],
    "trainer.optimizer": {
        "type": "adamw",
        "lr": 5e-4,
        "weight_decay": 0.03,
        "parameter_groups": None,
    },
    "trainer.validation_metric": "+factuality_r",
    "data_loader.batch_sampler.max_tokens": 1500,
    "model.role_dropout": 0.4,
    f"{ENCODER}.hidden_dropout_prob": 0,
    f"{ENCODER}.attention_probs_dropout_prob": 0,
}
"""How factuality is learned while the rest is frozen."""


def main() -> int:
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
    text = "a folder with train.tsv and dev.tsv, for `experiments.english.factuality`"
    parser.add_argument("--factuality", type=Path, required=True, help=text)
    parser.add_argument("--raw-text", type=Path, required=True, help="a paragraph per line")
    parser.add_argument("--tokens", type=int, default=650_000, help="of raw text to label")
    parser.add_argument("--frames", type=Path, required=True, help="propbank/propbank-frames")
    parser.add_argument("--out", type=Path, required=True, help="the folder for all outputs")
    text = "of the trainings; bfloat16 is several times as fast where the processor has AMX"
    parser.add_argument("--precision", choices=PRECISIONS, default="float32", help=text)
    parser.add_argument("--dry-run", action="store_true", help="print the commands only")
    return parser


def plan(args: argparse.Namespace) -> Sequence[Job]:
    out: Path = args.out
    jobs: List[Job] = []

    def add(job: JobType) -> JobType:
        jobs.append(job)
        return job

    def made(name: str, output: Path, *words: Any, **options: Any) -> FromFiles:
        return add(FromFiles(name, output, command=tuple(map(str, words)), **options))

    def corpus(part: str) -> FromFiles:
        source, table = args.corpus / f"ewt-{part}.gold_conll", args.factuality / f"{part}.tsv"
        output, module = out / "corpus" / f"ewt-{part}.conllu", "experiments.english.factuality"
        return made(part, output, source, table, output, module=module, data=(source, table))

    train, dev = corpus("train"), corpus("dev")
    vectors, module = out / "descriptions.txt", "experiments.english.descriptions"
    descriptions = made("descriptions", vectors, vectors, module=module)

    def training(
        name: str,
        config: str,
        start: Optional[Training] = None,
        silver: Sequence[Job] = (),
        network: Mapping[str, Any] = {},  # noqa: B006
    ) -> Training:
        num_epochs, num_batches = EPOCHS[name]
        overrides = {
            "model.precision": args.precision,
            "trainer.num_epochs": num_epochs,
            "data_loader.batches_per_epoch": num_batches,
            **network,
        }
        environment = {
            "LISA_DATA": "ewt",
            "LISA_CORPUS": str(train.output.parent),
            "LISA_TRANSFORMER": str(encoder_folder()),
            "LISA_SILVER": ",".join(str(job.output) for job in silver),
            "LISA_DESCRIPTIONS": str(descriptions.output),
        }
        sources = (train, dev, descriptions, *silver, start)
        needs = tuple(job for job in sources if job is not None)
        path = f"training_configs/{config}.jsonnet"
        options: Any = {"config": path, "overrides": overrides, "start": start}
        return add(Training(name, out / name, needs, environment, **options))

    # 1. The teacher.
    teacher = training("teacher", "english_large")

    # 2. Silver sentences.
    sentences, labelled, folder = out / "sentences.jsonl", out / "silver.jsonl", out / "examples"
    like = args.corpus / "ewt-train.gold_conll"
    choosing = (args.raw_text, "--like", like, "--tokens", args.tokens, "--output-file", sentences)
    module, read = "experiments.english.raw_sentences", (args.raw_text, like)
    chosen = made("sentences", sentences, *choosing, module=module, data=read)
    predicting = ("predict", teacher.model, sentences, "--precision", args.precision)
    way = ("--processes", 2, "--output-file", labelled)
    silver = made("silver", labelled, *predicting, *way, needs=(teacher, chosen))
    preparing = ("prepare", "frames", "--frames", args.frames, "--out", folder)
    rest, output = ("--model", teacher.model, "--leave-out", LEFT_OUT), folder / "frames.conllu"
    examples = made("examples", output, *preparing, *rest, needs=(teacher,), data=(LEFT_OUT,))

    # 3. The student.
    more, whole = (silver, examples), {ENCODER: {"num_hidden_layers": 4}}
    wide = training("english-wide", "english", teacher, more, whole)
    first = training("english-silver", "english", wide, more)
    trained = training("english-treebank", "english", first)
    student = training("english", "english", trained, network=FACTUALITY_ALONE)
    models = {"english-large": teacher, "english": student}

    # 4. Exports. The scores are of 8 bits.
    for name, model in models.items():
        scores, folder = out / f"{name}.json", out / "exported" / name
        export = made(
            f"export-{name}",
            folder,
            *("export", model.model, folder, "--license", LICENSE, "--about", CARD),
            *("--precision", "int8", "--vector-bits", 8, "--data", dev.output),
            *("-o", json.dumps({"model.precision": "float32"})),
            needs=(model,),
            data=(CARD, dev.output),
        )
        command = "evaluate", str(folder), str(dev.output), "--output-file", str(scores)
        add(Evaluating(f"evaluate-{name}", scores, (export, dev), command=command))
    return jobs


if __name__ == "__main__":
    sys.exit(main())
