"""
Opens models that were made to run code, to write files, or to confuse: in every way in which the
package opens a model. Each must be refused in one line, or opened without harm.

    python -m benchmarks.hostile_models [--json FILE] [--check]
"""

import contextlib
import gzip
import io
import json
import os
import pickle
import shutil
import socket
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple, Union
from unittest import mock

import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.models import Model

import lisa_allennlp.plugin
from benchmarks.common import Report, make_parser
from lisa_allennlp.__main__ import main as lisa
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.model_files.opening import open_archive

SAMPLE = "fixtures/sample/test.gold_conll"
EMBEDDER = "model.text_field_embedder.token_embedders.tokens"
WEIGHT = "_text_field_embedder.token_embedder_tokens.weight"
NEVER_RUN = "the payload of a hostile model ran"

Config = Dict[str, Any]
Make = Callable[[Path, Path], Path]
"""Makes a hostile model from the folder of a good one; its code would write the second path."""


def make_good_model(folder: Path) -> Path:
    """The folder of an untrained LISA, without an archive."""
    encoder = {
        "type": "syntactically_informed_self_attention",
        "num_layers": 2,
        "predicate_layer": 1,
        "parse_layer": 2,
        "num_heads": 2,
        "feedforward_hidden_dim": 8,
    }
    embedder = {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}}
    config: Config = {
        "dataset_reader": {"type": "conll12_srl"},
        "model": {"type": "lisa", "text_field_embedder": embedder, "encoder": encoder},
        "data_loader": {"batch_sampler": {"type": "max_tokens_sampler", "max_tokens": 100}},
    }
    labels = {
        "tokens": ["she", "left"],
        "joint_tags": ["VB:predicate", "PRP"],
        "role_labels": ["B-V", "O", "B-ARG0"],
        "head_tags": ["root", "nsubj"],
    }
    vocab = Vocabulary(tokens_to_add=labels)
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    vocab.save_to_files(str(folder / "vocabulary"))
    model = Model.from_params(Params(config["model"]).duplicate(), vocab=vocab)
    torch.save(model.state_dict(), folder / "best.th")
    return folder


def archived(good: Path) -> Path:
    """The archive of a folder."""
    return with_members()(good, good)


# Configs


def changed(config: Any, key: str, value: Any) -> Any:
    """A config with a new value at a dotted key, where it makes objects on the way."""
    first, _, rest = key.partition(".")
    if isinstance(config, list):
        return [changed(config[0], rest, value) if rest else value, *config[1:]]
    inner = config.get(first) if isinstance(config, dict) else None
    return {**(config or {}), first: changed(inner or {}, rest, value) if rest else value}


def in_config(key: str, value: Callable[[str], Any]) -> Make:
    """A config with another value at a key. `value` gets the command that a payload runs."""

    def make(good: Path, payload: Path) -> Path:
        config = json.loads((good / "config.json").read_text())
        new = changed(config, key, value(f"touch {payload}"))
        (good / "config.json").write_text(json.dumps(new))
        return archived(good)

    return make


def call(command: str) -> Config:
    """The config of an object whose construction runs a command."""
    return {"type": "os.system", "command": command}


SECTIONS = (
    "dataset_reader",
    "dataset_reader.token_indexers.tokens",
    "validation_dataset_reader",
    "model",
    "model.encoder",
    "model.role_decoder",
    "model.regularizer.regexes",
    "model.text_field_embedder",
    EMBEDDER,
    "vocabulary",
    "data_loader",
    "data_loader.batch_sampler",
    "validation_data_loader",
    "evaluation",
    "trainer",
    "trainer.optimizer",
    "trainer.callbacks",
    "model.initializer",
)


def text_config(text: str) -> Make:
    def make(good: Path, payload: Path) -> Path:
        (good / "config.json").write_text(text)
        return archived(good)

    return make


def pretrained(command: str) -> Config:
    return {"regexes": [[".*", {"type": "pretrained", "weights_file_path": "pickle.th"}]]}


