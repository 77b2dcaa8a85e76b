"""
Depth and width of the English network against its speed: networks of several shapes learn from new
weights on the same sentences, with one of the ten epochs of the first training of `english`.

    python -m benchmarks.shapes --corpus EWT --vectors vectors.txt.gz --silver silver.gold_conll \\
        --out DIR [--runs N] [--json FILE]

The sentences are some that `experiments.english` has labelled. A repeated run continues where it
stopped. The scores are those of dev. `words/s` are words per CPU second of the light engine on one
thread, and `times` is its ratio to the network of `english`, the median of the runs.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Tuple

from benchmarks.common import Cell, Report, make_parser
from benchmarks.wings import in_a_process, write_inputs
from experiments.english import LICENSE
from experiments.jobs import Evaluating, FromFiles, Job, Training, run_jobs

SHAPES: Dict[str, Tuple[int, int, int]] = {
    "english-fast": (4, 4, 32),
    "four layers": (4, 8, 25),
    "narrow": (8, 4, 32),
    "english": (8, 8, 25),
    "twice the size": (8, 8, 36),
}
"""The number of layers, the number of heads and the size of a head."""

SCORES = {
    "F1": "srl_f1",
    "tags": "pos_accuracy",
    "predicates": "predicate_f1",
    "UAS": "uas",
    "LAS": "las",
}


def network(num_layers: int, num_heads: int, head_dim: int) -> Dict[str, Any]:
    """Returns what differs in the config: tags at half of the depth, the tree at three quarters."""
    width = num_heads * head_dim
    is_narrow = width < 200
    role_dim = 100 if is_narrow else 200
    return {
        "model.encoder.num_layers": num_layers,
        "model.encoder.num_heads": num_heads,
        "model.encoder.head_dim": head_dim,
        "model.encoder.feedforward_hidden_dim": 4 * width,
        "model.encoder.predicate_layer": num_layers // 2,
        "model.encoder.parse_layer": num_layers * 3 // 4,
        "model.encoder.arc_dim": 200 if is_narrow else 500,
        "model.encoder.label_dim": 64 if is_narrow else 100,
        "model.predicate_dim": role_dim,
        "model.role_dim": role_dim,
    }


def main() -> int:
    """Trains, scores and times the networks; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors, GloVe's format")
    parser.add_argument("--silver", type=Path, required=True, help="sentences with labels")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the models")
    args = parser.parse_args()
    if args.corpus is None:
        parser.error("--corpus: expected what `lisa prepare ewt` wrote")
    dev = args.corpus / "ewt-dev.gold_conll"
    environment = {
        "LISA_DATA": "ewt",
        "LISA_CORPUS": str(args.corpus),
        "LISA_VECTORS": str(args.vectors),
        "LISA_SILVER": str(args.silver),
    }
    jobs: List[Job] = []
    evaluations: Dict[str, Evaluating] = {}
    for name, shape in SHAPES.items():
        slug = name.replace(" ", "_")
        training = Training(
            slug,
            args.out / slug,
            environment=environment,
            config="training_configs/english/silver.jsonnet",
            overrides={**network(*shape), "trainer.num_epochs": 1},
        )
        folder = args.out / "exported" / slug
        options = "--license", LICENSE, "--precision", "float16", "--vector-bits", "8"
        exported = FromFiles(
            f"export_{slug}",
            folder,
            (training,),
            command=("export", str(training.model), str(folder), *options),
        )
        scores = args.out / f"{slug}.json"
        command = "evaluate", str(folder), str(dev), "--output-file", str(scores)
        evaluations[name] = Evaluating(
            f"evaluate_{slug}", scores, (exported,), data=(dev,), command=command
        )
        jobs += [training, exported, evaluations[name]]
    if run_jobs(jobs, args.out / "logs"):
        return 1

    data = f"trained on {args.silver.name}; EWT dev"
    report = Report("shapes", args, data=data)
    folders = {name: str(job.needs[0].output) for name, job in evaluations.items()}
    with tempfile.TemporaryDirectory() as temporary:
        inputs, answers = Path(temporary) / "inputs", str(Path(temporary) / "answers")
        write_inputs(args.corpus, inputs)
        turns = [
            {
                name: words_per_second(folder, str(inputs), answers)
                for name, folder in folders.items()
            }
            for _ in range(args.runs)
        ]
    rows: List[List[Cell]] = []
    for name, (num_layers, num_heads, head_dim) in SHAPES.items():
        rate = statistics.median(turn[name] for turn in turns)
        ratio = statistics.median(turn[name] / turn["english"] for turn in turns)
        size = sum(file.stat().st_size for file in Path(folders[name]).rglob("*")) / 1e6
        scores_of = evaluations[name].scores()
        figures = (scores_of[metric] for metric in SCORES.values())
        rows.append([name, num_layers, num_heads * head_dim, size, rate, ratio, *figures])
    report.table(["network", "layers", "width", "MB", "words/s", "times", *SCORES], rows)
    return report.finish()


def words_per_second(folder: str, inputs: str, answers: str) -> float:
    """Labels the sentences in a fresh process."""
    arguments = "--measure", folder, "NumPy", inputs, answers
    return in_a_process("-m", "benchmarks.wings", *arguments)["words"]


if __name__ == "__main__":
    sys.exit(main())
