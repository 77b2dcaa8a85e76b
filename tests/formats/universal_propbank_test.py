"""CoNLL-U Plus with roles of Universal PropBank, with the `conllu` library as a second opinion."""

import io
import lzma
from collections import Counter
from dataclasses import replace

import conllu
import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.conllu import (
    CONLLU,
    parse_conllu_roles,
    write_conllup,
)
from lisa_allennlp.formats.json_lines import parse_json_lines, write_json_lines
from lisa_allennlp.formats.treebanks import parse_treebank
from lisa_allennlp.formats.universal_propbank import subtree_span
from lisa_allennlp.sentence.roles import bio_to_spans
from lisa_allennlp.sentence.sentence import Frame, Sentence
from tests import FIXTURES
from tests.commands.in_process import run
from tests.sentence.sentences import parses, values

FOLDER = FIXTURES / "formats" / "conllup"
PATH = FOLDER / "sample.conllup"
SAMPLE = read_annotated(PATH).bare_sentences


def read(text, **options):
    lines = io.StringIO(text, newline="\n")
    return [sentence for sentence, _ in parse_conllu_roles(lines, "text", **options)]


def written(sentences):
    file = io.StringIO(newline="")
    write_conllup(sentences, file)
    return file.getvalue()


def labelled(frame):
    return [span for span in bio_to_spans(frame.tags) if span.role != "V"]


def columns_of_the_library(text):
    rows = [row for sentence in conllu.parse(text) for row in sentence]
    names = ("id", "form", "upos", "head", "deprel", "parseme:mwe", "up:pred", "up:argheads")
    return [[row.get(name) for name in names] for row in rows], [row["up:argspans"] for row in rows]


def test_the_library_reads_what_is_written():
    mended = PATH.read_text("utf-8").replace("|AM-LOC:8|AM-LOC:8", "|AM-LOC:8")
    mended = mended.replace("A2:4-8|AM-LOC:6-8|AM-LOC:6-8", "A2:4-5|AM-LOC:6-8")
    assert columns_of_the_library(written(SAMPLE)) == columns_of_the_library(mended)
    for ours, theirs in zip(SAMPLE, conllu.parse(mended), strict=True):
        rows = [row for row in theirs if isinstance(row["id"], int)]
        assert ours.words == [row["form"] for row in rows]
        assert ours.parse.heads == [row["head"] for row in rows]
        senses = {i: row["up:pred"] for i, row in enumerate(rows) if row["up:pred"] != "_"}
        assert {frame.predicate: frame.sense for frame in ours.frames} == senses
    assert labelled(SAMPLE[0].frames[0]) == [("ARG0", 0, 4), ("ARG1", 7, 8)]
    assert labelled(SAMPLE[1].frames[0]) == [("ARG0", 0, 1), ("R-ARG0", 2, 2)]
    assert labelled(SAMPLE[1].frames[1]) == [("ARG0", 0, 3), ("ARGM-TMP", 5, 5)]


def test_everything_is_kept(tmp_path):
    text = written(SAMPLE)
    assert read(text) == SAMPLE
    assert written(read(text)) == text
    # Multiword tokens, an empty node, functions, another column, documents.
    for part in ("3-4\tdu\t", "6.1\tprend\t", "A0-PAG:2|A1-PPT:9", "\t1:VID\n", "# newdoc id = d1"):
        assert part in text and part in PATH.read_text("utf-8").replace("1:VID\t_\t_\t_", "1:VID")
    (tmp_path / "sample.xz").write_bytes(lzma.compress(text.encode()))
    assert read_annotated(tmp_path / "sample.xz").bare_sentences == SAMPLE
    file = io.StringIO()
    write_json_lines(SAMPLE, file)
    # JSON has the offsets, but not the text.
    bare = [replace(sentence, text=None) for sentence in SAMPLE]
    assert [s for s, _ in parse_json_lines(file.getvalue().splitlines(), "j")] == bare
    assert [s.words for s, _ in parse_treebank(text.splitlines(), "t")] == [s.words for s in SAMPLE]


role_names = st.from_regex(r"(C-|R-)?ARG([0-5A]|M-[A-Z]{3})", fullmatch=True)


