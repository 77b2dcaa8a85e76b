"""Models that someone else made: none of them runs code, writes a file or connects to anything."""

import contextlib
import gzip
import io
import json
import os
import pickle
import shutil
import socket
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pytest
import torch
from allennlp.common import Params, cached_transformers
from allennlp.models import Model

import lisa_allennlp
from lisa_allennlp.__main__ import main
from lisa_allennlp.apps.spacy.component import LisaComponent
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.models_on_disk.archives.opening import archived_config, check_types, open_archive
from tests import FIXTURES, ROOT
from tests.tiny_transformer import make_tiny_transformer

pytestmark = pytest.mark.usefixtures("compressed_archives")

SAMPLE = str(FIXTURES / "sample/test.gold_conll")
CLASS = "lisa_allennlp.data.dataset_readers.Conll12SrlReader"
EMBEDDER = "model.text_field_embedder.token_embedders.tokens"
ELMO = {"type": "elmo_token_embedder", "weight_file": "./w"}


@pytest.fixture(scope="module")
def good(archives: Dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an untrained LISA, without an archive."""
    ignored = shutil.ignore_patterns("model.tar.gz")
    folder = tmp_path_factory.mktemp("model") / "good"
    return Path(shutil.copytree(archives["lisa"].parent, folder, ignore=ignored))


@pytest.fixture
def copy(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "copy"))


@pytest.fixture
def harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file that code of a model would write. Nothing writes it, connects or leaves files."""
    tried: List[Any] = []

    def refuse(*address: Any, **options: Any) -> None:
        tried.append(address)
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    payload = tmp_path / "payload"
    yield payload
    assert not payload.exists() and not tried and not list(temporary.iterdir())


def changed(config: Any, key: str, value: Any) -> Any:
    """A config with a new value at a dotted key, where it makes objects on the way."""
    first, _, rest = key.partition(".")
    inner = config.get(first) if isinstance(config, dict) else None
    return {**(config or {}), first: changed(inner or {}, rest, value) if rest else value}


def change(folder: Path, key: str, value: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(changed(json.loads(path.read_text()), key, value)))


def archived(folder: Path, *members: Tuple[tarfile.TarInfo, bytes]) -> Path:
    """The archive of a folder, with further members."""
    path = folder / "model.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name in ("config.json", "best.th", "vocabulary", "model_files"):
            if (folder / name).exists():
                archive.add(folder / name, "weights.th" if name == "best.th" else name)
        for member, content in members:
            archive.addfile(member, io.BytesIO(content))
    return path


def call(payload: Path) -> Dict[str, Any]:
    """The config of an object whose construction runs a command."""
    return {"type": "os.system", "command": f"touch {payload}"}


def test_the_payload_is_real(tmp_path: Path) -> None:
    Model.from_params(Params(call(tmp_path / "payload")))
    assert (tmp_path / "payload").exists()


HOSTILE: List[Tuple[str, Any]] = [
    ("dataset_reader", call),
    ("dataset_reader.tokenizer", {"type": "spacy", "language": "x"}),
    ("dataset_reader.injected_parses_path", "/etc/passwd"),
    ("validation_dataset_reader", lambda payload: [call(payload)]),
    ("model", None),
    ("model.type", "no_such_type"),
    ("model.encoder", "os.system"),
    ("model.encoder.num_layers", {"a": 1}),
    ("model.encoder.feedforward_hidden_dim", 10**15),
    ("model.regularizer.regexes", [["encoder.weight", "os.system"]]),
    ("model.role_decoder", {"type": "bert_pooler", "pretrained_model": "gpt2"}),
    ("model.sense_tagger", {"_pretrained": {"archive_file": "x"}}),
    ("model.vocab", {"type": "from_pretrained_transformer", "model_name": "gpt2"}),
    ("vocabulary", call),
    ("data_loader.batch_sampler", call),
    ("validation_data_loader", call),
    ("evaluation", call),
    (EMBEDDER, "elmo_token_embedder"),
    ("model.type", ["lisa"]),
    ("model.type", "simple_tagger"),
    ("model", {"type": "from_archive", "archive_file": "model.tar.gz"}),
    (EMBEDDER, {**ELMO, "options_file": "http://x.invalid/o.json"}),
    (EMBEDDER, {**ELMO, "options_file": "../good/config.json"}),
    (EMBEDDER, {"type": "pretrained_transformer_words", "model_name": "bert-base-cased"}),
    (EMBEDDER, {"type": "pretrained_transformer", "model_name": "bert"}),
]


@pytest.mark.parametrize("key, value", HOSTILE)
def test_hostile_configs(key: str, value: Any, copy: Path, harmless: Path) -> None:
    change(copy, key, value(harmless) if callable(value) else value)
    with pytest.raises(ConfigurationError, match=f"^{copy}: ") as error:
        open_archive(copy)
    assert "\n" not in error.value.message and len(error.value.message) < 2000


@pytest.mark.parametrize(
    "key, value",
    [
        ("trainer.optimizer", {"type": "os.system"}),
        ("model.initializer.regexes", [[".*", {"type": "pretrained", "weights_file_path": "x"}]]),
        (f"{EMBEDDER}.pretrained_file", "http://x.invalid"),
        ("vocabulary", {"type": "from_files", "directory": "http://x.invalid/v.tar.gz"}),
        ("model.regularizer.regexes", [["encoder.weight", {"type": "l2", "alpha": 0.1}]]),
        ("dataset_reader.injected_parses_suffix", ".dm.conllu"),
    ],
)
def test_what_opening_does_not_use(key: str, value: Any, copy: Path, harmless: Path) -> None:
    change(copy, key, value)
    assert open_archive(copy).model is not None


def test_the_project_s_configs_may_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for path in (ROOT / "training_configs").glob("**/*.jsonnet"):
        config = Params.from_file(path).as_dict(quiet=True)
        if "model" in config:
            check_types(config, path.name)


DOORS: Dict[str, Callable[[str], object]] = {
    "load": lisa_allennlp.load,
    "archived_config": archived_config,
    "a parser": lambda model: lisa_allennlp.load("english-fast", parser=model),
    "the spaCy component": lambda model: LisaComponent(model=model).load(),
    "label": lambda model: run("label", model, "She left."),
    "predict": lambda model: run("predict", model, SAMPLE, "--use-dataset-reader"),
    "evaluate": lambda model: run("evaluate", model, SAMPLE),
    "export": lambda model: run("export", model, f"{model}.out", "--license", "CC0"),
    "train": lambda model: run(
        *("train", "training_configs/sa_small.jsonnet", "--from", model, "-s", f"{model}.out")
    ),
}


def run(*arguments: str) -> None:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = main(list(arguments))
    if status != 0:
        raise ConfigurationError(said.getvalue().strip().splitlines()[-1])


@pytest.mark.medium
def test_every_door(copy: Path, harmless: Path) -> None:
    change(copy, "model.encoder", call(harmless))
    (copy / "best.th").unlink()
    model = archived(copy)
    for name, door in DOORS.items():
        with pytest.raises(ConfigurationError, match="model.encoder.type: found 'os.syst"):
            door(str(model))
        assert not harmless.exists(), name


@pytest.mark.medium
def test_code_beside_a_transformer(copy: Path, harmless: Path) -> None:
    """Transformers' backbones may name other models, with permission to run their code."""
    stored, code = copy / "model_files/bert", copy / "code"
    make_tiny_transformer(stored)
    code.mkdir()
    (code / "config.json").write_text('{"model_type": "x", "auto_map": {"AutoConfig": "code.X"}}')
    (code / "code.py").write_text(f"import os\nos.system('touch {harmless}')\nX = int")
    config = {
        "model_type": "detr",
        "use_timm_backbone": False,
        "use_pretrained_backbone": False,
        "backbone": str(code),
        "backbone_kwargs": {"trust_remote_code": True},
    }
    (stored / "config.json").write_text(json.dumps(config))
    (copy / "model_files/names.json").write_text('{"bert": "./bert"}')
    words = {"type": "pretrained_transformer_words", "model_name": "bert"}
    change(copy, EMBEDDER, {**words, "override_weights_strip_prefix": "x"})
    cached_transformers._clear_caches()
    with pytest.raises(ConfigurationError, match="model_type: found 'detr'; expected one of"):
        open_archive(copy)


def member(
    name: str, kind: bytes = tarfile.REGTYPE, target: str = "", **headers: str
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    info.pax_headers = {key.replace("__", "."): value for key, value in headers.items()}
    return info


@pytest.mark.parametrize(
    "info",
    [
        member("../outside"),
        member("/outside"),
        member("link", tarfile.LNKTYPE, "config.json"),
        member("link", tarfile.SYMTYPE, "/etc/passwd"),
        member("device", tarfile.CHRTYPE),
        member("sparse", GNU__sparse__map="1,x"),
    ],
    ids=lambda info: f"{info.name} {info.type!r}",
)
def test_hostile_members(info: tarfile.TarInfo, copy: Path, harmless: Path) -> None:
    (copy / "best.th").unlink()
    model = archived(copy, (info, b""))
    with pytest.raises(ConfigurationError, match=f"^{model}: cannot be unpacked"):
        open_archive(model)


def test_links_in_folders(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("@@UNKNOWN@@\nsecret\n")
    (copy / "inside").symlink_to(copy / "config.json")
    open_archive(copy)
    (copy / "vocabulary/secret.txt").symlink_to(tmp_path / "secret")
    with pytest.raises(ConfigurationError, match="secret.txt: found a link; expected none"):
        open_archive(copy)


class Payload:
    """An object whose unpickling runs a command."""

    def __init__(self, path: Path) -> None:
        self._command = f"touch {path}"

    def __reduce__(self) -> Tuple[Any, ...]:
        return os.system, (self._command,)


WEIGHTS: Dict[str, Callable[[Path, Path, Dict[str, torch.Tensor]], object]] = {
    "a pickle among them": lambda f, p, w: torch.save({**w, "x": Payload(p)}, f),
    "a pickle": lambda f, p, w: f.write_bytes(pickle.dumps(Payload(p))),
    "a script": lambda f, p, w: torch.jit.save(torch.jit.script(torch.nn.Identity()), str(f)),
    "a missing one": lambda f, p, w: torch.save(dict(list(w.items())[1:]), f),
    "no numbers": lambda f, p, w: torch.save({k: v / 0 for k, v in w.items()}, f),
    "truncated ones": lambda f, p, w: f.write_bytes(f.read_bytes()[:999]),
    "none": lambda f, p, w: f.unlink(),
}


@pytest.mark.parametrize("case", WEIGHTS)
def test_hostile_weights(case: str, copy: Path, harmless: Path) -> None:
    path = copy / "best.th"
    WEIGHTS[case](path, harmless, torch.load(path, weights_only=True))
    with pytest.raises(ConfigurationError, match=f"^{copy}[:/]") as error:
        open_archive(copy)
    assert "\n" not in error.value.message


@pytest.mark.medium
def test_every_flipped_bit_is_noticed(copy: Path) -> None:
    """The checksum of an archive is at its end, after the last member."""
    model = archived(copy)
    content = model.read_bytes()
    generator = torch.Generator().manual_seed(1)
    # Of the header of ten bytes, some bits mean nothing.
    for flip in torch.randint(80, 8 * len(content), (12,), generator=generator).tolist():
        damaged = bytearray(content)
        damaged[flip // 8] ^= 1 << flip % 8
        model.write_bytes(damaged)
        with pytest.raises(ConfigurationError, match=str(model)):
            open_archive(model)


@pytest.mark.parametrize("content", [b"", b"no model", gzip.compress(b"no model\n" * 999, mtime=0)])
def test_files_that_are_no_archives(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.tar.gz"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="^[^:]*model.tar.gz: "):
        lisa_allennlp.load(path)


def test_models_are_not_downloaded(harmless: Path) -> None:
    with pytest.raises(ConfigurationError, match="found no file, folder or model .* expected the"):
        lisa_allennlp.load("http://x.invalid/model.tar.gz")


@pytest.mark.medium
def test_a_type_that_the_user_trusts(good: Path, copy: Path) -> None:
    change(copy, "dataset_reader.type", CLASS)
    with pytest.raises(ConfigurationError, match=f"found '{CLASS}'.*--allow-type {CLASS}, or load"):
        lisa_allennlp.load(copy)
    assert lisa_allennlp.load(copy, allow_types=[CLASS])("She left.").words
    assert lisa_allennlp.load(copy, precision="bfloat16", allow_types=["x.Y", CLASS])
    parser = {"type": "archive", "path": str(copy), "allow_types": [CLASS]}
    # Not a parser, but opened.
    with pytest.raises(ConfigurationError, match="parser: found a Lisa"):
        lisa_allennlp.load(good, parser=parser)
    run("label", str(copy), "She left.", "--allow-type", CLASS)
    change(copy, "model.type", "my_lisa")
    with pytest.raises(ConfigurationError, match="found 'my_lisa'.* --include-package PACKAGE, or"):
        lisa_allennlp.load(copy, allow_types=[CLASS])


def test_overrides_are_trusted(copy: Path) -> None:
    overrides = {"dataset_reader": {"type": CLASS}}
    assert open_archive(copy, overrides=overrides).dataset_reader is not None
    for key, expected in (("model.encoder.num_heads", "num_heads"), ("x.y", "unused keys: .'x.y'")):
        with pytest.raises(ConfigurationError, match=f"with overrides: .*{expected}"):
            open_archive(copy, overrides={key: 3})


def test_opening_a_folder_writes_nothing(copy: Path) -> None:
    (copy / "vocabulary/.lock").unlink(missing_ok=True)
    before = sorted((path, path.stat().st_mtime_ns) for path in copy.rglob("*"))
    lisa_allennlp.load(copy)
    assert sorted((path, path.stat().st_mtime_ns) for path in copy.rglob("*")) == before


def test_the_config_of_a_model(copy: Path) -> None:
    expected = json.loads((copy / "config.json").read_text())
    for model in (copy, archived(copy)):
        assert archived_config(str(model)) == expected
    with tarfile.open(copy / "empty.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.add(copy / "best.th", "weights.th")
    with pytest.raises(ConfigurationError, match="found no config.json; expected that of a model"):
        archived_config(copy / "empty.tar.gz")
    # Other programs write other names of the same files.
    with tarfile.open(copy / "own.tar.gz", "w:gz", compresslevel=1) as archive:
        for old, new in (("best.th", "weights.th"), *[("config.json",) * 2, ("vocabulary",) * 2]):
            archive.add(copy / old, f"./{new}")
    assert archived_config(copy / "own.tar.gz") == expected
    assert open_archive(copy / "own.tar.gz").model is not None


@Model.register("lisa_with_its_own_load")
class LisaWithItsOwnLoad(Lisa):
    @classmethod
    def _load(cls, *args: Any, **kwargs: Any) -> Model:
        model = super()._load(*args, **kwargs)
        model.was_loaded_by = cls
        return model


def test_a_model_s_own_load_is_called(copy: Path) -> None:
    change(copy, "model.type", "lisa_with_its_own_load")
    assert open_archive(copy).model.was_loaded_by is LisaWithItsOwnLoad
