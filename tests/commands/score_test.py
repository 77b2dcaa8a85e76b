"""`lisa score`."""

import csv
import json
from dataclasses import replace

import pytest

from lisa_allennlp.formats.conll09 import write_conll09
from lisa_allennlp.scoring import score
from lisa_allennlp.sentence.sentence import Frame, Parse, Sentence
from tests.commands.in_process import run
from tests.commands.scored_files import GOLD, PREDICTED, WORDS, write_conllu, write_json_lines
from tests.scoring.srl_eval import props, run_srl_eval, table_row


@pytest.mark.parametrize("options", [[], ["--confusion"], ["--latex"]])
def test_srl_prints_what_srl_eval_prints(tmp_path, capsys, options):
    gold, predicted = [GOLD, GOLD], [PREDICTED, GOLD]
    paths = tmp_path / "gold.props", tmp_path / "predicted.props"
    for path, sentences in zip(paths, (gold, predicted), strict=True):
        path.write_text(props(sentences))
    assert run("score", "srl", *paths, *options) == 0
    perl = {"--confusion": "-C", "--latex": "-latex"}
    printed = run_srl_eval(predicted, gold, *map(perl.__getitem__, options))
    captured = capsys.readouterr()
    assert captured.out == printed
    assert "note: 1 predicted propositions" in captured.err


def test_a_v_off_its_predicate_is_scored_as_by_srl_eval(tmp_path, capsys):
    gold = Sentence(["She", "sang", "it"], pos=["X"] * 3, frames=[Frame(1, ["O", "B-V", "B-A1"])])
    free = replace(gold, frames=[Frame(1, ["B-V", "O", "B-A1"])])
    path = write_json_lines(tmp_path / "predicted.jsonl", [free])
    gold_path = tmp_path / "gold.props"
    gold_path.write_text(props([gold]))
    assert run("score", "srl", gold_path, path, "--ignore-lemmas") == 0
    printed = capsys.readouterr().out
    assert printed == run_srl_eval([free], [gold], lemmas=False)
    assert table_row(printed, "V")[:3] == ("0", "1", "1")


def in_conll05(sentence):
    """The sentence with CoNLL-2005's names of roles."""
    frames = [replace(f, tags=[tag.replace("ARG", "A") for tag in f.tags]) for f in sentence.frames]
    return replace(sentence, frames=frames)


def test_srl_names_roles_as_gold_does(tmp_path, capsys):
    printed = []
    for change in (lambda sentence: sentence, in_conll05):
        gold = write_json_lines(tmp_path / "gold.jsonl", [change(GOLD)])
        for predicted in (PREDICTED, in_conll05(PREDICTED)):
            path = write_json_lines(tmp_path / "predicted.jsonl", [predicted])
            assert run("score", "srl", gold, path) == 0
            printed.append(capsys.readouterr().out)
            scores = score([predicted], [change(GOLD)])
            assert scores["srl_f1"] == score([PREDICTED], [GOLD])["srl_f1"] > 0
    assert printed[0] == printed[1] and printed[2] == printed[3]


def test_srl_without_a_role_in_common(tmp_path, capsys):
    agents = [replace(f, tags=["B-Agent", "B-V", "O", "O", "O"]) for f in GOLD.frames]
    gold = write_json_lines(tmp_path / "gold.jsonl", [replace(GOLD, frames=agents)])
    predicted = write_json_lines(tmp_path / "predicted.jsonl", [PREDICTED])
    assert run("score", "srl", gold, predicted) == 0
    assert "no role of gold (Agent) is one of the predictions' (ARG0, ARG1)" in (
        capsys.readouterr().err
    )


def test_primesrl_takes_the_heads_of_conll09(tmp_path, capsys):
    sentence = replace(GOLD, pos=["X"] * len(WORDS))
    # ARG1 has another head in the trees of the predictions.
    frames = [Frame(1, "B-ARG0 B-V B-ARG1 I-ARG1 O".split(), "sell", "sell.01")]
    trees = [Parse([1, 1, *heads, 1], ["x"] * 5) for heads in ((1, 2), (3, 1))]
    gold, predicted = (replace(sentence, frames=frames, parse=tree) for tree in trees)
    with open(tmp_path / "gold.conll09", "w") as file:
        write_conll09([gold], file)
    path = write_json_lines(tmp_path / "predicted.jsonl", [predicted])
    assert run("score", "srl", tmp_path / "gold.conll09", path, "--measure", "primesrl") == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[1:])
    assert rows["ArgumentHead"].split()[:3] == ["2", "0", "0"]


@pytest.mark.parametrize(
    "options, name, row",
    [
        (["srl"], "F1", "Overall"),
        (["srl", "--measure", "primesrl"], "F1", "ArgumentSpan"),
        (["parse", "--measure", "conll18"], "F1", "LAS"),
    ],
)
def test_csv_has_the_figures_of_json(tmp_path, capsys, options, name, row):
    paths = tmp_path / "gold", tmp_path / "predicted"
    write = write_conllu if options[0] == "parse" else write_json_lines
    for path, sentences in zip(paths, ([GOLD, GOLD], [PREDICTED, GOLD]), strict=True):
        write(path, sentences)
    assert run("score", *options[:1], *paths, *options[1:], "--json", "-") == 0
    described = json.loads(capsys.readouterr().out)
    found = described.get("overall") or described.get(row) or described
    assert run("score", *options[:1], *paths, *options[1:], "--csv") == 0
    rows = {line[""]: line for line in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert float(rows[row][name]) == found["las" if name == "%" else "f1"]
    assert run("score", *options[:1], *paths, *options[1:], "--latex") == 0
    assert "\\end{tabular}" in capsys.readouterr().out
