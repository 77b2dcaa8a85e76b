"""Archives that are written fast: compression takes most of the time of short trainings."""

import tarfile
from typing import Any, Iterator

import pytest

OPEN_COMPRESSED = tarfile.TarFile.gzopen
"""The method that `fast_archives` replaces."""


@pytest.fixture(scope="session", autouse=True)
def fast_archives() -> Iterator[None]:
    """The archives of all tests are `.tar.gz` files without compression."""

    def gzopen(name: Any, mode: str = "r", fileobj: Any = None, *_: Any, **options: Any) -> Any:
        return OPEN_COMPRESSED(name, mode, fileobj, **{**options, "compresslevel": 0})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tarfile.TarFile, "gzopen", gzopen)
        yield
