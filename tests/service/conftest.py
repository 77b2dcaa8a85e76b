"""Fixtures of the tests of the service."""

from tests.service.browser import browser, folder  # noqa: F401
from tests.service.services import served, tiny  # noqa: F401
