"""
Writes the inventory of rolesets that the package carries, from PropBank's frame files.

    python -m experiments.english.inventory propbank-frames

The figures and the models of the package were made with version 3.1 of propbank/propbank-frames.
"""

import argparse
import gzip
import json
from pathlib import Path

from lisa_allennlp.data.formats.propbank_frames import PACKAGED_FILE, read_frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n")[0])
    parser.add_argument("frames", type=Path, help="a checkout of propbank/propbank-frames")
    rolesets = read_frames(parser.parse_args().frames)
    text = json.dumps(list(rolesets), ensure_ascii=False, separators=(",", ":"))
    # Without the time, so that the same frames make the same file.
    PACKAGED_FILE.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    main()
