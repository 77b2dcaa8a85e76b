from typing import List

from hypothesis import given

from lisa_allennlp.apps.analyze.frame_pairs import costly_frames, counts_by_sentence, frame_pairs
from lisa_allennlp.sentence.sentence import Sentence
from tests.apps.analyze.systems import GOLD, WORSE, gold_and_predicted


def test_every_gold_frame_has_a_pair_and_others_have_none():
    pairs = frame_pairs(GOLD, WORSE)
    places = [(pair.sentence, pair.gold.predicate, pair.predicted is None) for pair in pairs]
    assert places == [(0, 3, False), (0, 5, True), (2, 3, False), (2, 5, False)]
    assert counts_by_sentence(pairs, 3).tolist() == [[2, 1, 3], [0, 0, 0], [2, 1, 1]]


def test_an_argument_that_lacks_a_piece_is_wrong():
    systems = {"worse": frame_pairs(GOLD, WORSE), "right": frame_pairs(GOLD, GOLD)}
    cut, _, say = costly_frames(GOLD, systems)
    assert (cut.sentence, cut.lemma, cut.errors) == (1, "cut", {"worse": 2, "right": 0})
    right = [(span.role, span.is_right) for span in say.spans["worse"] or []]
    assert right == [("A1", False), ("A0", True), ("V", True)]
    assert len(costly_frames(GOLD, systems, number=2)) == 2


@given(gold_and_predicted())
def test_the_costliest_come_first(sentences: List[List[Sentence]]):
    gold, predicted = sentences
    pairs = {(p.sentence + 1, p.gold.predicate): p for p in frame_pairs(gold, predicted)}
    frames = costly_frames(gold, {"LISA": list(pairs.values())})
    costs = [len(pair.excess) + len(pair.missed) for pair in pairs.values()]
    assert [frame.errors["LISA"] for frame in frames] == sorted(filter(None, costs), reverse=True)
    for frame in frames:
        pair = pairs[frame.sentence, frame.predicate]
        spans = frame.spans["LISA"]
        assert (spans is None) == (pair.predicted is None)
        assert all(span.is_right for span in spans or []) == (not pair.excess)
        assert all(span.is_right for span in frame.gold) == (not pair.missed)
