"""
`lisa export`: turns a trained model into a self-contained folder.

```
lisa export out/sample/model.tar.gz out/exported --precision float16 --license "CC BY-SA 4.0"
lisa export out/sample/model.tar.gz out/fast --precision int8 --data dev.gold_conll --license CC0
```
"""

import argparse
import os
from pathlib import Path

from lisa_allennlp.commands import options
from lisa_allennlp.commands.options import at_least, settings
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.version import VERSION

SCORES = ("srl_f1", "uas", "las", "sense_accuracy")


ARGUMENTS: options.Arguments = {
    "model": options.MODEL_HELP,
    "folder": "the folder to write, new or empty",
    "--license TEXT|FILE": settings(
        "the licence of the weights, which the data that they were trained on may determine: a "
        "line of text, or a file to copy",
        required=True,
    ),
    "--name NAME": "the model's name (default: the folder's)",
    "--model-version MODEL_VERSION": settings(
        "the model's version (default: the package's)", default=VERSION
    ),
    "--about FILE": "Markdown for the model card: training data, domains, limits, credits",
    "--metrics FILE": "the scores: metrics.json of a training, or a file of `lisa evaluate "
    "--output-file` (default: metrics.json beside the archive)",
    "--evaluated-on TEXT": "the data that the scores are of, for the model card",
    "--precision": settings(
        "the precision in which weights are stored (default: %(default)s). With int8, the model "
        "also labels in 8 bits, and its scores in both precisions are printed",
        choices=("float32", "float16", "int8"),
        default="float32",
    ),
    "--data FILE": "for int8: an annotated corpus, to find the ranges of values and to score the "
    "model (default: the validation data of the training)",
    "--vector-bits": settings(
        "store each value of a word vector in so many bits (default: as other weights)",
        type=int,
        choices=(8,),
    ),
    "--max-words N": at_least(
        1,
        "keep the first N words of the vocabulary: the words of the training data, then those of "
        "the vectors' file (default: all)",
    ),
    **options.changes('{"model.predicate_threshold": 0.4}'),
    **options.PACKAGES,
    "--force": "replace a folder that has an exported model",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "See docs/models.md and docs/onnx.md."
    options.add(parser, ARGUMENTS)


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.commands.plugins import load_allennlp

    data = _data(args) if args.precision == "int8" else None
    load_allennlp(args.include_package)
    from lisa_allennlp.models_on_disk.archives.exporting import Description, Storage, export
    from lisa_allennlp.models_on_disk.model_folder import size_of

    own = args.license, args.name, args.model_version, args.about, args.metrics, args.evaluated_on
    description = Description(*own)
    storage = Storage(args.precision, args.vector_bits, args.max_words)
    info = export(args.model, args.folder, description, storage, args.force, args.overrides, data)
    size = size_of(args.folder) / 1e6
    print(
        f"{args.folder}: {info.name} {info.version}, {info.parameters:,} parameters, {size:.1f} MB"
    )
    if data is not None:
        print(_compared(args.folder, data))


def _data(args: argparse.Namespace) -> str:
    from lisa_allennlp.models_on_disk.model_folder import read_config
    from lisa_allennlp.models_on_disk.pretrained import resolve

    path = args.data or read_config(resolve(args.model)).get("validation_data_path")
    if not (path and os.path.isfile(path)):
        found = f"no file {path}" if path else "none"
        raise ConfigurationError(
            f"--data: found {found}; expected an annotated corpus, which --precision int8 needs"
        )
    return path


def _compared(folder: str, data: str) -> str:
    from lisa_allennlp.commands.evaluate import score_labeller
    from lisa_allennlp.common.tables import format_table
    from lisa_allennlp.labelling.lisa_labeller import LisaLabeller
    from lisa_allennlp.labelling.loading import load_labeller
    from lisa_allennlp.models_on_disk.pretrained import PRECISIONS

    scores = []
    for precision in PRECISIONS:
        lisa = load_labeller(folder, precision=precision)
        assert isinstance(lisa, LisaLabeller)
        scores.append(score_labeller(lisa, False, data))
    rows = [[name, *(f"{s[name]:.2f}" for s in scores)] for name in SCORES if name in scores[0]]
    return format_table([[Path(data).name, *PRECISIONS], *rows])