CONFIGS: Dict[str, Make] = {
    **{f"{section}: an object": in_config(section, call) for section in SECTIONS},
    **{f"{section}: a list": in_config(section, lambda c: [call(c)]) for section in SECTIONS},
    **{
        f"{section}: a string": in_config(section, lambda c: "benchmarks.hostile_models.run")
        for section in SECTIONS
    },
    "a class of this package by its path": in_config(
        "model.type", lambda c: "lisa_allennlp.models.lisa.Lisa"
    ),
    "a module of the current folder": in_config("model.type", lambda c: "benchmarks.records.Row"),
    "a type that is no string": in_config("model.type", lambda c: ["lisa"]),
    "an unknown type": in_config("model.encoder.type", lambda c: "no_such_type"),
    "another archive": in_config(
        "model", lambda c: {"type": "from_archive", "archive_file": "model.tar.gz"}
    ),
    "a part of another archive": in_config(
        "model.encoder",
        lambda c: {"_pretrained": {"archive_file": "model.tar.gz", "module_path": "_encoder"}},
    ),
    "weights of an initializer": in_config("model.initializer", pretrained),
    "weights of an embedder": in_config(f"{EMBEDDER}.override_weights_file", lambda c: "x.th"),
    "vectors at an address": in_config(f"{EMBEDDER}.pretrained_file", lambda c: "http://x.invalid"),
    "ELMo at an address": in_config(
        EMBEDDER,
        lambda c: {
            "type": "elmo_token_embedder",
            "options_file": "http://x.invalid/o.json",
            "weight_file": "http://x.invalid/w.hdf5",
        },
    ),
    "a transformer at an address": in_config(
        EMBEDDER,
        lambda c: {"type": "pretrained_transformer_words", "model_name": "hf://x/y"},
    ),
    "code of a transformer": in_config(
        f"{EMBEDDER}.transformer_kwargs", lambda c: {"trust_remote_code": True}
    ),
    "a pooler that downloads": in_config(
        "model.role_decoder", lambda c: {"type": "bert_pooler", "pretrained_model": "gpt2"}
    ),
    "a tokenizer that installs": in_config(
        "dataset_reader.tokenizer", lambda c: {"type": "spacy", "language": "x"}
    ),
    "a vocabulary at an address": in_config(
        "vocabulary", lambda c: {"type": "from_files", "directory": "http://x.invalid/v.tar.gz"}
    ),
    "a huge layer": in_config("model.encoder.feedforward_hidden_dim", lambda c: 10**15),
    "a wrong option": in_config("model.encoder.num_layers", lambda c: {"a": 1}),
    "no model": in_config("model", lambda c: None),
    "no reader": in_config("dataset_reader", lambda c: None),
    "a model that is a string": in_config("model", lambda c: "lisa"),
    "Jsonnet that reads a file": text_config('{model: importstr "/etc/passwd"}'),
    "Jsonnet without an end": text_config("local f(x) = f(x + 1); f(1)"),
    "deep nesting": text_config('{"model":' * 5000 + "1" + "}" * 5000),
    "less deep nesting": text_config('{"model":' * 900 + "{}" + "}" * 900),
    "a config that is a list": text_config("[1]"),
    "a config that is empty": text_config(""),
}


# Members


def with_members(*added: Tuple[tarfile.TarInfo, bytes], first: bool = False) -> Make:
    """An archive with further members. `{payload}` in names stands for a path outside."""

    def make(good: Path, payload: Path) -> Path:
        path = good / "model.tar.gz"
        names = {"config.json": "config.json", "best.th": "weights.th", "vocabulary": "vocabulary"}
        with tarfile.open(path, "w:gz") as archive:
            for at_start in (True, False):
                for member, content in added if first == at_start else ():
                    filled = tarfile.TarInfo(member.name.replace("{payload}", str(payload)))
                    filled.type, filled.size = member.type, len(content)
                    filled.linkname = member.linkname.replace("{payload}", str(payload))
                    archive.addfile(filled, io.BytesIO(content))
                for name, member_name in names.items() if at_start else ():
                    archive.add(good / name, member_name)
        return path

    return make


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def with_header(size: int, kind: bytes = tarfile.REGTYPE) -> Make:
    """An archive that begins with the header of a member of which little or nothing follows."""

    def make(good: Path, payload: Path) -> Path:
        info = member("large", kind)
        info.size = size
        path = good / "model.tar.gz"
        with gzip.open(path, "wb") as file:
            file.write(info.tobuf(tarfile.GNU_FORMAT) + bytes(2048))
        return path

    return make


