"""Runs a training as `lisa train` shows it."""

import copy
import json
import logging
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from allennlp.commands.train import TrainModel, train_model
from allennlp.common import Params
from allennlp.common.meta import META_NAME, Meta
from allennlp.common.params import parse_overrides
from allennlp.common.util import SigTermReceived, prepare_environment
from allennlp.models.archival import CONFIG_NAME, verify_include_in_archive
from allennlp.training.util import create_serialization_dir

from lisa_allennlp.common import config_files
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.common.option_values import json_object
from lisa_allennlp.common.threads import use_one_thread_in_forks
from lisa_allennlp.data.dataset_readers.srl_reader import REPLAYED, read_sentences_to_learn
from lisa_allennlp.formats.annotated_files import ROLES, TREES, WORDS, check_complete
from lisa_allennlp.formats.corrections import corrections_of, held_out, is_partial
from lisa_allennlp.models_on_disk.archives.opening import override
from lisa_allennlp.models_on_disk.archives.stored_files import archive_model
from lisa_allennlp.models_on_disk.model_folder import read_json
from lisa_allennlp.sentence.sentence import Sentence
from lisa_allennlp.training.configs import check_experiment
from lisa_allennlp.training.continued_training import continued_config
from lisa_allennlp.training.output_folder import (
    ARCHIVE_NAME,
    describe,
    prepare_folder,
    with_progress,
)
from lisa_allennlp.training.progress import LINE

LEAST_BATCHES = 10
"""The least batches per epoch: a small corpus is repeated."""

RATE, RATE_WITHOUT_REPLAY = 0.4, 0.2
"""The factors of the learning rate on corrections, with and without replayed sentences."""

VALIDATION_READER = "validation_dataset_reader"

LEVEL = "ALLENNLP_LOG_LEVEL"

ENOUGH_TO_TEACH = 200
"""100 corrected reviews did not make a model better, 200 did (docs/correcting.md)."""


class Sources(NamedTuple):
    """
    What a training uses in place of what its config names.

    # Parameters

    continue_from : `str`, optional
        The trained model to start from, as for `continued_config`.
    train_file, dev_file : `str`, optional
        Files to train and to validate on. For LISA and SA, they may have any format that `lisa
        convert` reads. With a `train_file` alone, nothing is validated.
    replay_file : `str`, optional
        A file of which sentences are mixed in, if the training continues from a model.
    """

    continue_from: Optional[str] = None
    train_file: Optional[str] = None
    dev_file: Optional[str] = None
    replay_file: Optional[str] = None


class Workers(NamedTuple):
    node_rank: int = 0
    packages: Sequence[str] = ()


def train(
    config: str,
    folder: Path,
    overrides: str = "",
    sources: Sources = Sources(),  # noqa: B008
    recover: bool = False,
    force: bool = False,
    dry_run: bool = False,
    workers: Workers = Workers(),  # noqa: B008
) -> List[str]:
    """
    Trains a model as AllenNLP's `train_model_from_file` does, but with the progress and a table of
    the epochs on the terminal, and of the log only warnings. The log is in the folder's `out.log`.
    The classes of the config have to be registered. Returns in a few lines what was made.

    # Parameters

    config : `str`
        A file, or the name of a config of the package.
    folder : `Path`
        `prepare_folder` says which ones are used, and what may change if a training is recovered.
    """
    path = config_files.resolve(config)
    settings = Params.from_file(path).as_dict(quiet=True)
    continue_from, train_file, dev_file, replay_file = sources
    if replay_file is not None and (continue_from is None or train_file is None):
        missing = "--from" if continue_from is None else "--train"
        raise ConfigurationError(
            f"--replay: found no {missing}; expected a model and sentences that it learns"
        )
    if train_file is not None or dev_file is not None:
        settings = _with_corpus(settings, path, sources)
    if continue_from is not None:
        settings = continued_config(settings, continue_from)
    begun = folder / CONFIG_NAME
    # `allennlp train` may have begun it on a part of the validation data.
    validates_whole = not (recover and begun.exists()) or VALIDATION_READER in read_json(begun)
    params = _with_overrides(settings, overrides, path, validates_whole)
    if not force:
        recover = prepare_folder(folder, params, recover)
    use_one_thread_in_forks()
    LINE.show("reading the data")
    try:
        if params.get("distributed") is None:
            _train_in_this_process(params, folder, recover, force, dry_run)
        else:
            os.environ.setdefault(LEVEL, "WARNING")
            packages = ["lisa_allennlp.plugin", *workers.packages]
            train_model(params, folder, recover, force, workers.node_rank, packages, dry_run)
            if workers.node_rank == 0 and not dry_run:
                # With the files of a transformer or of ELMo, which AllenNLP's function leaves out.
                with complete_file(folder / ARCHIVE_NAME) as partial:
                    archive_model(folder, archive_path=partial)
    finally:
        LINE.clear()
    return describe(folder, dry_run)


