"""Moved to `lisa_allennlp.apps.show.page`."""

from lisa_allennlp.common.moved import moved

__getattr__ = moved(__name__, "lisa_allennlp.apps.show.page")
