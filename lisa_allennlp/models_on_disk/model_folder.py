"""Reads a trained model's folder or archive without PyTorch and AllenNLP, and no other file."""

import dataclasses
import gzip
import json
import os
import re
import shutil
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy

from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.pretrained import CONFIG_NAME, INFO_NAME

FORMAT = 1
"""Of exported folders. Increased whenever a change makes older ones unusable."""

ARCHIVE_FORMAT = 2
"""Increased whenever a change to weights or vocabularies makes older models unusable."""

LARGEST_WEIGHT = 1e4
"""Trained weights are below 100. Larger ones than this might make scores infinite or NaN."""

BEST_NAME = "best.safetensors"

_OLDER_KEYS = ("sense_inventory", "sense_context", "role_context", "token_context")

STORED_NAME, STORED_NAMES = "model_files", "names.json"

VOCABULARY_NAME, NON_PADDED_NAME = "vocabulary", "non_padded_namespaces.txt"

CODES, SCALES = "|codes", "|scales"

OOV_TOKEN = "@@UNKNOWN@@"

NEWLINE = "@@NEWLINE@@"

_PADDING = "@@PADDING@@"

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "?"}
_TYPES.update({"I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"})


@contextmanager
def opening(
    model: str, problem: str = "cannot be opened", expected: str = "what this version writes"
) -> Iterator[None]:
    """
    Turns any exception of the block into a `ConfigurationError` with the name of the model: files
    from others are untrusted until they have been validated.
    """
    try:
        yield
    except Exception as error:
        # Those of AllenNLP and of this package have a message of one line.
        message = getattr(error, "message", None)
        if message is None:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            message = f"{problem} ({reason}); expected {expected}"
        elif message.startswith(model):
            raise
        raise ConfigurationError(f"{model}: {message}") from error


@contextmanager
def model_folder(path: str) -> Iterator[Path]:
    """
    Yields a model's folder; of an archive a temporary one, which is deleted afterwards. A damaged
    archive, members that are not files and folders below its own, and links out of a folder are a
    `ConfigurationError`.
    """
    root = Path(path).resolve()
    if root.is_dir():
        # Some installers link the files of a package, and so its own models.
        for file in () if _is_packaged(root) else root.rglob("*"):
            if file.is_symlink() and root not in file.resolve().parents:
                raise ConfigurationError(
                    f"{file}: found a link; expected none out of a model's folder"
                )
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="lisa-model-") as folder:
        with _opened(path) as (stream, archive):
            _unpack(archive, Path(folder).resolve())
            # The checksum is at the end.
            while stream.read(2**20):
                pass
        yield Path(folder)


def _is_packaged(folder: Path) -> bool:
    return folder.parent == pretrained.FOLDER.resolve()


def read_config(path: str) -> Dict[str, Any]:
    """Reads a model's config, also with older keys, and nothing else of an archive."""
    config = _read_config(path)
    return {**config, "model": with_lexicon(config["model"])}


def with_lexicon(config: Mapping[str, Any]) -> Dict[str, Any]:
    """Replaces four keys of older configs for parts of the English lexicon by `lexicon`."""
    found = {key: value for key, value in config.items() if key not in _OLDER_KEYS}
    if any(config.get(key) is not None for key in _OLDER_KEYS):
        found.setdefault("lexicon", "english")
    return found


def _read_config(path: str) -> Dict[str, Any]:
    if Path(path).is_dir():
        return read_json(Path(path) / CONFIG_NAME)
    with _opened(path) as (_, archive):
        for member in archive:
            if member.isreg() and PurePosixPath(member.name) == PurePosixPath(CONFIG_NAME):
                return _parse(archive.extractfile(member).read(), f"{path}: {CONFIG_NAME}")
    raise ConfigurationError(f"{path}: found no {CONFIG_NAME}; expected that of a model")


