"""Stages of decoding that are left out."""

from typing import Any, Dict, List

import lisa_allennlp
from benchmarks.stages import left_out
from lisa_allennlp.sentence.sentence import Sentence

WORDS = "The old man whom she had given up on ran out of the shop that sold him the car .".split()


def tags(sentence: Sentence) -> Dict[int, List[str]]:
    return {frame.predicate: frame.tags for frame in sentence.frames or []}


def test_a_stage_is_left_out_in_its_context_alone() -> None:
    lisa: Any = lisa_allennlp.load("english-fast")
    before = lisa(WORDS)
    stages = left_out(lisa)
    for name, without in stages.items():
        with without:
            found = lisa(WORDS)
        assert (found.pos, set(tags(found))) == (before.pos, set(tags(before))), name
        assert lisa(WORDS) == before
    assert tags(before)
