"""The models in the package, which do not change and therefore are opened once."""

import functools
import os
from typing import Any, Iterator, Optional, Union

import pytest

from lisa_allennlp.labelling import loading
from lisa_allennlp.models_on_disk import pretrained

_OPEN = loading.open_model
_PACKAGED = pretrained.FOLDER


@pytest.fixture(scope="session", autouse=True)
def fast_models() -> Iterator[None]:
    """`load` opens each of them once for all tests."""
    once = functools.cache(_OPEN)

    def open_model(
        path: Union[str, "os.PathLike[str]"], max_tokens: int, precision: Optional[str]
    ) -> Any:
        is_packaged = os.path.dirname(path) == str(_PACKAGED)
        return (once if is_packaged else _OPEN)(path, max_tokens, precision)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "open_model", open_model)
        yield
