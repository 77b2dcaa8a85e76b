"""Moved to `lisa_allennlp.apps.analyze.report`."""

from lisa_allennlp.common.moved import moved

__getattr__ = moved(__name__, "lisa_allennlp.apps.analyze.report")
