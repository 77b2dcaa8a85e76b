"""The arguments of `lisa prepare`."""

import argparse
from pathlib import Path

RESTART = "Files that an earlier run finished from the same sources are kept."

TAGS_SUFFIX = ".tags.conllu"
UD_RELEASE = "r2.16"


def add_parser(parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Adds the command and its corpora."""
    text = "Build a corpus from its official release."
    subparser = parser.add_parser("prepare", description=text, help=text)
    corpora = subparser.add_subparsers(
        title="corpora",
        description="lisa prepare CORPUS --help shows the options of a corpus",
        dest="corpus",
        metavar="CORPUS",
        required=True,
    )
    _add_ewt(corpora)
    _add_conll05(corpora)
    _add_conll12(corpora)
    return subparser


def _add_ewt(corpora: argparse._SubParsersAction) -> None:
    """Adds the corpus to the command."""
    text = "the English Web Treebank, from PropBank's and Universal Dependencies' repositories"
    subparser = corpora.add_parser(
        "ewt",
        help=text,
        description=f"Build {text}. Writes ewt-SPLIT.gold_conll and ewt-SPLIT.conllu; "
        f"ewt-SPLIT.report.json says what was left out and why. {RESTART}",
    )
    subparser.add_argument(
        "--propbank",
        type=Path,
        required=True,
        metavar="DIR",
        help="a checkout of propbank/propbank-release",
    )
    subparser.add_argument(
        "--ud",
        type=Path,
        required=True,
        metavar="DIR",
        help="a checkout of UniversalDependencies/UD_English-EWT",
    )
    _add_out(subparser)
    subparser.add_argument(
        "--clone",
        action="store_true",
        help="first clone the repositories to --propbank and --ud if these folders do not exist",
    )
    subparser.add_argument(
        "--ud-release",
        default=UD_RELEASE,
        metavar="TAG",
        help="the release of UD_English-EWT that --clone clones. Newer releases correct more of "
        "the tokens that PropBank annotated, and lose these sentences",
    )
    subparser.add_argument(
        "--skip-unequal-documents",
        action="store_true",
        help="leave out documents that have different numbers of sentences in the two "
        "repositories, instead of matching their sentences",
    )


def _add_conll05(corpora: argparse._SubParsersAction) -> None:
    """Adds the corpus to the command."""
    text = "CoNLL-2005, from its release, the Penn Treebank and the Brown Corpus"
    subparser = corpora.add_parser(
        "conll05",
        help=text,
        description=f"Build {text}. Writes train.conll, dev.conll, test.wsj.conll and "
        "test.brown.conll, each with its dependency trees in .conllu, and its number of sentences "
        "with the published number in .report.json; and section22.conllu, trees to validate a "
        f"parser on. With a tagger, writes its tags in {TAGS_SUFFIX}. What is missing from the "
        "sources, of the test sets and section 22, is skipped. "
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
    _add_out(subparser)
    _add_converter(subparser)


def _add_conll12(corpora: argparse._SubParsersAction) -> None:
    """Adds the corpus to the command."""
    text = "CoNLL-2012, from OntoNotes 5"
    subparser = corpora.add_parser(
        "conll12",
        help=text,
        description=f"Build {text}. Writes the folders train, development and test, with the "
        ".gold_conll file of each document and its dependency trees in a .conllu file, and the "
        "number of sentences with the published number in report.json. With a tagger, writes its "
        f"tags beside the folders, as in train{TAGS_SUFFIX}. A folder from an earlier "
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
    _add_out(subparser)
    _add_converter(subparser)


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
        "--no-copula-heads",
        dest="copula_heads",
        action="store_false",
        help="make the predicate the head of a clause with a copula, as in the trees of Dozat & "
        "Manning (2017). By default the copula is the head, as in the trees of LISA's authors",
    )
    subparser.add_argument(
        "--stanford-tagger",
        type=Path,
        metavar="JAR",
        help="stanford-postagger.jar, or its folder, which predicts parts of speech for the parser "
        "(https://nlp.stanford.edu/software/tagger.html)",
    )
    subparser.add_argument(
        "--tagger-model",
        type=Path,
        metavar="MODEL",
        help="its model; by default the paper's, models/english-left3words-distsim.tagger beside "
        "the jar",
    )
    subparser.add_argument(
        "--java",
        default="java",
        metavar="PROGRAM",
        help="the Java program that runs them",
    )


def _add_out(subparser: argparse.ArgumentParser) -> None:
    subparser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder to write to"
    )
