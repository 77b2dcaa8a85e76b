"""`lisa models`: lists the models that come with the package."""

import argparse
import json

from lisa_allennlp.models_on_disk import pretrained

MAIN_SCORES = ("srl_f1", "sense_accuracy", "predicate_f1", "pos_accuracy", "uas", "las", "accuracy")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Each can be used by its name, as in `lisa predict NAME FILE`."


def run(args: argparse.Namespace) -> None:
    from lisa_allennlp.common.tables import format_table

    rows = []
    for name in pretrained.names():
        folder = pretrained.FOLDER / name
        info = json.loads((folder / pretrained.INFO_NAME).read_text(encoding="utf-8"))
        scores = [
            f"{key} {info['scores'][key]:.1f}" for key in MAIN_SCORES if key in info["scores"]
        ]
        size = sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
        rows.append(
            [name, info["version"], f"{size:.1f} MB", info["license"], ", ".join(scores) or "-"]
        )
    print(format_table(rows, ["name", "version", "size", "licence", "scores"]))
