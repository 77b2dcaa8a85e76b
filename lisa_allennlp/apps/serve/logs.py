"""The log of the service: as text or as lines of JSON, with the ID of the request."""

import json
import logging
from contextvars import ContextVar
from datetime import datetime, timezone

ACCESS = logging.getLogger("lisa_allennlp.access")
"""Has a line per request: errors of the service at the level `warning`, probes at `debug`."""

REQUEST_ID: "ContextVar[str | None]" = ContextVar("request_id", default=None)
"""The ID of the request that is being answered."""


class Formatter(logging.Formatter):
    """Adds the ID of the request; with `as_json`, a record with its traceback is one line."""

    def __init__(self, as_json: bool) -> None:
        super().__init__("%(asctime)s - %(levelname)s - %(name)s - %(message)s%(request)s")
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        request = REQUEST_ID.get()
        if not self._as_json:
            record.request = f" - request {request}" if request else ""
            return super().format(record)
        values = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request,
            "exception": self.formatException(record.exc_info) if record.exc_info else None,
            **getattr(record, "access", {}),
        }
        return json.dumps({key: value for key, value in values.items() if value is not None})


def set_up(log_format: str, level: "str | None") -> None:
    root = logging.getLogger()
    for handler in root.handlers:
        handler.setFormatter(Formatter(log_format == "json"))
    if level is not None:
        root.setLevel(level.upper())
