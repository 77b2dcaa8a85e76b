"""`scripts/setup` on machines where something is missing, and what the lock files may hold."""

import ast
import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Set, Tuple

import pytest

from tests import ROOT

LOCKS = ["requirements/lock.txt", "requirements/dev.txt"]
FILES = ["scripts/setup", *LOCKS, "setup.cfg", "pyproject.toml", "README.md"]

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
        if (ROOT / name).exists():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    commands = tmp_path / "bin"
    commands.mkdir()
    tools = "bash awk cksum cat cp df dirname env grep mkdir rm sed sh tail"
    for tool in tools.split():
        path = shutil.which(tool)
        assert path is not None
        (commands / tool).symlink_to(path)
    return tmp_path


def install_command(checkout: Path, name: str, script: str) -> None:
    path = checkout / "bin" / name
    path.unlink(missing_ok=True)
    path.write_text(script)
    path.chmod(0o755)


def run_setup(checkout: Path, **environment: str) -> Tuple[int, str, str]:
    result = subprocess.run(
        [str(checkout / "scripts/setup")],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={"PATH": str(checkout / "bin"), "LISA_SETUP_MIN_GB": "0", **environment},
    )
    return result.returncode, result.stdout, result.stderr


def assert_one_error(outcome: Tuple[int, str, str], expected: str) -> None:
    status, _, errors = outcome
    assert status == 1
    assert errors.count("\n") == 1
    assert re.match(f"setup: error: .*{expected}", errors), errors


def test_no_suitable_python(checkout: Path):
    install_command(checkout, "python3", OLD_PYTHON)
    assert_one_error(run_setup(checkout), "found no Python 3.10.* make setup PYTHON=")
    assert not (checkout / ".venv").exists()


def test_unsuitable_python_asked_for(checkout: Path):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip="exit 0"))
    install_command(checkout, "python3.9", OLD_PYTHON)
    assert_one_error(run_setup(checkout, PYTHON="python3.9"), "PYTHON=python3.9 is not Python 3.10")


def test_python_without_venv(checkout: Path):
    install_command(checkout, "python3", '#!/bin/sh\n[ "$1" = -c ] || [ "$1" = --version ]\n')
    assert_one_error(run_setup(checkout), "python3 -m venv fails; .*python3-venv")


def test_full_disk(checkout: Path):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip="exit 0"))
    df = "#!/bin/sh\nprintf 'Filesystem 1024-blocks Used Available\\n/dev/x 9 9 3145728 1%% /\\n'\n"
    install_command(checkout, "df", df)
    outcome = run_setup(checkout, LISA_SETUP_MIN_GB="10")
    assert_one_error(outcome, "has 3 GB of free disk space; the installation needs 10 GB")
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize(
    "output, expected",
    [
        ("WARNING: Retrying after NewConnectionError(no route)", "no package index can be reached"),
        ("ERROR: OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: No matching distribution found for torch", "pip failed: No matching .*setup.log"),
    ],
)
def test_failing_pip(checkout: Path, output: str, expected: str):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip=f"echo '{output}'; exit 1"))
    assert_one_error(run_setup(checkout), expected)
    assert not (checkout / ".venv/.lisa-setup").exists()


@pytest.mark.parametrize("changed", LOCKS)
def test_installs_once_and_again_when_a_lock_changes(checkout: Path, changed: str):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip='echo "$*" >>calls'))

    def calls() -> List[str]:
        return (checkout / "calls").read_text().splitlines()

    assert run_setup(checkout)[0] == 0
    assert len(calls()) == 3
    assert [lock for lock in LOCKS if f"--requirement={lock}" in calls()[1]] == LOCKS
    status, output, _ = run_setup(checkout)
    assert (status, output) == (0, "setup: .venv is up to date\n")
    os.utime(checkout / changed)
    assert run_setup(checkout)[1] == "setup: .venv is up to date\n"
    assert len(calls()) == 3

    with (checkout / changed).open("a") as lock:
        lock.write("extra==1\n")
    assert "setup: updating .venv" in run_setup(checkout)[1]
    assert len(calls()) == 6