def many_members(good: Path, payload: Path) -> Path:
    return with_members(*((member(f"m{number}"), b"") for number in range(1_001)))(good, payload)


def stored(name: str, config: str = "{}") -> Make:
    """A transformer stored with a model, under another name."""
    members = {
        "model_files/names.json": json.dumps({"bert": name}),
        "model_files/transformer_1/config.json": config,
    }

    def make(good: Path, payload: Path) -> Path:
        embedder = {"type": "pretrained_transformer_words", "model_name": "bert"}
        in_config(EMBEDDER, lambda command: embedder)(good, payload)
        added = [(member(key), value.encode()) for key, value in members.items()]
        return with_members(*added)(good, payload)

    return make


MEMBERS: Dict[str, Make] = {
    "a stored file above": stored("./../../config.json"),
    "a stored file elsewhere": stored("/etc"),
    "a stored file that is missing": stored("./transformer_2"),
    "a stored transformer that is none": stored("./transformer_1"),
    "a stored transformer with code": stored(
        "./transformer_1", '{"model_type": "x", "auto_map": {"AutoConfig": "x.Y"}}'
    ),
    "above": with_members((member("../outside"), b"x")),
    "above, inside": with_members((member("vocabulary/../../outside"), b"x")),
    "absolute": with_members((member("{payload}"), b"x")),
    "a name of Windows": with_members((member("..\\outside"), b"x")),
    "a symbolic link": with_members((member("link", tarfile.SYMTYPE, "/etc/passwd"), b"")),
    "a hard link": with_members((member("link", tarfile.LNKTYPE, "/etc/passwd"), b"")),
    "a file through a link": with_members(
        (member("link", tarfile.SYMTYPE, "{payload}"), b""), (member("link"), b"x")
    ),
    "a file in a linked folder": with_members(
        (member("link", tarfile.SYMTYPE, ".."), b""), (member("link/outside"), b"x")
    ),
    "weights that are a link": with_members(
        (member("weights.th", tarfile.SYMTYPE, "/etc/passwd"), b""), first=True
    ),
    "a FIFO": with_members((member("weights.th", tarfile.FIFOTYPE), b""), first=True),
    "a device": with_members((member("weights.th", tarfile.CHRTYPE), b""), first=True),
    "a block device": with_members((member("disk", tarfile.BLKTYPE), b"")),
    "a file in the place of a folder": with_members((member("vocabulary"), b"x"), first=True),
    "a folder in the place of a file": with_members(
        (member("config.json", tarfile.DIRTYPE), b""), first=True
    ),
    "a member of 8 TB": with_header(8 * 10**12),
    "a member of negative size": with_header(-1024),
    "a header of 1 TB": with_header(10**12, tarfile.XHDTYPE),
    "1,001 members": many_members,
    "a second config": with_members((member("config.json"), b'{"model": {"type": "os.system"}}')),
}


# Pickles


class Payload:
    """An object whose unpickling runs a command."""

    def __init__(self, path: Path) -> None:
        self._command = f"touch {path}"

    def __reduce__(self) -> Tuple[Any, ...]:
        return os.system, (self._command,)


def with_weights(write: Callable[[Path, Path, Dict[str, torch.Tensor]], object]) -> Make:
    def make(good: Path, payload: Path) -> Path:
        write(good / "best.th", payload, torch.load(good / "best.th", weights_only=True))
        return archived(good)

    return make


PICKLES: Dict[str, Make] = {
    "among weights": with_weights(lambda f, p, w: torch.save({**w, "x": Payload(p)}, f)),
    "instead of weights": with_weights(lambda f, p, w: torch.save(Payload(p), f)),
    "old format": with_weights(
        lambda f, p, w: torch.save(Payload(p), f, _use_new_zipfile_serialization=False)
    ),
    "a bare pickle": with_weights(lambda f, p, w: f.write_bytes(pickle.dumps(Payload(p)))),
    "a list of weights": with_weights(lambda f, p, w: torch.save(list(w.values()), f)),
    "numbers as names": with_weights(lambda f, p, w: torch.save(dict(enumerate(w.values())), f)),
    "a missing weight": with_weights(
        lambda f, p, w: torch.save({name: w[name] for name in w if name != WEIGHT}, f)
    ),
    "an unknown weight": with_weights(lambda f, p, w: torch.save({**w, "x": torch.ones(1)}, f)),
    "another shape": with_weights(lambda f, p, w: torch.save({**w, WEIGHT: torch.ones(3)}, f)),
    "no format": with_weights(lambda f, p, w: torch.save({WEIGHT: w[WEIGHT]}, f)),
    "truncated weights": with_weights(lambda f, p, w: f.write_bytes(f.read_bytes()[:999])),
    "empty weights": with_weights(lambda f, p, w: f.write_bytes(b"")),
    "a script": with_weights(
        lambda f, p, w: torch.jit.save(torch.jit.script(torch.nn.Identity()), str(f))
    ),
}


