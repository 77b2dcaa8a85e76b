"""
`lisa export`: turns a trained model into a self-contained folder, and such a folder into ONNX.

```
lisa export out/sample/model.tar.gz out/exported --precision float16 --license "CC BY-SA 4.0"
lisa export out/exported out/onnx --format onnx --precision int8
```
"""

import argparse

from lisa_allennlp.commands import options
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.version import VERSION


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "See docs/models.md and docs/onnx.md."
    parser.add_argument("model", help=options.MODEL_HELP)
    parser.add_argument("folder", help="the folder to write, new or empty")
    parser.add_argument(
        "--format",
        choices=("lisa", "onnx"),
        default="lisa",
        help="lisa, for this package, or onnx, for browsers and other languages: MODEL is then an "
        "exported folder, and the other options are --precision and --force (default: %(default)s)",
    )
    parser.add_argument(
        "--license",
        metavar="TEXT|FILE",
        help="the licence of the weights, which the data that they were trained on may determine: "
        "a line of text, or a file to copy",
    )
    parser.add_argument("--name", help="the model's name (default: the folder's)")
    text = "the model's version (default: the package's)"
    parser.add_argument("--model-version", default=VERSION, help=text)
    text = "Markdown for the model card: training data, domains, limits, credits"
    parser.add_argument("--about", metavar="FILE", help=text)
    parser.add_argument(
        "--metrics",
        metavar="FILE",
        help="the scores: metrics.json of a training, or a file of `lisa evaluate --output-file` "
        "(default: metrics.json beside the archive)",
    )
    parser.add_argument(
        "--evaluated-on",
        metavar="TEXT",
        help="the data that the scores are of, for the model card",
    )
    parser.add_argument(
        "--precision",
        choices=("float32", "float16", "int8"),
        default="float32",
        help="the precision in which weights are stored (default: %(default)s). The network always "
        "computes with its own precision, except for int8, which is for ONNX as float16 is not",
    )
    text = "store each value of a word vector in so many bits (default: as other weights)"
    parser.add_argument("--vector-bits", type=int, choices=(8,), help=text)
    parser.add_argument(
        "--max-words",
        type=options.at_least(1),
        metavar="N",
        help="keep the first N words of the vocabulary: the words of the training data, then those "
        "of the vectors' file (default: all)",
    )
    options.add_changes(parser, '{"model.predicate_threshold": 0.4}')
    options.add_packages(parser)
    text = "replace a folder that has an exported model"
    parser.add_argument("--force", action="store_true", help=text)


def run(args: argparse.Namespace) -> None:
    """Exports the model, and prints its size."""
    from lisa_allennlp.model_files.model_folder import size_of

    is_onnx = args.format == "onnx"
    if args.precision == ("float16" if is_onnx else "int8"):
        expected = "float32 or int8" if is_onnx else "float32 or float16"
        raise ConfigurationError(f"--precision is {args.precision}; expected {expected}")
    if is_onnx:
        from lisa_allennlp.inference.onnx_export import export_onnx

        export_onnx(args.model, args.folder, args.precision, args.force)
        print(f"{args.folder}: {size_of(args.folder) / 1e6:.1f} MB")
        return
    if args.license is None:
        raise ConfigurationError("--license: found none; expected the licence of the weights")
    from lisa_allennlp.commands.plugins import load_allennlp

    load_allennlp(args.include_package)
    from lisa_allennlp.archival.exporting import Description, Storage, export

    own = args.license, args.name, args.model_version, args.about, args.metrics, args.evaluated_on
    description = Description(*own)
    storage = Storage(args.precision, args.vector_bits, args.max_words)
    info = export(args.model, args.folder, description, storage, args.force, args.overrides)
    size = size_of(args.folder) / 1e6
    print(
        f"{args.folder}: {info.name} {info.version}, {info.parameters:,} parameters, {size:.1f} MB"
    )
