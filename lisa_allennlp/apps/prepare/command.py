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
from typing import TYPE_CHECKING, Any, Callable, Dict, NamedTuple, Optional, Sequence

from lisa_allennlp.commands import options
from lisa_allennlp.commands.options import settings
from lisa_allennlp.common.errors import ConfigurationError

if TYPE_CHECKING:
    from lisa_allennlp.apps.prepare.ewt import SplitReport
    from lisa_allennlp.apps.prepare.outputs import ConllReport
    from lisa_allennlp.apps.prepare.stanford import StanfordAnnotator

_SHOWN_SENTENCES = 5

_RESTART = "Files that an earlier run finished from the same sources are kept."


def _folder(text: str, required: bool = True) -> Dict[str, Any]:
    return settings(text, type=Path, required=required, metavar="DIR")


EWT: options.Arguments = {
    "--propbank": _folder("a checkout of propbank/propbank-release"),
    "--ud": _folder("a checkout of UniversalDependencies/UD_English-EWT"),
    "--clone": "first clone the repositories to --propbank and --ud if these folders do not exist",
    "--ud-release TAG": "the release of UD_English-EWT that --clone clones (default: the one of "
    "docs/corpora.md). Newer releases correct more of the tokens that PropBank annotated, and "
    "lose these sentences",
    "--skip-unequal-documents": "leave out documents that have different numbers of sentences in "
    "the two repositories, instead of matching their sentences",
}
STANFORD: options.Arguments = {
    "--stanford-parser JAR": settings(
        "stanford-parser.jar, or its folder, which converts constituents to Stanford "
        "dependencies. The paper uses version 3.5 "
        "(https://nlp.stanford.edu/software/lex-parser.html)",
        type=Path,
        required=True,
    ),
    "--no-copula-heads": settings(
        "make the predicate the head of a clause with a copula, as in the trees of Dozat & "
        "Manning (2017). By default the copula is the head, as in the trees of LISA's authors",
        dest="copula_heads",
        action="store_false",
    ),
    "--stanford-tagger JAR": settings(
        "stanford-postagger.jar, or its folder, which predicts parts of speech for the parser "
        "(https://nlp.stanford.edu/software/tagger.html)",
        type=Path,
    ),
    "--tagger-model MODEL": settings(
        "its model; by default the paper's, models/english-left3words-distsim.tagger beside the "
        "jar",
        type=Path,
    ),
    "--java PROGRAM": settings("the Java program that runs them", default="java"),
}
CONLL05: options.Arguments = {
    "--release": _folder("conll05st-release, with conll05st-tests.tar.gz unpacked into it"),
    "--ptb": _folder("the Penn Treebank (LDC99T42), or its folder parsed/mrg/wsj"),
    "--brown": _folder(
        "the Treebank with the Brown Corpus, or its folder parsed/mrg/brown/ck (default: --ptb)",
        required=False,
    ),
    **STANFORD,
}
CONLL12: options.Arguments = {
    "--ontonotes": _folder(
        "conll-2012, or conll-formatted-ontonotes-5.0. At some depth it has the folders train, "
        "development and test (or conll-2012-test), each with *.gold_conll files in "
        "data/english/annotations"
    ),
    "--ids": _folder(
        "a folder with the shared task's lists of documents: train.id, development.id and test.id "
        "of http://conll.cemantix.org/2012/download/ids/english/coref (default: all documents)",
        required=False,
    ),
    **STANFORD,
}
FRAMES: options.Arguments = {
    "--frames": _folder("a checkout of propbank/propbank-frames"),
    "--model MODEL": settings("the model (default: english)", default="english"),
    "--leave-out FILE": settings(
        "examples to leave out, such as those that overlap with evaluation data: in each line, "
        "the first 16 digits of the SHA-256 of a text in lower case without all but a-z0-9",
        type=Path,
    ),
}
UP: options.Arguments = {
    "--ud": _folder("the treebank's release of Universal Dependencies, with *.conllu files"),
    "--up": _folder("the release of Universal PropBank, with *.conllup files"),
    "--spans-from-heads": "make the spans of arguments from their heads and the trees, instead of "
    "UP:ARGSPANS",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    corpora = parser.add_subparsers(
        title="corpora",
        description="lisa prepare CORPUS --help shows the options of a corpus",
        metavar="CORPUS",
        required=True,
    )
    for name, corpus in CORPORA.items():
        description = f"Build {corpus.text}. {corpus.written} {_RESTART}"
        subparser = corpora.add_parser(name, help=corpus.text, description=description)
        options.add(subparser, {"--out": _folder("the folder to write to"), **corpus.arguments})
        subparser.set_defaults(prepare=corpus.prepare)


def run(args: argparse.Namespace) -> None:
    args.prepare(args)


def _prepare_ewt(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.prepare.ewt import REPOSITORIES, UD_RELEASE, prepare_ewt

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
    from lisa_allennlp.apps.prepare.ewt import OTHER_TOKENS

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
            lost = [item for item in report.left_out if item.reason == OTHER_TOKENS]
            for item in lost[:_SHOWN_SENTENCES]:
                print(f"    {item.ud}: {item.detail}")
            if len(lost) > _SHOWN_SENTENCES:
                print(f"    and {len(lost) - _SHOWN_SENTENCES} more with other tokens in UD")
    print(f"  {out / f'ewt-{report.split}.gold_conll'} and .conllu; details in .report.json")


def _prepare_conll05(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.prepare.conll05 import (
        Conll05Sources,
        prepare_conll05,
        written_suffixes,
    )

    sources = Conll05Sources(args.release, args.ptb, args.brown)
    annotator = _annotator(args)
    for report in prepare_conll05(sources, args.out, annotator):
        _print_conll(report, args.out, written_suffixes(report.split, annotator))


def _prepare_conll12(args: argparse.Namespace) -> None:
    from lisa_allennlp.apps.prepare.conll12 import OntonotesSources, prepare_conll12
    from lisa_allennlp.apps.prepare.stanford import TAGS_SUFFIX

    annotator = _annotator(args)
    suffixes = ["", TAGS_SUFFIX] if annotator.tags else [""]
    for report in prepare_conll12(OntonotesSources(args.ontonotes, args.ids), args.out, annotator):
        _print_conll(report, args.out, suffixes)


def _prepare_frames(args: argparse.Namespace) -> None:
    import lisa_allennlp
    from lisa_allennlp.apps.prepare.frame_examples import FrameExamples, completed
    from lisa_allennlp.apps.prepare.outputs import check_replaceable, written_whole
    from lisa_allennlp.formats.conllu import write_conllu_roles

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
    from lisa_allennlp.apps.prepare.up import prepare_up
    from lisa_allennlp.formats.universal_propbank import shown_counts

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
    from lisa_allennlp.apps.prepare.stanford import StanfordAnnotator

    if args.stanford_tagger is None and args.tagger_model is not None:
        raise ConfigurationError(
            f"--tagger-model {args.tagger_model}: found no --stanford-tagger; expected its jar, too"
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


class _Corpus(NamedTuple):
    text: str
    written: str
    arguments: options.Arguments
    prepare: Callable[[argparse.Namespace], None]


CORPORA = {
    "ewt": _Corpus(
        "the English Web Treebank, from PropBank's and Universal Dependencies' repositories",
        "Writes ewt-SPLIT.gold_conll and ewt-SPLIT.conllu; ewt-SPLIT.report.json says what was "
        "left out and why.",
        EWT,
        _prepare_ewt,
    ),
    "conll05": _Corpus(
        "CoNLL-2005, from its release, the Penn Treebank and the Brown Corpus",
        "Writes train.conll, dev.conll, test.wsj.conll and test.brown.conll, with trees in "
        ".conllu and counts in .report.json; section22.conllu, trees to validate a parser on; "
        "and with a tagger its tags in .tags.conllu. What the sources lack of the test sets "
        "and section 22 is skipped.",
        CONLL05,
        _prepare_conll05,
    ),
    "conll12": _Corpus(
        "CoNLL-2012, from OntoNotes 5",
        "Writes the folders train, development and test, with a .gold_conll file of each "
        "document, trees in .conllu and counts in report.json; and with a tagger its tags "
        "beside the folders, as in train.tags.conllu.",
        CONLL12,
        _prepare_conll12,
    ),
    "frames": _Corpus(
        "a corpus of the example sentences of PropBank's frame files, one annotated frame each",
        "A model labels the rest of each sentence. Writes frames.conllu, and frames.report.json "
        "with the number of examples that are left out, and why.",
        FRAMES,
        _prepare_frames,
    ),
    "up": _Corpus(
        "a language of Universal PropBank, from its release and that of Universal Dependencies",
        "Writes a .conllup file for each one of --up; .report.json has counts, and says what was "
        "left out and why.",
        UP,
        _prepare_up,
    ),
}
