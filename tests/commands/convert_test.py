"""`lisa convert`: files in one format in, files in another out."""

import re
import subprocess
from dataclasses import replace

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from tests import FIXTURES
from tests.commands.in_process import execute
from tests.scoring.srl_eval import script, table_row

SAMPLE = FIXTURES / "sample" / "dev.gold_conll"


def run(*arguments):
    execute("convert", *arguments)


def sentences(path):
    return [sentence for sentence, _ in read_annotated(path).sentences]


def srl_eval(gold, predicted):
    """Precision, recall and F1 of the official script."""
    run = subprocess.run(["perl", script(), gold, predicted], capture_output=True, text=True)
    return table_row(run.stdout, "Overall")[3:]


def test_around_all_formats_and_back(tmp_path, capsys):
    names = "a.jsonl b.conllu c.combined.bio d.conllu e.jsonl".split()
    source = SAMPLE
    for name in names:
        run(source, tmp_path / name)
        source = tmp_path / name
    expected = read_annotated(SAMPLE, parses=True).bare_sentences
    assert sentences(source) == [replace(sentence, extra={}) for sentence in expected]
    (note,) = re.findall("lisa convert: .*", capsys.readouterr().err)
    expected = "combined_bio cannot hold these, so they are left out: ids of documents"
    assert note == f"lisa convert: {expected}"
    run(tmp_path / "b.conllu", tmp_path / "again.gold_conll")
    assert (tmp_path / "again.gold_conll").read_text().split("\n")[0] == (
        SAMPLE.read_text().split("\n")[0]
    )


def test_the_official_script_gives_gold_the_full_score(tmp_path, capsys):
    run(SAMPLE, tmp_path / "gold.props")
    # A prediction that is right, but without senses and lemmas, which not every model has.
    run(SAMPLE, tmp_path / "gold.jsonl")
    text = re.sub(
        r', "lemma": "[^"]*", "sense": "[^"]*"', "", (tmp_path / "gold.jsonl").read_text()
    )
    (tmp_path / "predicted.jsonl").write_text(text)
    assert not read_annotated(tmp_path / "predicted.jsonl").has_lemmas
    run(tmp_path / "predicted.jsonl", tmp_path / "forms.props")
    assert "add --lemmas-from GOLD" in capsys.readouterr().err
    run(tmp_path / "predicted.jsonl", tmp_path / "lemmas.props", "--lemmas-from", SAMPLE)
    assert "--lemmas-from" not in capsys.readouterr().err
    scores = {
        name: srl_eval(tmp_path / "gold.props", tmp_path / f"{name}.props")
        for name in ("gold", "forms", "lemmas")
    }
    assert scores["gold"] == scores["lemmas"] == ("100.00", "100.00", "100.00")
    # "decided" is not the lemma "decide", so the script counts its arguments as missed.
    assert float(scores["forms"][1]) < 90


def test_glosses(tmp_path, capsys):
    run(SAMPLE, tmp_path / "dev.jsonl", "--frames", "propbank")
    found = [frame for sentence in sentences(tmp_path / "dev.jsonl") for frame in sentence.frames]
    plain = [frame for sentence in sentences(SAMPLE) for frame in sentence.frames]
    assert found == [frame.explained for frame in plain] != plain
    # JSON keeps them for CSV.
    run(tmp_path / "dev.jsonl", tmp_path / "one.csv")
    run(SAMPLE, tmp_path / "other.csv", "--frames", "propbank")
    assert (tmp_path / "one.csv").read_text() == (tmp_path / "other.csv").read_text()
    run(tmp_path / "dev.jsonl", tmp_path / "dev.props")
    assert "glosses" in capsys.readouterr().err


def test_brat_has_a_text_beside_the_annotation(tmp_path):
    run(SAMPLE, tmp_path / "dev.ann")
    words = (tmp_path / "dev.txt").read_text().splitlines()
    assert words == [" ".join(sentence.words) for sentence in sentences(SAMPLE)]
    with pytest.raises(ConfigurationError, match="OUTPUT: found the existing file .*dev.txt"):
        (tmp_path / "dev.ann").unlink()
        run(SAMPLE, tmp_path / "dev.ann")
