"""
Requests for a labeller from the rows of input files.

    >>> from lisa_allennlp.labelling.requests import RequestReader
    >>> options = RowOptions(keep=["year"])
    >>> row = Row("rain.jsonl", 7, b'{"text": "Rain.", "year": 1999, "page": 3}', "json", 1)
    >>> options.id_of(row, options.content(row)), options.content(row)
    ('rain.jsonl:7', {'text': 'Rain.', 'year': 1999})
"""

from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional, Union

from lisa_allennlp.annotation.formats import ID_COLUMN, PARQUET
from lisa_allennlp.annotation.input_files import Row
from lisa_allennlp.labelling.errors import bad_value
from lisa_allennlp.labelling.input_files import read_content
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import DOCUMENT_KEY, WORD_KEYS, DocumentRequest, Request

TEXT_KEYS = (DOCUMENT_KEY, *WORD_KEYS)
"""The columns that a row's words can come from."""

GIVEN_KEYS = ("head_indices", "head_tags", "predicates", "pos")
"""The columns that some labellers read beside the words."""


@dataclass(frozen=True)
class RowOptions:
    """
    # Parameters

    text_column : `str`, optional (default = `None`)
        The column with a document's text, instead of `text`, `sentence` or `tokens`.
    id_column : `str`, optional (default = `"id"`)
        The column with a row's id, if it has one.
    keep : `List[str]`, optional (default = all)
        The other columns to copy to the output.
    """

    text_column: Optional[str] = None
    id_column: str = ID_COLUMN
    keep: Optional[List[str]] = None

    def content(self, row: Row) -> Any:
        """
        The input for the labeller.

        # Raises

        `ConfigurationError`
            If the row is not JSON.
        """
        if row.format == PARQUET:
            columns = (*TEXT_KEYS, *GIVEN_KEYS)
            given = row.content.items()
            content = {k: v for k, v in given if v is not None or k not in columns}
        else:
            content = read_content(row.content, row.format)
        return self._chosen(content) if isinstance(content, Mapping) else content

    def _chosen(self, content: Mapping[str, Any]) -> Dict[str, Any]:
        """The columns that are read or kept."""
        chosen = dict(content)
        if self.text_column is not None:
            if self.text_column not in chosen:
                raise bad_value("the row", content, f"the column `{self.text_column}`")
            text = chosen.pop(self.text_column)
            chosen = {k: v for k, v in chosen.items() if k not in TEXT_KEYS}
            chosen[DOCUMENT_KEY] = text
        if self.keep is None:
            return chosen
        wanted = {*TEXT_KEYS, *GIVEN_KEYS, self.id_column, *self.keep}
        return {key: value for key, value in chosen.items() if key in wanted}

    def id_of(self, row: Row, content: Any) -> Any:
        """The id of a row: given, or made from the file's name and the row's number."""
        given = content.get(self.id_column) if isinstance(content, Mapping) else None
        return f"{row.file}:{row.number}" if given is None else given

    def request(self, labeller: Labeller, row: Row) -> Union[Request, DocumentRequest]:
        """
        The request for a row, whose extra keys begin with the id.

        # Raises

        `ConfigurationError`
            If the row is no valid input.
        """
        content = self.content(row)
        request = labeller.read_any(content)
        asked = request.document if isinstance(request, DocumentRequest) else request.sentence
        extra = {self.id_column: self.id_of(row, content)}
        extra.update((k, v) for k, v in asked.extra.items() if k != self.id_column)
        if isinstance(request, DocumentRequest):
            return DocumentRequest(replace(request.document, extra=extra))
        return replace(request, sentence=replace(request.sentence, extra=extra))
