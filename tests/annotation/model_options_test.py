"""The digest of a model."""

import shutil
from pathlib import Path
from typing import Dict

from lisa_allennlp import pretrained
from lisa_allennlp.annotation.model_options import ModelOptions


def test_the_digest_is_that_of_the_content(archives: Dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "model.tar.gz"
    shutil.copy(archives["lisa"], copy)
    digest = ModelOptions(str(copy)).digest()
    assert digest == ModelOptions(str(archives["lisa"])).digest()
    assert digest != ModelOptions(str(archives["ccg_supertagger"])).digest()
    weights = tmp_path / "weights.th"
    weights.write_bytes(b"1")
    assert digest != ModelOptions(str(copy), weights_file=str(weights)).digest()


def test_a_changed_folder_has_another_digest(tmp_path: Path) -> None:
    source = pretrained.resolve("english-fast")
    folder = tmp_path / "model"
    shutil.copytree(source, folder)
    digest = ModelOptions(str(folder)).digest()
    assert digest == ModelOptions("english-fast").digest()
    config = folder / "config.json"
    config.write_text(config.read_text() + " ")
    assert digest != ModelOptions(str(folder)).digest()


def test_names_of_files_are_left_out() -> None:
    options = ModelOptions("english", "bfloat16", weights_file="a.th", predictor_args={"beta": 1})
    expected = {"precision": "bfloat16", "overrides": "", "predictor_args": {"beta": 1}}
    assert options.describe() == expected
