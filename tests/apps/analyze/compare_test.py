"""`lisa compare`."""

import json
import re

import pytest

from tests.commands.in_process import run
from tests.commands.scored_files import GOLD, PREDICTED, write_json_lines


@pytest.fixture
def files(tmp_path):
    return [
        write_json_lines(tmp_path / f"{name}.jsonl", sentences)
        for name, sentences in {
            "gold": [GOLD] * 20,
            "worse": [PREDICTED, GOLD] * 10,
            "better": [PREDICTED, GOLD, GOLD, GOLD] * 5,
        }.items()
    ]


@pytest.mark.parametrize(
    "options, name, first, second",
    [
        (["srl", "--strict"], "V precision", 66.67, 80.00),
        (["parse", "--punctuation"], "UAS", 80.0, 90.0),
    ],
)
def test_scores_are_those_of_score(capsys, files, options, name, first, second):
    gold, *systems = files
    task, *others = options
    command = "compare", task, gold, *systems, *others, "--samples", 200
    assert run(*command, "--json", "-") == 0
    described = json.loads(capsys.readouterr().out)
    (row,) = [row for row in described["differences"] if row["score"] == name]
    assert (round(row["first"], 2), round(row["second"], 2)) == (first, second)
    assert row["difference"] == row["second"] - row["first"]
    assert row["low"] <= row["difference"] <= row["high"]
    assert (described["sentences"], described["samples"]) == (20, 200)


def test_table(capsys, files):
    gold, worse, better = files
    assert run("compare", "parse", gold, worse, better, "--seed", 3) == 0
    captured = capsys.readouterr()
    first, second, counts, _, _, *rows = captured.out.splitlines()
    assert (first, second) == (f"A: {worse}", f"B: {better}")
    assert counts == "20 sentences, 10000 samples"
    assert [row.split()[0] for row in rows] == ["LAS", "UAS", "label"]
    assert captured.err.count("note: 20 tokens of punctuation are left out") == 1
    assert run("compare", "srl", gold, worse, better, "--samples", 10) == 0
    notes = re.findall("note: (.*) predicted propositions", capsys.readouterr().err)
    assert notes == [f"{worse}: 10", f"{better}: 5"]


def test_two_people(capsys, tmp_path):
    """UAS is that of `lisa compare parse`, F1 that of `lisa score srl --strict`."""
    paths = []
    for name, sentences in {"ann": [GOLD] * 4, "ben": [PREDICTED, GOLD, GOLD]}.items():
        records = [
            {**sentence.to_dict(), "corrections": {"number": number, "accepted": name == "ann"}}
            for number, sentence in enumerate(sentences, start=1)
        ]
        path = tmp_path / f"{name}.corrections.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        paths.append(path)
    tables = []
    for first, second in (paths, paths[::-1]):
        assert run("compare", "corrections", first, second) == 0
        _, _, counts, _, *lines = capsys.readouterr().out.splitlines()
        tables.append([line.split() for line in lines])
        assert counts.startswith("3 sentences in both (0 of them accepted by both), ")
    assert "only in A" in counts and counts.endswith("0 only in A, 1 only in B")
    scores = dict(row for row in tables[0][1:6] if len(row) == 2)
    three = [
        write_json_lines(tmp_path / f"{name}.jsonl", sentences)
        for name, sentences in {"a": [GOLD] * 3, "b": [PREDICTED, GOLD, GOLD]}.items()
    ]
    assert run("score", "parse", *three, "--punctuation", "--json", "-") == 0
    assert scores["UAS"] == f"{json.loads(capsys.readouterr().out)['uas']:.2f}"
    assert run("score", "srl", *three, "--strict", "--json", "-") == 0
    f1 = json.loads(capsys.readouterr().out)["overall"]["f1"]
    assert ["roles", "F1", f"{f1:.2f}"] in tables[0]
    assert tables[0] == tables[1]
    assert tables[0][-2][:2] == ["1", "sentence"] and tables[0][-1][0] == "1"
