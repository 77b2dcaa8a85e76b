"""Labels without PyTorch are those of the PyTorch models."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pytest
import torch
from allennlp.data import Batch, Vocabulary

from lisa_allennlp import pretrained
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.fields import SentenceField
from lisa_allennlp.data.formats.roles import LabelledSpan
from lisa_allennlp.data.formats.tokens import BracketForms
from lisa_allennlp.data.sentence import GivenFrame, Sentence
from lisa_allennlp.inference import word_inputs
from lisa_allennlp.inference.model import InferenceModel, open_model
from lisa_allennlp.model_files.exporting import Description, Storage, export
from lisa_allennlp.model_files.opening import open_archive
from tests import FIXTURES, ROOT
from tests.archives import write_archive

Rows = Sequence[Optional[List[int]]]

SAMPLE = list(Conll12SrlReader(senses=True).read_sentences(FIXTURES / "sample/dev.gold_conll"))[:30]

ODD = [
    Sentence(words)
    for words in (
        ["Run"],
        ["😀"],
        ["x" * 1000, "ran", "é" * 201],
        ["He", "-LRB-", "(", "[", "]", ")", "-RRB-", "left"],
        ["日本語", "ωραία", "İstanbul", "\u2028", "\0", "@@UNKNOWN@@"],
        ["sold"] * 300,
    )
]

ALL = {"probabilities": True, "details": True}


def torch_labels(
    folder: Path,
    sentences: Sequence[Sentence],
    heads: Rows,
    predicates: Rows,
    given_roles: Sequence[Sequence[GivenFrame]],
    **options: Any,
) -> List[Sentence]:
    """Labels each sentence alone with the PyTorch model of a folder."""
    archive = open_archive(folder)
    model: Any = archive.model.eval()
    vocab, reader = model.vocab, archive.dataset_reader
    brackets = BracketForms(vocab.get_token_to_index_vocabulary("bracket_labels"))
    labelled = []
    for sentence, known, *rows in zip(sentences, given_roles, heads, predicates, strict=True):
        words = [word[: word_inputs.LONGEST_WORD] for word in brackets.write(sentence.words)]
        instance = reader.text_to_instance(Sentence(words))
        reader.apply_token_indexers(instance)
        instance.fields["metadata"] = SentenceField(sentence)
        batch = Batch([instance])
        batch.index_instances(vocab)
        given = (None if row is None else torch.tensor([row]) for row in rows)
        injected = dict(zip(("injected_head_indices", "given_predicates"), given, strict=True))
        tensors = {**batch.as_tensor_dict(), **injected}
        labelled += model.label(**tensors, given_roles=[known], **options)
    return labelled


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


def compare(folder: Path, sentences: Sequence[Sentence], **options: Any) -> None:
    """Labels sentences with both engines, some with a tree, given predicates or given roles."""
    choose = random.Random(0)
    model = InferenceModel.open(folder, max_tokens=100)
    heads: List[Optional[List[int]]] = []
    predicates: List[Optional[List[int]]] = []
    given_roles: List[List[GivenFrame]] = []
    roles = [label[2:] for label in model.role_labels if label[:2] == "B-" and label != "B-V"]
    for number, sentence in enumerate(sentences):
        length = len(sentence.words)
        tree = [choose.randint(0, max(0, t - 1)) for t in range(length)]
        heads.append(tree if number % 3 == 0 and model.predicts_parse else None)
        predicates.append([t % 2 for t in range(length)] if number % 4 == 0 else None)
        spans = [LabelledSpan("O", 0, 0), LabelledSpan(choose.choice(roles), 2, 2)]
        has_roles = number % 2 == 0 and length > 2
        given_roles.append([{"index": 1, "sense": "be.01", "spans": spans}] if has_roles else [])
    found = model.label(sentences, heads, predicates, given_roles, **options)
    expected = torch_labels(folder, sentences, heads, predicates, given_roles, **options)
    assert_equal([one.to_dict() for one in found], [one.to_dict() for one in expected])
    model.decoder.token_stages.clear()
    assert model.predict_pos(sentences) == [own.pos for own in model.label(sentences, heads)]


def random_config(choose: random.Random) -> Tuple[Dict[str, Any], Dict[str, Any]]:
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
        },
        "predicate_dim": choose.randint(3, 9),
        "role_dim": choose.randint(3, 9),
        "role_decoder": "crf",
        "sense_tagger": choose.choice([None, {}, {"type": "linear", "dropout": 0.1}]),
    }
    return model, indexers


def export_random(folder: Path, seed: int) -> Path:
    """An exported model with random options and weights."""
    choose = random.Random(seed)
    model, indexers = random_config(choose)
    reader = {"type": "conll12_srl", "senses": True, "token_indexers": indexers}
    archive = write_archive(folder, model, reader, sample_vocabulary())
    storage = Storage(choose.choice(["float16", "float32"]), choose.choice([None, 8]))
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
@pytest.mark.parametrize("seed", range(8))
def test_random_models(seed: int, tmp_path: Path) -> None:
    folder = export_random(tmp_path, seed)
    assert isinstance(open_model(folder), InferenceModel)
    compare(folder, SAMPLE[:12] + ODD, **ALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("english", ALL), ("english-fast", {"parse_decoder": "argmax", "min_probability": 0.0})],
)
def test_the_models_of_the_package(name: str, options: Dict[str, Any]) -> None:
    compare(Path(pretrained.resolve(name)), SAMPLE[:20] + ODD, **options)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_random(tmp_path_factory.mktemp("model"), 0)


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "copy"))


def test_an_empty_list(exported: Path) -> None:
    model = InferenceModel.open(exported)
    assert model.label([]) == model.predict_pos([]) == []


def test_answers_do_not_depend_on_the_words_that_are_kept(
    exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = InferenceModel.open(exported).label(SAMPLE)
    monkeypatch.setattr(word_inputs, "MAX_WORDS", 5)
    model = InferenceModel.open(exported, max_tokens=1)
    for _ in range(2):
        found = model.label(SAMPLE)
        assert_equal([one.to_dict() for one in found], [one.to_dict() for one in expected])


def test_a_model_with_another_config(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = config["model"]
    for option, value, message in (
        ("role_dim", 77, "_role_projection.weight: found a tensor"),
        ("role_decoder", "viterbi", "role_decoder.type: found 'viterbi'; expected 'crf' without"),
    ):
        changed = {**config, "model": {**model, option: value}}
        (folder / "config.json").write_text(json.dumps(changed))
        with pytest.raises(ConfigurationError, match=message):
            InferenceModel.open(folder)


def test_nothing_else_is_imported() -> None:
    """LemmInflect, which would import spaCy, looks for the lemma of the unseen word."""
    code = """
import ctypes, sys
from lisa_allennlp import pretrained
from lisa_allennlp.data.sentence import Sentence
from lisa_allennlp.inference.model import InferenceModel
model = InferenceModel.open(pretrained.resolve("english-fast"))
print(model.label([Sentence(["She", "underlitigates", "."])])[0].frames[0].sense)
slow = {"allennlp", "torch", "spacy", "transformers", "numba", "scipy", "safetensors"}
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
