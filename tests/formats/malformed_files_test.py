"""
Any file is read, or refused with an error that names the file and, if it has any, the line: those
of `fixtures` with one fault each, and files that hypothesis damages.
"""

from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats import conll09
from lisa_allennlp.formats.ccg import (
    parse_auto,
    parse_columns,
    parse_dependency_supertags,
    parse_pipes,
)
from lisa_allennlp.formats.columns import check_verbs, read_lines
from lisa_allennlp.formats.conll05 import parse_conll05, parse_props
from lisa_allennlp.formats.conll12 import parse_conll12
from lisa_allennlp.formats.conllu import parse_conllu, parse_conllu_roles, parse_conllu_rows
from lisa_allennlp.formats.constituents import parse_trees
from lisa_allennlp.formats.gold_skel import parse_gold_skel
from lisa_allennlp.formats.json_lines import parse_json_lines
from lisa_allennlp.formats.treebanks import parse_conll09, parse_treebank
from tests import FIXTURES

NODE, TAB = "(<T S[dcl] 1 2>", "\t_"

# For each reader: a file that it accepts, from whose fields the others are made.
READERS: Dict[str, Callable[[Iterable[str], str], Iterable[Any]]] = {
    "props": parse_props,
    "conll05": parse_conll05,
    "combined_bio": lambda lines, path: parse_conll05(lines, path, use_predicted_pos=True),
    "conll09": parse_conll09,
    "roles_of_conll09": conll09.parse_conll09,
    "conll12": parse_conll12,
    "conllu": parse_conllu,
    "conllu_rows": parse_conllu_rows,
    "conllu_roles": parse_conllu_roles,
    "treebank": lambda lines, path: parse_treebank(lines, path, requires_parses=False),
    "json": parse_json_lines,
    "gold_skel": parse_gold_skel,
    "trees": parse_trees,
    "auto": parse_auto,
    "pipes": parse_pipes,
    "supertag_columns": parse_columns,
    "dependency_supertags": parse_dependency_supertags,
}
LINES: Dict[str, List[str]] = {
    "props": ["- (A0*)", "sing (V*)", "", "-"],
    "conll05": ["She PRP (S* * - - (A0*)", "sang VBD *) * 01 sing (V*)"],
    "combined_bio": ["wsj 0 0 Sing VB NN 0 root _ 01 sing - - O B-V"],
    "conll09": ["\t".join("1 Sing sing sing VB NN _ _ 0 0 ROOT ROOT Y sing.01 _".split())],
    "conll12": [
        "#begin document (a); part 000",
        "a 0 0 Sing VB * sing 01 - - * (V*) -",
        "#end document",
    ],
    "conllu": ["# text = Sing", "1\tSing\t_\tVERB\tVB\t_\t0\troot\t_\t_"],
    "conllu_roles": ["1\tSing\t_\t_\tVB\t_\t0\troot\t_\tUP:PRED=sing.01|UP:ARGSPANS=A0:1-1"],
    "json": [
        '{"words": ["Sing"], "verbs": [{"index": 0, "tags": ["B-V"], "lemma": "sing"}],'
        ' "predicted_heads": [0], "predicted_dependencies": ["root"], "offsets": [[0, 4]]}'
    ],
    "gold_skel": ["weblog/1 0 0 [WORD] VBD (TOP(S*)) sing sing.01 (V*)"],
    "trees": ["( (S (NP-SBJ (PRP She)) (VP (VBD sang) (NP (-NONE- *T*-1)))) )"],
    "auto": ["ID=a.1 PARSER=GOLD NUMPARSE=1", f"{NODE} (<L NP PRP PRP She NP>) (<L N N N a N>) )"],
    "pipes": ["She|PRP|NP sang|VBD|S[dcl]\\NP"],
    "supertag_columns": ["1\tShe\t_\tNP", "2\tsang\t_\tS[dcl]\\NP"],
}
LINES["roles_of_conll09"] = LINES["conll09"]
for name in ("conllu_rows", "treebank", "dependency_supertags"):
    LINES[name] = LINES["conllu"]

NASTY = st.sampled_from(
    [
        *("", "-", "_", "*", "0", "-1", "²", "9" * 5000, "1e999", "NaN", "null", "V", "#"),
        *("(V*)", "*)", "(A0*", "((", "B-", "I-V", "1-2", "1.1", "{}", "[]", '"', "\\ud800"),
        *("\0", "\r", "\u2028", "\x85", "\ufeff", "N" * 1000, "(" * 2000, "(" * 150 + "N"),
    ]
)


