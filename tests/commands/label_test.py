"""The tables that `lisa label` prints."""

import argparse
import io
from pathlib import Path
from typing import Any, Dict, List

import pytest
from allennlp.common.checks import ConfigurationError

from lisa_allennlp.commands import label as label_module
from lisa_allennlp.commands.label import format_prediction, label

PREDICTION: Dict[str, Any] = {
    "words": ["She", "asked", "him", "to", "leave", "."],
    "pos": ["PRP", "VBD", "PRP", "TO", "VB", "."],
    "predicted_heads": [2, 0, 2, 5, 2, 2],
    "predicted_dependencies": ["nsubj", "root", "dobj", "aux", "xcomp", "punct"],
    "predicates": [1, 4],
    "verbs": [
        {
            "verb": "asked",
            "index": 1,
            "tags": ["B-ARG0", "B-V", "B-ARG2", "B-ARG1", "I-ARG1", "O"],
        },
        {"verb": "leave", "index": 4, "tags": ["O", "O", "B-ARG0", "O", "B-V", "O"]},
    ],
}

TABLE = """\
   word   POS  head  relation  asked    leave
1  She    PRP  2     nsubj     (ARG0*)  *
2  asked  VBD  0     root      (V*)     *
3  him    PRP  2     dobj      (ARG2*)  (ARG0*)
4  to     TO   5     aux       (ARG1*   *
5  leave  VB   2     xcomp     *)       (V*)
6  .      .    2     punct     *        *"""


def test_table():
    assert format_prediction(PREDICTION) == TABLE


def test_table_of_a_model_without_a_parse_and_a_sentence_without_predicates():
    prediction = {"words": ["No", "."], "pos": ["UH", "."], "predicates": [], "verbs": []}
    assert format_prediction(prediction) == (
        "   word  POS\n1  No    UH\n2  .     .\n(no predicate found)"
    )


class StubPredictor:
    def predict_json(self, inputs: Dict[str, str]) -> Dict[str, Any]:
        return {"words": inputs["sentence"].split(), "verbs": []}


@pytest.mark.parametrize(
    "given, piped, expected",
    [
        (["One .", "Two ."], "", ["One", "Two"]),
        ([], "One .\n\n Two .\n", ["One", "sentence)", "Two"]),
    ],
)
def test_sentences_from_arguments_or_standard_input(
    given: List[str],
    piped: str,
    expected: List[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
):
    monkeypatch.setattr(label_module, "load_archive", lambda path, cuda_device: path)
    monkeypatch.setattr(
        label_module.Predictor, "from_archive", lambda archive, name: StubPredictor()
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(piped))
    label(argparse.Namespace(archive_file="m.tar.gz", sentences=given, cuda_device=-1))
    tables = capsys.readouterr().out.split("\n\n")
    assert [table.split()[2] for table in tables if table] == expected


def test_a_file_is_no_sentence(tmp_path: Path):
    file = tmp_path / "my sentences.txt"
    file.write_text("She left .")
    with pytest.raises(ConfigurationError) as error:
        label(argparse.Namespace(archive_file="m.tar.gz", sentences=["No .", str(file)]))
    assert f"found the file {file}; expected a sentence." in str(error.value)
    assert f"lisa label m.tar.gz < '{file}'" in str(error.value)
