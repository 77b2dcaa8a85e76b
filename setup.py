"""
Copies the configs, and the sample that they read, into a built package, where
`lisa_allennlp.common.config_files` finds them. The metadata is in pyproject.toml. Wheels of equal
files are equal, whenever they are built, with one umask and one version of setuptools.
"""

import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

COPIED = ("training_configs", "fixtures/sample", "fixtures/elmo", "fixtures/ccg")
LEFT_OUT = ("conll05", "broken", "README.md")
"""What is in these folders for the tests only."""


class BuildWithConfigs(build_py):
    """Builds the package with what its configs need."""

    def run(self) -> None:
        """Runs the command."""
        super().run()
        if self.editable_mode:
            return
        for name in COPIED:
            target = Path(self.build_lib) / "lisa_allennlp" / name
            ignored = shutil.ignore_patterns(*LEFT_OUT)
            shutil.copytree(name, target, ignore=ignored, dirs_exist_ok=True)


# The time of all files in a wheel: the first that a zip file can state.
os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")

setup(cmdclass={"build_py": BuildWithConfigs})
