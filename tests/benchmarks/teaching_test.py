from pathlib import Path
from typing import List

from benchmarks.teaching import Outcome, halves, outcome, read_part, write_corpus
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from tests.sentence.sentences import SAMPLE, in_conll12


def test_documents_of_the_genre_are_divided(tmp_path: Path) -> None:
    documents = ["weblog-a", "reviews-1", "weblog-a", "reviews-2", "reviews-1", "reviews-3"]
    sentences = [in_conll12(SAMPLE[i % 3]) for i in range(len(documents))]
    write_corpus(sentences, tmp_path / "ewt-train.gold_conll")
    blocks = (tmp_path / "ewt-train.conllu").read_text(encoding="utf-8").split("\n\n")
    named = [f"# sent_id = {d}-0001\n{b}" for d, b in zip(documents, blocks, strict=False)]
    (tmp_path / "ewt-train.conllu").write_text("\n\n".join(named) + "\n\n", encoding="utf-8")
    part = read_part(tmp_path, "train")
    assert part.sentences == sentences
    assert part.of_genre("reviews", False) == [sentences[0], sentences[2]]
    pool, rest = halves(part, "reviews")
    assert (pool, rest) == ([1, 4, 5], [3])
    assert sorted(part.in_order(pool, 1)) == pool
    assert [1, 4] in (part.in_order(pool, 1)[:2], part.in_order(pool, 1)[1:])


def test_what_is_mended_and_spoilt_is_counted() -> None:
    words, tags = ["She", "sold", "it"], ["B-A0", "B-V", "B-A1"]
    parse = Parse([1, 1, 1], ["nsubj", "root", "obj"])

    def reading(sense: str, tags: List[str]) -> Sentence:
        return Sentence(words, frames=[Frame(1, tags, "sell", sense)], parse=parse, pos=words)

    gold = reading("sell.01", tags)
    wrong = reading("sell.02", ["B-A2", "B-V", "B-A1"])
    before, after = outcome([gold, gold], [wrong, gold]), outcome([gold, gold], [gold, wrong])
    assert after.changes(before) == (3, 3) and after.changes(after) == (0, 0)
    assert before.repeated(before) == (1, 2) and before.repeated(Outcome({}, [], 0, 0)) == (0, 0)
    assert (before.right_senses, before.found) == (1, 2)