def test_an_interrupted_installation_is_taken_up_again(checkout: Path):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip="exit 1"))
    assert run_setup(checkout)[0] == 1
    install_command(checkout, ".venv-python", GOOD_PYTHON.format(pip="exit 0"))
    shutil.copy(checkout / "bin/.venv-python", checkout / ".venv/bin/python")
    assert "setup: updating .venv" in run_setup(checkout)[1]


REQUIREMENTS = ROOT / "requirements"
NO_EXTRAS = ("requirements", "dev")


def lines_of(path: Path) -> List[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def names_of(path: Path) -> Set[str]:
    """The packages that a list of requirements or a lock file names."""
    return {re.split("[=<> ;]", line)[0] for line in lines_of(path)}


def imported_by(*folders: str) -> Set[str]:
    """The packages from elsewhere that the Python files below some folders import."""
    found = set()
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).partition(".")[0])
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()}
    names = {"griffe": "griffelib", "markdown_it": "markdown-it-py", "yaml": "pyyaml"}
    elsewhere = found - ours - set(sys.stdlib_module_names)
    return {names.get(name, name).replace("_", "-") for name in elsewhere}


@pytest.fixture(scope="module")
def needed() -> Dict[str, Set[str]]:
    """The names in setup.cfg and in requirements, where all extras but `dev` count together."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    installed = config["options"]["install_requires"].split()
    return {
        "setup.cfg": {re.split("[=<>]", requirement)[0] for requirement in installed},
        "package": names_of(REQUIREMENTS / "requirements.in"),
        "dev": names_of(REQUIREMENTS / "dev.in"),
        "extras": set().union(
            *(names_of(path) for path in REQUIREMENTS.glob("*.in") if path.stem not in NO_EXTRAS)
        ),
    }


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_have_exact_public_versions_and_no_hosts(lock: str):
    pin = re.compile(r"[a-z0-9-]+==[a-z0-9.]+( ; .+)?")
    lines = lines_of(ROOT / lock)
    assert len(lines) > 10
    assert [line for line in lines if not pin.fullmatch(line)] == []


def test_locks_hold_every_requirement(needed: Dict[str, Set[str]]):
    locked = names_of(ROOT / LOCKS[0])
    assert needed["package"] <= locked
    assert needed["dev"] <= locked | names_of(ROOT / LOCKS[1])


def test_every_extra_has_a_lock_that_agrees_with_the_others():
    extras = {path.stem for path in REQUIREMENTS.glob("*.in")} - {"requirements"}
    assert "dev" in extras
    main = lines_of(REQUIREMENTS / "lock.txt")
    for extra in extras:
        lines = lines_of(REQUIREMENTS / f"{extra}.txt")
        assert not set(lines) & set(main)
        # Where both name a package, they do so for other platforms.
        for name in names_of(REQUIREMENTS / f"{extra}.txt") & names_of(REQUIREMENTS / "lock.txt"):
            assert pins_of(name, lines) <= pins_of(name, main), name


def pins_of(name: str, lines: List[str]) -> Set[str]:
    """The versions of a package in a lock file, of which each is for some versions of Python."""
    return {line.split(" ;")[0] for line in lines if line.startswith(f"{name}==")}


def test_the_package_asks_for_what_it_imports(needed: Dict[str, Set[str]]):
    assert needed["setup.cfg"] == needed["package"]
    assert not needed["package"] & needed["dev"]
    # Stanza is looked for only when its trees are asked for.
    imported = imported_by("lisa_allennlp", "experiments") - {"stanza"}
    assert imported <= needed["package"] | needed["extras"]
    assert needed["package"] <= imported


def test_tests_ask_for_what_they_import(needed: Dict[str, Set[str]]):
    assert imported_by("tests", "benchmarks") <= needed["package"] | needed["dev"]


def test_locks_leave_out_what_nothing_imports():
    assert not {"wandb", "datasets"} & (names_of(ROOT / LOCKS[0]) | names_of(ROOT / LOCKS[1]))
