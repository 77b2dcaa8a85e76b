"""Sentences for programs read back to the same."""

from pathlib import Path
from typing import Dict

import pytest

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.ccg import parse_pipes
from lisa_allennlp.labelling.writing import FORMATS, output_writer
from lisa_allennlp.sentence.sentence import RankedSupertag, Sentence

TAGGED = Sentence(["Go", "on"], ["VB", "RP"], supertags=["S[b]", "N/N"])


def test_pipes_and_multitags() -> None:
    assert list(parse_pipes([FORMATS["pipes"](TAGGED)], "output")) == [TAGGED]
    with pytest.raises(ConfigurationError, match="expected the option `beta`"):
        FORMATS["multitags"](TAGGED)
    ranked = Sentence(["Go"], candidates=[[RankedSupertag("N", 0.5)]])
    assert FORMATS["multitags"](ranked) == "Go\t-\t1\tN\t0.5\n\n"


def test_a_labellers_own_formats(archives: Dict[str, Path]) -> None:
    lisa = lisa_allennlp.load(archives["lisa"])
    sentence = lisa(["Go"])
    assert output_writer(lisa)(sentence) == FORMATS["json"](sentence)
    assert output_writer(lisa, "conllu")(sentence) == FORMATS["conllu"](sentence)
    with pytest.raises(ConfigurationError, match="output_format is 'pipes'; expected one of json"):
        output_writer(lisa, "pipes")
