"""CoNLL-2012 of documents of our own in the layout of OntoNotes."""

import shutil
from pathlib import Path
from typing import List, Optional

import pytest

from lisa_allennlp.apps.prepare.conll12 import OntonotesSources, prepare_conll12
from lisa_allennlp.apps.prepare.outputs import ConllReport
from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader, ConlluParsesReader
from tests.apps.prepare.conll_sources import IDS, ONTONOTES, FakeParser, configured_paths

TRAIN = "data/train/data/english/annotations/nw/wsj/02"


def prepare(
    parser: FakeParser,
    out: Path,
    ontonotes: Path = ONTONOTES,
    ids: Optional[Path] = IDS,
    with_tagger: bool = False,
) -> List[ConllReport]:
    annotator = parser.annotator(with_tagger=with_tagger)
    return prepare_conll12(OntonotesSources(ontonotes, ids), out, annotator)


@pytest.fixture
def ontonotes(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ONTONOTES, tmp_path / "ontonotes"))


def test_our_reader_reads_them_with_trees_and_tags(fake_parser: FakeParser, tmp_path: Path):
    train, development, test = prepare(fake_parser, tmp_path, with_tagger=True)
    assert all(map(Path.is_dir, configured_paths("conll2012", tmp_path)))
    document = "nw/wsj/02/wsj_0208.gold_conll"
    source = ONTONOTES / TRAIN / "wsj_0208.gold_conll"
    assert (tmp_path / "train" / document).read_bytes() == source.read_bytes()
    first, second, third = Conll12SrlReader().read_sentences(tmp_path / "train")
    assert first.words == ["The", "baker's", "made", "-LRB-", ":(", "-RRB-", "promise", "/."]
    # Worked out by hand by the rule of the stand-in.
    assert first.heads == [3, 1, 0, 3, 4, 4, 4, 3]
    assert first.head_tags == ["np", "nn", "root", "np", "nfp", "-rrb-", "nn", "."]
    assert [(f.predicate, f.lemma) for f in first.frames or []] == [(2, "make"), (6, "promise")]
    # The converter would have deleted the words of a constituent CODE.
    assert (second.words, second.frames, second.heads) == (["Yes", "Zoë", "/."], [], [0, 1, 1])
    # Brackets that do not match.
    assert third.heads == [0, 1]

    files = sorted(path.name for path in tmp_path.glob("*.tags.conllu"))
    assert files == ["development.tags.conllu", "test.tags.conllu", "train.tags.conllu"]
    reader = ConlluParsesReader(use_language_specific_pos=True, pos_suffix=".tags.conllu")
    tagged = list(reader.read_sentences(tmp_path / "train"))
    assert [(s.words, s.parse) for s in tagged] == [
        (s.words, s.parse) for s in (first, second, third)
    ]
    assert tagged[0].pos == ["T", "B", "M", "-", ":", "-RRB-", "P", "/"]

    assert (train.sentences, train.tokens, train.predicates) == (3, 13, 2)
    assert train.flat_trees == [f"{source}:17"] and development.flat_trees == []
    published, flat = train.warnings()
    assert published == "found 3 sentences; expected 75,187, as published"
    assert flat.startswith("1 of the sentences converted as a single constituent, since their bra")
    assert "1 of the listed documents missing: wb/eng/00/eng_0099 ..." in test.warnings()


def test_without_lists_all_documents_are_taken(fake_parser: FakeParser, tmp_path: Path):
    train, _, test = prepare(fake_parser, tmp_path, ids=None)
    assert train.sentences == 4
    # The shared task's test set, not the larger one of OntoNotes.
    documents = [path.name for path in (tmp_path / "test").rglob("*.gold_conll")]
    assert documents == ["eng_0009.gold_conll"]
    assert test.missing_documents == []


def test_what_is_finished_is_kept_and_what_has_changed_replaced(
    fake_parser: FakeParser, ontonotes: Path, tmp_path: Path
):
    out = tmp_path / "out"
    first = prepare(fake_parser, out, ontonotes, ids=None)
    assert prepare(fake_parser, out, ontonotes, ids=None) == first
    assert fake_parser.calls() == [4, 1, 1]
    # What is not in the lists goes away, else our reader would find it.
    prepare(fake_parser, out, ontonotes, ids=IDS)
    assert fake_parser.calls() == [4, 1, 1, 3, 1, 1]
    assert not list(out.rglob("wsj_0209*"))
    assert sorted(path.name for path in out.iterdir()) == ["development", "test", "train"]


def test_ambiguous_sources(ontonotes: Path):
    shutil.copytree(ontonotes / "data", ontonotes / "v4" / "data")
    with pytest.raises(CorpusFormatError, match="found two folders of train"):
        OntonotesSources(ontonotes).documents("train")
