"""Scores by characters, and the text of the benchmark, with gold's words at gold's offsets."""

from pathlib import Path
from typing import List, Tuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.raw_text import CharacterSpanEvaluation, read_gold
from lisa_allennlp.scoring import Conll05Evaluation, Counts
from lisa_allennlp.sentence.document import Document
from lisa_allennlp.sentence.sentence import Frame, Sentence

CONLLU = """\
# newdoc id = a
# sent_id = a-1
# newpar id = a-p1
# text = I don't!
1\tI\t_\t_\t_\t_\t2\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tdo\t_\t_\t_\t_\t0\troot\t_\t_
3\tn't\t_\t_\t_\t_\t2\tadvmod\t_\t_
4\t!\t_\t_\t_\t_\t2\tpunct\t_\t_

# sent_id = a-2
# text = Left out
1\tLeft\t_\t_\t_\t_\t0\troot\t_\t_
2\tout\t_\t_\t_\t_\t1\tadvmod\t_\t_

# sent_id = a-3
# newpar id = a-p2
# text = (ok)
1\t(\t_\t_\t_\t_\t2\tpunct\t_\tSpaceAfter=No
2\tok\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No
2.1\tis\t_\t_\t_\t_\t_\t_\t_\t_
3\t)\t_\t_\t_\t_\t2\tpunct\t_\t_

# newdoc id = b
# sent_id = b-1
# newpar id = b-p1
# text = No
1\tNo\t_\t_\t_\t_\t0\troot\t_\t_

"""
ROLES = """\
#begin document (a); part 000
a 0 0 I _ * - - - - * (ARG0*) -
a 0 1 do _ * do do.01 - - * (V*) -
a 0 2 n't _ * - - - - * (ARGM-NEG*) -
a 0 3 ! _ * - - - - * * -

a 0 0 -LRB- _ * - - - - * -
a 0 1 ok _ * - - - - * -
a 0 2 -RRB- _ * - - - - * -

#end document
#begin document (b); part 000
b 0 0 No _ * - - - - * -

#end document
"""


def test_gold(tmp_path: Path) -> None:
    (tmp_path / "en_ewt-ud-dev.conllu").write_text(CONLLU)
    kept = [block for block in CONLLU.split("\n\n") if "Left" not in block]
    (tmp_path / "ewt-dev.conllu").write_text("\n\n".join(kept))
    (tmp_path / "ewt-dev.gold_conll").write_text(ROLES)
    first, second = read_gold(tmp_path, tmp_path)
    assert first.document.text == "I don't!\n\n(ok)"
    assert second.document.text == "No"
    words = [[token.text for token in sentence.tokens] for sentence in first.document.sentences]
    assert words == [["I", "do", "n't", "!"], ["(", "ok", ")"]]
    for sentence in first.document.sentences:
        for token in sentence.tokens:
            assert first.document.text[token.start_char : token.end_char] == token.text
    (frame,) = first.document.sentences[0].frames
    assert [(span.role, span.text) for span in frame.roles] == [
        ("ARG0", "I"),
        ("V", "do"),
        ("ARGM-NEG", "n't"),
    ]
    assert "Left" not in first.conllu and first.conllu.count("# sent_id") == 2


TEXT = "It can't re-open. Bo sang and left"


def sentence(words: str, *frames: Frame, start: int = 0) -> Sentence:
    offsets = []
    for word in words.split():
        start = TEXT.index(word, start)
        offsets.append((start, start + len(word)))
        start += len(word)
    return Sentence(words.split(), frames=list(frames), offsets=offsets, text=TEXT)


def frame(predicate: int, tags: str) -> Frame:
    return Frame(predicate, tags.split())


def scored(*predicted: Sentence, strict: bool = False) -> CharacterSpanEvaluation:
    gold = [
        sentence("It ca n't re-open .", frame(3, "B-ARG1 B-ARGM-MOD B-ARGM-NEG B-V O")),
        sentence(
            "Bo sang and left", frame(1, "B-ARG0 B-V O O"), frame(3, "B-ARG0 O O B-V"), start=18
        ),
    ]
    return CharacterSpanEvaluation(
        [Document(TEXT, list(predicted))], [Document(TEXT, gold)], strict
    )


def test_other_tokens() -> None:
    # "can't" is one token, and the predicate has two.
    first = sentence("It can't re - open .", frame(4, "B-ARG1 B-ARGM-MOD O O B-V O"))
    second = sentence("Bo sang and left", frame(1, "B-ARG0 B-V O O"), start=18)
    evaluation = scored(first, second)
    assert evaluation.predicates() == Counts(correct=1, excess=1, missed=2)
    assert evaluation.counts.overall() == Counts(correct=1, excess=0, missed=4)
    assert scored(first, second, strict=True).counts.overall(strict=True).excess == 2


def test_other_sentences() -> None:
    # One sentence instead of two, and an argument that reaches over the end of the first.
    merged = sentence(
        "It ca n't re-open . Bo sang and left",
        frame(3, "B-ARG1 B-ARGM-MOD B-ARGM-NEG B-V O O O O O"),
        frame(6, "O O O O B-ARG0 I-ARG0 B-V O O"),
        frame(8, "O O O O O B-ARG0 O O B-V"),
    )
    evaluation = scored(merged)
    assert evaluation.predicates() == Counts(correct=3)
    assert evaluation.counts.overall() == Counts(correct=4, excess=1, missed=1)
    assert evaluation.counts.sentences == 2
    assert "Number of Propositions :           3" in evaluation.table()


tags = st.sampled_from(["O", "O", "B-ARG0", "I-ARG0", "B-ARG1", "I-ARG1", "B-C-ARG1", "B-R-ARG0"])


@st.composite
def pairs(draw: st.DrawFn) -> Tuple[List[Document], List[Document]]:
    predicted, gold = [], []
    for lengths in draw(st.lists(st.lists(st.integers(1, 6), max_size=3), max_size=3)):
        text, sides = "", ([], [])
        for length in lengths:
            words = [draw(st.sampled_from(["a", "bc", "d-e"])) for _ in range(length)]
            offsets = []
            for word in words:
                text += draw(st.sampled_from(["", " ", "\n"]))
                offsets.append((len(text), len(text) + len(word)))
                text += word
            for side in sides:
                frames = []
                for predicate in sorted(draw(st.sets(st.integers(0, length - 1), max_size=2))):
                    labels = draw(st.lists(tags, min_size=length, max_size=length))
                    labels[predicate] = "B-V"
                    frames.append(Frame(predicate, labels))
                side.append(Sentence(words, frames=frames, offsets=offsets))
        predicted.append(Document(text, sides[0]))
        gold.append(Document(text, sides[1]))
    return predicted, gold


@pytest.mark.medium
@given(pairs(), st.booleans())
def test_with_the_tokens_of_gold_it_is_srl_eval(
    documents: Tuple[List[Document], List[Document]], strict: bool
) -> None:
    predicted, gold = ([s for d in side for s in d.sentences] for side in documents)
    by_characters = CharacterSpanEvaluation(*documents, strict)
    by_tokens = Conll05Evaluation(predicted, gold, strict)
    assert by_characters.table() == by_tokens.table()
    assert by_characters.to_dict() == by_tokens.to_dict()
    positions = [
        {(n, p) for n, s in enumerate(side) for p in s.predicates} for side in (predicted, gold)
    ]
    common = positions[0] & positions[1]
    counts = Counts(len(common), len(positions[0] - common), len(positions[1] - common))
    assert by_characters.predicates() == counts
