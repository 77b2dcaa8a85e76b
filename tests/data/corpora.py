"""Corpora that the repository does not hold: tests of them run where LISA_CORPUS names a folder."""

import os
from pathlib import Path

import pytest

CORPUS = Path(os.environ.get("LISA_CORPUS") or "no corpus")

needs_ewt = pytest.mark.skipif(
    not (CORPUS / "ewt-train.gold_conll").exists(),
    reason="LISA_CORPUS names no folder with the English Web Treebank",
)
