"""
Writes the inventory of rolesets that the package carries, from PropBank's frame files.

    python -m experiments.english.inventory propbank-frames-3.1 --newer propbank-frames-3.4

The figures and the models of the package were made with version 3.1 of propbank/propbank-frames,
as the English Web Treebank was. Of the newer version come the rolesets of words that the older one
lacks, and links to VerbNet and FrameNet for rolesets that had none, where their roles are the same.
"""

import argparse
import gzip
import re
from pathlib import Path
from typing import Iterator

from lisa_allennlp.text.propbank_frames import (
    PACKAGED_FILE,
    Roleset,
    RolesetInventory,
    read_frames,
)

_NUMBERED = re.compile(r"[ -]|(?<=ANC|AXS).")
"""What is left out of function tags such as `ANC1`, `AXSC` and `-`."""


def united(older: RolesetInventory, newer: RolesetInventory) -> Iterator[Roleset]:
    """The rolesets of the older version, and what the newer one adds."""
    known = {word for roleset in older for words in roleset.words.values() for word in words}
    for roleset in older:
        other = newer.roleset(roleset.sense)
        if other is not None and other.roles.keys() == roleset.roles.keys():
            verbnet, framenet = roleset.verbnet or other.verbnet, roleset.framenet or other.framenet
            roleset = roleset._replace(verbnet=verbnet, framenet=framenet)
        yield roleset
    for roleset in newer:
        added = {pos: [w for w in words if w not in known] for pos, words in roleset.words.items()}
        added = {pos: words for pos, words in added.items() if words}
        # `hang.11` would be a candidate of all of `hang`.
        if added and roleset.sense.rpartition(".")[0] not in known:
            own = {role: _NUMBERED.sub("", name) for role, name in roleset.functions.items()}
            yield roleset._replace(words=added, functions=own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n")[0])
    parser.add_argument("frames", type=Path, help="a checkout of propbank/propbank-frames")
    parser.add_argument("--newer", type=Path, required=True, help="a checkout of a newer version")
    args = parser.parse_args()
    inventory = RolesetInventory.from_rolesets(
        united(read_frames(args.frames), read_frames(args.newer))
    )
    # Without the time, so that the same frames make the same file.
    PACKAGED_FILE.write_bytes(gzip.compress("\n".join(inventory.lines).encode("utf-8"), mtime=0))


if __name__ == "__main__":
    main()
