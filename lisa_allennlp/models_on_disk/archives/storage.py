"""
Vocabularies and weights for AllenNLP and PyTorch. An exported folder has weights at full or half
precision, and matrices also in 8 bits; all become single precision when they are loaded.
"""

import json
import os
import pickle
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import torch
from allennlp.data import Vocabulary
from allennlp.data.vocabulary import DEFAULT_OOV_TOKEN, DEFAULT_PADDING_TOKEN
from safetensors.torch import save_file

from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk.model_folder import (
    BEST_NAME,
    CODES,
    NEWLINE,
    NON_PADDED_NAME,
    SCALES,
    VOCABULARY_NAME,
    VocabularyFiles,
    check_namespace,
    read_safetensors,
)
from lisa_allennlp.models_on_disk.pretrained import WEIGHTS_NAME

PRECISIONS = {"float32": torch.float32, "float16": torch.float16, "int8": torch.float16}
"""Of weights that are not in 8 bits."""


def write_vocabulary(vocab: Vocabulary, folder: Path, sizes: Mapping[str, int]) -> Dict[str, int]:
    """
    Writes a vocabulary as `Vocabulary.save_to_files`, but without a lock file and empty namespaces,
    and only below the model's folder. `sizes` has the number of entries to keep, padding included,
    of shortened namespaces. Returns each file's number of lines.
    """
    files = folder / VOCABULARY_NAME
    files.mkdir()
    unpadded, num_lines = [], {}
    for namespace in sorted(vocab.get_namespaces()):
        check_namespace(namespace, VOCABULARY_NAME)
        names = vocab.get_index_to_token_vocabulary(namespace)
        entries = [names[index] for index in range(len(names))][: sizes.get(namespace)]
        if not entries:
            continue
        if vocab.is_padded(namespace):
            entries = entries[1:]
        else:
            unpadded.append(namespace)
        num_lines[namespace] = len(entries)
        _write_lines(files / f"{namespace}.txt", [e.replace("\n", NEWLINE) for e in entries])
    _write_lines(files / NON_PADDED_NAME, unpadded)
    return num_lines


def _write_lines(path: Path, lines: List[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def read_vocabulary(
    folder: Path, options: Mapping[str, Any], num_lines: Optional[Mapping[str, int]] = None
) -> Vocabulary:
    """
    Reads a vocabulary as `Vocabulary.from_files`, but without a lock file, with the model's
    `options` for it.
    """
    files = VocabularyFiles(folder, num_lines)
    vocabulary_class, _ = Vocabulary.resolve_class_name(options.get("type", "from_instances"))
    return vocabulary_class(
        tokens_to_add={namespace: files.lines(namespace) for namespace in files.namespaces()},
        non_padded_namespaces=files.unpadded,
        padding_token=options.get("padding_token") or DEFAULT_PADDING_TOKEN,
        oov_token=options.get("oov_token") or DEFAULT_OOV_TOKEN,
    )


def write_weights(
    weights: Mapping[str, torch.Tensor],
    path: Path,
    precision: str = "float32",
    codes: Mapping[str, int] = {},  # noqa: B006
) -> None:
    """
    Writes a safetensors file. `codes` names matrices to store in 8 bits, with a scale for each row,
    and the largest code of each. Values that float16 cannot hold stay in float32.
    """
    stored = {
        name: _at_precision(weight, PRECISIONS[precision]) for name, weight in weights.items()
    }
    for name, largest in codes.items():
        del stored[name]
        stored[name + CODES], stored[name + SCALES] = _quantize(weights[name], largest)
    # Weights may share memory, which safetensors refuses.
    save_file({name: tensor.clone().contiguous() for name, tensor in stored.items()}, str(path))
    # safetensors lets only the owner read it.
    path.chmod(0o644)


def write_best_weights(folder: Path, name: str = "best.th") -> None:
    """Copies the best weights of a training, if there are any, to safetensors."""
    saved, path = folder / name, folder / BEST_NAME
    if saved.exists() and not (path.exists() and path.stat().st_mtime >= saved.stat().st_mtime):
        with complete_file(path) as partial:
            write_weights(read_torch_weights(saved), partial)


def write_json(path: Path, content: Dict[str, Any]) -> None:
    text = json.dumps(content, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def read_weights(folder: Path, sha256: str) -> Dict[str, torch.Tensor]:
    """Reads an exported folder's weights; those in 8 bits become single precision."""
    tensors = read_safetensors(folder / WEIGHTS_NAME, sha256)
    stored = {name: torch.from_numpy(tensor.copy()) for name, tensor in tensors.items()}
    for name in [name for name in stored if name.endswith(CODES)]:
        whole = name.removesuffix(CODES)
        stored[whole] = stored.pop(name).float() * stored.pop(whole + SCALES).unsqueeze(1)
    return stored


def read_torch_weights(path: Union[str, os.PathLike]) -> Dict[str, torch.Tensor]:
    """Reads an archive's or training's weights. Anything but tensors is a `ConfigurationError`."""
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


def _quantize(weight: torch.Tensor, largest: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns signed codes, at most `largest`, and a scale per row."""
    scales = weight.abs().amax(dim=1) / largest
    codes = (weight / scales.clamp(min=torch.finfo(scales.dtype).tiny).unsqueeze(1)).round()
    return codes.to(torch.int8), scales
