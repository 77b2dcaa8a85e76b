import contextlib
import importlib
import itertools
import json
import re
import shlex
import shutil
import tarfile
from pathlib import Path
from typing import Callable, List

import pytest
from allennlp.common import Params
from allennlp.common import logging as common_logging
from allennlp.data import DatasetReader

import lisa_allennlp.plugin  # noqa: F401
from experiments import jobs
from experiments.papers.report import to_markdown
from lisa_allennlp import __main__ as command_line
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.scoring import Conll05Evaluation, ConllXEvaluation
from tests import ROOT
from tests.commands.in_process import error_line

pytestmark = pytest.mark.medium

Run = Callable[..., int]

SMALL = {"trainer.num_epochs": 1, "dataset_reader.max_instances": 6}
SMALL_LISA = {
    "model.encoder.num_layers": 2,
    "model.encoder.predicate_layer": 1,
    "model.encoder.parse_layer": 2,
    "model.encoder.feedforward_hidden_dim": 16,
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("lisa_allennlp.commands.plugins.load_allennlp", lambda packages=(): None)
    monkeypatch.setattr(common_logging, "prepare_global_logging", lambda *args, **kwargs: None)
    monkeypatch.chdir(ROOT)
    for name in ("LISA_CORPUS", "LISA_VECTORS", "LISA_ELMO"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("LISA_DATA", "sample")

    def lisa(*arguments: object) -> int:
        return command_line.main(["reproduce", *map(str, arguments)])

    return lisa


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> List[List[str]]:
    """The commands that are run, in this process to save its start."""
    run_so_far: List[List[str]] = []

    def in_process(module: str, arguments, environment, log: Path) -> int:
        run_so_far.append(list(arguments))
        if module != "lisa_allennlp":
            return int(importlib.import_module(module).main(arguments))
        with pytest.MonkeyPatch.context() as patch, open(log, "a") as file:
            for name, value in environment.items():
                patch.setenv(name, value)
            with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
                return command_line.main(arguments)

    monkeypatch.setattr(jobs, "run_module", in_process)
    return run_so_far


def dry_run(run: Run, capsys: pytest.CaptureFixture, *arguments: object) -> List[str]:
    assert run("--out", "o", *arguments, "--dry-run") == 0
    return capsys.readouterr().out.splitlines()


def test_dry_run_lists_every_command_once(run: Run, capsys: pytest.CaptureFixture):
    trained = {"sa_small", "lisa_small", "dm_small"}
    first, second, *lines = dry_run(run, capsys, "--tables", 6)
    assert first == "mkdir -p o/figures o/parses o/predictions o/scores"
    assert second.startswith(f"# trainings: {len(trained)}; ")
    commands = [shlex.split(line) for line in lines if not line.startswith("#")]
    trainings = [words for words in commands if "train" in words]
    assert all(words[:3] == ["LISA_DATA=sample", "lisa", "train"] for words in trainings)
    assert {Path(words[5]).name for words in trainings} == trained
    assert len(trainings) == len(trained)
    assert sum(words[:2] == ["lisa", "evaluate"] for words in commands) == 0
    assert sum(words[:2] == ["lisa", "predict"] for words in commands) == 5
    # Every file that a command reads was made by an earlier command.
    made: List[str] = []
    for words in commands:
        for path in re.findall(r"\bo/[^\s\"]+", " ".join(words)):
            assert path in made or path == words[-1] or words[words.index(path) - 1][0] == "-"
        if "train" in words:
            made.append(f"{words[5]}/model.tar.gz")
        made += [words[n + 1] for n, word in enumerate(words) if word == "--output-file"]
    assert not Path("o").exists()


def test_dry_run_at_published_size(run: Run, capsys: pytest.CaptureFixture, tmp_path: Path):
    for name in (
        "train.tags.conllu",
        "dev.conll",
        "dev.conllu",
        "test.wsj.conll",
        "test.wsj.conllu",
    ):
        (tmp_path / name).touch()
    arguments = "--data", "conll2005", "--corpus", tmp_path, "--tables", "1", "--seeds", "1,2"
    lines = dry_run(
        run, capsys, *arguments, "--parser-words", "glove", "--set", "dm_glove:trainer.patience=1"
    )
    trainings = [shlex.split(line) for line in lines if " lisa train " in line]
    assert [Path(words[6]).name for words in trainings] == [
        f"{name}.seed{seed}" for name in ("sa_glove", "lisa_glove", "dm_glove") for seed in (1, 2)
    ]
    assert trainings[0][:2] == ["LISA_DATA=conll2005", f"LISA_CORPUS={tmp_path}"]
    common = {"random_seed": 2, "numpy_seed": 2, "pytorch_seed": 2}
    assert [json.loads(words[8]) for words in trainings[3::2]] == [
        {**common, "model.force_verb": False},
        {**common, "trainer.patience": 1},
    ]
    skipped = [line for line in lines if line.startswith("# Table 1, ")]
    assert f"Brown test, GloVe, SA: skipped, {tmp_path}/test.brown.conll is missing" in skipped[-6]
    assert any("dev, ELMo, SA: skipped, no ELMo: " in line for line in skipped)


def copied_as_ewt(folder: Path) -> Path:
    for part, ending in itertools.product(("train", "dev", "test"), ("gold_conll", "conllu")):
        source = ROOT / f"fixtures/sample/{part}.{ending}"
        (folder / f"ewt-{part}.{ending}").write_text(source.read_text())
    return folder


def test_the_parser_reads_the_tags_of_lisa(run: Run, capsys: pytest.CaptureFixture, tmp_path: Path):
    """Those of the LISA with the same seed, for all parts, if the corpus has no predicted tags."""
    corpus = copied_as_ewt(tmp_path)
    arguments = ["--data", "ewt", "--corpus", corpus, "--tables", "3", "--rows", "+D&M"]
    lines = dry_run(run, capsys, *arguments, "--seeds", "1")
    assert lines[0].endswith(" o/scores o/tags/seed1")
    assert trained(lines) == ["lisa_small.seed1", "dm_small.seed1"]
    tagging = [words for words in map(shlex.split, lines) if "--predictor-args" in words]
    assert all(words[2] == "o/models/lisa_small.seed1/model.tar.gz" for words in tagging)
    assert [words[-1] for words in tagging] == [
        f"o/tags/seed1/ewt-{part}.tags.conllu" for part in ("train", "dev", "test")
    ]
    (parser,) = [shlex.split(line) for line in lines if "/dm_small.jsonnet" in line]
    assert json.loads(parser[-1])["dataset_reader.pos_folder"] == "o/tags/seed1"
    parsing = [line for line in lines if line.startswith("lisa predict o/models/dm_small")]
    assert parsing and all("o/tags/seed1" in line for line in parsing)
    assert lines.index(shlex.join(tagging[-1])) < lines.index(
        next(line for line in lines if "dm_small.jsonnet" in line)
    )
    # Gold tags are the option; a corpus with predicted tags keeps them.
    gold = dry_run(run, capsys, *arguments, "--parser-tags", "gold")
    assert any('"dataset_reader.pos_suffix": null' in line for line in gold)
    (corpus / "ewt-train.tags.conllu").touch()
    for found in (gold, dry_run(run, capsys, *arguments)):
        assert not any("o/tags" in line for line in found)


LAYOUT = {
    "train.conll": "train",
    "dev.conll": "dev",
    "test.wsj.conll": "test.wsj",
    "test.brown.conll": "test.brown",
    "section22.conllu": "section22",
}
"""A file of each part of CoNLL-2005, and the name of the part's automatic tags."""

TREE = """\
1\tShe\t_\tGOLD\tGOLD\t_\t2\tnsubj\t_\t_
2\tslept\t_\tGOLD\tGOLD\t_\t0\troot\t_\t_

"""


def test_no_gold_tag_is_read(
    run: Run,
    capsys: pytest.CaptureFixture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """The parser of a dry run reads the automatic tags of every part."""
    for name, part in LAYOUT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        (tmp_path / name).with_suffix(".conllu").write_text(TREE)
        (tmp_path / f"{part}.tags.conllu").write_text(TREE.replace("GOLD", "AUTO"))
    arguments = ["--data", "conll2005", "--corpus", tmp_path, "--parser-words", "glove"]
    lines = dry_run(run, capsys, *arguments, "--tables", 1)
    commands = [shlex.split(line) for line in lines]
    (training,) = [words for words in commands if "training_configs/dm_glove.jsonnet" in words]
    parsing = [words for words in commands if "o/models/dm_glove/model.tar.gz" in words]
    assert all("-o" not in words for words in (training, *parsing))
    for name, value in (word.split("=") for word in training[:2]):
        monkeypatch.setenv(name, value)
    config = Params.from_file(training[4])
    reader = DatasetReader.from_params(config["dataset_reader"])
    files = {words[3] for words in parsing}
    assert len(files) == 3
    for file in (config["train_data_path"], config["validation_data_path"], *files):
        (instance,) = reader.read(file)
        assert instance["pos_tags"].labels == ["AUTO", "AUTO"]


def trained(lines: List[str]) -> List[str]:
    trainings = [shlex.split(line) for line in lines if " lisa train " in line]
    return [Path(words[words.index("-s") + 1]).name for words in trainings]


def test_any_treebank(run: Run, capsys: pytest.CaptureFixture):
    files = {part: f"fixtures/sample/{part}.conllu" for part in ("train", "dev", "test")}
    arguments = ["--paper", "dm", "--tables", "2", "--rows", "GRU", "--rows", "LSTM"]
    arguments += [word for part, path in files.items() for word in (f"--{part}", path)]
    lines = dry_run(run, capsys, *arguments)
    assert trained(lines) == ["dm_glove", "dm_glove.gru", "dm_glove.cif_lstm"]
    (gru,) = [shlex.split(line) for line in lines if "-s o/models/dm_glove.gru" in line]
    assert gru[:2] == ["LISA_DATA=treebank", "LISA_CORPUS=fixtures/sample"]
    overrides = json.loads(gru[-1])
    assert overrides["train_data_path"] == files["train"]
    assert overrides["validation_data_path"] == files["dev"]
    assert overrides["model.encoder.cell"] == "gru"
    # 50,000 steps of 5,000 tokens; the sample has 7,488 tokens, which are two batches.
    assert overrides["trainer.num_epochs"] == 25_000
    evaluations = [shlex.split(line) for line in lines if line.startswith("lisa evaluate")]
    assert [words[3] for words in evaluations] == [files["dev"], files["test"]] * 3


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--train", "x"], "--train: found with --paper lisa"),
        (["--paper", "dm", "--train", "no", "--dev", "README.md"], "--train: no: found no such"),
        (
            ["--paper", "dm", "--train", "fixtures/sample/train.conllu", "--dev", "README.md"],
            "found 1 column; expected 10",
        ),
        (["--set", "trainer.foo=2"], "trainer.foo: found a key that RecoverableTrainer"),
        (["--set", "lisa:x=1"], "--set: found the network 'lisa'"),
    ],
)
def test_errors_end_in_one_line(
    run: Run, capsys: pytest.CaptureFixture, arguments: List[str], message: str
):
    assert run("--out", "o", "--dry-run", *arguments) == 1
    assert message in error_line(capsys)


def test_every_missing_file_is_named(run: Run, capsys: pytest.CaptureFixture, tmp_path: Path):
    assert run("--data", "conll2005", "--tables", "1", "--corpus", tmp_path, "--out", "o") == 1
    error = error_line(capsys)
    parts = ("train", "dev", "test.wsj", "test.brown")
    files = {f"{tmp_path}/{part}.{end}" for part in parts for end in ("conll", "conllu")}
    assert files <= set(re.findall(rf"{tmp_path}/[\w.]+\w", error))


@pytest.mark.slow
def test_a_table_from_training_to_report(
    run: Run, commands: List[List[str]], tmp_path: Path, capsys: pytest.CaptureFixture
):
    out = tmp_path / "out"
    arguments = ["--tables", "3", "--rows", "test, GloVe, LISA", "--out", out, "--no-estimate"]
    arguments += ["--size", "published", "--parser-words", "glove", "-o", json.dumps(SMALL)]
    for key, value in SMALL_LISA.items():
        arguments += ["--set", f"lisa_glove:{key}={value}"]
    arguments += ["--set", "dm_glove:model.encoder.hidden_dim=8"]
    assert run(*arguments) == 0
    assert [words[0] for words in commands] == ["train", "evaluate", "train", "predict", "evaluate"]
    report = json.loads((out / "report.json").read_text())
    markdown = (out / "report.md").read_text()
    assert markdown == to_markdown(report) and markdown in capsys.readouterr().out
    (table,) = report["tables"]
    assert [row["labels"] for row in table["rows"]] == [
        ["test", "GloVe", "LISA"],
        ["test", "GloVe", "LISA +D&M"],
    ]
    scores = json.loads((out / "scores" / "lisa_glove.test+dm.json").read_text())
    metrics = ("srl_precision", "srl_recall", "srl_f1", "srl_f1_strict")
    assert table["rows"][1]["values"] == [[scores[metric]] for metric in metrics]
    own = json.loads((out / "scores" / "lisa_glove.test.json").read_text())
    assert scores["pos_accuracy"] == own["pos_accuracy"]

    # The predictions that were scored are kept. Their trees are the parser's.
    kept = read_annotated(out / "scores" / "lisa_glove.test+dm.jsonl").bare_sentences
    (parses,) = out.rglob("*.conllu")
    parsed = read_annotated(parses, parses=True).bare_sentences[: len(kept)]
    heads = [[s.parse.head_indices for s in sentences] for sentences in (kept, parsed)]
    assert heads[0] == heads[1]
    gold = read_annotated("fixtures/sample/test.gold_conll", parses=True).bare_sentences[
        : len(kept)
    ]
    assert ConllXEvaluation(kept, gold).counts.scores()["uas"] == pytest.approx(scores["uas"])
    assert Conll05Evaluation(kept, gold).counts.overall().f1 == pytest.approx(scores["srl_f1"])

    # Nothing is done a second time.
    commands.clear()
    assert run(*arguments) == 0
    assert commands == []
    assert json.loads((out / "report.json").read_text()) == report

    # A row of the user's own, here of the same model twice, as of two seeds.
    for seed in ("1", "2"):
        shutil.copytree(out / "models" / "lisa_glove", tmp_path / "mine" / seed)
    assert run(*arguments, "--own", f"mine & co={tmp_path / 'mine'}") == 0
    assert [words[0] for words in commands] == ["evaluate"] * 2
    (table,) = json.loads((out / "report.json").read_text())["tables"]
    row = table["rows"][-1]
    assert row["labels"] == ["test", "", "mine & co"]
    assert row["values"] == [2 * values for values in table["rows"][0]["values"]]
    f1 = f"{own['srl_f1']:.2f} $\\pm$ 0.00"
    assert "& mine \\& co & " in (out / "tables" / "table3.tex").read_text()
    assert f1 in (out / "tables" / "table3.tex").read_text()
    # A command that was interrupted between its two files is repeated.
    (out / "scores" / "own-mine_co.1.test.json").unlink()
    commands.clear()
    assert run(*arguments, "--own", f"mine & co={tmp_path / 'mine'}") == 0
    assert len(commands) == 1 and commands[0][-1] == "--force"
    lines = dry_run(run, capsys, *arguments)
    assert sum(line.startswith("# done: ") for line in lines) == 5

    # An interrupted training of the parser is continued, and what depends on it is made again.
    commands.clear()
    (out / "models" / "dm_glove" / "metrics.json").unlink()
    assert run(*arguments) == 0
    assert [words[0] for words in commands] == ["train", "predict", "evaluate"]
    assert commands[0][-1] == "--recover"

    # Another training in the same folder would mix what cannot be compared.
    for change in ("trainer.num_epochs=2", "dm_glove:trainer.num_epochs=2"):
        assert run(*arguments, "--set", change) == 1
        assert "Choose another --out" in capsys.readouterr().err


def test_a_failure_does_not_stop_the_others(
    run: Run, commands: List[List[str]], tmp_path: Path, capsys: pytest.CaptureFixture
):
    arguments = ["--paper", "ccg", "--tables", "3", "--rows", "averaging", "--rows", "(MLP)"]
    arguments += ["--out", tmp_path, "-o", '{"trainer.num_epochs": 1}', "--no-estimate"]
    arguments += ["--set", "dataset_reader.max_instances=3"]
    network = "stacked_bilstm_mlp_gate"
    assert run(*arguments, "--set", f"{network}:train_data_path=nowhere") == 1
    printed = capsys.readouterr()
    log = tmp_path / "logs" / f"train-{network}.log"
    config = f"training_configs/ccg/{network}.jsonnet with --overrides"
    reason = f"{config}: train_data_path: found no file or folder nowhere; expected "
    assert f"2 jobs failed. train-{network} failed: {reason}" in printed.err
    assert f"(log: {log})" in printed.err
    assert f"evaluate-{network}.dev: skipped, since train-{network} failed" in printed.out
    assert [words[0] for words in commands] == ["train", "train", "evaluate"]
    failed, done = json.loads((tmp_path / "report.json").read_text())["tables"][0]["rows"]
    assert failed["values"] == [None] and reason in failed["notes"][0]
    assert done["notes"] == [] and 0 <= done["values"][0][0] <= 100
    assert done["published"] == {"ccgbank": [93.95]}


def test_figures_from_training_to_report(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
):
    commands: List[str] = []

    def train_or_draw(module: str, arguments, environment, log: Path) -> int:
        commands.append(arguments[0])
        if arguments[0] != "train":
            return int(importlib.import_module(module).main(arguments))
        folder = Path(arguments[3])
        folder.mkdir(parents=True)
        metrics = {"epoch": 0, "best_epoch": 0, "training_duration": "0:00:01.5"}
        (folder / "metrics_epoch_0.json").write_text('{"validation_accuracy": 50.0}')
        (folder / "metrics.json").write_text(json.dumps(metrics))
        if "gate_recorder" in arguments[-1]:
            (folder / "gates.jsonl").write_text('{"epoch": 0, "gates": {"the": [0.5]}}\n')
        with tarfile.open(folder / "model.tar.gz", "w:gz"):
            return 0

    monkeypatch.setattr(jobs, "run_module", train_or_draw)
    arguments = ["--paper", "ccg", "--figures", "3,4", "--out", tmp_path, "--no-estimate"]
    arguments += ["--seeds", "1,2"]
    assert run(*arguments) == 0
    # Gates are drawn of the first seed only.
    assert commands == ["train"] * 4 + ["curves", "train", "gates"]
    report = json.loads((tmp_path / "report.json").read_text())
    files = [f"figures/figure{number}.svg" for number in (3, 4)]
    assert [figure["file"] for figure in report["figures"]] == files
    assert all((tmp_path / file).exists() for file in files)
    assert "![Figure 3](figures/figure3.svg)" in capsys.readouterr().out
    assert "Of the first seed only, 1." in report["figures"][1]["differences"]
    assert ["`lstm.seed1`", "1", "1", "0:00:01"] in report["trainings"]
    assert run(*arguments) == 0
    assert len(commands) == 7
