"""docs/results/examples.md has the frames that `english` finds now."""

import re

import pytest

import lisa_allennlp
from tests import ROOT


@pytest.mark.medium
def test_frames() -> None:
    lisa = lisa_allennlp.load()
    page = (ROOT / "docs/results/examples.md").read_text(encoding="utf-8")
    (examples,) = re.findall(r"```text\n(.*?)\n```", page, re.DOTALL)
    for example in examples.split("\n\n"):
        sentence, *frames = re.split(r"\n  (?! )", example.partition("\n->")[0])
        found = [
            f"{frame.sense}: {' '.join(f'[{span.role}: {span.text}]' for span in frame.roles)}"
            for frame in lisa(" ".join(sentence.split())).frames
        ]
        assert found == [" ".join(frame.split()) for frame in frames]
