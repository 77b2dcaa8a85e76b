"""LISA with the trees of a trained parser: the paper's +D&M, from raw text."""

import json
import shutil
from pathlib import Path
from typing import Any, Dict, Iterable, List

import pytest
from allennlp.data import Vocabulary
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.loading import load_labeller
from lisa_allennlp.labelling.parse_sources import make_parse_source
from lisa_allennlp.labelling.parse_sources.archive import ArchiveParseSource
from lisa_allennlp.labelling.writing import to_conllu
from lisa_allennlp.model_files.opening import archived_config
from tests import FIXTURES
from tests.archives import write_archive
from tests.engines import label_instances

pytestmark = pytest.mark.medium

DEV = FIXTURES / "sample" / "dev.gold_conll"
SENTENCES = list(Conll12SrlReader(max_instances=12).read_sentences(DEV))[:12]
WORDS = [sentence.words for sentence in SENTENCES]


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


def parser_variant(
    archives: Dict[str, Path], folder: Path, changes: Dict[str, Any], tags: List[str]
) -> Path:
    """An untrained parser with another config or other tags."""
    archive = archives["deep_biaffine_parser"]
    model = {**archived_config(str(archive))["model"], **changes}
    vocab = load_archive(archive).model.vocab
    labels = vocab.get_index_to_token_vocabulary("head_tags")
    others = Vocabulary(tokens_to_add={"head_tags": list(labels.values()), "pos": tags})
    return write_archive(folder, model, {"type": "conllu_parses"}, others)


def test_the_parser_reads_the_tags_of_lisa_and_lisa_takes_its_trees(
    lisa: Labeller, parser: Labeller, both: Labeller
) -> None:
    tags = [sentence.pos for sentence in lisa.pipe(WORDS)]
    assert any(found != gold.pos for found, gold in zip(tags, SENTENCES, strict=True))
    tagged = [{"tokens": w, "pos": p} for w, p in zip(WORDS, tags, strict=True)]
    trees = [sentence.heads for sentence in parser.pipe(tagged)]
    given = [{"tokens": w, "head_indices": h} for w, h in zip(WORDS, trees, strict=True)]
    answers = list(both.pipe(WORDS))
    assert [answer.heads for answer in answers] == trees
    assert [answer.pos for answer in answers] == tags
    for answer, expected in zip(answers, lisa.pipe(given), strict=True):
        assert answer.frames == expected.frames and answer.head_tags == expected.head_tags


def test_gold_tags_of_a_corpus_are_not_read(both: Labeller) -> None:
    instances = list(both.engine.dataset_reader.read(DEV))[:12]
    assert labels(label_instances(both, instances)) == labels(both.pipe(WORDS))


def test_given_tags_and_trees_come_first(parser: Labeller, both: Labeller) -> None:
    words, gold = WORDS[0], SENTENCES[0]
    expected = parser({"tokens": words, "pos": gold.pos}).heads
    mixed = [
        words,
        {"tokens": words, "pos": gold.pos},
        {"tokens": words, "head_indices": gold.heads},
    ]
    own, of_gold_tags, injected = both.pipe(mixed)
    assert own.heads == both(words).heads != of_gold_tags.heads == expected
    assert injected.heads == gold.heads
    assert own.pos == of_gold_tags.pos == injected.pos


def test_given_tags_need_a_parser(lisa: Labeller) -> None:
    with pytest.raises(ConfigurationError, match=r"`pos`: found .*; expected no tags, which only"):
        lisa({"tokens": ["Go"], "pos": ["VB"]})


def test_processes_details_and_groups(both: Labeller) -> None:
    texts: List[Any] = [
        "She saw (him).",
        "",
        *WORDS,
        {"tokens": ["Go"], "predicates": [0], "id": 1},
    ]
    expected = list(both.pipe(texts, details=True))
    assert expected[1].words == [] and expected[-1].extra == {"id": 1}
    matrix = expected[0].attention
    assert matrix is not None and set(matrix.flatten()) == {0.0, 1.0}
    for size, processes in ((5, 1), (4, 2)):
        found = list(both.pipe(texts, batch_size=size, processes=processes))
        assert labels(found) == labels(expected)


def test_a_bad_input_does_not_stop_the_others(both: Labeller) -> None:
    found = list(both.pipe([WORDS[0], {"tokens": 3}, WORDS[1]], on_error="yield"))
    assert "`tokens`: found 3" in str(found[1])
    assert labels([found[0], found[2]]) == labels([both(WORDS[0]), both(WORDS[1])])


