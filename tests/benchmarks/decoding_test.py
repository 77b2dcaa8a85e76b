"""The decoders that are compared give the same answers."""

import pytest
import torch

from benchmarks.decoding import OURS, PEER, check_answers, make_decoders


@pytest.mark.medium
def test_the_same_scores_give_the_same_answers() -> None:
    decoders = make_decoders(3, 6, torch.double)
    assert len(decoders) == 3
    check_answers(decoders)
    assert [len(labels) for labels in decoders[OURS]()] == [6, 6, 6]


def test_a_wrong_answer_is_noticed() -> None:
    wrong = {PEER: lambda: [[0, 1]], OURS: lambda: [[0, 0]]}
    with pytest.raises(AssertionError, match="decodes to other labels"):
        check_answers(wrong)
