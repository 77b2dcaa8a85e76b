"""Graphs of networks that differ in their weights alone, which are not in them: exported once."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

from lisa_allennlp.models_on_disk.pretrained import GRAPHS_NAME


@pytest.fixture(scope="session", autouse=True)
def fast_graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A network is exported, and compared with PyTorch, for the first of its models only."""
    if "allennlp" not in sys.modules:
        # To import it takes longer than what is saved.
        yield
        return
    import torch

    from lisa_allennlp.models import graphs

    export = graphs.write_graphs
    folder_of: Dict[str, Path] = {}
    cache = tmp_path_factory.mktemp("graphs")

    def write_graphs(model: Any, config: Any, folder: Path) -> bool:
        shapes = {name: tuple(weight.shape) for name, weight in model.state_dict().items()}
        network = repr((type(model), model, shapes, config))
        if network in folder_of:
            shutil.copytree(folder_of[network], folder / GRAPHS_NAME, dirs_exist_ok=True)
            return True
        # A training is the same with and without an export before it.
        with torch.random.fork_rng(devices=[]):
            is_written = bool(export(model, config, folder))
        if is_written:
            # Forked processes, which know no more than this one, have folders of their own.
            copy = cache / f"{os.getpid()}-{len(folder_of)}"
            folder_of[network] = Path(shutil.copytree(folder / GRAPHS_NAME, copy))
        return is_written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs, "write_graphs", write_graphs)
        yield
