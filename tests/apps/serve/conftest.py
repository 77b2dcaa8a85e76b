"""Fixtures of the tests of the service."""

from tests.apps.serve.browser import browser, folder  # noqa: F401
from tests.apps.serve.services import served, tiny  # noqa: F401
