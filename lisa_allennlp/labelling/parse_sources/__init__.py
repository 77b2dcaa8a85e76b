"""Other parsers, whose trees can be injected into LISA at prediction time."""

from lisa_allennlp.labelling.parse_sources.parse_source import ParseSource, make_parse_source

__all__ = ["ParseSource", "make_parse_source"]
