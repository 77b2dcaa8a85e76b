"""`lisa prepare conll05` and `lisa prepare conll12`."""

import argparse
from typing import Sequence

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.preparation.annotator import TAGS_SUFFIX, TreebankAnnotator
from lisa_allennlp.data.preparation.conll05 import prepare_conll05, written_suffixes
from lisa_allennlp.data.preparation.conll05_sources import Conll05Sources
from lisa_allennlp.data.preparation.conll12 import OntonotesSources, prepare_conll12
from lisa_allennlp.data.preparation.conll_report import ConllReport
from lisa_allennlp.data.preparation.stanford_converter import StanfordConverter
from lisa_allennlp.data.preparation.stanford_tagger import StanfordTagger


def _annotator(args: argparse.Namespace) -> TreebankAnnotator:
    cache = args.out / ".converted"
    converter = StanfordConverter(args.stanford_parser, cache, args.copula_heads, java=args.java)
    if args.stanford_tagger is None:
        if args.tagger_model is not None:
            raise ConfigurationError(
                f"--tagger-model {args.tagger_model}: found no --stanford-tagger; expected it too"
            )
        return TreebankAnnotator(converter)
    tagger = StanfordTagger(args.stanford_tagger, args.tagger_model, cache, java=args.java)
    return TreebankAnnotator(converter, tagger)


def prepare_conll05_from_args(args: argparse.Namespace) -> None:
    sources = Conll05Sources(args.release, args.ptb, args.brown)
    annotator = _annotator(args)
    for report in prepare_conll05(sources, args.out, annotator):
        suffixes = written_suffixes(report.split, annotator)
        print(describe_conll(report, f"{args.out / report.split}{_listed(suffixes)}"))


def prepare_conll12_from_args(args: argparse.Namespace) -> None:
    sources = OntonotesSources(args.ontonotes, args.ids)
    annotator = _annotator(args)
    for report in prepare_conll12(sources, args.out, annotator):
        tags = [TAGS_SUFFIX] if annotator.tags else []
        print(describe_conll(report, f"{args.out / report.split}{_listed(['', *tags])}"))


def _listed(suffixes: Sequence[str]) -> str:
    """`.conll, .conllu and .tags.conllu`, to follow the common part of the names."""
    *others, last = suffixes
    return f"{', '.join(others)} and {last}" if others else last


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
    predicates = f", {report.predicates:,} predicates" if report.predicates else ""
    as_published = ", as published" if report.sentences == report.published else ""
    return "\n".join(
        [
            f"{report.split}: {report.sentences:,} sentences{as_published}, {report.tokens:,} "
            f"tokens{predicates}",
            *(f"  warning: {warning}" for warning in report.warnings()),
            f"  {files}",
        ]
    )
