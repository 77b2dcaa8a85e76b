"""The text of the benchmark has gold's words at gold's offsets."""

from pathlib import Path

from benchmarks.raw_text import read_gold

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
