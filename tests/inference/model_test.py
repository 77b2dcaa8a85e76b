"""Labels without PyTorch are those of the PyTorch models, and do not depend on each other."""

import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, cast

import pytest
from allennlp.data import Vocabulary

import lisa_allennlp
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.inference import word_inputs
from lisa_allennlp.inference.model import InferenceModel
from lisa_allennlp.models.lisa import Lisa
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.models_on_disk.archives.exporting import Description, Storage, export
from lisa_allennlp.models_on_disk.archives.opening import open_archive
from lisa_allennlp.models_on_disk.model_folder import BEST_NAME
from lisa_allennlp.models_on_disk.network_config import read_network_config
from lisa_allennlp.models_on_disk.pretrained import NETWORK_NAME
from lisa_allennlp.sentence.request import Request
from tests import FIXTURES, ROOT
from tests.archives import write_archive

SAMPLE = list(Conll12SrlReader(senses=True).read_sentences(FIXTURES / "sample/dev.gold_conll"))[:60]

WORDS = [sentence.words for sentence in SAMPLE]

ODD = [
    ["Run"],
    ["😀"],
    ["x" * 1000, "ran", "é" * 201],
    ["He", "-LRB-", "(", "[", "]", ")", "-RRB-", "left"],
    ["日本語", "ωραία", "İstanbul", "\u2028", "\0", "@@UNKNOWN@@"],
    (WORDS[0] * 10)[:40],
    (WORDS[1] * 50)[:120],
]


def assert_equal(found: Any, expected: Any) -> None:
    """Compares the JSON of sentences, real numbers with a tolerance."""
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key, value in expected.items():
            assert_equal(found[key], value)
    elif isinstance(expected, list):
        for pair in zip(found, expected, strict=True):
            assert_equal(*pair)
    elif isinstance(expected, float):
        assert abs(found - expected) <= 1e-4 + 1e-4 * abs(expected)
    else:
        assert found == expected


def inputs_for(model: Any, sentences: List[List[str]]) -> Iterator[Dict[str, Any]]:
    """Gives some sentences a tree, predicates, none of them, or roles."""
    choose = random.Random(0)
    roles = [label[2:] for label in model.role_labels if label[:2] == "B-" and label != "B-V"]
    for number, words in enumerate(sentences):
        length = len(words)
        given: Dict[str, Any] = {"tokens": words}
        if number % 3 == 0 and model.predicts_parse:
            given["head_indices"] = [choose.randint(0, max(0, t - 1)) for t in range(length)]
            given["allow_cycles"] = True
        if number % 4 == 0 or model.needs_predicates:
            given["predicates"] = [] if number % 8 == 0 else list(range(1, length, 9))
        if number % 4 == 2 and length > 2:
            spans = [[choose.choice(roles), 2, 2], ["O", 0, 0]]
            given["given_roles"] = [{"index": 1, "sense": "be.01", "spans": spans}]
        yield given


def compare(path: Path, sentences: List[List[str]]) -> None:
    """Labels sentences with both engines."""
    options: Any = {"probabilities": True, "max_tokens": 100}
    found, expected = (lisa_allennlp.load(path, engine=e, **options) for e in ("onnx", "torch"))
    inputs = list(inputs_for(found.engine, sentences))
    pairs = zip(found.pipe(inputs, details=True), expected.pipe(inputs, details=True), strict=True)
    for one, other in pairs:
        assert_equal(one.to_dict(), other.to_dict())


SA_LAYER = {
    "type": "syntactically_informed_self_attention",
    "num_layers": 1,
    "num_heads": 2,
    "head_dim": 4,
    "predicate_layer": 0,
    "parse_layer": None,
}


class Parts(NamedTuple):
    """Parts that a config names."""

    layer_style: str = "pre_norm"
    syntactic_head: str = "deep_biaffine"
    role_decoder: str = "crf"
    indicator_dim: int = 0
    factuality_loss_weight: Optional[float] = 0.3
    factuality_encoder: Optional[Dict[str, Any]] = None


