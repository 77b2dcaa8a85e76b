"""Labels the rows of a shard and writes them."""

import gzip
import json
from collections import deque
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.corpora import parquet
from lisa_allennlp.corpora.inputs import InputFile, Row, read_rows
from lisa_allennlp.corpora.plan import Options, OutputFolder, Plan, writing
from lisa_allennlp.data.document import SENTENCES, Document
from lisa_allennlp.data.json_values import bad_value
from lisa_allennlp.data.sentence import ANSWER_KEYS, SentenceInput
from lisa_allennlp.labelling.errors import InputError
from lisa_allennlp.labelling.groups import Item
from lisa_allennlp.labelling.input_files import read_content
from lisa_allennlp.labelling.input_formats import PARQUET
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import DOCUMENT_KEY, WORD_KEYS, DocumentRequest
from lisa_allennlp.labelling.writing import document_to_json, to_json

TEXT_KEYS = (DOCUMENT_KEY, *WORD_KEYS)
"""The columns that a row's words can come from."""

INPUT_KEYS = tuple(SentenceInput.__annotations__)
"""The columns that some labellers read."""


class Job(NamedTuple):
    """
    What every worker of a run needs. It can be pickled. The columns are those of Parquet inputs,
    the schema (`pyarrow.Schema`) is that of Parquet shards.
    """

    options: Options
    plan: Plan
    folder: OutputFolder
    columns: Optional[parquet.Columns]
    schema: Any


def columns_of(
    options: Options, inputs: Sequence[InputFile]
) -> Tuple[Optional[parquet.Columns], Any]:
    """
    Finds the columns of Parquet inputs and the schema of Parquet shards, as in `Job`.

    # Raises

    `ConfigurationError`
        If a column is missing, or its name is one of the output's own.
    """
    paths = [file.path for file in inputs if file.format == PARQUET]
    to_json, text_column = options.ending != PARQUET, options.text_column
    taken = {*ANSWER_KEYS, *INPUT_KEYS, SENTENCES, *[parquet.EXTRA] * (not to_json)}
    _check_names("--id-column", [options.id_column], taken)
    _check_names("--keep", options.keep or (), taken)
    columns = kept = None
    if paths:
        required: Dict[str, Sequence[str]] = {
            "--text-column": TEXT_KEYS if text_column is None else [text_column]
        }
        if options.id_column != Options.id_column:
            required["--id-column"] = [options.id_column]
        read = [*dict.fromkeys([*INPUT_KEYS, options.id_column, text_column or DOCUMENT_KEY])]
        kept = parquet.kept_columns(paths, required, read, options.keep, to_json)
        _check_names("--keep", kept.names, taken)
        columns = parquet.Columns(read, kept.names)
    if to_json:
        return columns and parquet.Columns([*columns.read, *columns.kept], []), None
    return columns, parquet.output_schema(options.id_column, kept, len(paths) < len(inputs))


def _check_names(option: str, names: Iterable[str], taken: Iterable[str]) -> None:
    for name in names:
        if name in taken:
            raise ConfigurationError(
                f"{option}: found {name}, which the output uses; expected another column"
            )


