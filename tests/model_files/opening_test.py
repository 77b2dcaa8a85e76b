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
from allennlp.commands import evaluate, predict, train
from allennlp.common import Params, Registrable, cached_transformers
from allennlp.data import Vocabulary
from allennlp.models import Model, archival
from allennlp.predictors import predictor

import lisa_allennlp
from lisa_allennlp.__main__ import main
from lisa_allennlp.common.configs import archived_config
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.model_files.opening import open_archive
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.spacy_component.component import LisaComponent
from tests import FIXTURES
from tests.tiny_transformer import make_tiny_transformer

pytestmark = pytest.mark.usefixtures("compressed_archives")

SAMPLE = str(FIXTURES / "sample/test.gold_conll")
CLASS = "lisa_allennlp.data.dataset_readers.Conll12SrlReader"
EMBEDDER = "model.text_field_embedder.token_embedders.tokens"
ELMO = {"type": "elmo_token_embedder", "weight_file": "./w"}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    config: Dict[str, Any] = {
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
    folder = tmp_path_factory.mktemp("model") / "good"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    vocab.save_to_files(str(folder / "vocabulary"))
    model = Model.from_params(Params(config["model"]).duplicate(), vocab=vocab)
    torch.save(model.state_dict(), folder / "best.th")
    return folder


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
    with tarfile.open(path, "w:gz") as archive:
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


SECTIONS = (
    "dataset_reader",
    "dataset_reader.token_indexers.tokens",
    "validation_dataset_reader",
    "model",
    "model.encoder",
    EMBEDDER,
    "vocabulary",
    "data_loader.batch_sampler",
    "validation_data_loader",
    "evaluation",
)
CONFIGS: Dict[str, Tuple[str, Any]] = {
    **{f"{section}: an object": (section, call) for section in SECTIONS},
    **{f"{section}: a list": (section, lambda p: [call(p)]) for section in SECTIONS},
    **{f"{section}: a string": (section, "os.system") for section in SECTIONS},
    "a string in a pair": ("model.regularizer.regexes", [["encoder.weight", "os.system"]]),
    "an object named regexes": (f"{EMBEDDER[:-7]}.regexes", call),
    "a string named regexes": (f"{EMBEDDER[:-7]}.regexes", "os.system"),
    "a vocabulary of the Hub": (
        "model.vocab",
        {"type": "from_pretrained_transformer", "model_name": "gpt2"},
    ),
    "a class of this package by its path": ("dataset_reader.type", CLASS),
    "a type that is no string": ("model.type", ["lisa"]),
    "an unknown type": ("model.encoder.type", "no_such_type"),
    "another archive": ("model", {"type": "from_archive", "archive_file": "model.tar.gz"}),
    "a part of another archive": ("model.encoder", {"_pretrained": {"archive_file": "x"}}),
    "ELMo at AllenNLP's address": (EMBEDDER, {"type": "elmo_token_embedder"}),
    "ELMo by its name": (EMBEDDER, "elmo_token_embedder"),
    "ELMo at an address": (EMBEDDER, {**ELMO, "options_file": "http://x.invalid/o.json"}),
    "ELMo in another folder": (EMBEDDER, {**ELMO, "options_file": "/etc/passwd"}),
    "ELMo above": (EMBEDDER, {**ELMO, "options_file": "../good/config.json"}),
    "a transformer of the Hub": (
        EMBEDDER,
        {"type": "pretrained_transformer_words", "model_name": "bert-base-cased"},
    ),
    "AllenNLP's transformer": (EMBEDDER, {"type": "pretrained_transformer", "model_name": "bert"}),
    "a pooler that downloads": (
        "model.role_decoder",
        {"type": "bert_pooler", "pretrained_model": "gpt2"},
    ),
    "a tokenizer that installs": ("dataset_reader.tokenizer", {"type": "spacy", "language": "x"}),
    "AllenNLP's default tokenizer, which installs": (
        "dataset_reader",
        {"type": "text_classification_json"},
    ),
    "a file to read": ("dataset_reader.injected_parses_path", "/etc/passwd"),
    "a file beside the input": ("dataset_reader.parses_suffix", "./../secret"),
    "a huge layer": ("model.encoder.feedforward_hidden_dim", 10**15),
    "a wrong option": ("model.encoder.num_layers", {"a": 1}),
    "another package's model": ("model.type", "simple_tagger"),
    "no model": ("model", None),
    "a model that is a string": ("model", "lisa"),
}


@pytest.mark.parametrize("case", CONFIGS)
def test_hostile_configs(case: str, copy: Path, harmless: Path) -> None:
    key, value = CONFIGS[case]
    change(copy, key, value(harmless) if callable(value) else value)
    model = archived(copy)
    with pytest.raises(ConfigurationError, match=f"^{model}: ") as error:
        open_archive(model)
    assert "\n" not in error.value.message and len(error.value.message) < 2000


@pytest.mark.parametrize("text", ["", "[1]", "{model: importstr '/etc/passwd'}", '{"a":' * 9999])
def test_configs_that_are_no_json(text: str, copy: Path) -> None:
    (copy / "config.json").write_text(text)
    with pytest.raises(ConfigurationError, match="config.json: found .*; expected a"):
        open_archive(copy)


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
    assert open_archive(archived(copy)).model is not None


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
    """Runs a command, and raises its error."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = main(list(arguments))
    if status != 0:
        raise ConfigurationError(said.getvalue().strip().splitlines()[-1])


@pytest.mark.medium
@pytest.mark.parametrize("door", DOORS)
def test_every_door(door: str, copy: Path, harmless: Path) -> None:
    change(copy, "model.encoder", call(harmless))
    model = archived(copy)
    with pytest.raises(ConfigurationError, match="config.json: model.encoder.type: found 'os.syst"):
        DOORS[door](str(model))


@pytest.mark.medium
@pytest.mark.parametrize("is_archive", [True, False])
def test_code_beside_a_transformer(is_archive: bool, copy: Path, harmless: Path) -> None:
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
        open_archive(archived(copy) if is_archive else copy)


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "info",
    [
        member("../outside"),
        member("vocabulary/../../outside"),
        member("link", tarfile.SYMTYPE, "config.json"),
        member("link", tarfile.LNKTYPE, "config.json"),
        member("link", tarfile.SYMTYPE, "/etc/passwd"),
        member("fifo", tarfile.FIFOTYPE),
        member("device", tarfile.CHRTYPE),
    ],
    ids=lambda info: f"{info.name} {info.type!r}",
)
def test_hostile_members(info: tarfile.TarInfo, copy: Path, harmless: Path) -> None:
    model = archived(copy, (info, b""))
    with pytest.raises(ConfigurationError, match=f"^{model}: cannot be unpacked .*{info.name}"):
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
    "a list": lambda f, p, w: torch.save(list(w.values()), f),
    "a missing one": lambda f, p, w: torch.save(dict(list(w.items())[1:]), f),
    "an unknown one": lambda f, p, w: torch.save({**w, "x": torch.ones(1)}, f),
    "other shapes": lambda f, p, w: torch.save({**w, list(w)[-1]: torch.ones(3, 3, 3)}, f),
    "an old format": lambda f, p, w: torch.save({**w, "_archive_format.number": torch.ones(1)}, f),
    "truncated ones": lambda f, p, w: f.write_bytes(f.read_bytes()[:999]),
    "none": lambda f, p, w: f.unlink(),
}


@pytest.mark.parametrize("case", WEIGHTS)
def test_hostile_weights(case: str, copy: Path, harmless: Path) -> None:
    path = copy / "best.th"
    WEIGHTS[case](path, harmless, torch.load(path, weights_only=True))
    with pytest.raises(ConfigurationError, match=f"^{copy}: ") as error:
        open_archive(copy)
    assert "\n" not in error.value.message


def test_other_weights(copy: Path, tmp_path: Path) -> None:
    torch.save(Payload(tmp_path / "payload"), tmp_path / "other.th")
    with pytest.raises(ConfigurationError, match="other.th: found a pickle of other objects"):
        open_archive(copy, weights_file=str(tmp_path / "other.th"))
    assert not (tmp_path / "payload").exists()


@pytest.mark.medium
def test_every_flipped_bit_is_noticed(copy: Path) -> None:
    """The checksum of an archive is at its end, after the last member."""
    model = archived(copy)
    expected = open_archive(model).model.state_dict()
    content, refused = model.read_bytes(), 0
    generator = torch.Generator().manual_seed(1)
    flips = torch.randint(8 * len(content), (60,), generator=generator).tolist()
    for flip in flips:
        damaged = bytearray(content)
        damaged[flip // 8] ^= 1 << flip % 8
        model.write_bytes(damaged)
        try:
            found = open_archive(model).model.state_dict()
        except ConfigurationError as error:
            assert str(model) in error.message
            refused += 1
        else:
            # Of the header, some bits mean nothing.
            assert flip < 8 * 10 and all(torch.equal(found[key], expected[key]) for key in expected)
    assert refused >= len(flips) - 1


@pytest.mark.parametrize(
    "content", [b"", b"no model", b"\x1f\x8bno", gzip.compress(b"no model\n" * 999, mtime=0)]
)
def test_files_that_are_no_archives(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.tar.gz"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="^[^:]*model.tar.gz: "):
        lisa_allennlp.load(path)


@pytest.mark.parametrize("address", ["http://x.invalid/model.tar.gz", "hf://x/y"])
def test_models_are_not_downloaded(address: str, harmless: Path) -> None:
    with pytest.raises(ConfigurationError, match="found no file, folder or model .* expected the"):
        lisa_allennlp.load(address)


@pytest.mark.medium
def test_a_type_that_the_user_trusts(good: Path, copy: Path) -> None:
    change(copy, "dataset_reader.type", CLASS)
    model = archived(copy)
    with pytest.raises(ConfigurationError, match=f"found '{CLASS}'.*--allow-type {CLASS}, or load"):
        lisa_allennlp.load(model)
    assert lisa_allennlp.load(model, allow_types=[CLASS])("She left.").words
    assert lisa_allennlp.load(model, precision="bfloat16", allow_types=["x.Y", CLASS])
    parser = {"type": "archive", "path": str(model), "allow_types": [CLASS]}
    # Not a parser, but opened.
    with pytest.raises(ConfigurationError, match="parser: found a Lisa"):
        lisa_allennlp.load(good, parser=parser)
    run("label", str(model), "She left.", "--allow-type", CLASS)


def test_overrides_are_trusted(copy: Path) -> None:
    model = archived(copy)
    overrides = {"dataset_reader": {"type": CLASS}}
    assert open_archive(model, overrides=overrides).dataset_reader is not None
    expected = "model.tar.gz with overrides: .*num_heads"
    with pytest.raises(ConfigurationError, match=expected):
        open_archive(model, overrides={"model.encoder.num_heads": 3})


def test_archives_of_other_programs(copy: Path) -> None:
    path = copy / "own.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(copy / "best.th", "./weights.th")
        archive.add(copy / "config.json", "./config.json")
        archive.add(copy / "vocabulary", "./vocabulary")
    assert archived_config(str(path)) == json.loads((copy / "config.json").read_text())
    assert lisa_allennlp.load(path)("She left.").words == ["She", "left", "."]


def test_opening_a_folder_writes_nothing(copy: Path) -> None:
    shutil.rmtree(copy / "vocabulary/.lock", ignore_errors=True)
    (copy / "vocabulary/.lock").unlink(missing_ok=True)
    before = sorted((path, path.stat().st_mtime_ns) for path in copy.rglob("*"))
    lisa_allennlp.load(copy)
    assert sorted((path, path.stat().st_mtime_ns) for path in copy.rglob("*")) == before


def test_allennlp_s_own_names_stay() -> None:
    names: Dict[Any, Tuple[str, ...]] = {
        archival: ("load_archive", "archive_model"),
        cached_transformers: ("get", "get_tokenizer"),
        evaluate: ("load_archive",),
        predict: ("load_archive",),
        predictor: ("load_archive",),
        train: ("train_model",),
        Registrable: ("resolve_class_name",),
    }
    for owner, attributes in names.items():
        for name in attributes:
            assert getattr(owner, name).__module__.startswith("allennlp."), name


def test_allennlp_opens_our_models(copy: Path) -> None:
    """By its own function, without our checks."""
    model = archival.load_archive(archived(copy)).model
    expected = torch.load(copy / "best.th", weights_only=True)
    assert all(torch.equal(weight, expected[name]) for name, weight in model.state_dict().items())


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
