"""Archives that are written fast: compression takes most of the time of short trainings."""

import tarfile
from typing import Any, Iterator

import pytest

_OPEN = tarfile.TarFile.gzopen


@pytest.fixture(scope="session", autouse=True)
def fast_archives() -> Iterator[None]:
    """The archives of all tests are `.tar.gz` files without compression."""

    def gzopen(name: Any, mode: str = "r", fileobj: Any = None, *_: Any, **options: Any) -> Any:
        return _OPEN(name, mode, fileobj, **{**options, "compresslevel": 0})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tarfile.TarFile, "gzopen", gzopen)
        yield


@pytest.fixture
def compressed_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of cut archives: without compression, the last bytes of an archive say nothing."""
    monkeypatch.setattr(tarfile.TarFile, "gzopen", _OPEN)
