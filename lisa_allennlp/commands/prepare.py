"""
`lisa prepare`: builds corpora from their official releases.

```
lisa prepare ewt --propbank propbank-release --ud UD_English-EWT --out corpora/ewt
lisa prepare conll05 --release conll05st-release --ptb treebank_3 \\
    --stanford-parser stanford-parser.jar --stanford-tagger stanford-postagger.jar \\
    --out corpora/conll05
lisa prepare conll12 --ontonotes conll-formatted-ontonotes-5.0 --ids ids \\
    --stanford-parser stanford-parser.jar --out corpora/conll12
lisa prepare frames --frames propbank-frames --out corpora/frames
lisa prepare up --ud UD_Dutch-LassySmall --up UP_Dutch-LassySmall --out corpora/nl
```
"""

import argparse
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence

from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from lisa_allennlp.data.preparation.ewt import SplitReport
    from lisa_allennlp.data.preparation.outputs import ConllReport
    from lisa_allennlp.data.preparation.stanford import StanfordAnnotator

_SHOWN_SENTENCES = 5

_RESTART = "Files that an earlier run finished from the same sources are kept."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds a subcommand for each corpus."""
    corpora = parser.add_subparsers(
        title="corpora",
        description="lisa prepare CORPUS --help shows the options of a corpus",
        metavar="CORPUS",
        required=True,
    )

    def add(name: str, text: str, written: str) -> argparse.ArgumentParser:
        description = f"Build {text}. {written} {_RESTART}"
        corpus = corpora.add_parser(name, help=text, description=description)
        _add_folder(corpus, "--out", "the folder to write to")
        return corpus

    ewt = add(
        "ewt",
        "the English Web Treebank, from PropBank's and Universal Dependencies' repositories",
        "Writes ewt-SPLIT.gold_conll and ewt-SPLIT.conllu; ewt-SPLIT.report.json says what was "
        "left out and why.",
    )
    ewt.set_defaults(prepare=_prepare_ewt)
    _add_folder(ewt, "--propbank", "a checkout of propbank/propbank-release")
    _add_folder(ewt, "--ud", "a checkout of UniversalDependencies/UD_English-EWT")
    text = "first clone the repositories to --propbank and --ud if these folders do not exist"
    ewt.add_argument("--clone", action="store_true", help=text)
    ewt.add_argument(
        "--ud-release",
        metavar="TAG",
        help="the release of UD_English-EWT that --clone clones (default: the one of "
        "docs/corpora.md). Newer releases correct more of the tokens that PropBank annotated, and "
        "lose these sentences",
    )
    ewt.add_argument(
        "--skip-unequal-documents",
        action="store_true",
        help="leave out documents that have different numbers of sentences in the two "
        "repositories, instead of matching their sentences",
    )

    conll05 = add(
        "conll05",
        "CoNLL-2005, from its release, the Penn Treebank and the Brown Corpus",
        "Writes train.conll, dev.conll, test.wsj.conll and test.brown.conll, with trees in "
        ".conllu and counts in .report.json; section22.conllu, trees to validate a parser on; "
        "and with a tagger its tags in .tags.conllu. What the sources lack of the test sets "
        "and section 22 is skipped.",
    )
    conll05.set_defaults(prepare=_prepare_conll05)
    text = "conll05st-release, with conll05st-tests.tar.gz unpacked into it"
    _add_folder(conll05, "--release", text)
    _add_folder(conll05, "--ptb", "the Penn Treebank (LDC99T42), or its folder parsed/mrg/wsj")
    text = "the Treebank with the Brown Corpus, or its folder parsed/mrg/brown/ck (default: --ptb)"
    _add_folder(conll05, "--brown", text, required=False)
    _add_stanford(conll05)

    conll12 = add(
        "conll12",
        "CoNLL-2012, from OntoNotes 5",
        "Writes the folders train, development and test, with a .gold_conll file of each "
        "document, trees in .conllu and counts in report.json; and with a tagger its tags "
        "beside the folders, as in train.tags.conllu.",
    )
    conll12.set_defaults(prepare=_prepare_conll12)
    _add_folder(
        conll12,
        "--ontonotes",
        "conll-2012, or conll-formatted-ontonotes-5.0. At some depth it has the folders train, "
        "development and test (or conll-2012-test), each with *.gold_conll files in "
        "data/english/annotations",
    )
    _add_folder(
        conll12,
        "--ids",
        "a folder with the shared task's lists of documents: train.id, development.id and test.id "
        "of http://conll.cemantix.org/2012/download/ids/english/coref (default: all documents)",
        required=False,
    )
    _add_stanford(conll12)

    frames = add(
        "frames",
        "a corpus of the example sentences of PropBank's frame files, one annotated frame each",
        "A model labels the rest of each sentence. Writes frames.conllu, and frames.report.json "
        "with the number of examples that are left out, and why.",
    )
    frames.set_defaults(prepare=_prepare_frames)
    _add_folder(frames, "--frames", "a checkout of propbank/propbank-frames")
    text = "the model (default: english)"
    frames.add_argument("--model", default="english", metavar="MODEL", help=text)
    frames.add_argument(
        "--leave-out",
        type=Path,
        metavar="FILE",
        help="examples to leave out, such as those that overlap with evaluation data: in each "
        "line, the first 16 digits of the SHA-256 of a text in lower case without all but a-z0-9",
    )

    up = add(
        "up",
        "a language of Universal PropBank, from its release and that of Universal Dependencies",
        "Writes a .conllup file for each one of --up; .report.json has counts, and says what was "
        "left out and why.",
    )
    up.set_defaults(prepare=_prepare_up)
    _add_folder(up, "--ud", "the treebank's release of Universal Dependencies, with *.conllu files")
    _add_folder(up, "--up", "the release of Universal PropBank, with *.conllup files")
    text = "make the spans of arguments from their heads and the trees, instead of UP:ARGSPANS"
    up.add_argument("--spans-from-heads", action="store_true", help=text)


def _add_folder(
    parser: argparse.ArgumentParser, option: str, text: str, required: bool = True
) -> None:
    parser.add_argument(option, type=Path, required=required, metavar="DIR", help=text)


def _add_stanford(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stanford-parser",
        type=Path,
        required=True,
        metavar="JAR",
        help="stanford-parser.jar, or its folder, which converts constituents to Stanford "
        "dependencies. The paper uses version 3.5 "
        "(https://nlp.stanford.edu/software/lex-parser.html)",
    )
    parser.add_argument(
        "--no-copula-heads",
        dest="copula_heads",
        action="store_false",
        help="make the predicate the head of a clause with a copula, as in the trees of Dozat & "
        "Manning (2017). By default the copula is the head, as in the trees of LISA's authors",
    )
    parser.add_argument(
        "--stanford-tagger",
        type=Path,
        metavar="JAR",
        help="stanford-postagger.jar, or its folder, which predicts parts of speech for the parser "
        "(https://nlp.stanford.edu/software/tagger.html)",
    )
    parser.add_argument(
        "--tagger-model",
        type=Path,
        metavar="MODEL",
        help="its model; by default the paper's, models/english-left3words-distsim.tagger beside "
        "the jar",
    )
    text = "the Java program that runs them"
    parser.add_argument("--java", default="java", metavar="PROGRAM", help=text)


def run(args: argparse.Namespace) -> None:
    """Builds a corpus, and says what it has."""
    args.prepare(args)


def _prepare_ewt(args: argparse.Namespace) -> None:
    from lisa_allennlp.data.preparation.ewt import REPOSITORIES, UD_RELEASE, prepare_ewt

    if args.clone:
        _clone(REPOSITORIES["propbank"], args.propbank)
        _clone(REPOSITORIES["ud"], args.ud, args.ud_release or UD_RELEASE)
    for report in prepare_ewt(args.propbank, args.ud, args.out, args.skip_unequal_documents):
        _print_ewt(report, args.out)


def _clone(url: str, folder: Path, tag: Optional[str] = None) -> None:
    """Clones a tag of a git repository, or its newest commit, unless the folder exists."""
    if folder.exists():
        return
    command = ["git", "clone", "--depth", "1", *(["--branch", tag] if tag else [])]
    command += [url, str(folder)]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise ConfigurationError(f"{' '.join(command)} failed: {last}")


def _print_ewt(report: "SplitReport", out: Path) -> None:
    from lisa_allennlp.data.preparation.ewt import OTHER_TOKENS

    if report.is_absent:
        print(
            f"{report.split}: skipped, since none of its {report.listed_documents} listed "
            "documents is in both repositories"
        )
        return
    release = f", UD {report.ud_release}" if report.ud_release else ""
    print(
        f"{report.split}: {report.sentences} sentences, {report.tokens} tokens, "
        f"{report.predicates} predicates from {report.documents} of {report.listed_documents} "
        f"documents{release}"
    )
    for reason, count in report.reasons().items():
        print(f"  left out {count}: {reason}")
        if reason == OTHER_TOKENS:
            # This release of UD splits them into other tokens than PropBank's.
            lost = report.retokenized()
            for item in lost[:_SHOWN_SENTENCES]:
                print(f"    {item.ud}: {item.detail}")
            if len(lost) > _SHOWN_SENTENCES:
                print(f"    and {len(lost) - _SHOWN_SENTENCES} more with other tokens in UD")
    print(f"  {out / f'ewt-{report.split}.gold_conll'} and .conllu; details in .report.json")


def _prepare_conll05(args: argparse.Namespace) -> None:
    from lisa_allennlp.data.preparation.conll05 import (
        Conll05Sources,
        prepare_conll05,
        written_suffixes,
    )

    sources = Conll05Sources(args.release, args.ptb, args.brown)
    annotator = _annotator(args)
    for report in prepare_conll05(sources, args.out, annotator):
        _print_conll(report, args.out, written_suffixes(report.split, annotator))


def _prepare_conll12(args: argparse.Namespace) -> None:
    from lisa_allennlp.data.preparation.conll12 import OntonotesSources, prepare_conll12
    from lisa_allennlp.data.preparation.stanford import TAGS_SUFFIX

    annotator = _annotator(args)
    suffixes = ["", TAGS_SUFFIX] if annotator.tags else [""]
    for report in prepare_conll12(OntonotesSources(args.ontonotes, args.ids), args.out, annotator):
        _print_conll(report, args.out, suffixes)


def _prepare_frames(args: argparse.Namespace) -> None:
    import lisa_allennlp
    from lisa_allennlp.data.formats.conllu import write_conllu_roles
    from lisa_allennlp.data.preparation.frame_examples import FrameExamples, completed
    from lisa_allennlp.data.preparation.outputs import check_replaceable, written_whole

    out, report = args.out / "frames.conllu", args.out / "frames.report.json"
    check_replaceable(report, out)
    leave_out = [] if args.leave_out is None else args.leave_out.read_text("utf-8").split()
    reader = FrameExamples(args.frames, leave_out)
    examples = list(reader)
    # What learns from the corpus would leave out the arguments that a limit leaves out.
    labeller = lisa_allennlp.load(args.model, min_probability=0.0)
    labelled = list(labeller.pipe({"tokens": example.words} for example in examples))
    corpus = completed(examples, labelled, reader.skipped)
    counts = {
        "examples": len(corpus),
        "model": args.model,
        "left_out": dict(reader.skipped.most_common()),
    }
    args.out.mkdir(parents=True, exist_ok=True)
    with written_whole(report, out) as (report_file, file):
        write_conllu_roles(corpus, file)
        json.dump(counts, report_file, indent=1)
        report_file.write("\n")
    print(f"frames: {len(corpus)} examples")
    for reason, count in reader.skipped.most_common():
        print(f"  left out {count}: {reason}")
    print(f"  {out}; details in .report.json")


def _prepare_up(args: argparse.Namespace) -> None:
    from lisa_allennlp.data.formats.universal_propbank import shown_counts
    from lisa_allennlp.data.preparation.up import prepare_up

    for report in prepare_up(args.ud, args.up, args.out, args.spans_from_heads):
        print(
            f"{report.name}: {report.sentences:,} sentences, {report.tokens:,} tokens, "
            f"{report.predicates:,} predicates, {report.arguments:,} arguments"
        )
        for reason, count in Counter(item.reason for item in report.left_out).items():
            print(f"  left out {count:,}: {reason}")
            items = [item for item in report.left_out if item.reason == reason]
            for item in items[:_SHOWN_SENTENCES]:
                print(f"    {item.sentence}{': ' * bool(item.detail)}{item.detail}")
        if report.mended:
            print(f"  mended arguments: {shown_counts(report.mended)}")
        print(f"  {args.out / report.name}.conllup; details in .report.json")


def _annotator(args: argparse.Namespace) -> "StanfordAnnotator":
    from lisa_allennlp.data.preparation.stanford import StanfordAnnotator

    if args.stanford_tagger is None and args.tagger_model is not None:
        raise ConfigurationError(
            f"--tagger-model {args.tagger_model}: found no --stanford-tagger; expected it too"
        )
    return StanfordAnnotator(
        args.stanford_parser, args.copula_heads, args.stanford_tagger, args.tagger_model, args.java
    )


def _print_conll(report: "ConllReport", out: Path, suffixes: Sequence[str]) -> None:
    if report.skipped is not None:
        print(f"{report.split}: skipped, since {report.skipped}")
        return
    predicates = f", {report.predicates:,} predicates" if report.predicates else ""
    published = ", as published" if report.sentences == report.published else ""
    counts = f"{report.sentences:,} sentences{published}, {report.tokens:,} tokens{predicates}"
    print(f"{report.split}: {counts}")
    for warning in report.warnings():
        print(f"  warning: {warning}")
    *others, last = suffixes
    print(f"  {out / report.split}{', '.join(others)}{' and ' * bool(others)}{last}")
