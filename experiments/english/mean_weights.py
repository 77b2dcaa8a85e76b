"""
Writes a model with the means of the weights of trainings that continue one another: the last one's
files, with other weights. For words and labels that only later ones have, these count alone.

    python -m experiments.english.mean_weights FIRST/model.tar.gz LAST/model.tar.gz --out OUT
"""

import argparse
import shutil
from pathlib import Path
from typing import Dict, Sequence

import torch
from allennlp.models.archival import extracted_archive

from lisa_allennlp.archival.storage import read_torch_weights, write_best_weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n\n")[0])
    parser.add_argument("models", type=Path, nargs="+", help="the archives, the last one last")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the model")
    args = parser.parse_args()
    weights = []
    for model in args.models:
        with extracted_archive(model) as folder:
            weights.append(read_torch_weights(Path(folder, "weights.th")))
    with extracted_archive(args.models[-1]) as folder:
        shutil.copytree(folder, args.out, dirs_exist_ok=True)
    (args.out / "weights.th").unlink()
    torch.save(mean(weights), args.out / "best.th")
    write_best_weights(args.out)


def mean(weights: Sequence[Dict[str, torch.Tensor]]) -> Dict[str, torch.Tensor]:
    """
    Returns the means of arrays, of which later models may have more rows. Integers, such as the
    version of a format, are those of the last one.
    """
    found = {}
    for name, last in weights[-1].items():
        if not last.is_floating_point():
            found[name] = last
            continue
        sums, counts = torch.zeros_like(last), torch.zeros(len(last))
        for own in weights:
            sums[: len(own[name])] += own[name]
            counts[: len(own[name])] += 1
        found[name] = sums / counts.view(-1, *[1] * (last.dim() - 1))
    return found


if __name__ == "__main__":
    main()
