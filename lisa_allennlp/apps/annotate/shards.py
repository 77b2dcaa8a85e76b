"""Labels the rows of a shard and writes them."""

import gzip
import json
from collections import deque
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Deque, Dict, Iterator, List, Mapping, Optional, Tuple

from lisa_allennlp.apps.annotate.inputs import read_rows
from lisa_allennlp.apps.annotate.plan import Plan
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.parquet import EXTRA, INPUT_KEYS, TEXT, arrow_of, writer
from lisa_allennlp.formats.role_tables import Table, name_of
from lisa_allennlp.labelling.groups import InputError, Item
from lisa_allennlp.labelling.input_formats import GROUP_SIZE, PARQUET
from lisa_allennlp.labelling.labeller import Labeller
from lisa_allennlp.labelling.requests import is_document
from lisa_allennlp.labelling.sources import Row
from lisa_allennlp.labelling.writing import document_to_json, to_json
from lisa_allennlp.sentence.document import DOCUMENT, ID, SENTENCES, Document
from lisa_allennlp.sentence.sentence import ANSWER_KEYS, Sentence, SentenceRecord


class ShardLabeller:
    """
    Labels the shards of a process, which opens the model on a device unless it has a labeller.
    Calls `report` with a shard and the number of its rows that are done.
    """

    def __init__(
        self,
        plan: Plan,
        labeller: Optional[Labeller] = None,
        device: int = -1,
        report: Callable[[int, int], None] = lambda shard, rows: None,
    ) -> None:
        self._plan = plan
        self._labeller = labeller
        self._device = device
        self._report = report

    def __call__(self, shard: int) -> int:
        """Labels a 0-based shard, unless it is finished. Returns the number of its rows."""
        expected = self._plan.rows_of([shard])
        if self._plan.missing(shard) is None:
            self._report(shard, expected)
            return expected
        if self._labeller is None:
            self._labeller = self._plan.options.open(self._device)
        error_path = self._plan.error_path(shard)
        done = 0
        errors: List[bytes] = []
        with complete_file(self._plan.path(shard)) as path:
            with ExitStack() as stack:
                write = stack.enter_context(_opened(path, self._plan))
                tables = self._plan.options.make_tables(self._labeller, self._plan.kept)
                add = {
                    name: stack.enter_context(self._opened_table(shard, name, table))
                    for name, table in tables.items()
                }
                for item, answer in self._answers(self._labeller, shard, tables):
                    if isinstance(answer, InputError):
                        errors.append(self._error_line(item, answer))
                    else:
                        record, rows = answer
                        write(record)
                        for name, row in rows:
                            add[name](row)
                    done += 1
                    self._report(shard, done)
            if done != expected:
                raise ConfigurationError(f"{path}: found {done} rows; expected {expected}")
            # The shard takes its name last, which finishes it.
            if errors:
                with complete_file(error_path) as path:
                    path.write_bytes(b"".join(errors))
            else:
                error_path.unlink(missing_ok=True)
        return done

    def _answers(
        self, labeller: Labeller, shard: int, tables: Mapping[str, Table]
    ) -> Iterator[Tuple[Item, Any]]:
        waiting: Deque[Item] = deque()
        # Progress is reported after each group. Smaller ones would cost time.
        group_size = min(GROUP_SIZE, max(200, self._plan.rows_of([shard]) // 4))

        def items() -> Iterator[Item]:
            for file, offset, number, rows in self._plan.shards[shard]:
                found = self._plan.inputs[file]
                for item in read_rows(found, offset, number, rows, self._plan.columns):
                    waiting.append(item)
                    yield item._replace(content=item)

        answers = labeller.stream(
            items(),
            lambda item: self._request(labeller, item),
            group_size=group_size,
            processes=1,
            stops=False,
            finish=lambda answer, item: (
                self._record(answer, item.content),
                list(self._rows(tables, answer, item.content)) if tables else [],
            ),
        )
        return ((waiting.popleft(), answer) for answer in answers)

    @contextmanager
    def _opened_table(
        self, shard: int, name: str, table: Table
    ) -> Iterator[Callable[[Dict[str, Any]], Any]]:
        with complete_file(self._plan.table_path(shard, name)) as path:
            if self._plan.options.table == PARQUET:
                with writer(path, table.schema()) as write:
                    yield write
            else:
                with path.open("w", encoding="utf-8", newline="") as file:
                    yield table.csv_writer(file)

    def _rows(
        self, tables: Mapping[str, Table], answer: Any, row: Row
    ) -> Iterator[Tuple[str, Dict[str, Any]]]:
        own = dict(answer.extra)
        named = {ID: own.pop(self._plan.options.id_column)}
        if self._plan.options.table == PARQUET:
            own.update(row.kept or {})
        extra = {**own, **named}
        if isinstance(answer, Document):
            extra.pop(DOCUMENT, None)
            sentences = replace(answer, extra=extra).with_ids()
        else:
            sentences = [replace(answer, extra=extra)]
        for name, table in tables.items():
            for cells in table.rows(sentences, own):
                yield name, cells

    def _request(self, labeller: Labeller, item: Item) -> Any:
        content = self._content(item.content)
        request: Any = labeller.read_any(content)
        is_document = isinstance(request, Document)
        asked: Any = request if is_document else request.sentence
        named = {self._plan.options.id_column: self._id_of(item, content)}
        asked = replace(asked, extra={**named, **asked.extra, **named})
        return asked if is_document else replace(request, sentence=asked)

    def _content(self, row: Row) -> Any:
        options, content = self._plan.options, row.read()
        if isinstance(content, Sentence) and options.keep is not None:
            kept = {ID, DOCUMENT, *options.keep}
            extra = {key: value for key, value in content.extra.items() if key in kept}
            return replace(content, extra=extra)
        if not isinstance(content, Mapping) or options.keep is None:
            return content
        wanted = {*INPUT_KEYS, options.id_column, *options.keep}
        if not is_document(content):
            wanted |= ANSWER_KEYS
        elif isinstance(content.get(SENTENCES), list):
            wanted.add(SENTENCES)
        return {key: value for key, value in content.items() if key in wanted}

    def _id_of(self, item: Item, content: Any) -> Any:
        given = None
        if isinstance(content, Sentence):
            given = content.extra.get(ID)
        elif isinstance(content, Mapping):
            given = content.get(self._plan.options.id_column)
        # In CSV, a missing id is empty.
        return item.place if given in (None, "") else given

    def _record(self, answer: Any, row: Row) -> Any:
        is_document = isinstance(answer, Document)
        if self._plan.schema is None:
            return (document_to_json(answer) if is_document else to_json(answer)).encode()
        others = dict(answer.extra)
        name = name_of(others.pop(self._plan.options.id_column))
        # Lone surrogates cannot be written.
        name.encode()
        record: Dict[str, Any] = {self._plan.options.id_column: name, **(row.kept or {})}
        # Of other tables, the columns are kept instead.
        if row.kept is not None:
            others = {k: v for k, v in others.items() if k not in row.kept}
        if others and (row.kept is None or SENTENCES in row.content):
            record[EXTRA] = json.dumps(others)
        record[TEXT] = answer.text
        sentences = answer.sentences if is_document else [answer]
        record[SENTENCES] = [arrow_of(SentenceRecord, sentence.to_dict()) for sentence in sentences]
        return record

    def _error_line(self, item: Item, error: InputError) -> bytes:
        try:
            name = self._id_of(item, self._content(item.content))
        except Exception:
            # What cannot be read has no id.
            name = item.place
        file = item.place.removesuffix(f":{item.position}")
        record = {"file": file, "row": item.position, "id": name, "reason": error.reason}
        return (json.dumps(record) + "\n").encode()


@contextmanager
def _opened(path: Path, plan: Plan) -> Iterator[Callable[[Any], Any]]:
    if plan.schema is not None:
        with writer(path, plan.schema) as write:
            yield write
        return
    with path.open("wb") as file:
        if plan.options.ending.endswith(".gz"):
            # Without name and time, so that equal rows are equal bytes.
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as compressed:
                yield compressed.write
        else:
            yield file.write