def random_config(choose: random.Random, parts: Parts) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """The configs of a small model and of its token indexers."""
    embedders: Dict[str, Any] = {}
    indexers: Dict[str, Any] = {}
    kinds = choose.choice(["tokens", "characters", "both"])
    if kinds != "characters":
        embedders["tokens"] = {"type": "embedding", "embedding_dim": choose.randint(3, 9)}
        indexers["tokens"] = {"type": "single_id", "lowercase_tokens": choose.random() < 0.5}
    if kinds != "tokens":
        size = choose.randint(2, 5)
        embedders["characters"] = {
            "type": "distinct_character_encoding",
            "embedding": {"embedding_dim": size, "vocab_namespace": "token_characters"},
            "encoder": {
                "type": "cnn",
                "embedding_dim": size,
                "num_filters": 3,
                "ngram_filter_sizes": choose.sample(range(1, 6), 3),
            },
        }
        indexers["characters"] = {"type": "distinct_characters", "min_padding_length": 5}
    predicate_layer = choose.randint(1, 3)
    model = {
        "type": "lisa",
        "text_field_embedder": {"token_embedders": embedders},
        "encoder": {
            "type": "syntactically_informed_self_attention",
            "num_layers": predicate_layer + choose.randint(1, 2),
            "num_heads": choose.randint(2, 4),
            "head_dim": 2 * choose.randint(1, 4),
            "feedforward_hidden_dim": choose.randint(3, 20),
            "feedforward_num_layers": choose.randint(2, 3),
            "predicate_layer": predicate_layer,
            "parse_layer": choose.choice([None, predicate_layer + 1, predicate_layer + 1]),
            "arc_dim": choose.randint(3, 9),
            "label_dim": choose.randint(3, 9),
            "layer_style": parts.layer_style,
            "layer_norm_eps": choose.choice([1e-5, 1e-2]),
            "syntactic_head": parts.syntactic_head,
        },
        "predicate_dim": choose.randint(3, 9),
        "role_dim": choose.randint(3, 9),
        "role_decoder": parts.role_decoder,
        "sense_tagger": choose.choice([None, {}, {"type": "linear", "dropout": 0.1}]),
        "factuality_loss_weight": parts.factuality_loss_weight,
        "factuality_encoder": parts.factuality_encoder,
    }
    if parts.indicator_dim:
        model["predicate_indicator_embedding"] = {"embedding_dim": parts.indicator_dim}
    return model, indexers


def random_archive(
    folder: Path,
    seed: int,
    parts: Parts = Parts(),  # noqa: B008
) -> Path:
    """The archive of a model with random options and weights, in the folder of its training."""
    model, indexers = random_config(random.Random(seed), parts)
    reader: Dict[str, Any] = {"type": "conll12_srl", "senses": True, "token_indexers": indexers}
    reader["one_predicate_per_instance"] = parts.indicator_dim > 0
    return write_archive(folder, model, reader, sample_vocabulary(), describes=True)


def export_random(folder: Path, seed: int, parts: Parts = Parts()) -> Path:  # noqa: B008
    """The same, exported."""
    storage = Storage("float16", 8 if seed % 2 == 0 else None)
    archive = random_archive(folder, seed, parts)
    export(archive, folder / "exported", Description(license="CC0"), storage)
    return folder / "exported"


def sample_vocabulary() -> Vocabulary:
    """Half of the words are unknown."""
    reader = Conll12SrlReader(senses=True)
    instances = [reader.text_to_instance(sentence) for sentence in SAMPLE]
    for instance in instances:
        del instance.fields["tokens"]
    vocab = Vocabulary.from_instances(instances)
    for sentence in SAMPLE[::2]:
        vocab.add_tokens_to_namespace([w.lower() for w in sentence.words], "tokens")
        vocab.add_tokens_to_namespace(list("".join(sentence.words)), "token_characters")
    return vocab


@pytest.mark.medium
@pytest.mark.parametrize(
    ("seed", "parts"),
    [
        (0, Parts()),
        (29, Parts("authors", "shallow_biaffine", "greedy", 3, factuality_loss_weight=None)),
        (39, Parts("paper", "mlp", "viterbi", factuality_encoder=SA_LAYER)),
    ],
)
def test_random_models(seed: int, parts: Parts, tmp_path: Path) -> None:
    compare(random_archive(tmp_path, seed, parts), WORDS[:6] + ODD)


@pytest.mark.slow
@pytest.mark.parametrize("name", pretrained.names())
def test_the_models_of_the_package(name: str) -> None:
    single = lisa_allennlp.load(name, engine="onnx", precision="float32", probabilities=True)
    expected = lisa_allennlp.load(name, engine="torch", probabilities=True).pipe(WORDS + ODD)
    for one, other in zip(single.pipe(WORDS + ODD), expected, strict=True):
        assert_equal(one.to_dict(), other.to_dict())


PACKAGED = ("english-fast", pytest.param("english", marks=pytest.mark.slow))


@pytest.mark.medium
@pytest.mark.parametrize("name", PACKAGED)
def test_the_models_of_the_package_say_what_they_are(name: str) -> None:
    archive = open_archive(name)
    described = cast(Lisa, archive.model).describe_network(archive.validation_dataset_reader)
    assert described == read_network_config(Path(pretrained.resolve(name)))


