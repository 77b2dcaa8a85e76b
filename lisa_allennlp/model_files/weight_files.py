"""
Weights in a safetensors file, at full or half precision, with word vectors of 8 or 4 bits.

Compression saves space on disk only: everything is restored to single precision when it is loaded.
"""

import json
import re
from pathlib import Path
from typing import Dict, Iterable, Optional, Union

import torch
from allennlp.common.checks import ConfigurationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from lisa_allennlp.common.digests import digest_of_file
from lisa_allennlp.pretrained import WEIGHTS_NAME

PRECISIONS = {"float32": torch.float32, "float16": torch.float16}

VECTOR_BITS = (8, 4)

_CODES, _SCALES = "|codes", "|scales"
_DIMENSIONS = "vector_dimensions"


def write_weights(
    weights: Dict[str, torch.Tensor],
    folder: Path,
    precision: str = "float32",
    vectors: Iterable[str] = (),
    vector_bits: Optional[int] = None,
) -> str:
    """
    >>> import tempfile
    >>> weights = {"vectors": torch.tensor([[0.0, 0.0], [-1.0, 0.5]])}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_weights(weights, Path(folder), vectors=["vectors"], vector_bits=8)
    ...     read_weights(folder)["vectors"]
    tensor([[ 0.0000,  0.0000],
            [-1.0000,  0.5039]])

    # Parameters

    weights : `Dict[str, torch.Tensor]`
    folder : `Path`
    precision : `str`, optional (default = `"float32"`)
        `float32` or `float16`. Values that float16 cannot hold stay in float32.
    vectors : `Iterable[str]`, optional
        The names of matrices of word vectors.
    vector_bits : `int`, optional
        8 or 4: the bits of each value of a word vector. Each vector has a scale of its own.

    # Returns

    `str`
        The file's SHA-256.
    """
    stored: Dict[str, torch.Tensor] = {}
    dimensions: Dict[str, int] = {}
    compressed = set(vectors) if vector_bits is not None else set()
    for name, weight in weights.items():
        if name in compressed:
            assert vector_bits is not None
            dimensions[name] = weight.size(1)
            stored[name + _CODES], stored[name + _SCALES] = _quantize(weight, vector_bits)
        else:
            stored[name] = _at_precision(weight, PRECISIONS[precision])
    path = folder / WEIGHTS_NAME
    # Weights may share memory, which safetensors refuses.
    copies = {name: tensor.clone().contiguous() for name, tensor in stored.items()}
    save_file(copies, str(path), {_DIMENSIONS: json.dumps(dimensions)})
    # safetensors lets only the owner read it.
    path.chmod(0o644)
    return digest_of_file(path)


def read_weights(folder: Union[str, Path], sha256: Optional[str] = None) -> Dict[str, torch.Tensor]:
    """
    # Parameters

    folder : `Union[str, Path]`
    sha256 : `str`, optional
        The expected checksum.

    # Returns

    `Dict[str, torch.Tensor]`
        The weights; word vectors in single precision, others as they are stored.

    # Raises

    `ConfigurationError`
        If the file is missing, damaged or another one.
    """
    path = Path(folder) / WEIGHTS_NAME
    if not path.is_file():
        raise ConfigurationError(
            f"{path}: found no such file; expected all files that `lisa export` wrote"
        )
    try:
        with safe_open(str(path), framework="pt") as file:
            dimensions = json.loads((file.metadata() or {}).get(_DIMENSIONS, "{}"))
            stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, json.JSONDecodeError) as error:
        raise ConfigurationError(
            f"{path}: damaged data ({error}); expected a complete file of safetensors"
        ) from error
    if sha256 is not None and digest_of_file(path) != sha256:
        raise ConfigurationError(
            f"{path}: found other weights than those that were exported; expected the SHA-256 "
            f"{sha256}, as in model.json"
        )
    weights = {
        name: value for name, value in stored.items() if not name.endswith((_CODES, _SCALES))
    }
    for name, size in dimensions.items():
        weights[name] = _restore(stored[name + _CODES], stored[name + _SCALES], size)
    return weights


def read_torch_weights(path: Union[str, Path], source: str) -> Dict[str, torch.Tensor]:
    """
    Reads the weights of an archive or a training folder. PyTorch unpickles nothing but tensors.

    # Parameters

    path : `Union[str, Path]`
    source : `str`
        The name of the file, with which messages begin.

    # Returns

    `Dict[str, torch.Tensor]`
        On the CPU.

    # Raises

    `ConfigurationError`
        If the file has anything else or is damaged.
    """
    expected = "expected a complete file of the weights that training wrote"
    try:
        weights = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise ConfigurationError(f"{source}: found no such file; {expected}") from None
    except Exception as error:
        # PyTorch's parsers raise errors of many types. Only the first sentence is not advice.
        said = " ".join(str(error).split())
        code = re.search(r"GLOBAL (\S+) (?:was not|whose module)", said)
        if code is not None:
            found = f"found a pickle with {code.group(1)}, which is no part of weights"
        else:
            found = f"damaged data ({said.partition('. ')[0][:200] or 'an empty file'})"
        raise ConfigurationError(f"{source}: {found}; {expected}") from error
    if not isinstance(weights, dict) or not all(
        isinstance(name, str) and isinstance(weight, torch.Tensor)
        for name, weight in weights.items()
    ):
        raise ConfigurationError(f"{source}: found objects that are no weights; {expected}")
    return weights


def _at_precision(weight: torch.Tensor, precision: torch.dtype) -> torch.Tensor:
    if weight.dtype == torch.int64 and not (weight.abs() >= 2**31).any():
        return weight.int()
    if not weight.is_floating_point():
        return weight
    reduced = weight.to(precision)
    return weight if reduced.isinf().any() and weight.isfinite().all() else reduced


def _quantize(weight: torch.Tensor, bits: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """
    Signed codes and a scale per row, so that the largest value of a row has the largest code. Two
    codes of 4 bits share a byte.
    """
    largest = 2 ** (bits - 1) - 1
    scales = weight.abs().amax(dim=1) / largest
    codes = (weight / scales.clamp(min=torch.finfo(scales.dtype).tiny).unsqueeze(1)).round()
    codes = codes.to(torch.int8)
    if bits == 4:
        codes = torch.nn.functional.pad(codes, (0, codes.size(1) % 2))
        pairs = (codes + 8).to(torch.uint8).unflatten(1, (-1, 2))
        codes = pairs[..., 0] * 16 + pairs[..., 1]
    return codes, scales


def _restore(codes: torch.Tensor, scales: torch.Tensor, size: int) -> torch.Tensor:
    if codes.dtype == torch.uint8:
        pairs = torch.stack([codes >> 4, codes & 15], dim=-1)
        codes = pairs.flatten(1)[:, :size].to(torch.int8) - 8
    return codes.float() * scales.unsqueeze(1)
