"""Commands of `lisa` (and of `allennlp`, where the plug-in is loaded)."""

from lisa_allennlp.commands.label import Label

__all__ = ["Label"]
