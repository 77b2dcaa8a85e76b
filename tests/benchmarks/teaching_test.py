from typing import List

from benchmarks.teaching import halves, in_order, outcome
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence


def test_documents_are_divided_and_stay_whole() -> None:
    documents = ["a", "b", "a", "c", "b", "d"]
    pool, rest = halves(documents)
    assert (pool, rest) == ([0, 2, 3], [1, 4, 5])
    for seed in range(5):
        found = in_order(pool, documents, seed)
        assert sorted(found) == pool and [0, 2] in (found[:2], found[1:])


def test_what_is_mended_and_spoilt_is_counted() -> None:
    words, tags = ["She", "sold", "it"], ["B-A0", "B-V", "B-A1"]
    parse = Parse([1, 1, 1], ["nsubj", "root", "obj"])

    def reading(sense: str, tags: List[str]) -> Sentence:
        return Sentence(words, frames=[Frame(1, tags, "sell", sense)], parse=parse, pos=words)

    gold = reading("sell.01", tags)
    wrong = reading("sell.02", ["B-A2", "B-V", "B-A1"])
    before, after = outcome([gold, gold], [wrong, gold]), outcome([gold, gold], [gold, wrong])
    assert after.changes(before) == (3, 3) and after.changes(after) == (0, 0)
    assert (before.right_senses, before.found) == (1, 2)
