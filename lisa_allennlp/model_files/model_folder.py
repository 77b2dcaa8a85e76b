"""
Reads the files of a trained model, from its folder or archive, without PyTorch and AllenNLP. No
other file is read, whoever made the model.
"""

import dataclasses
import gzip
import hashlib
import json
import re
import tarfile
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.decoding.lexicon import with_lexicon
from lisa_allennlp.pretrained import CONFIG_NAME, INFO_NAME

FORMAT = 1
"""Of exported folders. Increased whenever a change makes older ones unusable."""

VOCABULARY_NAME, NON_PADDED_NAME = "vocabulary", "non_padded_namespaces.txt"

CODES, SCALES = "|codes", "|scales"
"""The ends of names of word vectors in 8 bits, and of the scale of each of them."""

UNKNOWN = "@@UNKNOWN@@"

NEWLINE = "@@NEWLINE@@"
"""AllenNLP's spelling of line breaks within entries of a vocabulary."""

_PADDING = "@@PADDING@@"

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "?"}
_TYPES.update({"I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"})


@contextmanager
def model_folder(path: str) -> Iterator[Path]:
    """
    Yields the folder of a model; for an archive a temporary one, which is deleted afterwards. An
    archive that is damaged, or has anything but files and folders below its own, and a folder with
    a link out of it are a `ConfigurationError`.
    """
    root = Path(path).resolve()
    if root.is_dir():
        # Some installers link the files of a package, and so its own models.
        is_ours = root.parent == pretrained.FOLDER.resolve()
        for file in () if is_ours else root.rglob("*"):
            if file.is_symlink() and root not in file.resolve().parents:
                raise ConfigurationError(
                    f"{file}: found a link; expected none out of a model's folder"
                )
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="lisa-model-") as folder:
        with _opened(path) as (stream, archive):
            archive.extractall(folder, filter=_files_only)
            # The checksum is at the end.
            while stream.read(2**20):
                pass
        yield Path(folder)


def read_config(path: str) -> Dict[str, Any]:
    """
    Reads the config of a model, also with the keys of older ones. Of an archive, nothing else is
    read.
    """
    config = _read_config(path)
    return {**config, "model": with_lexicon(config["model"])}


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
    if not hasattr(tarfile, "data_filter"):
        raise ConfigurationError(
            f"{path}: found an archive; expected an exported folder, since this version of Python "
            "has no safe way to unpack. Python 3.10.12, 3.11.4 and later ones have"
        )
    try:
        with gzip.open(path) as stream, tarfile.open(fileobj=stream, mode="r:") as archive:
            yield stream, archive
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: found no such file; expected a trained model") from None
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ConfigurationError(
            f"{path}: cannot be unpacked ({error}); expected a model archive (model.tar.gz), a "
            "folder with a model, or the name of a model in the package"
        ) from error


def _files_only(member: tarfile.TarInfo, folder: str) -> Optional[tarfile.TarInfo]:
    """As Python's filter `data`, but without links, with which some versions can be deceived."""
    if not (member.isreg() or member.isdir()):
        raise tarfile.SpecialFileError(member)
    return tarfile.data_filter(member, folder)


def size_of(folder: Union[str, Path]) -> int:
    """Returns the size of all files of a folder, in bytes."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def check_empty(folder: Path, is_replaced: bool, what: str) -> None:
    """Checks that a folder to write to is no file, and has files only if it is to be replaced."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir()) and not is_replaced):
        raise ConfigurationError(
            f"{folder}: found files; expected an empty or a new folder, or with --force a folder "
            f"that has {what}"
        )


@dataclasses.dataclass
class ModelInfo:
    """
    Describes an exported model, in `model.json`: scores from 0 to 100 by the names of `lisa
    evaluate`, the number of parameters, that of the lines of each file of the vocabulary by its
    namespace, the SHA-256 of the weights, and the version of lisa-allennlp that exported the model.
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
    """Reads `model.json`. Another format than `FORMAT` is a `ConfigurationError`."""
    path = Path(folder) / INFO_NAME
    found = read_json(path)
    if found.get("format") != FORMAT:
        raise ConfigurationError(
            f"{path}: format is {found.get('format')!r:.60}; expected {FORMAT}: export the model "
            "with this version of lisa-allennlp"
        )
    return ModelInfo(**{field.name: found[field.name] for field in dataclasses.fields(ModelInfo)})


def read_json(path: Path) -> Dict[str, Any]:
    """Reads a file with a JSON object. Anything else is a `ConfigurationError`."""
    try:
        return _parse(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: found no such file; expected that of a model") from error


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
    """Returns the SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def read_safetensors(path: Path, sha256: str) -> Dict[str, numpy.ndarray]:
    """
    Maps the tensors of a file into memory: they stay in the file until they are read. A file of
    safetensors is the length of its header in 8 bytes, the header in JSON, and the tensors. Another
    checksum is a `ConfigurationError`.
    """
    if not path.is_file():
        raise ConfigurationError(
            f"{path}: found no such file; expected all files that `lisa export` wrote"
        )
    if digest_of_file(path) != sha256:
        raise ConfigurationError(
            f"{path}: found damaged or other weights than those that were exported; expected the "
            f"SHA-256 {sha256}, as in model.json"
        )
    content = numpy.memmap(path, mode="r")
    start = 8 + int.from_bytes(content[:8].tobytes(), "little")
    header = json.loads(content[8:start].tobytes())
    header.pop("__metadata__", None)
    tensors = {}
    for name, tensor in header.items():
        first, end = tensor["data_offsets"]
        values = content[start + first : start + end].view(_TYPES[tensor["dtype"]])
        tensors[name] = values.reshape(tensor["shape"])
    return tensors


class VocabularyFiles:
    """
    Reads a vocabulary in AllenNLP's format from the folder of a model: a file per namespace with an
    entry per line. `num_lines` has the number of lines of each namespace's file; other namespaces
    have no entries. Without it, as in a folder of a training, all files count. A namespace that is
    not the name of a file, and a file that cannot be read or has another number of lines, is a
    `ConfigurationError`.
    """

    def __init__(self, folder: Path, num_lines: Optional[Mapping[str, int]] = None) -> None:
        self._folder = folder / VOCABULARY_NAME
        self._num_lines = num_lines
        self.unpadded = _read_lines(self._folder / NON_PADDED_NAME)
        """The namespaces without padding and unknown word; `*labels` stands for all such ends."""

    def namespaces(self) -> List[str]:
        """Returns the namespaces that have a file."""
        if self._num_lines is not None:
            return list(self._num_lines)
        paths = sorted(self._folder.glob("[!.]*.txt"))
        return [path.stem for path in paths if path.name != NON_PADDED_NAME]

    def lines(self, namespace: str) -> List[str]:
        """Returns the entries of a namespace as they are in its file."""
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
        """
        Returns the entries of a namespace by index. Entry 0 of words and characters is padding; a
        label's index is its line.
        """
        lines = self.lines(namespace)
        is_unpadded = any(
            namespace.endswith(pattern[1:]) if pattern[:1] == "*" else namespace == pattern
            for pattern in self.unpadded
        )
        return lines if is_unpadded or not lines else [_PADDING, *lines]


def check_namespace(namespace: str, source: str) -> None:
    """Raises a `ConfigurationError` if a namespace is not the name of a file."""
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
