"""Any file is read, or refused with an error that names the file and, if it has any, the line."""

import io
from typing import Any, Callable, Dict, Iterable, List

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lisa_allennlp.data.formats.bio import parse_bio
from lisa_allennlp.data.formats.ccg.auto import parse_auto
from lisa_allennlp.data.formats.ccg.columns import parse_columns, parse_dependency_supertags
from lisa_allennlp.data.formats.ccg.pipes import parse_pipes
from lisa_allennlp.data.formats.conll05 import parse_conll05, parse_props
from lisa_allennlp.data.formats.conll12 import parse_conll12
from lisa_allennlp.data.formats.conllu import parse_conllu, parse_conllu_roles, parse_conllu_rows
from lisa_allennlp.data.formats.constituents import parse_trees
from lisa_allennlp.data.formats.errors import CorpusFormatError
from lisa_allennlp.data.formats.gold_skel import parse_gold_skel
from lisa_allennlp.data.formats.json_lines import parse_json_lines
from lisa_allennlp.data.formats.tables import SpanRow, parse_spans_csv
from lisa_allennlp.data.formats.treebanks import parse_conll09, parse_treebank

SPANS = ",".join(SpanRow._fields)
NODE = "(<T S[dcl] 1 2>"

# For each reader: a file that it accepts, from whose fields the others are made.
READERS: Dict[str, Callable[[Iterable[str], str], Iterable[Any]]] = {
    "props": parse_props,
    "conll05": parse_conll05,
    "combined_bio": lambda lines, path: parse_conll05(lines, path, use_predicted_pos=True),
    "conll09": parse_conll09,
    "conll12": parse_conll12,
    "conllu": parse_conllu,
    "conllu_rows": parse_conllu_rows,
    "conllu_roles": parse_conllu_roles,
    "treebank": lambda lines, path: parse_treebank(lines, path, requires_parses=False),
    "bio": parse_bio,
    "json": parse_json_lines,
    "spans_csv": parse_spans_csv,
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
    "bio": ["1 She sang ||| B-A0 B-V", "0 Sing ||| B-V"],
    "json": [
        '{"words": ["Sing"], "verbs": [{"index": 0, "tags": ["B-V"], "lemma": "sing"}],'
        ' "predicted_heads": [0], "predicted_dependencies": ["root"], "offsets": [[0, 4]]}'
    ],
    "spans_csv": [
        SPANS,
        '"d","1",1,"sang","sing","sing.01","ARG0",0,0,"","","She","","","","",0.5',
    ],
    "gold_skel": ["weblog/1 0 0 [WORD] VBD (TOP(S*)) sing sing.01 (V*)"],
    "trees": ["( (S (NP-SBJ (PRP She)) (VP (VBD sang) (NP (-NONE- *T*-1)))) )"],
    "auto": ["ID=a.1 PARSER=GOLD NUMPARSE=1", f"{NODE} (<L NP PRP PRP She NP>) (<L N N N a N>) )"],
    "pipes": ["She|PRP|NP sang|VBD|S[dcl]\\NP"],
    "supertag_columns": ["1\tShe\t_\tNP", "2\tsang\t_\tS[dcl]\\NP"],
}
for name in ("conllu_rows", "treebank", "dependency_supertags"):
    LINES[name] = LINES["conllu"]

NASTY = st.sampled_from(
    [
        *("", "-", "_", "*", "0", "-1", "²", "9" * 5000, "1e999", "NaN", "null", "V", "#"),
        *("(V*)", "*)", "(A0*", "((", "B-", "I-V", "|||", "1-2", "1.1", "{}", "[]", '"', "\\ud800"),
        *("\0", "\r", "\u2028", "\x85", "\ufeff", "N" * 1000, "(" * 2000, "(" * 150 + "N"),
    ]
)


@st.composite
def damaged(draw: st.DrawFn, name: str) -> List[str]:
    """The lines of a format with fields, columns and lines changed."""
    separator = {"json": " ", "spans_csv": ","}.get(name) or (
        "\t" if "\t" in LINES[name][-1] else " "
    )
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
@settings(max_examples=60, derandomize=True)
@given(data=st.data())
def test_damaged_fields(name: str, data: st.DataObject) -> None:
    is_read_or_refused(name, data.draw(damaged(name)))


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=25, derandomize=True)
@given(st.text() | st.text("()*\t\n -|#{}[]\"',10V_<>\r", max_size=40))
@example("")
@example("(" * 5000)
@example("[" * 5000 + "\n")
@example("\r\n\r\n")
def test_any_text(name: str, text: str) -> None:
    is_read_or_refused(name, list(io.StringIO(text, newline="\n")))
