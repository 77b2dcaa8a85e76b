"""Fixtures that tests of several folders share."""

from tests.data.preparation.conll_sources import conll05_sources, fake_parser  # noqa: F401
