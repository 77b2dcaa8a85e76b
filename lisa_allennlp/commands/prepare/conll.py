"""`lisa prepare conll05` and `lisa prepare conll12`."""

import argparse
from pathlib import Path

from lisa_allennlp.commands.prepare.common import RESTART, add_out
from lisa_allennlp.data.preparation.conll05 import Conll05Sources, prepare_conll05
from lisa_allennlp.data.preparation.conll12 import OntonotesSources, prepare_conll12
from lisa_allennlp.data.preparation.conll_report import ConllReport
from lisa_allennlp.data.preparation.stanford import StanfordConverter


def add_conll05(corpora: argparse._SubParsersAction) -> None:
    """Adds the corpus to the command."""
    text = "CoNLL-2005, from its release, the Penn Treebank and the Brown Corpus"
    subparser = corpora.add_parser(
        "conll05",
        help=text,
        description=f"Build {text}. Writes train.conll, dev.conll, test.wsj.conll and "
        "test.brown.conll, each with its dependency trees in .conllu, and its number of sentences "
        "with the published number in .report.json. Missing test sets are skipped. "
        f"{RESTART}",
    )
    subparser.add_argument(
        "--release",
        type=Path,
        required=True,
        metavar="DIR",
        help="conll05st-release, with conll05st-tests.tar.gz unpacked into it",
    )
    subparser.add_argument(
        "--ptb",
        type=Path,
        required=True,
        metavar="DIR",
        help="the Penn Treebank (LDC99T42), or its folder parsed/mrg/wsj",
    )
    subparser.add_argument(
        "--brown",
        type=Path,
        metavar="DIR",
        help="the Treebank with the Brown Corpus, or its folder parsed/mrg/brown/ck (default: "
        "--ptb)",
    )
    add_out(subparser)
    _add_converter(subparser)
    subparser.set_defaults(func=_prepare_conll05)


def add_conll12(corpora: argparse._SubParsersAction) -> None:
    """Adds the corpus to the command."""
    text = "CoNLL-2012, from OntoNotes 5"
    subparser = corpora.add_parser(
        "conll12",
        help=text,
        description=f"Build {text}. Writes the folders train, development and test, with the "
        ".gold_conll file of each document and its dependency trees in a .conllu file, and the "
        "number of sentences with the published number in report.json. A folder from an earlier "
        f"run is replaced if its sources have changed. {RESTART}",
    )
    subparser.add_argument(
        "--ontonotes",
        type=Path,
        required=True,
        metavar="DIR",
        help="conll-2012, or conll-formatted-ontonotes-5.0. At some depth it has the folders "
        "train, development and test (or conll-2012-test), each with *.gold_conll files in "
        "data/english/annotations",
    )
    subparser.add_argument(
        "--ids",
        type=Path,
        metavar="DIR",
        help="a folder with the shared task's lists of documents: train.id, development.id and "
        "test.id of http://conll.cemantix.org/2012/download/ids/english/coref. OntoNotes 5 has "
        "more documents than these (default: all documents of the folders)",
    )
    add_out(subparser)
    _add_converter(subparser)
    subparser.set_defaults(func=_prepare_conll12)


def _add_converter(subparser: argparse.ArgumentParser) -> None:
    subparser.add_argument(
        "--stanford-parser",
        type=Path,
        required=True,
        metavar="JAR",
        help="stanford-parser.jar, or its folder, which converts constituents to Stanford "
        "dependencies. The paper uses version 3.5 "
        "(https://nlp.stanford.edu/software/lex-parser.html)",
    )
    subparser.add_argument(
        "--java",
        default="java",
        metavar="PROGRAM",
        help="the Java program that runs it",
    )


def _converter(args: argparse.Namespace) -> StanfordConverter:
    return StanfordConverter(args.stanford_parser, args.out / ".converted", args.java)


def _prepare_conll05(args: argparse.Namespace) -> None:
    sources = Conll05Sources(args.release, args.ptb, args.brown)
    for report in prepare_conll05(sources, args.out, _converter(args)):
        print(describe_conll(report, f"{args.out / report.split}.conll and .conllu"))


def _prepare_conll12(args: argparse.Namespace) -> None:
    sources = OntonotesSources(args.ontonotes, args.ids)
    for report in prepare_conll12(sources, args.out, _converter(args)):
        print(describe_conll(report, f"{args.out / report.split}"))


def describe_conll(report: ConllReport, files: str) -> str:
    """
    A report in a few lines.

    # Parameters

    report : `ConllReport`
    files : `str`
        The names of the written files.
    """
    if report.skipped is not None:
        return f"{report.split}: skipped, since {report.skipped}"
    as_published = ", as published" if report.sentences == report.published else ""
    return "\n".join(
        [
            f"{report.split}: {report.sentences:,} sentences{as_published}, {report.tokens:,} "
            f"tokens, {report.predicates:,} predicates",
            *(f"  warning: {warning}" for warning in report.warnings()),
            f"  {files}",
        ]
    )