def test_all_frames_of_a_sentence_share_a_tree(archives: Dict[str, Path], tmp_path: Path) -> None:
    model = archived_config(str(archives["lisa"]))["model"]
    model["predicate_indicator_embedding"] = {"embedding_dim": 2}
    model["encoder"].pop("input_dim")
    vocab = load_archive(archives["lisa"]).model.vocab
    path = write_archive(tmp_path, model, {"type": "conll12_srl"}, vocab)
    lisa = lisa_allennlp.load(path, parser=archives["deep_biaffine_parser"])
    words = WORDS[0]
    answer = lisa({"tokens": words, "predicates": [0, 2, 3]})
    tags = lisa({"tokens": words, "predicates": [0]}).pos
    parser = lisa_allennlp.load(archives["deep_biaffine_parser"])
    assert answer.pos == tags and answer.predicates == [0, 2, 3]
    assert answer.heads == parser({"tokens": words, "pos": tags}).heads


def test_a_parser_of_words_needs_no_tags(
    archives: Dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = parser_variant(archives, tmp_path, {"pos_tag_embedding": None}, ["X"])
    lisa = lisa_allennlp.load(archives["lisa"], parser=path)
    monkeypatch.setattr(type(lisa.engine.model), "predict_pos", None)
    expected = [lisa_allennlp.load(path)(words).heads for words in WORDS[:2]]
    assert [lisa(words).heads for words in WORDS[:2]] == expected
    with pytest.raises(ConfigurationError, match="`pos`: found .*; expected no tags"):
        lisa({"tokens": ["Go"], "pos": ["VB"]})


def test_another_tag_set_is_refused(archives: Dict[str, Path], tmp_path: Path) -> None:
    # SYM and X are tags of both sets.
    path = parser_variant(archives, tmp_path, {}, "ADJ ADP NOUN PRON VERB SYM X".split())
    with pytest.raises(ConfigurationError) as error:
        lisa_allennlp.load(archives["lisa"], parser=path)
    message = "found a parser trained on the tags ADJ, ADP, NOUN, PRON, SYM ..., which lack "
    assert message in str(error.value) and "use_language_specific_pos" in str(error.value)


def test_half_of_the_tags_are_enough(archives: Dict[str, Path], tmp_path: Path, lisa: Labeller):
    tags = sorted({tag for sentence in SENTENCES for tag in sentence.pos or []})
    path = parser_variant(archives, tmp_path, {}, tags)
    assert lisa_allennlp.load(archives["lisa"], parser=path)(WORDS[0]).heads


def test_another_model_is_refused(archives: Dict[str, Path]) -> None:
    for name, found in (("lisa", "Lisa"), ("ccg_supertagger", "CcgSupertagger")):
        with pytest.raises(ConfigurationError, match=f"found a {found}.*expected a deep"):
            ArchiveParseSource(archives[name])


def test_options_and_files_that_do_not_exist(archives: Dict[str, Path]) -> None:
    path = str(archives["deep_biaffine_parser"])
    source = make_parse_source({"type": "archive", "path": path}, "cpu")
    assert source is not None and source.pos_tags is not None and {"NN", "VBD"} < source.pos_tags
    assert "@@UNKNOWN@@" not in source.pos_tags
    assert source.parse([Sentence(["Go"], ["VB"])]) == [[0]]
    with pytest.raises(ConfigurationError, match="found no such file or folder, 'none.tar.gz'"):
        ArchiveParseSource("none.tar.gz")
    with pytest.raises(ConfigurationError, match="precision is 'int4'"):
        ArchiveParseSource(archives["deep_biaffine_parser"], precision="int4")


def test_the_predictor_takes_it_as_an_object(archives: Dict[str, Path], both: Labeller) -> None:
    parser = {"type": "archive", "path": str(archives["deep_biaffine_parser"])}
    predictor = Predictor.from_path(str(archives["lisa"]), "lisa", parser=parser)
    answer = predictor.predict_json({"tokens": WORDS[0]})
    assert answer["predicted_heads"] == both(WORDS[0]).heads


def test_the_tags_of_lisa_can_be_a_file_of_the_parser(
    archives: Dict[str, Path], lisa: Labeller, both: Labeller, tmp_path: Path
) -> None:
    corpus = Path(shutil.copy(DEV.with_suffix(".conllu"), tmp_path))
    instances = lisa.engine.dataset_reader.read(DEV)
    with open(tmp_path / "dev.lisa.conllu", "w") as file:
        file.writelines(map(to_conllu, label_instances(lisa, list(instances))))
    overrides = json.dumps({"dataset_reader.pos_suffix": ".lisa.conllu"})
    parser = load_labeller(archives["deep_biaffine_parser"], overrides=overrides)
    parsed = label_instances(parser, list(parser.engine.dataset_reader.read(corpus)))
    expected = [both(words) for words in WORDS]
    assert [(s.heads, s.pos) for s in parsed[:12]] == [(s.heads, s.pos) for s in expected]