# Files that are no models


def file_of(content: Callable[[Path], bytes], name: str = "model.tar.gz") -> Make:
    def make(good: Path, payload: Path) -> Path:
        path = good / name
        path.write_bytes(content(good))
        return path

    return make


def archive_of(*names: str) -> Make:
    def make(good: Path, payload: Path) -> Path:
        with tarfile.open(good / "model.tar.gz", "w:gz") as archive:
            for name in names:
                archive.add(good / name, name)
        return good / "model.tar.gz"

    return make


def plain_tar(good: Path) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        archive.add(good / "config.json", "config.json")
    return content.getvalue()


def zip_file(good: Path) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.write(good / "config.json", "config.json")
    return content.getvalue()


def truncated(share: float) -> Make:
    def make(good: Path, payload: Path) -> Path:
        path = archived(good)
        path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
        return path

    return make


def folder_with(files: Dict[str, str]) -> Make:
    def make(good: Path, payload: Path) -> Path:
        folder = good / "folder"
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content)
        return folder

    return make


def folder_without(name: str) -> Make:
    def make(good: Path, payload: Path) -> Path:
        (good / name).unlink()
        return good

    return make


CLASSIFIER = {
    "dataset_reader": {"type": "sequence_tagging"},
    "model": {
        "type": "basic_classifier",
        "text_field_embedder": {
            "token_embedders": {"tokens": {"type": "pass_through", "hidden_dim": 8}}
        },
        "seq2vec_encoder": {"type": "boe", "embedding_dim": 8},
    },
}

FOREIGN: Dict[str, Make] = {
    "an empty file": file_of(lambda good: b""),
    "text": file_of(lambda good: b"no model\n"),
    "a web page": file_of(lambda good: b"\n<!DOCTYPE html><title>404</title>"),
    "a ZIP file": file_of(zip_file),
    "a tar file": file_of(plain_tar),
    "a pickle": file_of(lambda good: pickle.dumps({"model": 1})),
    "compressed text": file_of(lambda good: gzip.compress(b"no model\n" * 999)),
    "an archive of other files": archive_of("best.th"),
    "an archive without weights": archive_of("config.json", "vocabulary"),
    "an archive without vocabulary": archive_of("config.json", "best.th"),
    **{f"{share:.0%} of an archive": truncated(share) for share in (0.001, 0.1, 0.5, 0.9, 0.999)},
    "an empty folder": folder_with({}),
    "a folder of spaCy": folder_with({"config.cfg": "[nlp]", "meta.json": "{}"}),
    "a folder of Hugging Face": folder_with({"config.json": '{"model_type": "bert"}'}),
    "a folder without weights": folder_without("best.th"),
    "a folder without a config": folder_without("config.json"),
    "an AllenNLP classifier": text_config(json.dumps(CLASSIFIER)),
}

KINDS = {"config": CONFIGS, "members": MEMBERS, "weights": PICKLES, "no model": FOREIGN}

HARMLESS = {
    *(f"trainer{part}: a string" for part in ("", ".optimizer", ".callbacks")),
    "model.regularizer.regexes: a string",
    "model.initializer: a string",
    "weights of an initializer",
    "weights of an embedder",
    "vectors at an address",
    "a vocabulary at an address",
    "a second config",
}
"""The models that open, because their harm is in what is never used."""


# The ways in which the package opens a model


