"""The defaults of the variables that the configurations read."""

import pytest

from lisa_allennlp.common.environment import ENVIRONMENT_DEFAULTS, set_environment_defaults


def test_defaults_leave_the_user_s_values(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LISA_DATA", "conll05")
    monkeypatch.delenv("LISA_ELMO")
    set_environment_defaults()
    import os

    assert os.environ["LISA_DATA"] == "conll05"
    assert os.environ["LISA_ELMO"] == ""


@pytest.mark.parametrize("name", sorted(ENVIRONMENT_DEFAULTS))
def test_importing_the_package_sets_every_variable(name: str, monkeypatch: pytest.MonkeyPatch):
    import subprocess
    import sys

    monkeypatch.delenv(name)
    script = f"import os, lisa_allennlp; print(os.environ['{name}'])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == ENVIRONMENT_DEFAULTS[name]
