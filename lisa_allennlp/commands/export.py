"""
The `export` command: turns a trained model into a self-contained folder.

```
lisa export out/sample/model.tar.gz out/exported --precision float16 --license "CC BY-SA 4.0"
```
"""

import argparse

from allennlp.commands.subcommand import Subcommand

from lisa_allennlp.model_files.exporting import Description, Storage, export
from lisa_allennlp.model_files.model_info import size_of
from lisa_allennlp.model_files.weight_files import PRECISIONS, VECTOR_BITS
from lisa_allennlp.version import VERSION


@Subcommand.register("export")
class Export(Subcommand):
    """Exports a model to a folder that opens without a pickle and without network."""

    requires_plugins = True

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        """Adds the arguments of the command."""
        text = "Export a trained model to a self-contained folder."
        subparser = parser.add_parser(
            self.name, description=f"{text} See docs/models.md.", help=text
        )
        subparser.add_argument("model", help="model.tar.gz, a folder, or a name of `lisa models`")
        subparser.add_argument("folder", help="the folder to write, new or empty")
        subparser.add_argument(
            "--license",
            required=True,
            metavar="TEXT|FILE",
            help="the licence of the weights, which the data that they were trained on may "
            "determine: a line of text, or a file to copy",
        )
        subparser.add_argument("--name", help="the model's name (default: the folder's)")
        subparser.add_argument(
            "--model-version", default=VERSION, help="the model's version (default: the package's)"
        )
        subparser.add_argument(
            "--about",
            metavar="FILE",
            help="Markdown for the model card: training data, domains, limits, credits",
        )
        subparser.add_argument(
            "--metrics",
            metavar="FILE",
            help="the scores: metrics.json of a training, or a file of `lisa evaluate "
            "--output-file` (default: metrics.json beside the archive)",
        )
        subparser.add_argument(
            "--precision",
            choices=PRECISIONS,
            default="float32",
            help="the precision in which weights are stored (default: float32). The network always "
            "computes with its own precision",
        )
        subparser.add_argument(
            "--vector-bits",
            type=int,
            choices=VECTOR_BITS,
            help="store each value of a word vector in so many bits (default: as other weights)",
        )
        subparser.add_argument(
            "--max-words",
            type=int,
            metavar="N",
            help="keep the first N words of the vocabulary: the words of the training data, then "
            "those of the vectors' file (default: all)",
        )
        subparser.add_argument(
            "-o",
            "--overrides",
            default="",
            help="overrides of the model's config, as JSON, for the exported config: for example "
            "'{\"model.predicate_threshold\": 0.4}'",
        )
        subparser.add_argument(
            "--force", action="store_true", help="replace a folder that has an exported model"
        )
        subparser.set_defaults(func=export_model)
        return subparser


def export_model(args: argparse.Namespace) -> None:
    """Runs the command."""
    description = Description(args.license, args.name, args.model_version, args.about, args.metrics)
    storage = Storage(args.precision, args.vector_bits, args.max_words)
    info = export(args.model, args.folder, description, storage, args.force, args.overrides)
    size = size_of(args.folder) / 1e6
    print(
        f"{args.folder}: {info.name} {info.version}, {info.parameters:,} parameters, {size:.1f} MB"
    )
