import gzip
import io
import pickle

import pytest

from lisa_allennlp.common.corpus_errors import CorpusFormatError
from lisa_allennlp.formats.columns import (
    read_lines,
    sentence_blocks,
    split_at_blanks,
)


class TestReadLines:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_reads_utf8_without_the_byte_order_mark(self, tmp_path, pack):
        path = tmp_path / "file"
        path.write_bytes(pack("\ufeffcafé\r\nthé\n".encode()))
        assert list(read_lines(path)) == ["café\r\n", "thé\n"]

    def test_endless_lines(self, tmp_path, monkeypatch):
        monkeypatch.setattr("lisa_allennlp.formats.columns.MOST_BYTES", 1000)
        packed = tmp_path / "packed.gz"
        packed.write_bytes(gzip.compress(b"x" * 998 + b"\n" + b"x" * 1_000_000))
        for path, line in (("/dev/zero", 1), (packed, 2)):
            with pytest.raises(CorpusFormatError) as error:
                list(read_lines(path))
            assert (error.value.path, error.value.line) == (str(path), line)
            assert error.value.found == "a line of more than 1,000 bytes"


class TestBlocks:
    def test_groups_lines_between_blank_ones(self):
        lines = io.StringIO("\n\na b\n \t \nc\td\r\ne  f \n\n\n")
        blocks = list(sentence_blocks(enumerate(lines, start=1), "file"))
        assert [block.line_numbers for block in blocks] == [[3], [5, 6]]
        assert [block.rows for block in blocks] == [[["a", "b"]], [["c", "d"], ["e", "f"]]]

    def test_columns_are_split_at_blanks_only(self):
        # No-break and ideographic spaces occur in words of the web.
        assert split_at_blanks("a\u00a0b \t c\u3000d\u2028e") == ["a\u00a0b", "c\u3000d\u2028e"]

    def test_line_breaks_of_old_systems(self):
        lines = ["a b\r\n", "c d\re f\r\n"]
        with pytest.raises(CorpusFormatError, match="f:2: found a carriage return after .* 3"):
            list(sentence_blocks(enumerate(lines, start=1), "f"))


def test_errors_leave_out_the_middle_of_long_texts():
    error = CorpusFormatError("dev.props", 1, f"'{'x' * 1_000_000}' in column 7", "'*'")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and len(str(error)) < 400
    assert str(error).endswith("xxx' in column 7; expected '*'")
    assert (copy.path, copy.line, copy.found) == ("dev.props", 1, error.found)
