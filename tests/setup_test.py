"""`scripts/setup` on machines where something is missing, and what the lock file may hold."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Tuple

import pytest

from tests import ROOT

FILES = ["scripts/setup", "requirements/lock.txt", "setup.cfg", "pyproject.toml", "README.md"]

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


def test_installs_once_and_again_when_the_lock_changes(checkout: Path):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip='echo "$*" >>calls'))

    def calls() -> int:
        return len((checkout / "calls").read_text().splitlines())

    assert run_setup(checkout)[0] == 0
    assert calls() == 3
    status, output, _ = run_setup(checkout)
    assert (status, output) == (0, "setup: .venv is up to date\n")
    os.utime(checkout / "requirements/lock.txt")
    assert run_setup(checkout)[1] == "setup: .venv is up to date\n"
    assert calls() == 3

    with (checkout / "requirements/lock.txt").open("a") as lock:
        lock.write("extra==1\n")
    assert "setup: updating .venv" in run_setup(checkout)[1]
    assert calls() == 6


def test_an_interrupted_installation_is_taken_up_again(checkout: Path):
    install_command(checkout, "python3", GOOD_PYTHON.format(pip="exit 1"))
    assert run_setup(checkout)[0] == 1
    install_command(checkout, ".venv-python", GOOD_PYTHON.format(pip="exit 0"))
    shutil.copy(checkout / "bin/.venv-python", checkout / ".venv/bin/python")
    assert "setup: updating .venv" in run_setup(checkout)[1]


LOCK = [
    line
    for line in (ROOT / "requirements/lock.txt").read_text().splitlines()
    if not line.startswith("#")
]


def test_lock_has_exact_public_versions_and_no_hosts():
    pin = re.compile(r"[a-z0-9-]+==[a-z0-9.]+( ; .+)?")
    assert len(LOCK) > 50
    assert [line for line in LOCK if not pin.fullmatch(line)] == []


def test_lock_holds_every_requirement():
    locked = {line.split("==")[0] for line in LOCK}
    needed = {
        re.split("[=<> ;]", line)[0]
        for line in (ROOT / "requirements/requirements.in").read_text().splitlines()
        if line and not line.startswith("#")
    }
    assert needed <= locked


def test_lock_leaves_out_what_nothing_imports():
    assert not {"wandb", "datasets"} & {line.split("==")[0] for line in LOCK}
