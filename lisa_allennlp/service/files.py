"""
The files of the page and of the API's description, which are read once, at the start.

    >>> page = Files(PAGE)
    >>> page.get("index.html").content_type
    'text/html; charset=utf-8'
    >>> page.get("../files.py") is None
    True
"""

from pathlib import Path
from typing import Dict, NamedTuple, Optional

PAGE = Path(__file__).with_name("page")
"""The folder of the page."""

API_PAGE = Path(__file__).with_name("api_page")
"""The folder of the page that describes the API."""

CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""The content types by ending. Files with other endings are not served."""


class File(NamedTuple):
    """
    # Parameters

    content : `bytes`
    content_type : `str`
    """

    content: bytes
    content_type: str


class Files:
    """
    The files of folders, without those in folders below them.

    # Parameters

    *folders : `Path`
    """

    def __init__(self, *folders: Path) -> None:
        self._files: Dict[str, File] = {
            path.name: File(path.read_bytes(), CONTENT_TYPES[path.suffix])
            for folder in folders
            for path in sorted(folder.iterdir())
            if path.suffix in CONTENT_TYPES and path.is_file()
        }

    def get(self, name: str) -> Optional[File]:
        """A file by its name."""
        return self._files.get(name)
