"""The arguments of `lisa reproduce`, which are read without PyTorch."""

import argparse
from pathlib import Path

from lisa_allennlp.commands import options

PAPERS = ("lisa", "dm", "ccg")
PARSERS = ("glove", "elmo")
TAGS = ("predicted", "gold")


def add_arguments(subparser: argparse.ArgumentParser) -> None:
    add = subparser.add_argument
    subparser.epilog = (
        "Writes report.md and report.json, with measured and published figures, to the output "
        "folder, and each table in LaTeX and CSV to its folder tables. Models, predictions and "
        "scores of an earlier run are kept there, and an interrupted training is continued."
    )
    add(
        "--paper",
        choices=PAPERS,
        default="lisa",
        help="LISA, Dozat & Manning's parser or the CCG supertagger",
    )
    add(
        "--tables",
        metavar="N,N",
        help="numbers of tables in the paper (default: those with figures on the corpus; if "
        "there are none, all)",
    )
    add(
        "--figures",
        metavar="N,N",
        help="numbers of figures in the paper (default: all, but none if there are --tables or "
        "--rows)",
    )
    add(
        "--rows",
        action="append",
        metavar="TEXT",
        help="only rows with this text in their labels, such as 'GloVe' or '+D&M'; can be repeated",
    )
    add(
        "--own",
        action="append",
        default=[],
        type=options.named_path,
        metavar="NAME=FOLDER",
        help="a row of your own for all tables with such a model: the output folder of a training, "
        "or a folder with one such folder per seed; can be repeated",
    )
    options.add(subparser, options.PACKAGES)
    add("--out", type=Path, required=True, metavar="DIR", help="the folder to write to")
    add(
        "--data",
        metavar="NAME",
        help="the corpus: sample, ewt, conll2005, conll2012, for --paper ccg ccgbank, for --paper "
        "dm also treebank or one of the paper's treebanks, such as ptb-sd-3.5.0 (default: the "
        "environment variable LISA_DATA, or sample; treebank with --train)",
    )
    add(
        "--corpus",
        metavar="DIR",
        help="the folder of the corpus (default: the environment variable LISA_CORPUS)",
    )
    for part, use in (("train", "train on"), ("dev", "choose epochs on"), ("test", "test on")):
        add(
            f"--{part}",
            metavar="FILE",
            help="for --paper dm: a file in CoNLL-U, CoNLL-X, CoNLL-2009 or .combined.bio format, "
            f"or a folder of .conllu files, to {use}",
        )
    add(
        "--size",
        choices=("published", "small"),
        help="the size of the networks; small ones are for CPUs (default: small for sample and "
        "ewt)",
    )
    add(
        "--parser-words",
        choices=PARSERS,
        default="elmo",
        help="the word vectors of the +D&M parser at published size; the paper has elmo",
    )
    add(
        "--parser-tags",
        choices=TAGS,
        default="predicted",
        help="the parser's tags: predicted ones, from files *.tags.conllu beside the trees or a "
        "column of --train, or, without --train, of a LISA trained on the corpus; or gold ones",
    )
    add(
        "--with-crf",
        action="store_true",
        help="also train LISA with a CRF, for a column of Table 7 that the paper does not have",
    )
    add(
        "--with-mentioned",
        action="store_true",
        help="for --paper ccg: also train, for Table 2, what the paper mentions without figures: "
        "the other networks without a dynamic window, and 400 and 600 cells",
    )
    add(
        "--seeds",
        metavar="N,N",
        help="train every network with each of these random seeds, and report means, standard "
        "deviations and the significance of differences",
    )
    add(
        "-o",
        "--overrides",
        default="{}",
        metavar="JSON",
        help="overrides of all configs, as for the train command",
    )
    add(
        "--set",
        action="append",
        default=[],
        metavar="[NETWORK:]KEY=VALUE",
        help="one override of all configs (trainer.num_epochs=5) or of one network's config "
        "(dm_small:trainer.num_epochs=2), with the network's folder name that --dry-run shows; can "
        "be repeated",
    )
    add(
        "--max-hours",
        type=float,
        metavar="HOURS",
        help="end each training with the epoch after which another one would exceed these hours "
        "of wall-clock time; a larger limit, or none, continues it later",
    )
    add(
        "--cuda-device",
        type=int,
        help="number of the GPU for evaluations, -1 for the CPU (default: 0 if there is a GPU)",
    )
    what = subparser.add_mutually_exclusive_group()
    what.add_argument(
        "--dry-run", action="store_true", help="print the commands without running them"
    )
    what.add_argument(
        "--estimate",
        action="store_true",
        help="only measure and print how long the trainings will take, which every run does first",
    )
    add("--no-estimate", action="store_true", help="begin without measuring the trainings")
