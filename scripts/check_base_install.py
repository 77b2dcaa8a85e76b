"""
Installs the wheel into a new environment and runs what the labelling wing promises there.

    python scripts/check_base_install.py [--wheel FILE] [--beside PACKAGE ...]

Prints the number of packages, their size and the times of commands. With --beside, these packages
are there first, and their versions must stay. Needs a package index.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import List, Set

ROOT = Path(__file__).resolve().parent.parent
GOLD = str(ROOT / "fixtures" / "sample" / "dev.gold_conll")
SENTENCE = "She sold him the car."
MOST_PACKAGES, MOST_MEGABYTES = 20, 250
TRAINING = ("allennlp", "torch", "transformers", "spacy", "numba")

SUCCEED = [
    (["--help"], "label"),
    (["models"], "english-fast"),
    (["label", SENTENCE], "sell.01"),
    (["predict", "english", "in.txt", "--input-format", "lines", "--output-file", "out.jsonl"], ""),
    (["evaluate", "english-fast", GOLD], "srl_f1"),
    (["convert", "out.jsonl", "-", "--to", "conllu"], "nsubj"),
    (["score", "srl", GOLD, GOLD], "100.00"),
    (["compare", "srl", GOLD, GOLD, GOLD], "0.00"),
    (["show", SENTENCE, "--svg", "-"], "<svg"),
    (["annotate", "in.txt", "--input-format", "lines", "--output", "shards"], ""),
]
"""Commands of the labelling wing, and what each prints."""

FAIL = [
    (["train", "lisa_small", "-s", "out"], "make setup"),
    (["serve"], "pip install '.[serve]'"),
    (["analyze", "--gold", GOLD, "--pred", f"a={GOLD}", "--out", "report"], "[analysis]"),
]
"""Commands that need more, and what installs it."""

LOAD = f"""
import sys, lisa_allennlp
lisa = lisa_allennlp.load()
assert lisa({SENTENCE!r}).frames[0].sense == "sell.01"
assert [len(sentence.frames) for sentence in lisa.pipe([{SENTENCE!r}, "No ."])] == [1, 0]
print(*(name for name in {TRAINING} if name in sys.modules))
"""


class Environment:
    """A new virtual environment, in whose folder commands run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        venv.create(folder / "venv", with_pip=True)
        scripts = "Scripts" if os.name == "nt" else "bin"
        self._python = str(folder / "venv" / scripts / "python")
        # Without the variables that let Python find packages elsewhere.
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        self._variables = {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUTF8": "1"}

    def run(self, *arguments: str, status: int = 0) -> str:
        """What Python prints, which must end with this status."""
        command = [self._python, *arguments]
        start = time.perf_counter()
        result = subprocess.run(
            command, cwd=self._folder, env=self._variables, capture_output=True, encoding="utf-8"
        )
        print(f"{time.perf_counter() - start:6.2f} s  python {' '.join(arguments)[:80]!r}")
        if result.returncode != status:
            sys.exit(f"ended with {result.returncode}:\n{result.stdout}\n{result.stderr}")
        return result.stdout + (result.stderr if status else "")

    def packages(self) -> Set[str]:
        """The installed packages with their versions."""
        freeze = self.run("-m", "pip", "freeze", "--exclude", "setuptools").splitlines()
        return {line for line in freeze if not line.startswith("lisa-allennlp")}

    def megabytes(self) -> float:
        """The size of all installed packages but pip and setuptools."""
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        site = Path(self.run("-c", code).strip())
        files = (path for path in site.rglob("*") if path.is_file())
        own = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
        sizes = (
            f.stat().st_size for f in files if not f.relative_to(site).parts[0].startswith(own)
        )
        return sum(sizes) / 1e6


def build_wheel(folder: Path) -> Path:
    """Builds the checkout's wheel."""
    command = [sys.executable, *"-m pip wheel --quiet --no-deps --wheel-dir".split()]
    subprocess.run([*command, str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(wheel: Path, beside: List[str], folder: Path) -> None:
    """Installs a wheel in an environment below a folder, and runs the commands there."""
    environment = Environment(folder)
    if beside:
        environment.run("-m", "pip", "install", "--quiet", *beside)
    before = environment.packages()
    environment.run("-m", "pip", "install", "--quiet", str(wheel))
    packages = environment.packages()
    assert before <= packages, f"changed: {sorted(before - packages)}"
    environment.run("-m", "pip", "check")
    size = environment.megabytes()
    download = wheel.stat().st_size / 1e6
    print(f"{len(packages) + 1} packages, {size:.0f} MB; the wheel has {download:.0f} MB:")
    print(*sorted(packages))
    assert beside or (len(packages) < MOST_PACKAGES and size <= MOST_MEGABYTES)
    (folder / "in.txt").write_text(f"{SENTENCE}\nIt rained.\n", encoding="utf-8")
    for arguments, expected in SUCCEED:
        output = environment.run("-m", "lisa_allennlp", *arguments)
        assert expected in output, output
    assert environment.run("-c", LOAD) == "\n"
    for arguments, expected in () if beside else FAIL:
        output = environment.run("-m", "lisa_allennlp", *arguments, status=1)
        assert expected in output and output.count("\n") == 1, output


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wheel", type=Path, help="a wheel (default: one of this checkout)")
    parser.add_argument("--beside", nargs="+", default=[], metavar="PACKAGE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        wheel = args.wheel.resolve() if args.wheel else build_wheel(folder)
        check(wheel, args.beside, folder)
    print("the base install works")


if __name__ == "__main__":
    main()
