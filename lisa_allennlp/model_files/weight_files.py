"""
Weights of trained models: those of PyTorch, and safetensors files at full or half precision, with
word vectors of 8 bits. Compression saves space on disk only: everything is restored to single
precision when it is loaded.
"""

import json
import os
import pickle
from pathlib import Path
from typing import Dict, Iterable, Mapping, Optional, Tuple, Union

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from lisa_allennlp.common.digests import digest_of_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.pretrained import WEIGHTS_NAME

PRECISIONS = {"float32": torch.float32, "float16": torch.float16}

VECTOR_BITS = (8,)

_CODES, _SCALES = "|codes", "|scales"


def write_weights(
    weights: Mapping[str, torch.Tensor],
    folder: Path,
    precision: str = "float32",
    vectors: Iterable[str] = (),
) -> str:
    """
    Writes weights to a safetensors file.

    >>> import tempfile
    >>> weights = {"vectors": torch.tensor([[0.0, 0.0], [-1.0, 0.5]])}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_weights(weights, Path(folder), vectors=["vectors"])
    ...     read_weights(folder)["vectors"]
    tensor([[ 0.0000,  0.0000],
            [-1.0000,  0.5039]])

    # Parameters

    precision : `str`, optional (default = `"float32"`)
        `float32` or `float16`. Values that float16 cannot hold stay in float32.
    vectors : `Iterable[str]`, optional
        The names of matrices of word vectors to store in 8 bits, with a scale for each vector.

    # Returns

    `str`
        The file's SHA-256.
    """
    stored: Dict[str, torch.Tensor] = {}
    compressed = set(vectors)
    for name, weight in weights.items():
        if name in compressed:
            stored[name + _CODES], stored[name + _SCALES] = _quantize(weight)
        else:
            stored[name] = _at_precision(weight, PRECISIONS[precision])
    path = folder / WEIGHTS_NAME
    # Weights may share memory, which safetensors refuses.
    copies = {name: tensor.clone().contiguous() for name, tensor in stored.items()}
    dimensions = {name: weights[name].size(1) for name in compressed}
    save_file(copies, str(path), {"vector_dimensions": json.dumps(dimensions)})
    # safetensors lets only the owner read it.
    path.chmod(0o644)
    return digest_of_file(path)


def read_weights(folder: Union[str, Path], sha256: Optional[str] = None) -> Dict[str, torch.Tensor]:
    """
    Reads the safetensors file of an exported folder. Word vectors are restored to single precision.

    # Raises

    `ConfigurationError`
        If the file has another SHA-256.
    """
    path = Path(folder) / WEIGHTS_NAME
    if sha256 is not None and digest_of_file(path) != sha256:
        raise ConfigurationError(
            f"{path}: found other weights than those that were exported; expected the SHA-256 "
            f"{sha256}, as in model.json"
        )
    with safe_open(str(path), framework="pt") as file:
        stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    weights = {}
    for name, value in stored.items():
        if name.endswith(_CODES):
            whole = name.removesuffix(_CODES)
            weights[whole] = value.float() * stored[whole + _SCALES].unsqueeze(1)
        elif not name.endswith(_SCALES):
            weights[name] = value
    return weights


def read_torch_weights(path: Union[str, os.PathLike]) -> Dict[str, torch.Tensor]:
    """
    Reads the weights of an archive or a training.

    # Raises

    `ConfigurationError`
        If PyTorch would have to unpickle anything but tensors.
    """
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        # PyTorch's message advises to load the file without this check.
        raise ConfigurationError(
            f"{path}: found a pickle of other objects than tensors; expected weights"
        ) from error


def _at_precision(weight: torch.Tensor, precision: torch.dtype) -> torch.Tensor:
    if weight.dtype == torch.int64 and not (weight.abs() >= 2**31).any():
        return weight.int()
    if not weight.is_floating_point():
        return weight
    reduced = weight.to(precision)
    return weight if reduced.isinf().any() and weight.isfinite().all() else reduced


def _quantize(weight: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Signed codes and a scale per row, so that the largest value of a row has the code 127."""
    scales = weight.abs().amax(dim=1) / 127
    codes = (weight / scales.clamp(min=torch.finfo(scales.dtype).tiny).unsqueeze(1)).round()
    return codes.to(torch.int8), scales
