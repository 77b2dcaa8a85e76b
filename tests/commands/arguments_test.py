"""The arguments of the package's commands: read without PyTorch, and equal to the commands' own."""

import argparse
import subprocess
import sys
from typing import Any, Dict, List, Tuple

import pytest
from allennlp.commands.evaluate import Evaluate
from allennlp.commands.predict import Predict
from allennlp.commands.print_results import PrintResults
from allennlp.commands.subcommand import Subcommand
from allennlp.commands.train import Train

import experiments.reproduce  # noqa: F401
import lisa_allennlp.plugin  # noqa: F401
from experiments import arguments as reproduce_arguments
from experiments.lisa_tables import PARSERS
from experiments.reproduce import PAPERS
from lisa_allennlp.__main__ import OWN_COMMANDS
from lisa_allennlp.commands import arguments
from lisa_allennlp.commands.arguments import export, measures, predict, prepare
from lisa_allennlp.commands.measures import EVALUATIONS
from lisa_allennlp.data.preparation.annotator import TAGS_SUFFIX
from lisa_allennlp.data.preparation.ewt import UD_RELEASE
from lisa_allennlp.labelling.groups import GROUP_SIZE
from lisa_allennlp.model_files import weight_files
from lisa_allennlp.nn import precision
from tests import ROOT

HELP = """
import sys
from lisa_allennlp.__main__ import main
for command in {commands}:
    try:
        main([*command.split(), *{options}])
    except SystemExit as end:
        print(command, "ended with", end.code)
print(sorted({{"torch", "allennlp", "spacy", "numpy"}} & set(sys.modules)))
"""
TASKS = ["score srl", "compare parse", "prepare ewt", "prepare conll05", "prepare conll12"]


def run(commands: List[str], options: List[str]) -> "subprocess.CompletedProcess[str]":
    script = HELP.format(commands=commands, options=options)
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )


def test_help_of_every_own_command_imports_no_torch():
    commands = [*OWN_COMMANDS, *TASKS]
    result = run(commands, ["--help"])
    assert result.stderr == ""
    assert result.stdout.endswith("\n[]\n")
    for command in commands:
        assert f"usage: lisa {command} " in result.stdout
        assert f"\n{command} ended with 0\n" in result.stdout


def test_errors_in_options_import_no_torch():
    result = run([*OWN_COMMANDS, *TASKS], ["--nope", "x", "y", "z"])
    assert result.stdout.endswith("\n[]\n")
    assert result.stdout.count("ended with 2") == len(OWN_COMMANDS) + len(TASKS)
    assert "usage: lisa predict " in result.stderr
    assert "\nlisa predict: error: unrecognized arguments: --nope z\n" in result.stderr


def described(parser: argparse.ArgumentParser) -> Dict[str, Tuple[Any, ...]]:
    """What each argument does, by its name; a missing type is a string."""
    return {
        action.dest: (
            type(action),
            sorted(action.option_strings),
            action.default or None,
            action.type or str,
            action.nargs,
            action.required,
            list(action.choices or []),
            action.const,
        )
        for action in parser._actions
    }


def parser_of(command: Subcommand) -> Dict[str, Tuple[Any, ...]]:
    return described(command.add_subparser(argparse.ArgumentParser().add_subparsers()))


# What the package changes on purpose.
CHANGED = {"predict": {"batch_size"}, "print-results": {"path"}}


@pytest.mark.parametrize("theirs", [Train, Predict, Evaluate, PrintResults])
def test_inherited_arguments_are_allennlp_s(theirs: Any):
    expected = parser_of(theirs())
    name = theirs().name
    found = parser_of(Subcommand.by_name(name)())  # type: ignore[arg-type]
    differing = {key for key in expected if found.get(key) != expected[key]}
    assert differing == CHANGED.get(name, set())
    assert expected.keys() <= found.keys()


def test_include_package_is_added_where_allennlp_adds_it():
    for name in OWN_COMMANDS:
        assert Subcommand.by_name(name).requires_plugins == (name in arguments.WITH_PLUGINS), name


def test_choices_and_defaults_are_the_code_s():
    assert predict.PRECISIONS == precision.PRECISIONS
    assert predict.GROUP_SIZE == GROUP_SIZE
    assert export.PRECISIONS == tuple(weight_files.PRECISIONS)
    assert export.VECTOR_BITS == weight_files.VECTOR_BITS
    assert (prepare.TAGS_SUFFIX, prepare.UD_RELEASE) == (TAGS_SUFFIX, UD_RELEASE)
    assert reproduce_arguments.PAPERS == tuple(PAPERS)
    assert reproduce_arguments.PARSERS == tuple(PARSERS)
    assert measures.TASKS.keys() == EVALUATIONS.keys()


def test_defaults_are_shown_once(capsys: pytest.CaptureFixture):
    with pytest.raises(SystemExit):
        arguments.parse("predict", ["predict", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "read before they are labelled together; with 1" in text
    assert "(default: 1000)" in text and "(default: validation)" in text
    assert "(default: None)" not in text and "(default: False)" not in text
    assert text.count("(default: the model's)") == 1
