"""LISA with the trees of other parsers: a trained one (the paper's +D&M), spaCy's and Stanza's."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Iterable, List, Sequence

import pytest
import spacy
from allennlp.data import Vocabulary
from allennlp.models.archival import load_archive
from spacy.language import Language
from spacy.tokens import Doc

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import make_parse_source, open_parser
from lisa_allennlp.labelling.parse_sources import ParseSource, SpacyParseSource, StanzaParseSource
from lisa_allennlp.models_on_disk.archives.opening import archived_config
from lisa_allennlp.sentence.sentence import Sentence
from tests import FIXTURES
from tests.archives import write_archive
from tests.engines import label_instances

DEV = FIXTURES / "sample" / "dev.gold_conll"
SENTENCES = list(Conll12SrlReader(max_instances=12).read_sentences(DEV))[:12]
WORDS = [sentence.words for sentence in SENTENCES]


class FixedParses(ParseSource):
    """Gives the trees that it was made with."""

    def __init__(self, parses: List[List[int]]) -> None:
        self._parses = parses

    def heads(self, sentences: Sequence[Sentence]) -> List[List[int]]:
        return self._parses


@pytest.mark.parametrize(
    "parses, message",
    [
        ([[1, 1]], "found 1 trees; expected 2, one per sentence"),
        ([[1], [0]], "found 1 heads in the tree of 'a b'; expected 2, one per word"),
        ([[1, 2], [0]], "found 2 as the head of 'b' in the tree of 'a b'; .* position below 2"),
        ([[1, 0], [0]], r"found the cycle 1 \(a\) <- 2 \(b\) <- 1 \(a\) in the heads of 'a b'"),
    ],
)
def test_trees_that_do_not_fit_are_refused(parses: List[List[int]], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        FixedParses(parses).parse([Sentence(["a", "b"]), Sentence(["c"])])


@Language.component("attach_to_capital")
def attach_to_capital(doc: Doc) -> Doc:
    """The first capitalised word is the root, and the head of all others."""
    root = next(token for token in doc if token.text[0].isupper())
    for token in doc:
        token.head = root
        token.dep_ = "ROOT" if token.i == root.i else "dep"
    return doc


class TestSpacy:
    def source(self, path: Path, component: str) -> Any:
        pipeline = spacy.blank("en")
        pipeline.add_pipe(component)
        pipeline.to_disk(path / "pipeline")
        return make_parse_source({"type": "spacy", "model": str(path / "pipeline")}, "cpu")

    def test_its_trees_are_of_the_words_given(self, tmp_path: Path) -> None:
        # spaCy's own tokens would be others.
        sentences = [["that's", "(", "New York", ")"], ["No"], ["i", "saw", "Mr.", "X."]]
        source = self.source(tmp_path, "attach_to_capital")
        assert source.parse(list(map(Sentence, sentences))) == [[2, 2, 2, 2], [0], [2, 2, 2, 2]]

    def test_other_pipelines_are_refused(self, tmp_path: Path) -> None:
        source = self.source(tmp_path, "sentencizer")
        with pytest.raises(ConfigurationError, match="found the components sentencizer in the sp"):
            source.parse([Sentence(["Go"])])
        for name in ("xx_none", str(tmp_path)):
            with pytest.raises(ConfigurationError, match="cannot load the spaCy pipeline"):
                SpacyParseSource(name)


class StanzaPipeline:
    """Makes the last word of each sentence its root. Like Stanza, it counts from 1."""

    def __init__(self, lang: str, **options: Any) -> None:
        if lang == "xx":
            raise FileNotFoundError("Resources file not found")
        assert options["tokenize_pretokenized"] and options["download_method"] is None
        self.lang = lang

    def __call__(self, sentences: List[List[str]]) -> SimpleNamespace:
        return SimpleNamespace(sentences=[self._parse(len(words)) for words in sentences])

    def _parse(self, length: int) -> SimpleNamespace:
        heads = [None] if self.lang == "unparsed" else [length] * (length - 1) + [0]
        return SimpleNamespace(words=[SimpleNamespace(head=head) for head in heads])


def test_stanza(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Pipeline=StanzaPipeline))
    source = make_parse_source({"type": "stanza", "language": "de"}, "cpu")
    sentences = [Sentence(words) for words in (["Er", "geht"], ["Halt"], ["a", "b", "c"])]
    assert source.parse(sentences) == [[1, 1], [0], [2, 2, 2]]
    with pytest.raises(ConfigurationError, match=r"models of 'xx'.*download\('xx"):
        StanzaParseSource("xx")
    with pytest.raises(ConfigurationError, match="found a word without a head from Stanza"):
        StanzaParseSource("unparsed").parse([Sentence(["Go"])])


@pytest.fixture(scope="module")
def parser(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["deep_biaffine_parser"])


@pytest.fixture(scope="module")
def lisa(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["lisa"], engine="torch")


@pytest.fixture(scope="module")
def both(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["lisa"], parser=str(archives["deep_biaffine_parser"]))


def labels(sentences: Iterable[Any]) -> List[Any]:
    """The labels, without probabilities, whose last digits depend on the batches."""
    return [(s.words, s.pos, s.parse, s.frames, s.extra) for s in sentences]


@pytest.mark.medium
class TestArchive:
    def variant(
        self, archives: Dict[str, Path], folder: Path, tags: List[str], **changes: Any
    ) -> Path:
        """An untrained parser with another config or other tags."""
        archive = archives["deep_biaffine_parser"]
        model = {**archived_config(str(archive))["model"], **changes}
        vocab = load_archive(archive).model.vocab
        labels = vocab.get_index_to_token_vocabulary("head_tags")
        others = Vocabulary(tokens_to_add={"head_tags": list(labels.values()), "pos": tags})
        return write_archive(folder, model, {"type": "conllu_parses"}, others)

    def test_the_parser_reads_the_tags_of_lisa_and_lisa_takes_its_trees(
        self, lisa: Labeller, parser: Labeller, both: Labeller
    ) -> None:
        tags = [sentence.pos for sentence in lisa.pipe(WORDS)]
        assert any(found != gold.pos for found, gold in zip(tags, SENTENCES, strict=True))
        tagged = [{"tokens": w, "pos": p} for w, p in zip(WORDS, tags, strict=True)]
        trees = [sentence.heads for sentence in parser.pipe(tagged)]
        given = [{"tokens": w, "head_indices": h} for w, h in zip(WORDS, trees, strict=True)]
        answers = list(both.pipe(WORDS, batch_size=4, processes=2))
        assert [answer.heads for answer in answers] == trees
        assert [answer.pos for answer in answers] == tags
        for answer, expected in zip(answers, lisa.pipe(given), strict=True):
            assert answer.frames == expected.frames and answer.head_tags == expected.head_tags
        # Gold tags of a corpus are not read.
        instances = list(both.engine.dataset_reader.read(DEV))[:12]
        of_corpus = labels(label_instances(both, instances))
        # These have the ids of their documents, too.
        assert [item[:-1] for item in of_corpus] == [item[:-1] for item in labels(answers)]

    def test_given_tags_and_trees_come_first(
        self, lisa: Labeller, parser: Labeller, both: Labeller
    ) -> None:
        words, gold = WORDS[0], SENTENCES[0]
        expected = parser({"tokens": words, "pos": gold.pos}).heads
        tagged = {"tokens": words, "pos": gold.pos}
        parsed = {"tokens": words, "head_indices": gold.heads}
        mixed: List[Any] = [words, tagged, parsed, ""]
        own, of_gold_tags, injected, empty = both.pipe(mixed, details=True)
        assert own.heads == both(words).heads != of_gold_tags.heads == expected
        assert injected.heads == gold.heads and empty.heads == []
        assert own.pos == of_gold_tags.pos == injected.pos
        assert set(own.attention.flatten()) == {0.0, 1.0}
        with pytest.raises(ConfigurationError, match=r"`pos`: found .*; expected no tags, which"):
            lisa({"tokens": ["Go"], "pos": ["VB"]})

    def test_all_frames_of_a_sentence_share_a_tree(
        self, archives: Dict[str, Path], parser: Labeller, tmp_path: Path
    ) -> None:
        model = archived_config(str(archives["lisa"]))["model"]
        model["predicate_indicator_embedding"] = {"embedding_dim": 2}
        model["encoder"].pop("input_dim")
        vocab = load_archive(archives["lisa"]).model.vocab
        path = write_archive(tmp_path, model, {"type": "conll12_srl"}, vocab)
        lisa = lisa_allennlp.load(path, parser=archives["deep_biaffine_parser"])
        words = WORDS[0]
        answer = lisa({"tokens": words, "predicates": [0, 2, 3]})
        tags = lisa({"tokens": words, "predicates": [0]}).pos
        assert answer.pos == tags and answer.predicates == [0, 2, 3]
        assert answer.heads == parser({"tokens": words, "pos": tags}).heads

    def test_a_parser_of_words_needs_no_tags(
        self, archives: Dict[str, Path], tmp_path: Path
    ) -> None:
        path = self.variant(archives, tmp_path, ["X"], pos_tag_embedding=None)
        lisa = lisa_allennlp.load(archives["lisa"], parser=path)
        parser = lisa_allennlp.load(path)
        assert [lisa(w).heads for w in WORDS[:2]] == [parser(w).heads for w in WORDS[:2]]
        assert len(parser.document("She left. He stayed.")) == 2

    def test_tag_sets(self, archives: Dict[str, Path], tmp_path: Path) -> None:
        # Half of the tags are enough. SYM and X are tags of both sets.
        tags = sorted({tag for sentence in SENTENCES for tag in sentence.pos or []})
        path = self.variant(archives, tmp_path, tags)
        assert lisa_allennlp.load(archives["lisa"], parser=path)(WORDS[0]).heads
        path = self.variant(archives, tmp_path, "ADJ ADP NOUN PRON VERB SYM X".split())
        message = "found a parser trained on the tags ADJ, ADP, NOUN, PRON, SYM ..., which lack "
        with pytest.raises(ConfigurationError, match=message):
            lisa_allennlp.load(archives["lisa"], parser=path)

    def test_what_is_no_parser_is_refused(self, archives: Dict[str, Path]) -> None:
        with pytest.raises(ConfigurationError, match="found a CcgSupertagger.*expected a deep"):
            open_parser(archives["ccg_supertagger"])
        with pytest.raises(ConfigurationError, match="found no such file or folder, 'none.tar.gz'"):
            open_parser("none.tar.gz")
