"""Exports trained models to self-contained folders."""

import copy
import dataclasses
import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from lisa_allennlp.common.complete_files import complete_folder
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.english.languages import ENGLISH
from lisa_allennlp.english.morphology import are_english_tags
from lisa_allennlp.formats.annotated_files import read_annotated
from lisa_allennlp.inference.word_inputs import PIECE_TABLE
from lisa_allennlp.models_on_disk.archives.opening import (
    SECTIONS,
    open_archive,
    without_initial_values,
)
from lisa_allennlp.models_on_disk.archives.storage import (
    write_json,
    write_vocabulary,
    write_weights,
)
from lisa_allennlp.models_on_disk.archives.stored_files import files_of, store_files
from lisa_allennlp.models_on_disk.model_folder import (
    ModelInfo,
    check_empty,
    digest_of_file,
    model_folder,
    read_json,
)
from lisa_allennlp.models_on_disk.pretrained import (
    CONFIG_NAME,
    GRAPHS_NAME,
    INFO_NAME,
    INT8,
    WEIGHTS_NAME,
    is_exported,
    resolve,
)
from lisa_allennlp.models_on_disk.weights import LARGEST_CODE
from lisa_allennlp.sentence.request import Request
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.version import VERSION

WORDS = "tokens"

CALIBRATED_ON = 300
"""The most sentences to find the ranges of values with."""

CARD_NAME, LICENSE_NAME = "README.md", "LICENSE.txt"

_TASKS = {
    "lisa": "part-of-speech tags, predicates, semantic roles and, with a syntactic head, a "
    "labelled dependency tree",
    "deep_biaffine_parser": "a labelled dependency tree",
    "ccg_supertagger": "CCG supertags",
}

