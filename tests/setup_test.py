"""`scripts/setup` on machines where something is missing, and what the lock files may hold."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple

import pytest

from tests import ROOT

LOCKS = ["requirements/lock.txt", "requirements/dev.txt"]
FILES = ["scripts/setup", *LOCKS, "requirements/labelling.txt", "pyproject.toml"]

OLD_PYTHON = "#!/bin/sh\nexit 1\n"

# A Python of the right version whose venv has a pip that does what the test says.
GOOD_PYTHON = """\
#!/bin/sh
case "$*" in
    -c*) exit 0 ;;
    --version) echo "Python 3.11.0" ;;
    *venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"pip install"*) {pip} ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the script reads, with an empty folder `bin` for the test's commands."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    commands = tmp_path / "bin"
    commands.mkdir()
    for tool in "bash awk cksum cat cp df dirname env grep mkdir rm sed sh tail tee".split():
        path = shutil.which(tool)
        assert path is not None
        (commands / tool).symlink_to(path)
    return tmp_path


def install_command(checkout: Path, name: str, script: str) -> None:
    path = checkout / "bin" / name
    path.unlink(missing_ok=True)
    path.write_text(script)
    path.chmod(0o755)


def run_setup(checkout: Path, wing: str = "label", **environment: str) -> Tuple[int, str, str]:
    result = subprocess.run(
        [str(checkout / "scripts/setup"), wing],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={"PATH": str(checkout / "bin"), "LISA_SETUP_MIN_GB": "0", **environment},
    )
    return result.returncode, result.stdout, result.stderr


def assert_one_error(outcome: Tuple[int, str, str], expected: str) -> None:
    status, _, errors = outcome
    assert status == 1
    assert re.fullmatch(f"setup: error: .*{expected}.*\n", errors), errors


def test_no_suitable_python(checkout: Path):
    install_command(checkout, "python3", OLD_PYTHON)
    assert_one_error(run_setup(checkout), "found no Python 3.10")
    assert_one_error(run_setup(checkout, PYTHON="python3"), "PYTHON=python3 is not Python 3.10")
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize(
    "output, expected",
    [
        ("WARNING: Retrying after NewConnectionError(no route)", "no package index"),
        ("ERROR: No matching distribution found for torch", "No matching .*setup.log"),
    ],
)
def test_failing_pip(checkout: Path, output: str, expected: str):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip=f"echo '{output}'; exit 1"))
    assert_one_error(run_setup(checkout), expected)
    assert not (checkout / ".venv/.lisa-setup").exists()


def test_each_wing_is_installed_once_and_again_when_its_requirements_change(checkout: Path):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip='echo "$*" >>calls'))

    def calls(wing: str) -> int:
        (checkout / "calls").write_text("")
        assert run_setup(checkout, wing)[0] == 0
        return len((checkout / "calls").read_text().splitlines())

    wings = ("label", "label", "serve", "label", "serve")
    assert [calls(wing) for wing in wings] == [1, 0, 1, 0, 0]
    assert [calls(wing) for wing in ("train", "train", "serve", "label")] == [2, 0, 0, 0]
    with (checkout / LOCKS[1]).open("a") as lock:
        lock.write("extra==1\n")
    assert [calls(wing) for wing in ("train", "train", "label")] == [2, 0, 0]


REQUIREMENTS = ROOT / "requirements"


def lines_of(path: Path) -> List[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def names_of(requirements: List[str]) -> Set[str]:
    """The packages that requirements or the lines of a lock file name."""
    return {re.split(r"[\[=<> ;]", line)[0] for line in requirements}


def imported_by(*folders: str) -> Set[str]:
    """The packages from elsewhere that the Python files below some folders import."""
    # To parse all files takes seconds.
    statement = re.compile(
        r"^ *(?:from (?=\S+ import )|import )([a-zA-Z_]\w*)[^;\"'\n]*$", re.MULTILINE
    )
    found: Set[str] = set()
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        found.update(statement.findall(path.read_text(encoding="utf-8")))
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()}
    names = {
        "_jsonnet": "jsonnet",
        "cassis": "dkpro-cassis",
        "griffe": "griffelib",
        "markdown_it": "markdown-it-py",
        "PIL": "pillow",
        "sklearn": "scikit-learn",
        "websocket": "websocket-client",
        "yaml": "pyyaml",
    }
    elsewhere = found - ours - set(sys.stdlib_module_names)
    return {names.get(name, name).replace("_", "-") for name in elsewhere}


@pytest.fixture(scope="module")
def needed() -> Dict[str, Set[str]]:
    """The packages of the base install, of all extras, of the training wing and of the tests."""
    tomllib: Any = pytest.importorskip("tomllib", reason="expected Python 3.11 or newer")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    return {
        "base": names_of(project["dependencies"]),
        "extras": set().union(*map(names_of, extras)),
        "train": names_of(lines_of(REQUIREMENTS / "requirements.in")),
        "dev": names_of(lines_of(REQUIREMENTS / "dev.in")),
    }


def test_locks_hold_every_requirement_with_its_public_version_and_nothing_twice(
    needed: Dict[str, Set[str]],
):
    pin = re.compile(r"[a-z0-9-]+==[a-z0-9.]+( ; .+)?")
    main, dev = (lines_of(ROOT / lock) for lock in LOCKS)
    assert [line for line in main + dev if not pin.fullmatch(line)] == []
    assert needed["base"] | needed["train"] <= names_of(main)
    assert needed["dev"] <= names_of(main + dev)
    assert not set(main) & set(dev)


def test_the_package_asks_for_what_it_imports(needed: Dict[str, Set[str]]):
    # Stanza is looked for only when its trees are asked for, polars for who has a column of it, and
    # typing-extensions by type checkers.
    imported = imported_by("lisa_allennlp") - {"stanza", "polars", "typing-extensions"}
    assert imported <= needed["base"] | needed["extras"] | needed["train"]
    beside = imported_by("tests", "benchmarks", "experiments")
    assert beside <= needed["base"] | needed["train"] | needed["dev"]
    assert needed["base"] | needed["train"] <= imported | imported_by("experiments")
