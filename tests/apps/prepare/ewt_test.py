"""The English Web Treebank, from small checkouts made by hand."""

import json
import shutil
from pathlib import Path

import pytest

from lisa_allennlp.apps.prepare import ewt
from lisa_allennlp.apps.prepare.ewt import prepare_ewt
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from tests import FIXTURES
from tests.apps.prepare.conll_sources import edit

SOURCES = FIXTURES / "ewt_sources"
PROPBANK, UD = SOURCES / "propbank-release", SOURCES / "UD_English-EWT"

TRAIN = """\
#begin document (google/ewt/weblog/00/cats); part 000
google/ewt/weblog/00/cats 0 0 Cats NNS (TOP(S(NP* - - - - * (ARG0* * -
google/ewt/weblog/00/cats 0 1 -LRB- -LRB- (PRN* - - - - * * * -
google/ewt/weblog/00/cats 0 2 small JJ * - - - - * * * -
google/ewt/weblog/00/cats 0 3 -RRB- -RRB- *)) - - - - * *) * -
google/ewt/weblog/00/cats 0 4 chase VBP (VP* chase 01 - - * (V*) * -
google/ewt/weblog/00/cats 0 5 mice NNS (NP*) - - - - * (ARG1*) * -
google/ewt/weblog/00/cats 0 6 by IN (PP* - - - - * (ARGM-ADV* * -
google/ewt/weblog/00/cats 0 7 playing VBG (S(VP*))) play 01 - - * *) (V*) -
google/ewt/weblog/00/cats 0 8 . . *)) - - - - * * * -

google/ewt/weblog/00/cats 0 0 They PRP (TOP(S(NP*) - - - - * (ARG0*) (ARG0*) -
google/ewt/weblog/00/cats 0 1 do VBP (VP* do 01 - - * (V*) * -
google/ewt/weblog/00/cats 0 2 n't RB * - - - - * * (ARGM-NEG*) -
google/ewt/weblog/00/cats 0 3 run VB (VP*)) run_up 03 - - * * (V*) -
google/ewt/weblog/00/cats 0 4 . . *)) - - - - * * * -

google/ewt/weblog/00/cats 0 0 :--RRB- NFP (TOP(X*)) - - - - * -

#end document
#begin document (google/ewt/answers/00/bread); part 000
google/ewt/answers/00/bread 0 0 Bread NN (TOP(NP*) - - - - * -
google/ewt/answers/00/bread 0 1 . . *) - - - - * -

google/ewt/answers/00/bread 0 0 Good JJ (TOP(NP* - - - - * -
google/ewt/answers/00/bread 0 1 bread NN *)) - - - - * -

#end document
"""

TREES = """\
# sent_id = weblog-cats-0002
# text = They do n't run .
1	They	they	PRON	PRP	_	4	nsubj	_	_
2	do	do	AUX	VBP	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	run	run	VERB	VB	_	0	root	_	_
5	.	.	PUNCT	.	_	4	punct	_	_

# sent_id = weblog-cats-0004
# text = :-)
1	:--RRB-	:-)	SYM	NFP	_	0	root	_	_

"""


def test_files(tmp_path: Path):
    ud = Path(shutil.copytree(UD, tmp_path / "ud"))
    log = b"caf\xe9 v2.15\n# Changelog\n**2025-05-15 v2.16**\n**2024-11-15 v2.15**\n"
    (ud / "README.md").write_bytes(log)
    train, dev, test = prepare_ewt(PROPBANK, ud, tmp_path)
    assert train.ud_release == "2.16"
    assert (tmp_path / "ewt-train.gold_conll").read_text(encoding="utf-8") == TRAIN
    assert TREES in (tmp_path / "ewt-train.conllu").read_text(encoding="utf-8")
    assert (train.documents, train.sentences, train.tokens, train.predicates) == (2, 5, 19, 4)
    assert (dev.documents, dev.sentences, dev.tokens, dev.predicates) == (1, 2, 5, 1)
    assert test.is_absent and test.listed_documents == 1
    assert [path.name for path in tmp_path.glob("*test*")] == ["ewt-test.report.json"]
    first, *_ = Conll12SrlReader().read_sentences(tmp_path / "ewt-train.gold_conll")
    assert first.words[:4] == ["Cats", "-LRB-", "small", "-RRB-"]
    assert first.parse.head_tags[:3] == ["nsubj", "punct", "amod"]


def test_every_sentence_that_is_left_out_has_a_reason(tmp_path: Path):
    train, dev, _ = prepare_ewt(PROPBANK, UD, tmp_path)
    assert [(item.reason, item.propbank, item.ud) for item in train.left_out] == [
        (ewt.OTHER_TOKENS, 3, "weblog-cats-0003"),
        (ewt.ONLY_IN_UD, None, "answers-bread-0002"),
        (ewt.OTHER_TOKENS, 2, "answers-bread-0003"),
        (ewt.UNREADABLE_ROLES, 3, "answers-bread-0004"),
        (ewt.VERB_ELSEWHERE, 4, "answers-bread-0005"),
        (ewt.WORD_WITH_BLANK, 5, "answers-bread-0006"),
        (ewt.NO_PROPBANK_DOCUMENT, None, None),
        (ewt.NO_UD_DOCUMENT, None, None),
    ]
    assert dev.left_out == []
    written = json.loads((tmp_path / "ewt-train.report.json").read_text(encoding="utf-8"))
    assert written["sentences"] == 5
    assert written["reasons"] == train.reasons()
    assert written["left_out"][0]["detail"] == "2 in PropBank, 3 in UD"


def test_finished_splits_are_kept_and_others_made_again(sources: Path, tmp_path: Path):
    out = tmp_path / "out"
    folders = sources / PROPBANK.name, sources / UD.name
    first = prepare_ewt(*folders, out)
    times = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    assert prepare_ewt(*folders, out) == first
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == times

    # A lost file, a changed source, another option: made again.
    (out / "ewt-dev.conllu").unlink()
    prepare_ewt(*folders, out)
    assert (out / "ewt-dev.conllu").exists()
    edit(folders[0] / ewt.PROPBANK_DATA / "weblog/00/cats.xml.gold_skel", "chase.01", "chase.02")
    assert prepare_ewt(*folders, out)[0] == first[0]
    train = (out / "ewt-train.gold_conll").read_text(encoding="utf-8")
    assert train == TRAIN.replace("chase 01", "chase 02")
    skipped, *_ = prepare_ewt(*folders, out, skip_unequal_documents=True)
    assert (skipped.documents, skipped.sentences) == (1, 3)
    assert ewt.UNEQUAL_DOCUMENT in skipped.reasons()


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCES, tmp_path / "sources"))