@st.composite
def damaged(draw: st.DrawFn, name: str) -> List[str]:
    """The lines of a format with fields, columns and lines changed."""
    separator = "\t" if "\t" in LINES[name][-1] else " "
    rows = [line.split(separator) for line in LINES[name]]
    for _ in range(draw(st.integers(1, 3))):
        row = draw(st.sampled_from(rows))
        place = draw(st.integers(0, len(row)))
        value = draw(NASTY | st.sampled_from(row or [""]) | st.text(max_size=4))
        row[place : place + draw(st.integers(0, 1))] = draw(st.sampled_from([[value], []]))
    lines = [separator.join(row) + "\n" for row in rows]
    return draw(st.permutations(lines)) if draw(st.integers(0, 4)) == 0 else lines


def is_read_or_refused(name: str, lines: List[str]) -> None:
    try:
        list(READERS[name](lines, "dev.x"))
    except CorpusFormatError as error:
        assert str(error).startswith("dev.x:")
        assert error.line is None or 1 <= error.line <= max(1, len(lines))
        # Only a file without sentences has no bad line.
        assert error.line is not None or error.found == "no sentences"
        assert len(str(error)) < 1000


@pytest.mark.parametrize("name", READERS)
def test_the_whole_files_are_read(name: str) -> None:
    assert list(READERS[name]([f"{line}\n" for line in LINES[name]], "dev.x"))


@pytest.mark.parametrize("name", READERS)
@settings(derandomize=True)
@given(data=st.data())
def test_damaged_fields(name: str, data: st.DataObject) -> None:
    is_read_or_refused(name, data.draw(damaged(name)))


CONLL09 = "\t".join("1 She she she PRP PRP _ _ 0 0 ROOT ROOT _ _".split())
PLUS = "# global.columns = ID FORM UP:PRED"
ROOT_TOKEN = "\t_\t_\t_\t_\t0\troot\t_\t_"
VERB = '{"index": 0, "tags": ["B-V"]}'
RELEASE = """\
# global.columns = ID FORM HEAD DEPREL UP:PRED UP:FRAME
1\tAnn\t2\tnsubj\t_\tA0
2\tate\t0\troot\teat.01\t_
"""


def with_roles(misc: str) -> str:
    return f"1\tw{8 * TAB}\n2\tw{7 * TAB}\t{misc}"


FAULTS: List[Tuple[str, str, Optional[int], str]] = [
    ("props", "- *\nsing A1*", 2, "'A1*'"),
    ("props", "- (A1*\nsing (V*)\n- *)", 2, "'(V*)' inside the bracket of A1"),
    ("combined_bio", "Sing VB * * 01 sing (V*)", 1, "a line in the official"),
    ("trees", "(S (A a)\n(B b)", 1, "the end of the file inside the tree"),
    ("trees", "(S (A a))\n)", 2, "')' outside any tree"),
    ("trees", "(S (A\n))", 2, "an empty bracket"),
    ("conllu", f"1-2\t{ROOT_TOKEN}", 1, "a token without a form"),
    # A damaged token, which would be lost as a comment.
    ("conllu", f"1\tGo{ROOT_TOKEN}\n#\ton\t_\t_\t_\t_\t1\tdep", 2, "the comment"),
    ("conllu_roles", with_roles("UP:ARGSPANS=A1:1-1"), 2, "UP:ARGSPANS without UP:PRED"),
    ("conllu_roles", with_roles("UP:PRED=a.01|UP:ARGSPANS=A1"), 2, "'A1' in UP:ARGSPANS"),
    ("conllu_roles", with_roles("UP:PRED=a.01|UP:ARGSPANS=A1:1-1,A2:1-2"), 2, "'A1:1-1,A2:1-2'"),
    ("conllu_roles", "# global.columns = ID UP:PRED\n1\t_", None, "the columns ID UP:PRED"),
    ("conllu_roles", f"{PLUS}\n1\ta\t_\tb", 2, "4 columns"),
    ("conllu_roles", f"{PLUS} UP:ARGSPANS\n1\ta\tb.01\tA0:1-2", 2, "'A0:1-2'"),
    ("conllu_roles", f"{PLUS} UP:ARGHEADS\n1\ta\tb.01\tA0:1", 2, "UP:ARGHEADS without"),
    # Roles of the first release are at words, in the columns of predicates.
    ("conllu_roles", f"{RELEASE}2.1\tand\t_\t_\t_\tA1", 4, "'A1' in column 6"),
    ("conllu_roles", f"{RELEASE}3\trice\t2\tobj\t_\t_\tA1", 4, "'A1' in column 7"),
    ("roles_of_conll09", "\n\n2\tsells\tsell", 3, "3 columns"),
    ("roles_of_conll09", f"{CONLL09}\t_\t_", 1, "2 role columns"),
    ("roles_of_conll09", CONLL09.replace("\t0\t0\t", "\t9\t9\t"), 1, "head '9'"),
    ("treebank", "She left", 1, "1 column"),
    ("json", '{"words": ["Go"]}\n\n{"words": null}', 3, "null in `words`"),
    ("json", '{"words": ["a", "b"], "pos": ["X"]}', 1, "1 items in `pos`"),
    ("json", '{"words": ["a"], "predicted_heads": [0]}', 1, "only one of heads=[0] and head_tags"),
    ("json", '{"words": ["a"], "verbs": [{"verb": "a"}]}', 1, '{"verb": "a"} in `verbs`'),
    ("json", f'{{"words": ["a"], "verbs": [{VERB}, {VERB}]}}', 1, "two frames of the predicate 0"),
    ("json", f'{{"words": ["a"], "verbs": [{VERB.replace("0", "true")}]}}', 1, "the predicate Tru"),
    ("json", "She sang", 1, "'She sang', which is not JSON (Expecting value"),
    ("json", "[" * 100_000, 1, "'[["),
    ("json", '["She"]', 1, 'the sentence ["She"]'),
    ("json", '{"line": 2, "error": "no JSON"}', 1, "a sentence that was not labelled (no JSON)"),
    # Just flat enough to be read, but too deep for an error message.
    ("json", '{"words": ' + '{"a": ' * 960 + "1" + "}" * 961, 1, ""),
]


