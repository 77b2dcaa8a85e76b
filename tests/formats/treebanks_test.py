import io
from typing import Any, List

from hypothesis import given

from lisa_allennlp.formats.conll05 import write_combined_bio
from lisa_allennlp.formats.conllu import write_conllu
from lisa_allennlp.formats.treebanks import parse_treebank
from lisa_allennlp.sentence.sentence import Parse, Sentence
from tests.formats.conllu_test import parsed_sentences

CONLLU = ["\t".join("1 Go _ VERB VB _ _ _ _ _".split())]
CONLL09 = ["\t".join("1 Go _ _ _ NN _ _ _ _ _ _ _ _".split())]


@given(parsed_sentences())
def test_the_same_trees_in_two_formats(sentence: Sentence) -> None:
    file = io.StringIO(newline="")
    write_conllu([sentence], file)
    lines = ["# a comment", "", *file.getvalue().split("\n")]
    assert [read for read, _ in parse_treebank(lines, "text")] == [sentence]
    # CoNLL-2009 with one predicate; all that is not read is `?`.
    columns = zip(sentence.words, sentence.pos, sentence.heads, sentence.head_tags, strict=True)
    lines = [
        "\t".join([str(number), word, *"??", tag, *"???", str(head), "?", label, *"????"])
        for number, (word, tag, head, label) in enumerate(columns, start=1)
    ]
    assert [read for read, _ in parse_treebank(lines, "text")] == [sentence]


def tags(lines: List[str], **options: bool) -> Any:
    return next(parse_treebank(lines, "text", requires_parses=False, **options)).sentence.pos


def test_options_reach_each_format() -> None:
    file = io.StringIO()
    write_combined_bio([Sentence(["Go"], ["VB"], [], Parse([0], ["root"]))], file)
    combined = [file.getvalue().replace("VB\tVB", "VB\tNN")]
    assert tags(combined) == ["VB"]
    assert tags(combined, use_predicted_pos=True) == ["NN"]
    assert tags(CONLL09) is None
    assert tags(CONLL09, use_predicted_pos=True) == ["NN"]
    assert tags(CONLLU) == ["VB"]
    assert tags(CONLLU, use_language_specific_pos=False) == ["VERB"]