_LICENSES = ("apache-2.0", "cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "mit")
"""Licences that the Hugging Face Hub names."""

_NOT_SAID = """\
## Training data, domains and limits

Whoever exported this model did not describe its training data. Expect lower scores on text of
another kind than it was trained on, and check the answers before you rely on them."""


class Storage(NamedTuple):
    """
    How a model is stored: in `float32`, `float16` or `int8` (8 bits for maps, `float16` for the
    rest); word or piece vectors with 8 `vector_bits` for each value, or as the rest; and the first
    `max_words` of the vocabulary, or all. The words of the training data come first, by frequency,
    then those of the vectors' file.
    """

    precision: str = "float32"
    vector_bits: Optional[int] = None
    max_words: Optional[int] = None


@dataclasses.dataclass
class Description:
    """
    Describes a model in its folder: the licence of the weights, in one line or as the path of its
    text; a name, by default the folder's; `about`, a file of Markdown for the model card (training
    data, domains, limits, credits); `metrics`, a file of `lisa train` or `lisa evaluate
    --output-file`, by default `metrics.json` beside the archive; and the name of the scored data.
    """

    license: str
    name: Optional[str] = None
    version: str = VERSION
    about: Optional[str] = None
    metrics: Optional[str] = None
    evaluated_on: Optional[str] = None


def export(
    archive_file: Union[str, os.PathLike],
    folder: Union[str, os.PathLike],
    description: Description,
    storage: Storage = Storage(),  # noqa: B008
    force: bool = False,
    overrides: Union[str, Dict[str, Any]] = "",
    data: Optional[str] = None,
) -> ModelInfo:
    """
    Exports a trained model to a folder: weights (safetensors), graphs, config with the overrides,
    vocabulary, the config and the tokenizer of a transformer, licence and model card. `int8` needs
    `data`, an annotated corpus, to find the ranges of values. A folder with files is a
    `ConfigurationError`, unless `force` replaces an exported model.
    """
    target, model_path = Path(folder), resolve(archive_file)
    check_empty(target, force and is_exported(str(target)), "an exported model")
    if target.resolve() in (Path(model_path).resolve(), *Path(model_path).resolve().parents):
        raise ConfigurationError(
            f"{target}: found the model {model_path} in it; expected another folder"
        )
    about = Path(description.about).read_text("utf-8") if description.about else _NOT_SAID
    archive = open_archive(archive_file, overrides=overrides)
    model: Any = archive.model
    if not hasattr(model, "vocabulary_axes"):
        raise ConfigurationError(
            f"{archive_file}: found a {type(model).__name__}; expected a model of this package"
        )
    scores = _scores(description.metrics, model_path)
    with complete_folder(target) as partial:
        with model_folder(model_path) as source:
            config = _config(archive.config.as_dict(quiet=True), source, partial)
        write_json(partial / CONFIG_NAME, config)
        model.write_network(archive.validation_dataset_reader, partial)
        if storage.precision == INT8 and not (partial / GRAPHS_NAME).is_dir():
            raise ConfigurationError(
                f"{archive_file}: precision is 'int8'; expected another for a model without graphs"
            )
        axes: Dict[str, Sequence[Optional[str]]] = model.vocabulary_axes()
        sizes = _sizes(model, storage.max_words)
        lines = write_vocabulary(model.vocab, partial, sizes)
        weights = {
            name: weight[: sizes.get(axes[name][0] or "")] if name in axes else weight
            for name, weight in model.state_dict().items()
        }
        path = partial / WEIGHTS_NAME
        codes = {}
        if storage.vector_bits:
            tables = [name for name in weights if name.endswith(f"{PIECE_TABLE}.weight")]
            tables += [name for name, spaces in axes.items() if spaces[0] == WORDS]
            codes = dict.fromkeys(tables, 127)
        if storage.precision == INT8:
            codes |= dict.fromkeys(model.names_in_8_bits(), LARGEST_CODE)
        write_weights(weights, path, storage.precision, codes)
        info = ModelInfo(
            name=description.name or target.resolve().name,
            version=description.version,
            license=_license(description.license, partial),
            scores=scores,
            parameters=sum(weights[name].numel() for name, _ in model.named_parameters()),
            vocabulary=lines,
            sha256=digest_of_file(path),
            package_version=VERSION,
        )
        tags = getattr(model, "pos_tags", None)
        language = getattr(model, "language", ENGLISH)
        if language == ENGLISH and not (tags and are_english_tags(tags)):
            # English is also what a model has that names no language.
            language = None
        kind, measured_on = config["model"]["type"], description.evaluated_on
        card = model_card(info, kind, storage, about, language, measured_on)
        (partial / CARD_NAME).write_text(card, encoding="utf-8", newline="\n")
        write_json(partial / INFO_NAME, dataclasses.asdict(info))
        if storage.precision == INT8:
            assert data is not None
            model.write_graphs_in_8_bits(partial, _requests(data, model.needs_predicates))
        return info


def _requests(data: str, with_predicates: bool) -> List[Request]:
    sentences = read_annotated(data, parses=True).bare_sentences
    found: List[Request] = []
    for sentence in sentences[:: -(-len(sentences) // CALIBRATED_ON)]:
        words = Sentence(sentence.words)
        if not with_predicates:
            found.append(Request(words))
            continue
        for frame in sentence.frames or []:
            marks = [int(token == frame.predicate) for token in range(len(words.words))]
            found.append(Request(words, predicates=marks))
    return found


def _scores(metrics: Optional[str], model: str) -> Dict[str, float]:
    path = metrics
    if path is None:
        folder = model if os.path.isdir(model) else os.path.dirname(model)
        path = os.path.join(folder, "metrics.json")
        if not os.path.isfile(path):
            return {}
    found = read_json(Path(path))
    if isinstance(found.get("scores"), dict):
        # An exported folder's model.json.
        found = found["scores"]
    prefix = "best_validation_"
    best = {k.removeprefix(prefix): v for k, v in found.items() if k.startswith(prefix)}
    return {
        name: round(value, 2)
        for name, value in (best or found).items()
        if isinstance(value, float) and not name.endswith("loss")
    }


def _metadata(info: ModelInfo, language: Optional[str], task: str, data: Optional[str]) -> str:
    """The YAML before a model card, written as JSON."""
    name = re.sub("[^a-z0-9.]+", "-", info.license.partition("(")[0].lower()).strip("-")
    known = {"license": name} if name in _LICENSES else {"license": "other", "license_name": name}
    metrics = [{"type": key, "value": value} for key, value in info.scores.items()]
    result = {
        "task": {"type": "token-classification", "name": task},
        "dataset": {"type": "other", "name": data or "validation data of the training"},
        "metrics": metrics,
    }
    values: Dict[str, Any] = {
        **known,
        **({} if language is None else {"language": language}),
        "library_name": "lisa-allennlp",
        "model-index": [{"name": info.name, "results": [result] if metrics else []}],
    }
    lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items())
    return "\n".join(["---", *lines, "---"]) + "\n"


def _license(given: str, folder: Path) -> str:
    """Copies the file of a licence to the folder, and returns its first line."""
    if not os.path.isfile(given):
        return given
    text = Path(given).read_text("utf-8")
    (folder / LICENSE_NAME).write_text(text, encoding="utf-8", newline="\n")
    return next((line.strip(" #") for line in text.splitlines() if line.strip()), LICENSE_NAME)


def _sizes(model: Any, max_words: Optional[int]) -> Dict[str, int]:
    if max_words is None or WORDS not in model.vocab.get_namespaces():
        return {}
    if max_words < 1:
        raise ConfigurationError(f"--max-words is {max_words}; expected 1 or more")
    # Padding and the unknown word come first.
    return {WORDS: min(max_words + 2, model.vocab.get_vocab_size(WORDS))}


def _config(found: Dict[str, Any], source: Path, folder: Path) -> Dict[str, Any]:
    """The sections of a config for users. Writes the files that they name."""
    found = copy.deepcopy(found)
    found["data_loader"] = found.get("validation_data_loader") or found.get("data_loader") or {}
    tokens = ("padding_token", "oov_token")
    vocabulary = found.get("vocabulary") or {}
    found["vocabulary"] = {key: vocabulary[key] for key in tokens if key in vocabulary}
    for key in ("dataset_reader", "validation_dataset_reader"):
        (found.get(key) or {}).pop("max_instances", None)
    found["model"] = without_initial_values(found["model"])
    kept = {key: found[key] for key in SECTIONS if found.get(key)}
    names = store_files(kept, source, folder)
    for _, owner, key in files_of(kept):
        owner[key] = names[owner[key]]
    return kept


def model_card(
    info: ModelInfo,
    model_type: str,
    storage: Storage,
    about: str,
    language: Optional[str],
    data: Optional[str],
) -> str:
    """
    Returns a model card in Markdown, after YAML for the Hugging Face Hub. `about` describes the
    training data, `data` names the scored data.
    """
    task = _TASKS.get(model_type, "sentences")
    on = data or "the validation data of the training, or as measured by `lisa evaluate`"
    stored = [
        f"{key.replace('_', ' ')} {value}" for key, value in storage._asdict().items() if value
    ]
    scores = ["Not measured."]
    if info.scores:
        scores = [
            f"On {on}.\n",
            "| score | value |\n| --- | --- |",
            *(f"| `{name}` | {value:.2f} |" for name, value in info.scores.items()),
        ]
    parts = [
        f"{_metadata(info, language, task, data)}\n# {info.name}",
        f"Version {info.version} of a model of type `{model_type}` for lisa-allennlp, which "
        f"predicts {task}. It has {info.parameters:,} parameters. "
        f"Exported by lisa-allennlp {info.package_version} ({', '.join(stored)}).",
        "```python\nimport lisa_allennlp\n\n"
        f'lisa = lisa_allennlp.load("{info.name}")  # the path of this folder works, too\n```',
        "## Licence",
        info.license,
        "## Scores",
        "\n".join(scores),
        about.strip(),
    ]
    return "\n\n".join(parts) + "\n"
