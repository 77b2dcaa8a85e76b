"""
Writes the inventory of rolesets that the package carries, from PropBank's frame files.

    python -m experiments.english.inventory propbank-frames

The figures and the models of the package were made with version 3.1 of propbank/propbank-frames.
"""

import argparse
import gzip
from pathlib import Path

from lisa_allennlp.data.formats.propbank_frames import PACKAGED_FILE, read_frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n")[0])
    parser.add_argument("frames", type=Path, help="a checkout of propbank/propbank-frames")
    text = "\n".join(read_frames(parser.parse_args().frames).lines)
    # Without the time, so that the same frames make the same file.
    PACKAGED_FILE.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    main()
