"""
Reads the tensors of a file that `torch.save` wrote, without PyTorch.

Such a file is a ZIP archive of a pickle and one member per storage. The pickle may only build
tensors, ordered dictionaries and plain values; anything else is refused, so that reading runs no
code of the file.
"""

import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO, Dict, Mapping, Sequence, Tuple

import numpy

from lisa_allennlp.common.errors import ConfigurationError

ARCHIVE_FORMAT = 2
"""Increased whenever a change to weights or vocabularies makes older archives unusable."""

_FORMAT_NAME = "_archive_format.number"

_WEIGHTS_NAMES = ("weights.th", "best.th")
"""The weights in an archive, and the best ones so far in the folder of a training."""

_STORAGES: Mapping[str, Any] = {
    "FloatStorage": numpy.float32,
    "DoubleStorage": numpy.float64,
    "HalfStorage": numpy.float16,
    "LongStorage": numpy.int64,
    "IntStorage": numpy.int32,
    "ByteStorage": numpy.uint8,
    "BoolStorage": numpy.bool_,
}


def read_weights(folder: Path, source: str) -> Dict[str, numpy.ndarray]:
    """
    Reads the weights of a training, by their PyTorch names. If there are none, they are damaged, or
    they are of another archive format, the message of the error begins with `source`.
    """
    found = [folder / name for name in _WEIGHTS_NAMES if (folder / name).is_file()]
    if not found:
        raise ConfigurationError(
            f"{source}: found no {_WEIGHTS_NAMES[0]}; expected a trained model"
        )
    with open(found[0], "rb") as file:
        weights = read_torch_weights(file, f"{source}: {found[0].name}")
    number = int(weights.get(_FORMAT_NAME, numpy.array(1)))
    if number != ARCHIVE_FORMAT:
        raise ConfigurationError(
            f"{source}: {found[0].name}: found a model of archive format {number}; expected "
            f"{ARCHIVE_FORMAT}: train it again"
        )
    return weights


def read_torch_weights(file: BinaryIO, source: str) -> Dict[str, numpy.ndarray]:
    """
    Reads the tensors of a state dictionary that `torch.save` wrote. Damage, and anything other than
    tensors, is a `ConfigurationError`.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            (name,) = (n for n in archive.namelist() if n.endswith("/data.pkl"))
            with archive.open(name) as pickled:
                weights = _TensorUnpickler(pickled, archive, name.removesuffix("data.pkl")).load()
    except (zipfile.BadZipFile, pickle.UnpicklingError, ValueError, KeyError, EOFError) as error:
        raise ConfigurationError(
            f"{source}: damaged data ({error}); expected the weights of a model"
        ) from error
    return {name: weight for name, weight in weights.items() if isinstance(weight, numpy.ndarray)}


class _TensorUnpickler(pickle.Unpickler):
    """Builds arrays in place of tensors, and refuses everything else."""

    def __init__(self, pickled: Any, archive: zipfile.ZipFile, folder: str) -> None:
        super().__init__(pickled)
        self._archive = archive
        self._folder = folder

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _tensor
        if module == "torch" and name in _STORAGES:
            return _STORAGES[name]
        raise pickle.UnpicklingError(f"found {module}.{name}; expected tensors only")

    def persistent_load(self, pid: Tuple[str, Any, str, str, int]) -> numpy.ndarray:
        _, dtype, key, _, _ = pid
        return numpy.frombuffer(self._archive.read(f"{self._folder}data/{key}"), dtype)


def _tensor(
    storage: numpy.ndarray, offset: int, size: Sequence[int], stride: Sequence[int], *_: Any
) -> numpy.ndarray:
    """The view of a storage that a tensor is, bounds checked."""
    end = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) + 1
    if min([offset, *size, *stride], default=0) < 0 or (end > len(storage) and 0 not in size):
        raise ValueError(f"a tensor of shape {tuple(size)} that is larger than its storage")
    steps = [step * storage.itemsize for step in stride]
    return numpy.lib.stride_tricks.as_strided(storage[offset:], size, steps, writeable=False)
