"""
Records of measurements: the JSON files of the folder `records`, whose keys its README.md describes.
The benchmarks write them with `--json`; `python -m benchmarks.tables` makes the project's tables.
"""

import datetime
import json
import os
import platform
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "benchmarks/records"
CODE = ("benchmarks", f":!{FOLDER}", "experiments", "lisa_allennlp", "training_configs")
"""The folders on which figures depend, as git names them."""

CONDITIONS = ("commit", "date", "seed", "setting", "hardware", "software")

PLACEHOLDERS = {
    "--corpus": "DIR",
    "--against": "CHECKOUT",
    "--archive": "MODEL",
    "--models": "MODELS",
    "--vectors": "VECTORS",
    "--ud": "UD",
    "--elmo": "ELMO",
    "--transformer": "TRANSFORMER",
    "--out": "OUT",
    "--labelled": "LABELLED",
}
"""What replaces the paths of a machine in a recorded command."""

INSTRUCTIONS = {
    "avx2": "AVX2",
    "avx512f": "AVX-512",
    "avx512_vnni": "VNNI",
    "avx_vnni": "AVX-VNNI",
    "avx512_bf16": "AVX512-BF16",
    "amx_int8": "AMX",
}
"""The names of the processor's flags that matter for matrix products."""


def write_record(
    path: Path, name: str, data: str, rows: List[Dict[str, Any]], conditions: Dict[str, str]
) -> None:
    """Writes the figures of a benchmark that runs now, by its name and the data that it is of."""
    commands = {"measure": command_of(name, sys.argv[1:])}
    about = {"title": f"benchmarks.{name}", "data": data, "commands": commands}
    text = json.dumps({**about, **conditions, "rows": rows}, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def command_of(benchmark: str, arguments: Sequence[str]) -> str:
    """A benchmark's command line without the paths of this machine and without its outputs."""
    words: List[str] = []
    rest = iter(arguments)
    for word in rest:
        option, equals, _ = word.partition("=")
        if option in PLACEHOLDERS:
            words += [option, PLACEHOLDERS[option]]
        elif option not in ("--check", "--json"):
            words.append(word)
        if not equals and (option in PLACEHOLDERS or option == "--json"):
            next(rest, None)
    return shlex.join(["python", "-m", f"benchmarks.{benchmark}", *words])


def conditions_here(setting: str, accelerator: str = "") -> Dict[str, str]:
    """Returns the conditions of a measurement made now, on this machine, from this checkout."""
    commit = current_commit(ROOT)
    versions = [f"{name} {version(name).partition('+')[0]}" for name in ("torch", "allennlp")]
    hardware = f"{processor()}, {os.cpu_count()} cores"
    return {
        **({} if commit is None else {"commit": commit}),
        "date": datetime.date.today().isoformat(),
        "setting": setting,
        "hardware": ", ".join(filter(None, [hardware, accelerator])),
        "software": ", ".join([f"Python {platform.python_version()}", *versions]),
    }


def current_commit(checkout: Path) -> Optional[str]:
    """Returns the current commit, and whether the code differs from it; `None` outside git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(checkout), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", *CODE)
        return git("rev-parse", "--short", "HEAD") + " with uncommitted changes" * bool(changed)
    except (OSError, subprocess.CalledProcessError):
        return None


def processor() -> str:
    """Returns the processor's model and `INSTRUCTIONS`; without /proc, its architecture."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    pairs = (line.partition(":") for line in reversed(lines))
    found = {key.strip(): value.strip() for key, _, value in pairs}
    flags = found.get("flags", "").split()
    instructions = [name for flag, name in INSTRUCTIONS.items() if flag in flags]
    return ", ".join([found.get("model name", platform.machine()), *instructions])
