"""Teaching a model from corrections: what it reads, learns, and says of itself."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Sequence

import pytest
from allennlp.common.params import with_overrides

import lisa_allennlp
import lisa_allennlp.plugin  # noqa: F401
from lisa_allennlp.commands.train import ENOUGH_TO_COMPARE, before_and_after
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import AnnotatedSrlReader
from lisa_allennlp.data.dataset_readers.srl_reader import REPLAYED
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.formats.json_lines import write_json_lines
from lisa_allennlp.models_on_disk.archives.opening import archived_config
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training import run
from tests import FIXTURES
from tests.commands.in_process import execute, in_process  # noqa: F401

pytestmark = pytest.mark.medium

SAMPLE = FIXTURES / "sample" / "test.gold_conll"
OTHERS = FIXTURES / "sample" / "dev.gold_conll"
MANY = read_annotated(SAMPLE, parses=True).bare_sentences[:ENOUGH_TO_COMPARE]
GOLD = MANY[:20]


def write(path: Path, sentences: Sequence[Sentence]) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        write_json_lines(sentences, file)
    return path


def accepted(sentences: Sequence[Sentence]) -> List[Sentence]:
    return [
        replace(sentence, extra={"corrections": {"number": number, "accepted": True}})
        for number, sentence in enumerate(sentences, start=1)
    ]


def teach(archive: Path, folder: Path, file: Path, *options: str) -> None:
    settings = archived_config(str(archive))
    settings["data_loader"]["batch_sampler"]["max_tokens"] = 50
    optimizer = {"type": "adam", "lr": 0.02}
    trainer = {"type": "recoverable", "num_epochs": 1, "optimizer": optimizer}
    settings.update(train_data_path=str(SAMPLE), trainer=trainer)
    settings["datasets_for_vocab_creation"] = ["train"]
    config = folder / "config.json"
    config.write_text(json.dumps(settings), encoding="utf-8")
    files = ("--from", archive, "--train", file, "-s", folder / "out")
    execute("train", config, *files, *options)


def test_accepted_sentences_are_learnt_and_a_fifth_is_held_out(
    archives: Dict[str, Path],
    tmp_path: Path,
    in_process: None,  # noqa: F811
    capsys: pytest.CaptureFixture,
) -> None:
    file = write(tmp_path / "x.corrections.jsonl", accepted(GOLD))
    teach(archives["lisa"], tmp_path, file, "--replay", str(OTHERS))
    shown = capsys.readouterr()
    assert "teaching: 16 whole sentences; 4 are held out. Fewer than 200" in shown.err
    assert "\n4 sentences that it did not learn from are too few to compare with" in shown.out
    after = tmp_path / "out" / "model.tar.gz"
    optimizer = archived_config(str(after))["trainer"]["optimizer"]
    assert optimizer["lr"] == pytest.approx(0.02 * run.RATE)
    # The same as with the commands.
    lines = before_and_after(str(archives["lisa"]), str(after), MANY)
    gold = write(tmp_path / "gold.jsonl", MANY)
    predicted = []
    for name, model in {"before": archives["lisa"], "after": after}.items():
        labeller = lisa_allennlp.load(model)
        sentences = [labeller(sentence.words) for sentence in MANY]
        predicted.append(str(write(tmp_path / f"{name}.jsonl", sentences)))
    rows = []
    for task, options in {"srl": ["--ignore-lemmas"], "parse": []}.items():
        execute("compare", task, str(gold), *predicted, *options)
        rows += capsys.readouterr().out.splitlines()
    for name in ("arguments F1", "LAS"):
        of_command, of_training = (
            next(line.split() for line in table if line.startswith(name)) for table in (rows, lines)
        )
        # The samples are the same, too.
        assert of_training == of_command


def test_what_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "x.corrections.jsonl", accepted(GOLD))
    others = read_annotated(OTHERS, parses=True).bare_sentences
    sentences = list(AnnotatedSrlReader().read_sentences(file))
    assert [sentence.words for sentence in sentences] == [sentence.words for sentence in GOLD]
    kept = [sentence for i, sentence in enumerate(GOLD, start=1) if i % 5]
    data = {"new": file, "replay": OTHERS}
    both = list(AnnotatedSrlReader(hold_out=True).read_sentences(data))
    assert [s.words for s in both[: len(kept)]] == [s.words for s in kept]
    replayed = [(s.words, s.parse, s.frames) for s in both[len(kept) :]]
    assert len(replayed) == min(REPLAYED * len(kept), len(others))
    known = [(s.words, s.parse, s.frames) for s in others]
    assert all(sentence in known for sentence in replayed)
    twice = list(AnnotatedSrlReader(hold_out=True, passes=2).read_sentences(data))
    assert (
        twice[: len(both)] == both and twice[len(both) : len(both) + len(kept)] == both[: len(kept)]
    )
    assert len(twice) == 2 * len(both)
    # A new draw is the same, so that a training can be recovered.
    assert list(AnnotatedSrlReader(hold_out=True).read_sentences(data)) == both


def test_corrections_that_do_not_fit(tmp_path: Path) -> None:
    sentence = replace(GOLD[0], extra={"corrections": {"number": 1, "heads": {"0": 99}}})
    file = write(tmp_path / "x.corrections.jsonl", [sentence])
    with pytest.raises(ConfigurationError, match="x.corrections.jsonl:1: .*`corrections.heads`"):
        list(AnnotatedSrlReader().read(file))


def test_replay_needs_a_model_and_corrections(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--replay: found no --from"):
        run.train("lisa_small", tmp_path / "out", "", run.Sources(None, "y", None, "x"))


@pytest.mark.parametrize(
    "key, value",
    [("trainer.optimizer", {"type": "adam"}), ("data_loader", {"batch_size": 8})],
)
def test_numbers_that_corrections_need(tmp_path: Path, key: str, value: Any) -> None:
    file = write(tmp_path / "x.corrections.jsonl", accepted(GOLD))
    settings = archived_config("english-fast")
    settings["trainer"] = {"num_epochs": 3, "optimizer": {"type": "adam", "lr": 0.02}}
    config = tmp_path / "config.json"
    config.write_text(json.dumps(with_overrides(settings, {key: value})), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=f"config.json: {key}.*: found null; expected a n"):
        run.train(str(config), tmp_path / "out", "", run.Sources("english-fast", str(file)))


def test_a_table_needs_whole_sentences(archives: Dict[str, Path]) -> None:
    bare = [replace(sentence, frames=None) for sentence in GOLD]
    model = str(archives["lisa"])
    assert before_and_after(model, model, bare) == []
    lines = before_and_after(model, model, [*bare, *MANY])
    assert "30 sentences" in lines[1] and "worse" not in lines[-1]
    assert all(re.search(r"\+0.00 to \+0.00 +1.0000$", line) for line in lines[4:])


def test_a_worse_model_is_called_so(archives: Dict[str, Path]) -> None:
    lines = before_and_after("english-fast", str(archives["lisa"]), MANY)
    assert lines[-1].startswith("The new model is worse than english-fast: arguments precision, ")
    assert lines[-1].endswith("LAS, tags")
