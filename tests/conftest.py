"""Fixtures that tests of several folders share."""

from tests.archives import archives  # noqa: F401
from tests.data.preparation.conll_sources import conll05_sources, fake_parser  # noqa: F401
from tests.fast_archives import compressed_archives, fast_archives  # noqa: F401
