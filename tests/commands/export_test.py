"""`lisa export` in 8 bits."""

from pathlib import Path
from typing import Dict

import pytest
from safetensors.numpy import load_file

import lisa_allennlp
from lisa_allennlp.__main__ import main
from lisa_allennlp.archival.opening import open_archive
from lisa_allennlp.common.errors import ConfigurationError
from tests import ROOT

DATA = str(ROOT / "fixtures/sample/dev.gold_conll")
IN_8_BITS = ("--license", "CC0", "--precision", "int8")


def lisa(*arguments: object) -> None:
    main([str(argument) for argument in arguments])