def run(*arguments: str) -> None:
    """Runs a command, and raises its error."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = lisa(list(arguments))
    if status != 0:
        last = said.getvalue().strip().splitlines()[-1]
        raise ConfigurationError(last.removeprefix("lisa: error: "))


DOORS: Dict[str, Callable[[str, str], object]] = {
    "open_archive": lambda model, out: open_archive(model),
    "load": lambda model, out: lisa_allennlp.load(model),
    "archived_config": lambda model, out: archived_config(model),
    "lisa label": lambda model, out: run("label", model, "She left."),
    "lisa predict": lambda model, out: run("predict", model, SAMPLE, "--use-dataset-reader"),
    "lisa evaluate": lambda model, out: run("evaluate", model, SAMPLE),
    "lisa export": lambda model, out: run("export", model, out, "--license", "CC0"),
    "lisa train --from": lambda model, out: run(
        *("train", "training_configs/sa_small.jsonnet", "--from", model, "-s", out)
    ),
    "a parser": lambda model, out: lisa_allennlp.load("english-fast", parser=model),
    "with overrides": lambda model, out: run(
        "predict", model, SAMPLE, "--use-dataset-reader", "-o", '{"model.precision": "float32"}'
    ),
}


class Outcome(NamedTuple):
    """What became of a hostile model."""

    case: str
    door: str
    refused: str
    """The message, or nothing if the model was opened."""
    error: str
    """Any other error."""
    harm: str


@contextlib.contextmanager
def no_network() -> Iterator[List[Any]]:
    """Blocks connections and yields those that were tried."""
    tried: List[Any] = []

    def refuse(*address: Any, **options: Any) -> None:
        tried.append(address)
        raise OSError(f"{NEVER_RUN}: a connection to {address}")

    with mock.patch.object(socket.socket, "connect", refuse):
        with mock.patch.object(socket, "getaddrinfo", refuse):
            yield tried


def attempt(case: str, make: Make, door: str, good: Path, folder: Path) -> Outcome:
    """Makes a hostile model of a good one in an empty folder and opens it."""
    payload, inner = folder / "payload", folder / "files"
    inner.mkdir()
    model = make(Path(shutil.copytree(good, inner / "good")), payload)
    refused = error = ""
    before = sorted(folder.iterdir())
    with tempfile.TemporaryDirectory(dir=folder) as temporary, no_network() as tried:
        with mock.patch.object(tempfile, "tempdir", temporary):
            try:
                DOORS[door](str(model), str(inner / "out"))
            except ConfigurationError as raised:
                refused = raised.message
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        left = os.listdir(temporary)
    harm = f"connected to {tried[0]}" if tried else ""
    if payload.exists() or sorted(folder.iterdir()) != before or left:
        harm = f"wrote {payload if payload.exists() else left or 'outside'}"
    if "\n" in refused:
        error = "a message of several lines"
    return Outcome(case, door, refused, error, harm)


def main() -> int:
    """Prints the table; returns the exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("--case", help="only this case, with its messages")
    parser.add_argument("--door", choices=DOORS, help="only this way of opening a model")
    args = parser.parse_args()
    report = Report("hostile_models", args, needs_corpus=False)
    doors = DOORS if args.door is None else [args.door]
    tables: List[Dict[str, int]] = []
    rows: List[List[Union[str, float]]] = []
    good = make_good_model(Path(tempfile.mkdtemp()) / "good")
    for kind, cases in KINDS.items():
        outcomes = []
        for case, make in cases.items():
            for door in doors if args.case in (None, case) else ():
                with tempfile.TemporaryDirectory() as folder:
                    outcomes.append(attempt(case, make, door, good, Path(folder)))
                if args.case or outcomes[-1].error or outcomes[-1].harm:
                    print(*outcomes[-1], sep=" | ")
        counts = {
            "models": len(cases),
            "attempts": len(outcomes),
            "refused": sum(bool(outcome.refused) for outcome in outcomes),
            "opened": sum(not outcome.refused and not outcome.error for outcome in outcomes),
            "other errors": sum(bool(outcome.error) for outcome in outcomes),
            "harm done": sum(bool(outcome.harm) for outcome in outcomes),
        }
        tables.append(counts)
        rows.append([kind, *map(float, counts.values())])
    report.table(["hostile", *tables[0]], rows)
    for name in ("other errors", "harm done"):
        report.at_most(name, sum(counts[name] for counts in tables), 0)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
