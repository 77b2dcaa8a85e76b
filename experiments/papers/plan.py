"""Plans the commands that fill the tables of a paper."""

import json
import math
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

from allennlp.common import Params
from allennlp.common.params import with_overrides

from experiments.jobs import Analysing, Evaluating, FromFiles, Job, Training
from experiments.papers import gate_recorder
from experiments.papers.parts import (
    Cell,
    Comparison,
    Evaluation,
    Figure,
    Network,
    Own,
    Paper,
    Source,
    networks_of,
)
from experiments.papers.settings import Settings
from lisa_allennlp.apps.prepare.stanford import TAGS_SUFFIX
from lisa_allennlp.common.errors import ConfigurationError
from lisa_allennlp.data.dataset_readers.conllu_parses import ConlluParsesReader
from lisa_allennlp.models_on_disk.archives.opening import override
from lisa_allennlp.training import callbacks
from lisa_allennlp.training.configs import check_config, missing_files

PARSER_STEPS, TOKENS_PER_BATCH = 50_000, 5_000
"""How long Dozat & Manning train."""

_PREDICTING = ("--use-dataset-reader",)

Scoring = Union[Evaluating, Analysing]
"""A job that has scores."""


class Plan:
    """The jobs that fill the chosen cells, each once and after the jobs that it needs."""

    def __init__(self, paper: Paper, settings: Settings) -> None:
        self.jobs: Dict[str, Job] = {}
        self._settings = settings
        self._corpus = paper.corpora[settings.data]
        known = Params.from_file(
            f"training_configs/{paper.parts}", ext_vars=dict(settings.environment)
        ).as_dict(quiet=True)
        self.parts: Dict[str, Dict[str, str]] = known["parts"]
        if settings.files:
            given = {part: settings.files.get(part) for part in ("dev", "test")}
            self.parts = {part: {"trees": path} for part, path in given.items() if path}
        self._train_trees: str = settings.files.get("train") or known.get("train", {}).get(
            "trees", ""
        )
        self._is_treebank = settings.data in paper.treebanks
        self._tagger = paper.tagger
        self._to_tag = self._parts_to_tag(paper, known)
        self._parser_validation: str = known.get("parser_validation", "")
        self._elmo: str = known.get("elmo", "")
        self._gate_words: List[str] = known.get("gate_words", [])
        dev = [path for path in map(_local, self.parts["dev"].values()) if not path.exists()]
        # A dry run without the corpus is planned as if all files were there.
        self._assumes_files = bool(dev)
        if dev and not settings.dry_run:
            self._refuse(dev[0], known)

    def _refuse(self, path: Path, known: Dict[str, Any]) -> None:
        files = [known.get("train", {}), *self.parts.values()]
        paths = dict.fromkeys(_local(path) for part in files for path in part.values())
        others = [str(other) for other in paths if other != path and not other.exists()]
        more = f"; also missing: {', '.join(others)}" if others else ""
        raise ConfigurationError(
            f"{path}: found no such file or folder; expected the dev part of {self._corpus}{more}"
        )

    def missing_files(self, sources: Sequence[Source]) -> Dict[str, List[str]]:
        """
        Returns the files that do not exist of all that some sources need, and for each the names of
        the networks to train or of the parts to evaluate that need it.
        """
        missing: Dict[str, List[str]] = {}
        needed = [(f"evaluation on {s.part}", p) for s in sources for p in self._part_paths(s.part)]
        for network in networks_of([e for source in sources for e in source.evaluations]):
            name = network.name_at(self._settings.size)
            needed += [(name, path) for path in self._training_files(network)]
        for needs, path in needed:
            local = _local(path)
            if not local.exists() and needs not in missing.setdefault(str(local), []):
                missing[str(local)].append(needs)
        return missing

    def _part_paths(self, part: str) -> List[str]:
        return list(self.parts.get(part, {}).values())

    def _training_files(self, network: Network) -> Iterator[str]:
        """Yields missing files of a network's config, and the trees and tags beside its data."""
        file = config_file(network, self._settings.size)
        given = dict(self._settings.environment)
        config = Params.from_file(file, ext_vars=given).as_dict(quiet=True)
        config = with_overrides(config, self.overrides(network))
        yield from (path for _, path in missing_files(config))
        reader = config["dataset_reader"]
        if network.reads == "trees":
            if reader.get("pos_suffix") and not reader.get("pos_folder"):
                yield _tags_of(config["train_data_path"])
                yield _tags_of(config["validation_data_path"])
        elif network.reads == "roles" and reader.get("parses_suffix", True) is not None:
            yield self._train_trees

    def _parts_to_tag(self, paper: Paper, known: Dict[str, Any]) -> Dict[str, Dict[str, str]]:
        """
        Returns the files of the parts whose tags for the parsers a LISA predicts: none if they read
        gold tags or the corpus has predicted ones.
        """
        is_given = self._settings.parser_tags == "gold" or self._settings.data in paper.treebanks
        if paper.tagger is None or is_given or os.path.exists(_tags_of(known["train"]["trees"])):
            return {}
        parts = {"train": known["train"], **self.parts}
        return {p: files for p, files in parts.items() if os.path.exists(_local(files["roles"]))}

    @property
    def trainings(self) -> List[Training]:
        return [job for job in self.jobs.values() if isinstance(job, Training)]

    @property
    def networks(self) -> List[str]:
        return list(dict.fromkeys(training.network for training in self.trainings))

    def check_configs(self) -> None:
        if not self._settings.overrides and not self._settings.network_overrides:
            return
        for training in {training.network: training for training in self.trainings}.values():
            config = Params.from_file(training.config, ext_vars=dict(self._settings.environment))
            source = f"{training.config} with --set and --overrides"
            check_config(override(config.as_dict(quiet=True), training.overrides, source), source)

    def reason_to_skip(self, source: Source) -> Optional[str]:
        if source.part not in self.parts:
            return f"{self._corpus} has no part '{source.part}'"
        for path in self.parts[source.part].values():
            if not (self._assumes_files or _local(path).exists()):
                return f"{_local(path)} is missing"
        return self._reason_not_to_train(networks_of(source.evaluations))

    def add(self, cell: Cell) -> Sequence[Scoring]:
        """Returns the jobs that fill a cell, one per seed."""
        if isinstance(cell.source, Comparison):
            return [self._add_analysis(cell.source, seed) for seed in self._seeds()]
        if isinstance(cell.source, Own):
            return [self._add_own(cell.source, number) for number in range(len(cell.source.models))]
        return [self._add_use("evaluate", cell.source, seed) for seed in self._seeds()]

    def reason_not_to_draw(self, figure: Figure) -> Optional[str]:
        if figure.comparison is not None:
            return self.reason_to_skip(figure.comparison)
        return self._reason_not_to_train(figure.all_networks)

    def add_figure(self, figure: Figure) -> Job:
        """Returns the job of a figure. Curves are of all seeds, everything else of the first."""
        if figure.comparison is not None:
            return self._add_analysis(figure.comparison, self._seeds()[0])
        output = self._settings.out / "figures" / f"figure{figure.number}.svg"
        command, needs = [figure.kind, str(output)], []
        for name, network in figure.networks.items():
            for seed in self._seeds() if figure.kind == "curves" else self._seeds()[:1]:
                training = self.add_training(network, seed)
                needs.append(training)
                run = str(training.output)
                command.append(f"{name}={run}" if figure.kind == "curves" else run)
        return self._keep(
            FromFiles(
                f"draw-figure{figure.number}",
                output,
                tuple(needs),
                module="experiments.papers.supertagger_plots",
                command=tuple(command),
            )
        )

    def _seeds(self) -> List[Optional[int]]:
        return list(self._settings.seeds) or [None]

    def _reason_not_to_train(self, networks: Sequence[Network]) -> Optional[str]:
        for network in networks:
            config = Path(config_file(network, self._settings.size))
            if not config.exists():
                return f"{config} is missing"
            if network.needs_elmo_at(self._settings.size) and not self._elmo.startswith("http"):
                options = Path(f"{self._elmo}options.json")
                if not (self._assumes_files or options.exists()):
                    return f"no ELMo: {options} is missing (LISA_ELMO)"
            tagged = [files["trees"] for files in self._to_tag.values()]
            if tagged and network.reads == "trees" and self._parser_validation not in tagged:
                return (
                    f"no predicted tags: {_tags_of(tagged[0])} is missing (lisa prepare "
                    "--stanford-tagger writes it; --parser-tags gold does without)"
                )
        return None

    def _keep(self, job: Any) -> Any:
        return self.jobs.setdefault(job.name, job)

    def add_training(self, network: Network, seed: Optional[int]) -> Training:
        settings = self._settings
        network_name = network.name_at(settings.size)
        name = network_name if seed is None else f"{network_name}.seed{seed}"
        environment = {k: v for k, v in settings.environment.items() if v}
        if settings.max_hours is not None:
            environment[callbacks.MAX_HOURS] = str(settings.max_hours)
        needs = self._add_tags(seed) if self._to_tag and network.reads == "trees" else []
        return self._keep(
            Training(
                f"train-{name}",
                settings.out / "models" / name,
                tuple(needs),
                environment=environment,
                network=network_name,
                config=config_file(network, settings.size),
                overrides=self.overrides(network, seed),
                seed=seed,
                max_hours=settings.max_hours,
                packages=(gate_recorder.__name__,) if network.records_gates else (),
            )
        )

    def overrides(self, network: Network, seed: Optional[int] = None) -> Dict[str, Any]:
        """Returns the overrides of a network's config, without the seed itself."""
        settings = self._settings
        overrides = self.paper_overrides(network)
        if network.reads == "trees":
            if settings.parser_tags == "gold":
                overrides["dataset_reader.pos_suffix"] = None
            elif settings.have_predicted_tags:
                overrides["dataset_reader.use_predicted_pos"] = True
            overrides.update(self._lisa_tags(network, seed))
        if network.reads == "roles":
            # As in the papers: srl-eval.pl's row V, Table 5, then depends on the network.
            overrides["model.force_verb"] = False
        if network.records_gates:
            recorder = {"type": "gate_recorder", "words": self._gate_words}
            overrides["trainer.callbacks"] = ["time_limit", recorder]
        if settings.files:
            overrides["train_data_path"] = settings.files["train"]
            overrides["validation_data_path"] = settings.files["dev"]
        changes = settings.network_overrides.get(network.name_at(settings.size), {})
        return {**overrides, **settings.overrides, **changes}

    def paper_overrides(self, network: Network) -> Dict[str, Any]:
        """
        Returns the paper's own overrides: those of its system, and the epochs that make
        `PARSER_STEPS` steps on a treebank.
        """
        if network.reads != "trees" or not self._is_treebank or self._settings.size == "small":
            return dict(network.overrides)
        return {**network.overrides, "trainer.num_epochs": self._epochs_of_parser}

    @cached_property
    def _epochs_of_parser(self) -> int:
        sentences = ConlluParsesReader().read_sentences(self._train_trees)
        batches = math.ceil(sum(len(s.words) for s in sentences) / TOKENS_PER_BATCH)
        return math.ceil(PARSER_STEPS / batches)

    def _lisa_tags(self, network: Network, seed: Optional[int]) -> Dict[str, Any]:
        """Returns the override that makes a parser read LISA's tags, if they are predicted."""
        if not self._to_tag or network.reads != "trees":
            return {}
        return {"dataset_reader.pos_folder": str(self._tags_folder(seed))}

    def _tags_folder(self, seed: Optional[int]) -> Path:
        return self._settings.out / "tags" / ("" if seed is None else f"seed{seed}")

    def _add_tags(self, seed: Optional[int]) -> List[Job]:
        """Returns the jobs that predict the tags of all parts, with the LISA of the same seed."""
        training = self.add_training(cast(Network, self._tagger), seed)
        jobs: List[Job] = []
        for part, files in self._to_tag.items():
            output = self._tags_folder(seed) / Path(_tags_of(files["trees"])).name
            options = *_PREDICTING, "--predictor-args", '{"output_format": "conllu"}'
            command = self._command("predict", training.model, files["roles"], output, {}, *options)
            name = f"predict-{training.output.name}.{part}.tags"
            data = (_local(files["roles"]),)
            jobs.append(
                self._keep(FromFiles(name, output, (training,), data=data, command=command))
            )
        return jobs

    def _command(
        self,
        verb: str,
        model: Path,
        data: str,
        output: Path,
        overrides: Mapping[str, Any],
        *options: str,
    ) -> Tuple[str, ...]:
        """Returns the arguments of `lisa evaluate`, which keeps predictions, or `lisa predict`."""
        command = [verb, str(model), data, *options, "--output-file", str(output)]
        if verb == "evaluate":
            command += ["--predictions-output-file", str(output.with_suffix(".jsonl"))]
        command += ["-o", json.dumps(dict(overrides))] if overrides else []
        device = self._settings.cuda_device
        return (*command, *(["--cuda-device", str(device)] if device >= 0 else []))

    def _add_own(self, own: Own, number: int) -> Evaluating:
        model, packages = own.models[number], self._settings.packages
        slug = re.sub(r"\W+", "_", own.name)
        names = (f"own-{slug}", str(number + 1) * (len(own.models) > 1), own.part, own.variant)
        name = ".".join(filter(None, names))
        output = self._settings.out / f"scores/{name}.json"
        options = [word for package in packages for word in ("--include-package", package)]
        data = self.parts[own.part][own.reads]
        return self._keep(
            Evaluating(
                f"evaluate-{name}",
                output,
                data=(*self._files(own.part), model),
                command=self._command("evaluate", model, data, output, own.overrides, *options),
                beside=(output.with_suffix(".jsonl"),),
            )
        )

    def _add_use(self, verb: str, evaluation: Evaluation, seed: Optional[int]) -> Any:
        """
        Returns the job that uses a trained model on a part of the corpus: to `evaluate` it, or to
        `predict` trees or, with LISA and SA, roles.
        """
        network = evaluation.network
        training = self.add_training(network, seed)
        injected, overrides, needs = self._injected(evaluation, seed)
        name = ".".join(filter(None, (training.output.name, injected, evaluation.variant)))
        # Paths are trusted only in overrides.
        overrides.update({**evaluation.overrides, **self._lisa_tags(network, seed)})
        data = self.parts[evaluation.part][network.reads]
        is_evaluated = verb == "evaluate"
        folder, suffix = "scores", "json"
        if not is_evaluated:
            is_parser = network.reads == "trees"
            folder, suffix = ("parses", "conllu") if is_parser else ("predictions", "jsonl")
        output = self._settings.out / folder / f"{name}.{suffix}"
        options = () if is_evaluated else _PREDICTING
        return self._keep(
            (Evaluating if is_evaluated else FromFiles)(
                f"{verb}-{name}",
                output,
                (training, *needs),
                data=self._files(evaluation.part),
                command=self._command(verb, training.model, data, output, overrides, *options),
                beside=(output.with_suffix(".jsonl"),) if is_evaluated else (),
            )
        )

    def _injected(
        self, evaluation: Evaluation, seed: Optional[int]
    ) -> Tuple[str, Dict[str, Any], List[Job]]:
        """Returns part and injected trees as a name, as overrides, and the jobs that make them."""
        if evaluation.parser is not None:
            parsing = self._add_use("predict", Evaluation(evaluation.parser, evaluation.part), seed)
            overrides = {"dataset_reader.injected_parses_path": str(parsing.output)}
            return f"{evaluation.part}+dm", overrides, [parsing]
        if evaluation.gold_trees:
            overrides = {"dataset_reader.injected_parses_suffix": ".conllu"}
            return f"{evaluation.part}+gold", overrides, []
        return evaluation.part, {}, []

    def _add_analysis(self, comparison: Comparison, seed: Optional[int]) -> Analysing:
        part = comparison.part
        name = part if seed is None else f"{part}.seed{seed}"
        folder = self._settings.out / "analysis" / name
        command, needs = ["analyze", "--gold", self.parts[part]["roles"]], []
        for system, evaluation in comparison.systems.items():
            needs.append(self._add_use("predict", evaluation, seed))
            command += ["--pred", f"{system}={needs[-1].output}"]
        for parser, network in comparison.parsers.items():
            needs.append(self._add_use("predict", Evaluation(network, part), seed))
            command += ["--parse", f"{parser}={needs[-1].output}"]
        command += ["--out", str(folder)]
        return self._keep(
            Analysing(
                f"analyze-{name}",
                folder / "report.json",
                tuple(needs),
                data=self._files(part),
                command=tuple(command),
            )
        )

    def _files(self, part: str) -> Tuple[Path, ...]:
        return tuple(map(_local, dict.fromkeys(self.parts[part].values())))


def config_file(network: Network, size: str) -> str:
    return f"training_configs/{network.config_at(size)}.jsonnet"


def _local(path: str) -> Path:
    """Returns the file or folder of a path that may end with sections, as in `AUTO#23`."""
    return Path(path if os.path.exists(path) else path.partition("#")[0])


def _tags_of(trees: str) -> str:
    """Returns the file of predicted tags beside a file or folder of trees."""
    return trees.removesuffix(".conllu") + TAGS_SUFFIX