@contextmanager
def _opened(path: str) -> Iterator[Tuple[Any, Any]]:
    if not Path(path).exists():
        raise ConfigurationError(f"{path}: found no such file; expected a trained model")
    expected = "a model archive (model.tar.gz), a folder with a model, or the name of a model in "
    with opening(path, "cannot be unpacked", f"{expected}the package"):
        with gzip.open(path) as stream, tarfile.open(fileobj=stream, mode="r:") as archive:
            yield stream, archive


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """
    Writes only files and folders, below `folder`. Some releases of 3.10 and 3.11 lack Python's
    filters, and links can deceive some versions of them.
    """
    for member in archive:
        path = (folder / member.name).resolve()
        if folder not in (path, *path.parents):
            raise tarfile.ExtractError(f"{member.name} is outside the archive's folder")
        if member.isdir():
            path.mkdir(parents=True, exist_ok=True)
            continue
        content = archive.extractfile(member) if member.isreg() else None
        if content is None:
            raise tarfile.ExtractError(f"{member.name} is neither a file nor a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            shutil.copyfileobj(content, file)


def size_of(folder: Union[str, Path]) -> int:
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def check_empty(folder: Path, is_replaced: bool, what: str) -> None:
    """Checks that a folder to write to is no file, and is empty or to be replaced."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir()) and not is_replaced):
        raise ConfigurationError(
            f"{folder}: found files; expected an empty or a new folder, or with --force a folder "
            f"that has {what}"
        )


@dataclasses.dataclass
class ModelInfo:
    """
    Describes an exported model, in `model.json`: scores from 0 to 100 by the names of `lisa
    evaluate`, the number of parameters, the numbers of lines of the vocabulary's files, the SHA-256
    of the weights, and the version of lisa-allennlp.
    """

    name: str
    version: str
    license: str
    scores: Dict[str, float]
    parameters: int
    vocabulary: Dict[str, int]
    sha256: str
    package_version: str = ""
    format: int = FORMAT


def read_info(folder: Union[str, Path]) -> ModelInfo:
    """Another format than `FORMAT` is a `ConfigurationError`."""
    path = Path(folder) / INFO_NAME
    found = read_json(path)
    if found.get("format") != FORMAT:
        raise ConfigurationError(
            f"{path}: format is {found.get('format')!r:.60}; expected {FORMAT}: export the model "
            "with this version of lisa-allennlp"
        )
    return ModelInfo(**{field.name: found[field.name] for field in dataclasses.fields(ModelInfo)})


def digest_of_weights(model: str, weights_file: Optional[str] = None) -> str:
    """Returns the SHA-256 of an exported model's weights; empty for other models or weights."""
    is_known = weights_file is None and pretrained.is_exported(model)
    return read_info(model).sha256 if is_known else ""


def read_json(path: Path) -> Dict[str, Any]:
    """Reads a JSON object. Anything else is a `ConfigurationError`."""
    try:
        return _parse(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: found no such file; expected that of a model") from error


def stored_path(name: str, folder: Union[str, os.PathLike, None]) -> Optional[str]:
    """Returns the full path of the stored file for a name in the config, or `None`."""
    if folder is None:
        return None
    root = Path(folder).resolve()
    names = root / STORED_NAME / STORED_NAMES
    copies = read_json(names) if names.is_file() else {}
    path = names.parent / str(copies[name]) if name in copies else root / name
    try:
        path = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
    return str(path) if root in path.parents else None


def _parse(content: bytes, source: str) -> Dict[str, Any]:
    try:
        value = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"{source}: found no JSON ({error}); expected an object"
        ) from error
    if not isinstance(value, dict):
        raise ConfigurationError(f"{source}: found {value!r:.60}; expected a JSON object")
    return value


def digest_of_file(path: Path) -> str:
    import hashlib

    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def check_archive_format(number: int) -> None:
    if number != ARCHIVE_FORMAT:
        raise ConfigurationError(
            f"found a model of archive format {number}; expected {ARCHIVE_FORMAT}: train it again "
            "with this version of lisa-allennlp"
        )


def check_weight(name: str, weight: Any) -> None:
    """Checks that absolute values are at most `LARGEST_WEIGHT`."""
    if not max(weight.max(), -weight.min()) <= LARGEST_WEIGHT:
        raise ConfigurationError(
            f"{name}: found a value that is not finite or beyond {LARGEST_WEIGHT:,.0f}; expected "
            "the weights of a trained network"
        )


class _MappedTensors(Mapping[str, numpy.ndarray]):
    """
    The tensors of a safetensors file: the length of its header in 8 bytes, the header in JSON, and
    the tensors. Each is mapped into memory for its use, since most are copied in single precision.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with path.open("rb") as file:
            self._start = 8 + int.from_bytes(file.read(8), "little")
            self._header = json.loads(file.read(self._start - 8))
        self._header.pop("__metadata__", None)

    def __getitem__(self, name: str) -> numpy.ndarray:
        tensor = self._header[name]
        first, end = tensor["data_offsets"]
        mapped = numpy.memmap(self._path, "u1", "r", self._start + first, (end - first,))
        return mapped.view(numpy.ndarray).view(_TYPES[tensor["dtype"]]).reshape(tensor["shape"])

    def __iter__(self) -> Iterator[str]:
        return iter(self._header)

    def __len__(self) -> int:
        return len(self._header)


def read_safetensors(path: Path, sha256: Optional[str] = None) -> Mapping[str, numpy.ndarray]:
    """
    Reads a model's tensors. With an exported model's checksum, they stay in the file until they are
    used; a training may replace its file. Another checksum or archive format is a
    `ConfigurationError`. Tests, and not each start, check the package's own models.
    """
    if not path.is_file():
        raise ConfigurationError(
            f"{path}: found no such file; expected all files that `lisa export` wrote"
        )
    is_own = _is_packaged(path.parent.resolve())
    if sha256 is not None and not is_own and digest_of_file(path) != sha256:
        raise ConfigurationError(
            f"{path}: found damaged or other weights than those that were exported; expected the "
            f"SHA-256 {sha256}, as in model.json"
        )
    tensors: Mapping[str, numpy.ndarray] = _MappedTensors(path)
    if sha256 is None:
        tensors = {name: tensor.copy() for name, tensor in tensors.items()}
    # Models of format 1 have no number.
    check_archive_format(int(tensors.get("_archive_format.number", 1)))
    return tensors


class VocabularyFiles:
    """
    Reads a vocabulary in AllenNLP's format: a file per namespace, an entry per line. `num_lines`
    has the number of lines of each file; other namespaces are empty. Without it, as for a training,
    all files count. A namespace that is no file name, an unreadable file or another number of lines
    is a `ConfigurationError`.
    """

    def __init__(self, folder: Path, num_lines: Optional[Mapping[str, int]] = None) -> None:
        self._folder = folder / VOCABULARY_NAME
        self._num_lines = num_lines
        self.unpadded = _read_lines(self._folder / NON_PADDED_NAME)
        """The namespaces without padding and unknown word; `*labels` stands for all such ends."""

    def namespaces(self) -> List[str]:
        if self._num_lines is not None:
            return list(self._num_lines)
        paths = sorted(self._folder.glob("[!.]*.txt"))
        return [path.stem for path in paths if path.name != NON_PADDED_NAME]

    def lines(self, namespace: str) -> List[str]:
        check_namespace(namespace, str(self._folder))
        path = self._folder / f"{namespace}.txt"
        if not (path.is_file() if self._num_lines is None else namespace in self._num_lines):
            return []
        lines = _read_lines(path)
        if self._num_lines is not None and len(lines) != self._num_lines[namespace]:
            raise ConfigurationError(
                f"{path}: found {len(lines)} lines; expected {self._num_lines[namespace]}, as in "
                "model.json"
            )
        return lines

    def entries(self, namespace: str) -> List[str]:
        """Returns entries by index. Words and characters have padding at 0; labels have none."""
        lines = self.lines(namespace)
        is_unpadded = any(
            namespace.endswith(pattern[1:]) if pattern[:1] == "*" else namespace == pattern
            for pattern in self.unpadded
        )
        return lines if is_unpadded or not lines else [_PADDING, *lines]


def check_namespace(namespace: str, source: str) -> None:
    if not re.fullmatch(r"[^/\\.\0][^/\\\0]*", namespace):
        raise ConfigurationError(
            f"{source}: found the namespace {namespace[:80]!r}; expected a name without slashes"
        )


def _read_lines(path: Path) -> List[str]:
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{path}: found {error}; expected a vocabulary's file in UTF-8"
        ) from error
    # Not `splitlines`: entries may have other characters that it takes for ends of lines.
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    return [line.replace(NEWLINE, "\n") for line in lines] if NEWLINE in text else lines
