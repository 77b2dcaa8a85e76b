"""Wrong values of options: one line that names the place and the value, and no output."""

import re
from pathlib import Path
from typing import Dict

import pytest

from lisa_allennlp.sentence.sentence import Sentence
from tests import FIXTURES
from tests.commands.in_process import error_of, in_process  # noqa: F401
from tests.commands.scored_files import write_json_lines

DEV, TREES = FIXTURES / "sample/dev.gold_conll", FIXTURES / "sample/dev.conllu"
IN_8_BITS = "--license CC0 --precision int8"

# The command, in whose words NEW is a folder, LINES a file, DEV and TREES are the sample's, and
# PARSER and TAGGER are models; and what the line begins with, unless argparse refuses the value.
WRONG: Dict[str, str] = {
    'predict english-fast DEV --predictor-args {"device":1}': "--predictor-args: found `device`",
    'predict english-fast DEV --skip-bad-lines --predictor-args {"output_format":"conllu"}': "--sk",
    "predict english-fast DEV --predictor-args {1": "--predictor-args: found '{1'; expected JSON",
    "predict english-fast DEV --predictor-args [1]": "--predictor-args: found '[1]'; expected a JS",
    "predict english-fast DEV --resume --output-file NEW/a.gz": "--resume: found --output-file",
    "predict english-fast DEV --output-file NEW/o.gold_conll": "--output-file: found NEW/o.gold",
    "evaluate english-fast DEV,DEV --predictions-output-file NEW/a": "--predictions-output-file: f",
    "convert DEV NEW/out.txt": "OUTPUT: found 'NEW/out.txt'",
    "convert DEV - --to brat": "OUTPUT: found - for brat",
    "convert DEV NEW/out.props --table spans": "--table: found the output format props",
    "convert DEV NEW/out.csv --columns ARG9": "columns: found 'ARG9'",
    "convert LINES NEW/out.csv": "LINES:1: found a sentence without roles",
    "convert DEV NEW/out.jsonl --from xml": "",
    "score srl DEV TREES": "TREES:3: found a sentence without roles",
    "score srl LINES LINES --json LINES": "--json: found the input, LINES",
    "score srl DEV DEV --measure primesrl --strict": "--strict: found --measure primesrl",
    "compare srl LINES LINES LINES": "LINES:1: found a sentence without roles",
    "analyze --gold DEV --pred LISA= --out NEW": "",
    "analyze --gold DEV --pred A=DEV --parse A=TREES": "--pred, --parse: found the name 'A' twice",
    "analyze --gold DEV --pred A=DEV --parse B=LINES": "LINES:1: found ",
    "analyze --gold DEV --pred A=DEV --train LINES": "--train: found no senses in LINES",
    "adapt english-fast LINES -o NEW/a": "LINES: found 1 sentences, none of them accepted",
    "adapt PARSER DEV -o NEW/a": "PARSER: found ",
    f"export PARSER NEW/a {IN_8_BITS}": "--data: found none",
    f"export PARSER NEW/a {IN_8_BITS} --data NEW/b": "--data: found no file NEW/b",
    "annotate LINES --output NEW/a --cuda-device 0 --processes 2": "--cuda-device: found --process",
    "annotate LINES --output NEW/a --cuda-device cuda:0": "",
    "annotate LINES --output NEW/a --shard 5/4": "",
    "annotate LINES --output NEW/a --address local --shard 1/2": "--address: found --cuda-device",
    "annotate LINES --output NEW/a --check": "--check: found no NEW/a/manifest.json",
    "annotate LINES --output LINES": "--output: found the file LINES",
    "annotate FOLDER --output FOLDER/a": "--output: found FOLDER/a",
    "annotate LINES --output NEW/a --model TAGGER --table": "--table: found the model",
    "annotate LINES --output NEW/a --table --columns colour": "columns: found 'colour'",
    "annotate NEW/none --output NEW/a": "INPUT: found no file or folder NEW/none",
    "annotate LINES LINES --output NEW/a": "INPUT: found LINES twice",
    "prepare ewt --propbank FOLDER --ud FOLDER --out NEW": "FOLDER: found no folder data/",
    "prepare up --ud FOLDER --up FOLDER --out NEW": "FOLDER: found no *.conllu file",
    "prepare conll12 --ontonotes NEW --stanford-parser NEW/b --out NEW": "--stanford-parser NEW/b",
    "train lisa_small -s NEW/a -o {1": "--overrides: found '{1'; expected JSON",
    "train lisa_smal -s NEW/a": "found no file and no config of the package named 'lisa_smal' (did",
    "label NEW/a.tar.gz text": "NEW/a.tar.gz: found no",
    "show DEV --compare english": "--compare: found 'english'",
    "show english-fast Go --compare own": "sentence 1: --compare own: found",
    "show Go --compare DEV --svg DEV --force": "--svg: found the input",
    "show Go --svg x.png": "--svg: found x.png",
    "find FOLDER --where stars!=3": "",
    "find FOLDER --role ARG1>3": "",
    "serve --host no.such.host.invalid": "found --host no.such.host.invalid",
    "serve --save out": "--save: found out without --corpus",
    "serve --save ben --adjudicate ann ben": "--save: found ben",
    "serve --save x --corpus x/a.corrections.jsonl": "--save: found x",
    "serve --corpus none": "--corpus: found no file or folder none",
    "serve --time-limit nan": "",
    "serve --allow-host a/b": "",
}


@pytest.mark.parametrize("command", WRONG)
def test_wrong_values(
    command: str,
    archives: Dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture,
) -> None:
    new = tmp_path_factory.mktemp("new")
    (new / "folder").mkdir()
    places = {
        "NEW": new,
        "FOLDER": new / "folder",
        "LINES": write_json_lines(new / "folder/lines.jsonl", [Sentence(["Hm"])]),
        "DEV": DEV,
        "TREES": TREES,
        "PARSER": archives["deep_biaffine_parser"],
        "TAGGER": archives["ccg_supertagger"],
    }

    def named(text: str) -> str:
        return re.sub("|".join(places), lambda name: str(places[name[0]]), text)

    words, expected = list(map(named, command.split())), named(WRONG[command])
    if expected:
        assert error_of(capsys, *words).startswith(f"lisa: error: {expected}")
    else:
        with pytest.raises(SystemExit):
            error_of(capsys, *words)
        (error,) = capsys.readouterr().err.splitlines()
        assert "found" in error or "invalid choice" in error
    assert [path.name for path in new.iterdir()] == ["folder"]
