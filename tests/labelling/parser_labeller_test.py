"""Trees through the door."""

from pathlib import Path
from typing import Dict

import pytest
from allennlp.models.archival import load_archive

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.labelling.parser_labeller import ParserLabeller
from lisa_allennlp.models.engines import ParserEngine

TAGGED = {"tokens": ["She", "saw", "(", "him", ")"], "pos": ["PRP", "VBD", "(", "XX", ")"]}


def test_trees(archives: Dict[str, Path]) -> None:
    parser = lisa_allennlp.load(archives["deep_biaffine_parser"])
    empty, full = parser.pipe([{"tokens": []}, {**TAGGED, "id": 3}], details=True)
    assert (empty.words, empty.pos, empty.heads) == ([], [], [])
    assert full.words == TAGGED["tokens"] and full.pos == TAGGED["pos"]
    assert full.heads.count(0) == 1 and full.extra == {"id": 3}
    assert [tag == "root" for tag in full.head_tags] == [head == 0 for head in full.heads]
    assert full.arc_scores.shape == (5, 5) and full.attention is None
    assert full.frames is None and full.supertags is None
    with pytest.raises(ConfigurationError, match="expected also `pos`, one tag per word"):
        parser("She left .")
    with pytest.raises(ConfigurationError, match="expected `tokens` with `pos`"):
        parser.document("She left. He stayed.")


def test_a_parser_of_words_alone_needs_no_tags(archives: Dict[str, Path]) -> None:
    archive = load_archive(archives["deep_biaffine_parser"])
    archive.model._pos_tag_embedding = None
    parser = ParserLabeller(ParserEngine(archive.model.eval(), archive.dataset_reader))
    assert parser.read("She left .").sentence.pos is None
    assert len(parser.read_document("She left. He stayed.")) == 2
