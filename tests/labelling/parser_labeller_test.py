"""Trees through the door."""

from pathlib import Path
from typing import Dict

import pytest
from allennlp.models.archival import load_archive

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.parser_labeller import ParserLabeller
from lisa_allennlp.models.engines import ParserEngine

TAGGED = {"tokens": ["She", "saw", "(", "him", ")"], "pos": ["PRP", "VBD", "(", "XX", ")"]}


@pytest.fixture(scope="module")
def parser(archives: Dict[str, Path]) -> Labeller:
    return lisa_allennlp.load(archives["deep_biaffine_parser"])


def test_a_tree(parser: Labeller) -> None:
    sentence = parser({**TAGGED, "id": 3})
    assert sentence.words == TAGGED["tokens"] and sentence.pos == TAGGED["pos"]
    assert sentence.heads.count(0) == 1 and sentence.extra == {"id": 3}
    labels = [tag == "root" for tag in sentence.head_tags]
    assert labels == [head == 0 for head in sentence.heads]
    assert sentence.frames is None and sentence.supertags is None
    assert parser({"sentence": "She ran.", "pos": list("XYZ")}).offsets == [(0, 3), (4, 7), (7, 8)]


def test_an_empty_sentence_and_details(parser: Labeller) -> None:
    empty, full = parser.pipe([{"tokens": []}, TAGGED], details=True)
    assert (empty.words, empty.pos, empty.heads) == ([], [], [])
    assert full.arc_scores.shape == (5, 5) and full.attention is None


def test_tags_are_needed(parser: Labeller) -> None:
    with pytest.raises(ConfigurationError, match="expected also `pos`, one tag per word"):
        parser("She left .")
    with pytest.raises(ConfigurationError, match="expected `tokens` with `pos`"):
        parser.document("She left. He stayed.")


def test_a_parser_of_words_alone_needs_no_tags(archives: Dict[str, Path]) -> None:
    archive = load_archive(archives["deep_biaffine_parser"])
    archive.model._pos_tag_embedding = None
    parser = ParserLabeller(ParserEngine(archive.model.eval(), archive.dataset_reader))
    assert parser.read("She left .").sentence.pos is None
    assert len(parser.read_document("She left. He stayed.").requests) == 2


def test_the_reader_that_it_is_given_is_not_changed(archives: Dict[str, Path]) -> None:
    archive = load_archive(archives["deep_biaffine_parser"])
    ParserEngine(archive.model.eval(), archive.dataset_reader)
    assert archive.dataset_reader.requires_parses
    with pytest.raises(ConfigurationError, match="the dataset reader is a Conll12SrlReader"):
        ParserEngine(archive.model, Conll12SrlReader())
