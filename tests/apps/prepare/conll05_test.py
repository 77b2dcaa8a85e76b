"""CoNLL-2005 of sentences of our own in the layout of the release and the treebanks."""

import json
import shutil
from pathlib import Path

import pytest

from lisa_allennlp.apps.prepare.conll05 import Conll05Sources, prepare_conll05
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.data.dataset_readers import Conll05SrlReader, ConlluParsesReader
from tests.apps.prepare.conll_sources import PTB, RELEASE, FakeParser, configured_paths, edit

pytestmark = pytest.mark.medium

TRAIN = """\
The      DT  (S(NP-SBJ-1*   *      -  -       (A0*     (A0*
cook     NN  *)             *      -  -       *)       *)
promised VBD (VP*           *      01 promise (V*)     *
to       TO  (S(VP*         *      -  -       (A1*     *
bake     VB  (VP*           *      02 bake    *        (V*)
1\\/2     CD  (NP*           *      -  -       *        (A1*
dozen    NN  *              *      -  -       *        *
(        (   (PRN*          *      -  -       *        *
very     RB  (ADJP*         *      -  -       *        *
small    JJ  *)             *      -  -       *        *
)        )   *)             *      -  -       *        *
pies     NNS *)))))         *      -  -       *)       *)
.        .   *)             *      -  -       *        *

Hm UH (FRAG(INTJ*) * - -
.  .  *)           * - -

Zoë       NNP (S(NP-SBJ(NP*)      (PER*) -  -    (A0*)   (A0*
,         ,   *                   *      -  -    *       *
who       WP  (SBAR(WHNP-2*)      *      -  -    (R-A0*) *
sings     VBZ (S(VP*)))           *      01 sing (V*)    *
,         ,   *)                  *      -  -    *       *)
called    VBD (VP*                *      03 call *       (V*)
Bo        NNP (NP*)               (PER*) -  -    *       (A1*)
up        RP  (PRT*)              *      -  -    *       (C-V*)
yesterday NN  (NP-TMP*))          *      -  -    *       (AM-TMP*)
.         .   *)                  *      -  -    *       *
"""


def cells(text: str) -> list:
    return [line.split() for line in text.splitlines()]


def prepare(
    folder: Path, parser: FakeParser, batch_size: int = 2000, with_tagger: bool = False
) -> list:
    sources = Conll05Sources(folder / RELEASE, folder / PTB)
    return prepare_conll05(
        sources, folder.parent / "out", parser.annotator(batch_size, with_tagger)
    )


def test_columns_and_trees(conll05_sources: Path, fake_parser: FakeParser, tmp_path: Path):
    reports = prepare(conll05_sources, fake_parser, batch_size=3)
    calls = [3] * 7 + [1, 1, 1, 1, 3]
    assert fake_parser.calls() == calls
    written = cells((tmp_path / "out" / "train.conll").read_text(encoding="utf-8"))
    assert written[: len(cells(TRAIN))] == cells(TRAIN)
    first, *others = Conll05SrlReader().read_sentences(tmp_path / "out" / "train.conll")
    # Worked out by hand by the rule of the stand-in.
    assert first.heads == [3, 1, 0, 5, 3, 5, 6, 6, 8, 9, 8, 6, 3]
    assert first.head_tags[:6] == ["np", "nn", "root", "to", "s", "np"]
    assert len(others) == 21
    # Several constituents side by side are one tree.
    (sentence,) = Conll05SrlReader().read_sentences(tmp_path / "out" / "dev.conll")
    assert sentence.heads == [2, 0, 2]
    assert all(map(Path.is_file, configured_paths("conll2005", tmp_path / "out")))
    # What is finished is kept, unless its sources have changed.
    assert prepare(conll05_sources, fake_parser) == reports and fake_parser.calls() == calls
    edit(conll05_sources / RELEASE / "devel" / "props" / "devel.24.props.gz", "swim", "bath")
    prepare(conll05_sources, fake_parser)
    assert len(fake_parser.calls()) == len(calls) + 1
    assert "bath" in (tmp_path / "out" / "dev.conll").read_text()