# The readers of the files in `fixtures` with one fault each, by their endings.
BROKEN: Dict[str, Callable[..., Iterable[Any]]] = {
    ".conll": lambda lines, path: (check_verbs(path, s) for s in parse_conll05(lines, path)),
    ".bio": parse_conll05,
    ".conll09": lambda lines, path: parse_treebank(lines, path, use_predicted_pos=True),
    ".gold_conll": parse_conll12,
    ".conllu": parse_conllu,
    ".auto": parse_auto,
    ".pipe": parse_pipes,
    ".tsv": parse_columns,
}
ERRORS: Dict[str, Tuple[Optional[int], str]] = {
    "too_few_columns.conll": (1, "4 columns"),
    "ragged.conll": (3, "6 columns"),
    "predicate_without_column.conll": (3, "of the sentence (in line 4)"),
    "never_closed.conll": (2, "'(AM-TMP*' that is never closed in column 7"),
    "swapped_columns.conll": (3, "the V of predicate 1 at token 2"),
    "mixed_variants.conll": (3, "a line in the .combined.bio columns"),
    "not_bio.combined.bio": (2, "'(V*)' in column 15"),
    "latin1.conll": (2, "iconv -f cp1252 -t utf-8"),
    "empty.conll": (None, "no sentences"),
    "outside_document.gold_conll": (3, "no mark of a document, as line 1 has none before it"),
    "begin_inside_document.gold_conll": (4, "for the document that begins in line 1"),
    "end_without_begin.gold_conll": (5, "'#end document'"),
    "document_without_end.gold_conll": (2, "the end of the file inside the document that"),
    "nine_columns.conllu": (2, "9 columns"),
    "head_no_number.conllu": (1, "head 'two'"),
    "head_out_of_range.conllu": (3, "head '4'"),
    "own_head.conllu": (2, "'2', its own head"),
    "no_root.conllu": (3, "a sentence without a root"),
    "not_parsed.conllu": (1, "no head ('_')"),
    "skipped_id.conllu": (2, "token id '3'"),
    "only_empty_nodes.conllu": (1, "a sentence without words"),
    "no_ppos.conll09": (2, "no PPOS ('_')"),
    "no_id.auto": (1, "expected a line 'ID=...' before each derivation"),
    "id_twice.auto": (2, "expected the derivation that line 1 announces"),
    "id_at_the_end.auto": (3, "the end of the file after this line"),
    "no_parse.auto": (1, "NUMPARSE=0'"),
    "four_values.auto": (2, "found '(<L N NN cat N>)"),
    "never_closed.auto": (2, "found 1 nodes with 0 ends"),
    "bad_category.auto": (2, "of the category '(N/N'"),
    "two_values.pipe": (1, "found 'board|N'"),
    "bad_category.pipe": (2, "found '[' at character 2 of the category 'N[nb'"),
    "three_columns.tsv": (2, "found '2 board N', 3 columns"),
    "skipped_number.tsv": (2, "found token id '3'"),
    "bad_category.tsv": (1, "found ')' at character 3 of the category 'NP)'"),
}


@pytest.mark.parametrize("path", sorted(FIXTURES.rglob("broken/*")), ids=lambda path: path.name)
def test_one_fault(path: Path) -> None:
    line, message = ERRORS[path.name]
    with pytest.raises(CorpusFormatError) as error:
        list(BROKEN[path.suffix](read_lines(path), path))
    place = f"{path}" if line is None else f"{path}:{line}"
    assert str(error.value).startswith(f"{place}: found ") and message in str(error.value)


@pytest.mark.parametrize("name, text, line, found", FAULTS)
def test_one_fault_in_a_line(name: str, text: str, line: Optional[int], found: str) -> None:
    with pytest.raises(CorpusFormatError) as error:
        list(READERS[name](text.splitlines(keepends=True), "dev.x"))
    assert (error.value.line, error.value.found[: len(found)]) == (line, found)
