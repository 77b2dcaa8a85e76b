"""`lisa prepare ewt`."""

import argparse
import subprocess
from pathlib import Path
from typing import Iterator, List, Optional

from allennlp.common.checks import ConfigurationError

from lisa_allennlp.data.preparation.ewt import (
    OTHER_TOKENS,
    REPOSITORIES,
    SplitReport,
    prepare_ewt,
)

_SHOWN_SENTENCES = 5


def prepare_ewt_from_args(args: argparse.Namespace) -> None:
    if args.clone:
        clone(REPOSITORIES["propbank"], args.propbank)
        clone(REPOSITORIES["ud"], args.ud, args.ud_release)
    for report in prepare_ewt(args.propbank, args.ud, args.out, args.skip_unequal_documents):
        print(describe(report, args.out))


def clone(url: str, folder: Path, tag: Optional[str] = None) -> None:
    """
    Clones a tag of a git repository, or its newest commit, unless the folder exists.

    # Raises

    `ConfigurationError`
        If git is missing or fails.
    """
    if folder.exists():
        return
    command = ["git", "clone", "--depth", "1", *(["--branch", tag] if tag else [])]
    command += [url, str(folder)]
    try:
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        raise ConfigurationError(
            f"--clone: found no git; expected it to be installed, to clone {url}"
        ) from None
    if result.returncode:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise ConfigurationError(f"{' '.join(command)} failed: {last}")


def describe(report: SplitReport, out: Path) -> str:
    """A report in a few lines."""
    if report.is_absent:
        return (
            f"{report.split}: skipped, since none of its {report.listed_documents} listed "
            "documents is in both repositories"
        )
    release = f", UD {report.ud_release}" if report.ud_release else ""
    lines: List[str] = [
        f"{report.split}: {report.sentences} sentences, {report.tokens} tokens, "
        f"{report.predicates} predicates from {report.documents} of {report.listed_documents} "
        f"documents{release}"
    ]
    for reason, count in report.reasons().items():
        lines.append(f"  left out {count}: {reason}")
        if reason == OTHER_TOKENS:
            lines.extend(_lost_by_tokens(report))
    lines.append(f"  {out / f'ewt-{report.split}.gold_conll'} and .conllu; details in .report.json")
    return "\n".join(lines)


def _lost_by_tokens(report: SplitReport) -> Iterator[str]:
    """The first sentences that this release of UD splits into other tokens than PropBank's."""
    lost = report.retokenized()
    for item in lost[:_SHOWN_SENTENCES]:
        yield f"    {item.ud}: {item.detail}"
    if len(lost) > _SHOWN_SENTENCES:
        yield f"    and {len(lost) - _SHOWN_SENTENCES} more with other tokens in UD"
