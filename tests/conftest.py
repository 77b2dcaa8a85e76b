"""Fixtures that tests of several folders share."""

import atexit
import gc
import logging
import os
from pathlib import Path
from typing import Dict

import pytest

from tests.apps.prepare.conll_sources import conll05_sources, fake_parser  # noqa: F401
from tests.fast_archives import compressed_archives, fast_archives  # noqa: F401
from tests.fast_configs import use_fast_configs
from tests.fast_graphs import fast_graphs  # noqa: F401
from tests.fast_models import fast_models  # noqa: F401

# Without it, training_configs/lisa_treebank.jsonnet is an error.
os.environ["LISA_LANGUAGE"] = "es"

# Before the tests import AllenNLP.
use_fast_configs()

# What modules make when they are imported stays. To look for garbage among it takes long.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    if not IS_WORKER:
        # Libraries complain of what is left at the end.
        gc.unfreeze()


IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ

if IS_WORKER:
    # After all else that is done at the end: to take a process with PyTorch apart takes seconds.
    atexit.register(os._exit, 0)


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    """Untrained models by type."""
    # Here, because the process that only distributes tests needs no PyTorch.
    from tests.archives import make_archives

    embedder = {"tokens": {"type": "embedding", "embedding_dim": 8}}
    return make_archives(tmp_path_factory, embedder, 8)


@pytest.fixture(autouse=True)
def fresh_logging() -> None:
    """
    Undoes what AllenNLP's commands change in the process of an earlier test: `train` leaves
    handlers whose stream may be closed by now, and `evaluate` disables loggers.
    """
    for logger in (logging.getLogger(), logging.getLogger("tqdm")):
        # Those of pytest are of subclasses.
        for handler in [h for h in logger.handlers if type(h).__module__ == "logging"]:
            logger.removeHandler(handler)
            handler.close()
    logging.getLogger().setLevel(logging.WARNING)
    for name in ("allennlp.common.params", "allennlp.nn.initializers"):
        logging.getLogger(name).disabled = False
