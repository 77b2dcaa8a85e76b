"""Broken, edited and hostile folders end in one line that names the file."""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any, Callable, Dict

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides
from safetensors.torch import load_file, save_file

import lisa_allennlp
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.model_files.exporting import Description, export
from lisa_allennlp.model_files.opening import open_archive


@pytest.fixture(scope="module")
def exported(archives: Dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "model"
    export(archives["lisa"], folder, Description(license="CC0"))
    return folder


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "model"))


def edit_text(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    return edit


def edit_bytes(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))  # type: ignore


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def without_a_line(number: int) -> Callable[[str], str]:
    return lambda text: "".join(
        line for n, line in enumerate(text.splitlines(keepends=True), start=1) if n != number
    )


def with_weights(change: Callable[[Dict[str, torch.Tensor]], Any]) -> Callable[[Path], None]:
    """Weights of another model, with their right checksum."""

    def edit(folder: Path) -> None:
        import hashlib

        path = folder / "weights.safetensors"
        weights = load_file(path)
        change(weights)
        save_file(weights, path, {"vector_dimensions": "{}"})
        info = json.loads((folder / "model.json").read_text())
        info["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        (folder / "model.json").write_text(json.dumps(info))

    return edit


ARCS = "_encoder._parse_attention"
BROKEN: Dict[str, Any] = {
    "no model.json": (remove("model.json"), "model/model.json: found no such file"),
    "no config": (remove("config.json"), "model/config.json: found no such file; expected all"),
    "no weights": (remove("weights.safetensors"), "model/weights.safetensors: found no such file"),
    "no vocabulary": (
        remove("vocabulary/non_padded_namespaces.txt"),
        "model/vocabulary/non_padded_namespaces.txt: found no such file",
    ),
    "no labels": (
        remove("vocabulary/role_labels.txt"),
        "model/vocabulary/role_labels.txt: found no such file; expected all files",
    ),
    "truncated": (
        edit_bytes("weights.safetensors", lambda content: content[:-10]),
        "model/weights.safetensors: damaged data .*; expected a complete file of safetensors",
    ),
    "empty weights": (
        edit_bytes("weights.safetensors", lambda content: b""),
        "model/weights.safetensors: damaged data",
    ),
    "other weights": (
        edit_bytes("weights.safetensors", lambda c: c[:-4] + bytes(4 * [c[-1] ^ 1])),
        "model/weights.safetensors: found other weights than those that were exported",
    ),
    "other format": (
        edit_text("model.json", lambda text: text.replace('"format": 1', '"format": 9')),
        "model/model.json: format is 9; expected 1: export the model with this version",
    ),
    "no scores": (
        edit_text("model.json", lambda text: text.replace('"scores"', '"points"')),
        "model/model.json: scores is None; expected an object",
    ),
    "no JSON": (
        edit_text("config.json", lambda text: text[:-3]),
        r"model/config.json:\d+: found expecting .*; expected JSON",
    ),
    "no object": (
        edit_text("model.json", lambda text: "[1]"),
        r"model/model.json: found \[1\]; expected a JSON object",
    ),
    "not UTF-8": (
        edit_bytes("config.json", lambda content: b"\xff" + content),
        "model/config.json: found the byte 0xff; expected text encoded in UTF-8",
    ),
    "words not UTF-8": (
        edit_bytes(
            "vocabulary/tokens.txt", lambda content: content.replace(b"\nthe\n", b"\n\xe9\n")
        ),
        r"model/vocabulary/tokens.txt:\d+: found the byte 0xe9; expected text encoded in UTF-8",
    ),
    "a word missing": (
        edit_text("vocabulary/tokens.txt", without_a_line(9)),
        r"model/vocabulary/tokens.txt: found \d+ lines; expected \d+, as in model.json",
    ),
    "a role missing": (
        edit_text("vocabulary/role_labels.txt", without_a_line(5)),
        r"model/vocabulary/role_labels.txt: found \d+ lines; expected \d+, as in model.json",
    ),
    "a word twice": (
        edit_text("vocabulary/tokens.txt", lambda text: text.replace("\na\n", "\nthe\n")),
        r"vocabulary/tokens.txt:\d+: found 'the' for the second time; expected each entry once",
    ),
    "a key of a million characters": (
        edit_text("config.json", lambda text: text.replace("{", '{"' + "x" * 10**6 + '": 1,', 1)),
        "config.json: x{1,300} ... x+: found this key; expected only data_loader",
    ),
    "a namespace without a name": (
        edit_text("vocabulary/non_padded_namespaces.txt", lambda text: "\n" + text),
        "non_padded_namespaces.txt:1: found an empty line; expected the name of a namespace",
    ),
    "no unknown word": (
        edit_text("vocabulary/tokens.txt", lambda text: text.replace("UNKNOWN", "UNK")),
        "vocabulary/tokens.txt: found no line '@@UNKNOWN@@'; expected the unknown entry",
    ),
    "another size": (
        edit_text(
            "config.json",
            lambda text: text.replace('"feedforward_hidden_dim": 8', '"feedforward_hidden_dim": 9'),
        ),
        "weights.safetensors: found the weight _encoder.* of shape 8; expected 9, the shape",
    ),
    "a weight missing": (
        with_weights(lambda weights: weights.pop("_joint_tagger._projection.bias")),
        "weights.safetensors: found no weight _joint_tagger._projection.bias .of shape .*; exp",
    ),
    "a weight too many": (
        with_weights(lambda weights: weights.update(more=torch.zeros(1))),
        "weights.safetensors: found the unknown weight more .of shape 1.; expected the weights of",
    ),
    "an old archive": (
        with_weights(lambda weights: weights["_archive_format.number"].zero_()),
        "weights.safetensors: found a model of archive format 0; expected 2: train it again",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_folders(folder: Path, case: str) -> None:
    edit, message = BROKEN[case]
    edit(folder)
    with pytest.raises(ConfigurationError, match=message) as error:
        lisa_allennlp.load(folder)
    assert "\n" not in error.value.message


HOSTILE: Dict[str, Any] = {
    "a dotted type": {"model.type": "os.system"},
    "a dotted type as a string": {"model.encoder": "subprocess.Popen"},
    "a dotted reader": {"dataset_reader": {"type": "builtins.exec"}},
    "another archive": {"model": {"type": "from_archive", "archive_file": "x"}},
    "another archive's type": {"model.type": "from_archive"},
    "a part of another archive": {"model.encoder": {"_pretrained": {"archive_file": "x"}}},
    "an unknown type": {"model.encoder.type": "no_such_type"},
    "a type that is no string": {"model.encoder.type": ["lisa"]},
    "a pickle": {"model.initializer": {"regexes": [[".*", {"type": "pretrained"}]]}},
    "a tokenizer that downloads": {"dataset_reader.tokenizer": {"type": "spacy"}},
    "a file": {"dataset_reader.injected_parses_path": "/etc/passwd"},
    "a relative file": {"dataset_reader.injected_parses_path": "secret/file"},
    "a file above": {"dataset_reader.injected_parses_path": "./../file"},
    "a home folder": {"dataset_reader.injected_parses_path": "~root"},
    "a file of Windows": {"dataset_reader.injected_parses_path": "C:secret"},
    "a share of Windows": {"dataset_reader.injected_parses_path": "\\\\host\\file"},
    "an address": {"dataset_reader.injected_parses_path": "http://localhost"},
    "another section": {"trainer": {"type": "gradient_descent"}},
    "a loader of another package": {"data_loader": {"type": "os.system"}},
    "no model": {"model": None},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_configs(folder: Path, case: str) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config = {**config, "trainer": {}} if case == "another section" else config
    for key, value in HOSTILE[case].items():
        # `with_overrides` takes known keys only.
        section, _, rest = key.partition(".")
        config[section] = value if not rest else _changed(config[section], rest, value)
    path.write_text(json.dumps(config), encoding="utf-8")
    for opened in (lisa_allennlp.load, open_archive, lambda f: archived_config(str(f))):
        with pytest.raises(ConfigurationError, match=f"^{re.escape(str(path))}: "):
            opened(folder)


def _changed(config: Dict[str, Any], key: str, value: Any) -> Dict[str, Any]:
    first, _, rest = key.partition(".")
    return {**config, first: value if not rest else _changed(config[first], rest, value)}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    os.symlink(tmp_path / "secret", folder / "files")
    path = folder / "config.json"
    config = with_overrides(
        json.loads(path.read_text()), {"dataset_reader.injected_parses_path": "./files"}
    )
    path.write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="found './files', which is not in the folder"):
        lisa_allennlp.load(folder)


def test_code_beside_a_transformer(folder: Path) -> None:
    (folder / "transformer_1").mkdir()
    (folder / "transformer_1" / "config.json").write_text('{"auto_map": {"AutoModel": "x.Y"}}')
    path = folder / "config.json"
    config = json.loads(path.read_text())
    embedder = {"type": "pretrained_transformer_words", "model_name": "./transformer_1"}
    config["model"]["text_field_embedder"]["token_embedders"]["tokens"] = embedder
    path.write_text(json.dumps(config))
    with pytest.raises(ConfigurationError, match="transformer_1/config.json: auto_map: found this"):
        lisa_allennlp.load(folder)


def test_overrides_and_other_weights(folder: Path) -> None:
    decoder = {"model.role_decoder": {"type": "greedy"}, "model.precision": "bfloat16"}
    model = open_archive(folder, overrides=json.dumps(decoder)).model
    assert type(model._role_decoder).__name__ == "GreedyRoleDecoder"
    # The user's own words, which may name any file.
    reader = {"dataset_reader.injected_parses_path": "/my.conllu"}
    open_archive(folder, overrides=reader)
    with pytest.raises(ConfigurationError, match="found the weights file w.th; expected none"):
        open_archive(folder, weights_file="w.th")


def test_opening_writes_nothing(folder: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    lisa_allennlp.load(folder)
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before