@pytest.mark.medium
@pytest.mark.parametrize("name", PACKAGED)
def test_answers_do_not_depend_on_their_neighbours(name: str) -> None:
    lisa = lisa_allennlp.load(name, probabilities=True)
    inputs = WORDS[:12] + ODD
    alone = [lisa(words).to_dict() for words in inputs]
    assert [one.to_dict() for one in lisa.pipe(inputs)] == alone
    order = random.Random(0).sample(range(len(inputs)), len(inputs))
    # Each process opens the graphs for itself, after this one has opened them.
    shuffled = lisa.pipe([inputs[number] for number in order], processes=2, batch_size=5)
    assert [one.to_dict() for one in shuffled] == [alone[number] for number in order]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training, and in it the exported model."""
    return export_random(tmp_path_factory.mktemp("model"), 0).parent


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "training"))


def test_archives_without_graphs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As earlier versions wrote them."""
    with_graphs = [lisa_allennlp.load(path)(WORDS[0]) for path in (folder, folder / "exported")]
    shutil.rmtree(folder / "graphs")
    lisa = lisa_allennlp.load(folder)
    assert not isinstance(lisa.engine, InferenceModel)
    for found in (*with_graphs, lisa(WORDS[0])):
        assert found.heads == with_graphs[0].heads and found.frames is not None
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match="without graphs .*export.* needs Allen") as error:
        lisa_allennlp.load(folder)
    assert "\n" not in error.value.message


def test_answers_do_not_depend_on_the_words_that_are_kept(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = list(map(Request, SAMPLE[:20]))
    expected = [one.to_dict() for one in InferenceModel.open(trained).label(requests)]
    monkeypatch.setattr(word_inputs, "CACHED_WORDS", 5)
    model = InferenceModel.open(trained, max_tokens=1)
    for _ in range(2):
        assert [one.to_dict() for one in model.label(requests)] == expected


Damage = Callable[[Path], object]


def bias(key: str, value: Any, bits: bytes = b"") -> Damage:
    """Changes what the header of a training's weights says of one of them, or its first bits."""

    def change(folder: Path) -> None:
        content = (folder / BEST_NAME).read_bytes()
        end = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(content[8:end])
        found = header["_joint_tagger._projection.bias"]
        start = end + found["data_offsets"][0]
        tensors = content[end:start] + bits + content[start + len(bits) :]
        found[key] = value
        new = json.dumps(header).encode()
        (folder / BEST_NAME).write_bytes(len(new).to_bytes(8, "little") + new + tensors)

    return change


def option(key: str, value: Any) -> Damage:
    """Changes an option of the network, or adds one."""

    def change(folder: Path) -> None:
        described = json.loads((folder / NETWORK_NAME).read_text(encoding="utf-8"))
        described[key] = value
        (folder / NETWORK_NAME).write_text(json.dumps(described))

    return change


def text(name: str, pattern: str, new: str) -> Damage:
    """Changes a file of text."""

    def change(folder: Path) -> None:
        old = (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
        (folder / name).write_text(re.sub(pattern, new, old), encoding="utf-8")

    return change


DAMAGE: Dict[str, Damage] = {
    "cannot be opened .KeyError: 'BF16'": bias("dtype", "BF16"),
    "bias: found a tensor of the shape": bias("shape", [1, -1]),
    "bias: found a value that is not finite": bias("dtype", "F32", b"\0\0\xc0\x7f"),
    "cannot be opened .TypeError: .*'colour'": option("colour", 1),
    "network.json: found no JSON": text(NETWORK_NAME, "^{", ""),
    "found 'X-ARG0'; expected a BIO label": text("vocabulary/role_labels.txt", "B-ARG0", "X-ARG0"),
    "found no roles.onnx": lambda folder: (folder / "graphs/float32/roles.onnx").unlink(),
}


@pytest.mark.parametrize("message", DAMAGE)
def test_damage_is_said_in_one_line(message: str, folder: Path) -> None:
    """Of a training, whose weights have no checksum."""
    DAMAGE[message](folder)
    with pytest.raises(ConfigurationError, match=message) as error:
        lisa_allennlp.load(folder)(WORDS[0])
    assert "\n" not in error.value.message


def test_nothing_else_is_imported() -> None:
    """LemmInflect, which would import spaCy, looks for the lemma of the unseen word."""
    code = """
import ctypes, sys
from lisa_allennlp.models_on_disk import pretrained
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.inference.model import InferenceModel
model = InferenceModel.open(pretrained.resolve("english-fast"))
print(model.label([Request(Sentence(["She", "underlitigates", "."]))])[0].frames[0].sense)
slow = {"allennlp", "onnx", "torch", "spacy", "transformers", "numba", "scipy", "safetensors"}
print(sorted(slow & set(sys.modules)))
blas = ctypes.CDLL(sys.modules["numpy._core._multiarray_umath"].__file__)
print(blas.scipy_openblas_get_num_threads64_())
"""
    unset = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in unset},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == ["-", "[]", "1"]
