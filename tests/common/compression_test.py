"""What is no text is named as what it is, compressed or not."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.labelling.sources import open_source


def zipped(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(name, "<x/>")
    return file.getvalue()


@pytest.mark.parametrize(
    "content, kind",
    [
        (zipped("xl/workbook.xml"), "Excel"),
        ("text\nRain.\n".encode("utf-16-le"), "UTF-16"),
        (gzip.compress("text\n".encode("utf-16-be")), "UTF-16"),
    ],
    # The contents have times.
    ids=["xlsx", "utf-16-le", "gzip"],
)
def test_files_of_other_programs(content: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=f"a.conllu: found .*{kind}"):
        with open_source(str(path)) as source:
            list(source.inputs())
    with pytest.raises(ConfigurationError, match=f"a.conllu: found .*{kind}"):
        read_annotated(str(path))
