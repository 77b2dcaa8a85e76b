import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.text.propbank_frames import (
    PACKAGED_FILE,
    Roleset,
    packaged_inventory,
    read_frames,
)
from tests import FIXTURES


@pytest.mark.parametrize("folder", ["frames", "frames/frames"])
def test_words(folder: str) -> None:
    frames = read_frames(FIXTURES / folder)
    assert frames.of_word("litigation", "n") == ["litigate.01"]
    assert frames.of_word("litigation", "v") == ["litigate.01"]
    assert frames.of_word("buy", "v") == []
    assert frames.roleset("buy.01") is None


def test_the_inventory_of_the_package_against_its_file() -> None:
    with gzip.open(PACKAGED_FILE, "rt", encoding="utf-8") as file:
        rolesets = [Roleset(*json.loads(line)) for line in list(file)[1:]]
    inventory = packaged_inventory()
    assert list(islice(inventory, 1000)) == rolesets[:1000]
    assert inventory.roleset(rolesets[-1].sense) == rolesets[-1]
    for word in ("open", "turn_off"):
        for pos in ("v", "n", "j"):
            expected = [r.sense for r in rolesets if word in r.words.get(pos, [])]
            assert not expected or inventory.of_word(word, pos) == expected


@pytest.mark.parametrize(
    "british, american, pos",
    [
        ("organise", "organize", "v"),
        ("colour", "color", "v"),
        ("centre", "center", "v"),
        ("anaesthetise", "anesthetize", "v"),
    ],
)
def test_british_spellings(british: str, american: str, pos: str) -> None:
    inventory = packaged_inventory()
    assert inventory.of_word(british, pos) == inventory.of_word(american, pos) != []
    assert inventory.classes_of(british) == inventory.classes_of(american)
    # What PropBank has stays: `promise` is no `promize`.
    assert inventory.of_word("promise", "v") == ["promise.01"]


def test_links_and_functions(tmp_path: Path) -> None:
    (tmp_path / "go.xml").write_text(
        """<frameset><predicate><roleset id="go.01" name="move"><aliases>
        <alias framenet="Motion Self_motion" pos="v">go</alias>
        <alias framenet="Motion" pos="n">Going</alias></aliases><roles>
        <role descr="goer" f="ppt" n="1"><vnrole vncls="51.1" vntheta="theme"/></role>
        <role descr="how" f="mnr" n="m"/></roles></roleset></predicate></frameset>"""
    )
    assert list(read_frames(tmp_path)) == [
        Roleset(
            "go.01",
            "move",
            {"ARG1": "goer"},
            {"ARG1": "PPT"},
            {"v": ["go"], "n": ["going"]},
            {"51.1": {"ARG1": "Theme"}},
            ["Motion", "Self_motion"],
        )
    ]


def test_malformed_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "go.xml").write_text('<f>\n<roleset id="go.01"></f>')
    with pytest.raises(CorpusFormatError, match=r"go.xml:2: found XML .* \(mismatched"):
        read_frames(tmp_path)
    (tmp_path / "run.xml").write_text('<f>\n<roleset id="run.01"/></f>')
    assert list(read_frames(tmp_path).senses) == ["run.01"]
    (line,) = caplog.messages
    assert "go.xml:2: found XML" in line


def test_links_of_frames_3_4(tmp_path: Path) -> None:
    """Those of the newest VerbNet, with its numbers of classes alone."""
    (tmp_path / "ally.xml").write_text(
        """<frameset><predicate><roleset id="ally.01" name="join"><aliases>
        <alias pos="v">ally</alias></aliases><roles><role descr="joiner" f="PAG" n="0"><rolelinks>
        <rolelink class="correspond-36.1" resource="VerbNet" version="verbnet3.3">theme</rolelink>
        <rolelink class="ally-36.4-1" resource="VerbNet" version="verbnet3.4">co_agent</rolelink>
        <rolelink class="Alliance" resource="FrameNet" version="1.7">member</rolelink>
        <rolelink class="expired" resource="VerbNet" version="verbnet3.4">agent</rolelink>
        </rolelinks></role></roles><lexlinks>
        <lexlink class="Alliance" resource="FrameNet" version="1.7"/>
        <lexlink class="ally-36.4-1" resource="VerbNet" version="verbnet3.4"/>
        </lexlinks></roleset></predicate></frameset>"""
    )
    (roleset,) = read_frames(tmp_path)
    assert roleset.verbnet == {"36.4-1": {"ARG0": "Co-Agent"}}
    assert roleset.framenet == ["Alliance"] and roleset.functions == {"ARG0": "PAG"}


def test_the_package_unites_two_versions() -> None:
    """The ids of EWT's version stay, and a word of the newer version has its own."""
    inventory = packaged_inventory()
    assert inventory.of_word("fell", "v")[0] == "fell.01"
    assert inventory.of_word("hitchhike", "v") == ["hitchhike.01"]
