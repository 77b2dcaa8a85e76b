"""Fixtures of the tests of the service."""

from tests.service.services import served, tiny  # noqa: F401