@st.composite
def sentences_with_roles(draw):
    length = draw(st.integers(1, 6))
    parse = draw(st.none() | parses(length))
    frames = []
    for predicate in sorted(draw(st.sets(st.integers(0, length - 1)))):
        roles = draw(st.lists(st.none() | role_names, min_size=length, max_size=length))
        tags = [f"B-{role}" if role else "O" for role in roles]
        tags[predicate] = "B-V"
        frames.append(Frame(predicate, tags, "take", draw(st.sampled_from(["take.01", "take.LV"]))))
    words = draw(st.lists(values, min_size=length, max_size=length))
    return Sentence(words, frames=draw(st.sampled_from([frames, frames, None])), parse=parse)


@given(st.lists(sentences_with_roles(), min_size=1, max_size=3))
def test_roles_are_read_back(sentences):
    assert read(written(sentences)) == sentences


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(parses(n), st.integers(0, n - 1), st.integers(0, n - 1))
    )
)
def test_a_span_is_the_subtree_without_the_predicate(drawn):
    parse, head, predicate = drawn
    heads = parse.head_indices
    if head == predicate:
        return
    graph = networkx.DiGraph((h, t) for t, h in enumerate(heads) if h != t)
    graph.add_nodes_from(range(len(heads)))
    if not networkx.is_directed_acyclic_graph(graph):
        return
    subtree = networkx.descendants(graph, head) | {head}
    for child in graph.successors(head):
        branch = networkx.descendants(graph, child) | {child}
        if predicate in branch:
            subtree -= branch
    first, last = subtree_span(Sentence(["w"] * len(heads), parse=parse), head, predicate)
    assert {*range(first, last + 1)} <= subtree and first <= head <= last
    assert not {first - 1, last + 1} & subtree


def test_spans_from_heads():
    text = PATH.read_text("utf-8")
    header, *lines = text.splitlines()
    without = [
        header.removesuffix(" UP:ARGSPANS"),
        *(line.rpartition("\t")[0] or line for line in lines),
    ]
    assert read("\n".join(without)) == SAMPLE
    # A span that lacks the determiner.
    short = text.replace("A1-PPT:8-9", "A1-PPT:9-9")
    assert labelled(read(short)[0].frames[0])[1] == ("ARG1", 8, 8)
    assert read(short, spans_from_heads=True) == SAMPLE


def test_arguments_are_mended(caplog):
    counts = Counter()
    read(PATH.read_text("utf-8"), mended=counts)
    assert counts.total() == 2
    (become,) = SAMPLE[3].frames
    assert labelled(become) == [("ARG1", 0, 0), ("ARG2", 3, 4), ("ARGM-LOC", 5, 7)]
    list(parse_conllu_roles(PATH.read_text("utf-8").splitlines(), PATH))
    (line,) = caplog.messages
    assert line == f"{PATH}: mended arguments: 1 repeated; 1 overlapping, shortened"


def test_the_first_release():
    say, go = read_annotated(FOLDER / "first_release.conllup").bare_sentences[0].frames
    assert labelled(say) == [("ARG0", 0, 0), ("ARG1", 4, 7)]
    assert labelled(go) == [("ARG0", 5, 5), ("ARGM-TMP", 6, 6)]


RELEASE = """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC UP:PRED UP:FRAME
1\tAnn\t_\t_\t_\t_\t2\tnsubj\t_\t_\t_\tA0
2\tate\t_\t_\t_\t_\t0\troot\t_\t_\teat.01\t_
2.1\tand\t_\t_\t_\t_\t_\t_\t2:cc\t_%s
3\trice\t_\t_\t_\t_\t2\tobj\t_\t_\t_\tA1
"""


@pytest.mark.parametrize("rest", ["", "\t_\t_"])
def test_empty_nodes_of_the_first_release(rest):
    (sentence,) = read(RELEASE % rest)
    assert labelled(sentence.frames[0]) == [("ARG0", 0, 0), ("ARG1", 2, 2)]


def test_predicted_roles_replace_those_of_the_file(tmp_path):
    out = tmp_path / "roles.conllup"
    run("predict", "english-fast", str(PATH), "--output-file", str(out))
    predicted = read_annotated(out).bare_sentences
    assert [s.words for s in predicted] == [s.words for s in SAMPLE]
    assert not any("arguments" in s.extra[CONLLU] for s in predicted if not s.frames)
    assert [s.extra[CONLLU]["columns"] for s in predicted] == [
        s.extra[CONLLU]["columns"] for s in SAMPLE
    ]
    assert out.read_text("utf-8").count("# global.columns") == 1