def test_test_sets_section_22_and_predicted_tags(
    conll05_sources: Path, fake_parser: FakeParser, tmp_path: Path
):
    train, _, section22, wsj, brown = prepare(conll05_sources, fake_parser, with_tagger=True)
    out = tmp_path / "out"
    assert (train.sentences, train.tokens, train.predicates) == (22, 82, 23)
    written = json.loads((out / "train.report.json").read_text())
    expected = ["found 22 sentences; expected 39,832, as published"]
    assert written["warnings"] == train.warnings() == expected
    assert (wsj.sentences, wsj.tokens, wsj.predicates) == (1, 5, 1)
    assert (brown.sentences, brown.tokens, brown.predicates) == (3, 8, 2)
    (sentence,) = Conll05SrlReader().read_sentences(out / "test.wsj.conll")
    assert sentence.words == ["She", "paid", "#", "3", "."]
    assert sentence.frames[0].sense == "-"
    owls, _, end = Conll05SrlReader().read_sentences(out / "test.brown.conll")
    assert owls.frames[0].tags == ["B-A0", "B-V", "O"] and end.frames == []
    assert (section22.sentences, section22.tokens, section22.predicates) == (1, 6, 0)
    assert not (out / "section22.conll").exists()
    for suffix, pos in ((None, "DT NN VBZ JJ ) ."), (".tags.conllu", "T T I N ) .")):
        # By the rule of the stand-in. Tags are in the official form, as the gold ones are.
        reader = ConlluParsesReader(use_language_specific_pos=True, pos_suffix=suffix)
        (tea,) = reader.read_sentences(out / "section22.conllu")
        assert tea.words == ["The", "tea", "is", "nice", ")", "."]
        assert (tea.pos, tea.heads) == (pos.split(), [3, 1, 0, 3, 3, 3])


def test_without_tests_brown_and_section_22(
    conll05_sources: Path, fake_parser: FakeParser, tmp_path: Path
):
    shutil.rmtree(conll05_sources / RELEASE / "test.wsj")
    shutil.rmtree(conll05_sources / PTB / "parsed" / "mrg" / "brown")
    shutil.rmtree(conll05_sources / PTB / "parsed" / "mrg" / "wsj" / "22")
    _, dev, section22, wsj, brown = prepare(conll05_sources, fake_parser)
    assert dev.skipped is None
    assert "wsj has no section 22, which" in section22.skipped
    assert wsj.skipped.endswith("is in conll05st-tests.tar.gz")
    assert "does not contain the Brown Corpus" in brown.skipped
    assert not (tmp_path / "out" / "test.wsj.conll").exists()


def test_other_layouts(conll05_sources: Path, fake_parser: FakeParser):
    expected = prepare(conll05_sources, fake_parser)
    shutil.rmtree(conll05_sources.parent / "out")
    # As on the Treebank's disks, with the release's files unpacked and folders named exactly.
    wsj, brown = conll05_sources / "WSJ", conll05_sources / "BROWN"
    shutil.copytree(conll05_sources / PTB / "parsed" / "mrg" / "wsj", wsj)
    (brown / "CK").mkdir(parents=True)
    for path in (conll05_sources / PTB / "parsed" / "mrg" / "brown" / "ck").iterdir():
        shutil.copy(path, brown / "CK" / path.name.upper())
    for path in [path for path in wsj.rglob("*.mrg")]:
        path.rename(path.with_name(path.name.upper()))
    (wsj / "02" / "readme").write_text("not a tree")
    out = conll05_sources.parent / "out"
    sources = Conll05Sources(conll05_sources, wsj, brown)
    assert prepare_conll05(sources, out, fake_parser.annotator()) == expected


@pytest.mark.parametrize(
    "path, old, new, message",
    [
        (
            *(f"{PTB}/parsed/mrg/wsj/02/wsj_0201.mrg", "(RB very) ", ""),
            "train.02.props.gz:1: found 13 words in sentence 1; expected 12, as in .*0201.mrg:2",
        ),
        (
            *(f"{RELEASE}/test.wsj/words/test.wsj.words.gz", "paid", "payed"),
            "test.wsj.words.gz:2: found the word 'payed'; expected 'paid', as in .*wsj_2301.mrg:2",
        ),
    ],
)
def test_files_that_do_not_agree(
    conll05_sources: Path, fake_parser: FakeParser, path: str, old: str, new: str, message: str
):
    edit(conll05_sources / path, old, new)
    with pytest.raises(CorpusFormatError, match=message):
        prepare(conll05_sources, fake_parser)