def _with_corpus(config: Dict[str, Any], path: str, sources: Sources) -> Dict[str, Any]:
    continue_from, train_file, dev_file, replay_file = sources
    teaches = continue_from is not None
    files = {"train_data_path": train_file, "validation_data_path": dev_file}
    if train_file is None:
        del files["train_data_path"]
    changed = {**config, **files}
    reader = changed["dataset_reader"]
    if reader["type"] not in ("conll05_srl", "conll12_srl", "annotated_srl"):
        if replay_file is not None:
            found = f"the reader {reader['type']}"
            raise ConfigurationError(f"--replay: found {found}; expected a config of LISA or SA")
        return changed
    reader = changed["dataset_reader"] = {**reader, "type": "annotated_srl"}
    if train_file is not None:
        corpus = read_sentences_to_learn(train_file)
        # A model that learns the rest from the beginning needs all of it.
        parts = [ROLES] if reader.get("parses_suffix", "") is None else [ROLES, TREES]
        check_complete(corpus, [WORDS] if teaches else [WORDS, *parts], "the training")
        sentences = corpus.bare_sentences
        loader = changed["data_loader"]
        num_tokens = sum(len(sentence.words) for sentence in sentences)
        if replay_file is not None:
            num_tokens *= 1 + REPLAYED
        num_batches = num_tokens // _number(config, "data_loader.batch_sampler.max_tokens", path)
        # All passes of a replay are one corpus for the loader.
        if num_batches < LEAST_BATCHES or replay_file is not None:
            number = max(LEAST_BATCHES, num_batches)
            changed["data_loader"] = {"batches_per_epoch": number, **loader}
        if teaches and (replay_file is not None or any(map(corrections_of, sentences))):
            print(what_it_learns_from(sentences, hold_out=dev_file is None), file=sys.stderr)
            changed = _with_teaching(changed, path, replay_file, hold_out=dev_file is None)
    return changed


def what_it_learns_from(sentences: Sequence[Sentence], hold_out: bool) -> str:
    partly = sum(map(is_partial, sentences))
    kept_back = len(held_out(sentences)) if hold_out else 0
    whole = len(sentences) - partly - kept_back
    described = f"teaching: {whole} whole sentences"
    if partly:
        described += f", parts of {partly}"
    if kept_back:
        described += f"; {kept_back} are held out"
    if whole < ENOUGH_TO_TEACH:
        described += f". Fewer than {ENOUGH_TO_TEACH} brought nothing when it was measured"
    return described


def _with_teaching(
    config: Mapping[str, Any], path: str, replay: Optional[str], hold_out: bool
) -> Dict[str, Any]:
    """
    The config of a training on corrections. Sentences of the file `replay` are mixed in. The
    learning rate is smaller, smallest without them. With `hold_out`, `held_out` sentences are left
    out.
    """
    reader, trainer = config["dataset_reader"], config["trainer"]
    rate = _number(config, "trainer.optimizer.lr", path)
    rate *= RATE_WITHOUT_REPLAY if replay is None else RATE
    changed = {
        **config,
        "dataset_reader": {**reader, "hold_out": hold_out},
        VALIDATION_READER: reader,
        "trainer": {**trainer, "optimizer": {**trainer["optimizer"], "lr": rate}},
    }
    if replay is not None:
        changed["train_data_path"] = {"new": config["train_data_path"], "replay": replay}
        changed["dataset_reader"]["passes"] = _number(config, "trainer.num_epochs", path)
    return changed


def _number(config: Any, key: str, path: str) -> Any:
    found = config
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    if not isinstance(found, (int, float)):
        raise ConfigurationError(f"{path}: {key}: found {json.dumps(found)}; expected a number")
    return found


def sentences_to_compare_on(folder: Path) -> List[Sentence]:
    """
    Returns sentences on which to compare a model with the one that it continues from: those of
    `--dev`, or else those held out, if any.
    """
    config = json.loads((folder / CONFIG_NAME).read_text(encoding="utf-8"))
    reader = config["dataset_reader"]
    # Models for given predicates label none of their own.
    if reader["type"] != "annotated_srl" or reader.get("one_predicate_per_instance"):
        return []
    if config.get("validation_data_path") is not None:
        return read_sentences_to_learn(config["validation_data_path"]).bare_sentences
    if not reader.get("hold_out"):
        return []
    path = config["train_data_path"]
    new = path["new"] if isinstance(path, dict) else path
    return held_out(read_sentences_to_learn(new).bare_sentences)


def _with_overrides(
    config: Dict[str, Any], overrides: str, path: str, validates_whole: bool
) -> Params:
    changes = json_object("--overrides", overrides, parse_overrides)
    source = f"{path} with --overrides" if changes else path
    config = override(config, changes, source)
    check_experiment(config, source)
    reader = config["dataset_reader"]
    is_cut = reader.get("max_instances") is not None and config.get(VALIDATION_READER) is None
    if is_cut and validates_whole:
        # Parts of the training data are compared on the same validation data.
        config[VALIDATION_READER] = {**copy.deepcopy(reader), "max_instances": None}
    return Params(with_progress(config))


def _train_in_this_process(
    params: Params, folder: Path, recover: bool, force: bool, dry_run: bool
) -> None:
    create_serialization_dir(params, folder, recover, force)
    params.to_file(str(folder / CONFIG_NAME))
    Meta.new().to_file(folder / META_NAME)
    params.pop("evaluation", None)
    included = params.pop("include_in_archive", None)
    verify_include_in_archive(included)
    with _logged(folder / "out.log"):
        prepare_environment(params)
        training = TrainModel.from_params(params=params, serialization_dir=folder, local_rank=0)
        if dry_run:
            return
        try:
            training.finish(training.run())
        except (KeyboardInterrupt, SigTermReceived):
            best = training.trainer.get_best_weights_path()
            if best is not None:
                archive_model(folder, best, include_in_archive=included)
            raise
        with complete_file(folder / ARCHIVE_NAME) as partial:
            archive_model(folder, archive_path=partial, include_in_archive=included)


@contextmanager
def _logged(file: Path) -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    log, terminal = logging.FileHandler(file), logging.StreamHandler()
    for handler in (log, terminal):
        handler.setFormatter(
            logging.Formatter("%(asctime)s - %(levelname)s - %(name)s - %(message)s")
        )
    terminal.setLevel(os.environ.get(LEVEL, "WARNING"))
    root.handlers[:] = [log, terminal]
    root.setLevel(min(logging.INFO, terminal.level))
    try:
        yield
    finally:
        root.handlers[:] = before
        root.setLevel(level)
        log.close()
