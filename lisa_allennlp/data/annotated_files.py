"""Moved to `lisa_allennlp.formats.annotated_files`."""

from lisa_allennlp.common.moved import moved

__getattr__ = moved(__name__, "lisa_allennlp.formats.annotated_files")