class ShardLabeller:
    """
    Labels the shards of a process, which opens the model on a device unless it has a labeller.
    `report` is called with a shard and the number of its rows that are done.
    """

    def __init__(
        self,
        job: Job,
        labeller: Optional[Labeller] = None,
        device: int = -1,
        report: Callable[[int, int], None] = lambda shard, rows: None,
    ) -> None:
        self._job = job
        self._labeller = labeller
        self._device = device
        self._report = report

    def __call__(self, shard: int) -> int:
        """
        Labels a shard, by its 0-based position, and returns the number of its rows.

        # Raises

        `ConfigurationError`
            If an input has changed.
        """
        if self._labeller is None:
            self._labeller = self._job.options.open(self._device)
        job, of = self._job, len(self._job.plan.shards)
        error_file = job.folder.error_file(shard, of)
        error_file.unlink(missing_ok=True)
        done = 0
        errors: List[bytes] = []
        with writing(job.folder.shard(shard, of)) as path:
            with _opened(path, job) as write:
                for item, answer in self._answers(self._labeller, shard):
                    if isinstance(answer, InputError):
                        errors.append(self._error_line(item, answer))
                    else:
                        write(answer)
                    done += 1
                    self._report(shard, done)
            expected = job.plan.rows_of([shard])
            if done != expected:
                raise ConfigurationError(f"{path}: found {done} rows; expected {expected}")
            # The shard takes its name last, which finishes it.
            if errors:
                with writing(error_file) as path:
                    path.write_bytes(b"".join(errors))
        return done

    def _answers(self, labeller: Labeller, shard: int) -> Iterator[Tuple[Item, Any]]:
        """Each row with its record or its error."""
        waiting: Deque[Item] = deque()

        def items() -> Iterator[Item]:
            for file, offset, number, rows in self._job.plan.shards[shard]:
                found = self._job.plan.inputs[file]
                for item in read_rows(found, offset, number, rows, self._job.columns):
                    waiting.append(item)
                    yield item._replace(content=item)

        answers = labeller.stream(
            items(),
            lambda item: self._request(labeller, item),
            labeller.label_any,
            lambda answer, item: self._record(answer, item.content),
            processes=1,
            stops=False,
        )
        return ((waiting.popleft(), answer) for answer in answers)

    def _request(self, labeller: Labeller, item: Item) -> Any:
        """The request for a row, whose extra keys begin with the id."""
        content = self._content(item.content)
        request = labeller.read_any(content)
        asked: Any = request.document if isinstance(request, DocumentRequest) else request.sentence
        named = {self._job.options.id_column: self._id_of(item, content)}
        asked = replace(asked, extra={**named, **asked.extra, **named})
        if isinstance(request, DocumentRequest):
            return DocumentRequest(asked)
        return replace(request, sentence=asked)

    def _content(self, row: Row) -> Any:
        """The input for the labeller: a row, with the columns that are read or kept."""
        options, content = self._job.options, row.content
        if row.format != PARQUET:
            content = read_content(content, row.format)
        if not isinstance(content, Mapping):
            return content
        chosen: Dict[str, Any] = dict(content)
        if row.format == PARQUET:
            chosen = {k: v for k, v in chosen.items() if v is not None or k not in INPUT_KEYS}
        if options.text_column is not None:
            if options.text_column not in chosen:
                raise bad_value("the row", content, f"the column `{options.text_column}`")
            text = chosen.pop(options.text_column)
            chosen = {k: v for k, v in chosen.items() if k not in TEXT_KEYS}
            chosen[DOCUMENT_KEY] = text
        if options.keep is None:
            return chosen
        wanted = {*INPUT_KEYS, options.id_column, *options.keep}
        return {key: value for key, value in chosen.items() if key in wanted}

    def _id_of(self, item: Item, content: Any) -> Any:
        """The id of a row: given, or made from the file's name and the row's number."""
        is_named = isinstance(content, Mapping)
        given = content.get(self._job.options.id_column) if is_named else None
        return item.place if given is None else given

    def _record(self, answer: Any, row: Row) -> Any:
        """What is written of an answer, which has the id among its extra keys."""
        if self._job.schema is not None:
            return parquet.record_of(answer, self._job.options.id_column, row.kept)
        line = document_to_json(answer) if isinstance(answer, Document) else to_json(answer)
        return line.encode()

    def _error_line(self, item: Item, error: InputError) -> bytes:
        try:
            name = self._id_of(item, self._content(item.content))
        except (ConfigurationError, TypeError):
            # A line that is no JSON, or too long to be kept.
            name = item.place
        file = item.place.rpartition(":")[0]
        record = {"file": file, "row": item.position, "id": name, "reason": error.reason}
        return (json.dumps(record) + "\n").encode()


@contextmanager
def _opened(path: Path, job: Job) -> Iterator[Callable[[Any], Any]]:
    """Opens a shard, and yields what writes a record."""
    if job.schema is not None:
        with parquet.writer(path, job.schema) as write:
            yield write
        return
    with path.open("wb") as file:
        if job.options.ending.endswith(".gz"):
            # Without name and time, so that equal rows are equal bytes.
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as compressed:
                yield compressed.write
        else:
            yield file.write
